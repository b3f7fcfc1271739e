// Derivatives of an instance's variables: directional and adjoint ones, and those of outputs by time.
#pragma once

#include "values.hpp"

namespace mechfmu {

class Derivatives : public Values {
 public:
  /// Gets derivatives of outputs by time, inputs held: the first of all, the second of those whose first is a variable;
  /// others are 0. In FMI 2 and 3 `orders` are 32 bits wide.
  Status get_derivatives(const std::uint32_t* references, std::size_t count, const std::int32_t* orders,
                         double* values);
  /// Variables of a call and an array of their values.
  struct Request {
    const std::uint32_t* references;
    std::size_t count;
    const double* values;
  };
  /// Finds the change of computed values along the knowns' values. Knowns are time, inputs and parameters, after
  /// initialization states too. The unknowns' values are not used. Status::discard says that there is no such
  /// derivative; the log says why.
  Status directional_derivative(const Request& unknowns, const Request& knowns, double* sensitivity);
  /// Finds the change of the sum of the unknowns, weighted with their values, with each known; the knowns' values are
  /// not used.
  Status adjoint_derivative(const Request& unknowns, const Request& knowns, double* sensitivity);

 protected:
  Derivatives(Arena&&, Standard, const InstanceModel&, const char* name, const Log&, const Wishes&);
  ~Derivatives() = default;

 private:
  std::size_t value_count(const Request& request) const;
  Status check_derivative(const Request& unknowns, const Request& knowns);
  static int direction_size(const Sizes& s) { return s.inputs + s.positions + s.velocities + s.parameters; }
  bool has_derivatives_by(const VariableRow&) const;
  static bool depends_on_choice(const VariableRow&);
  template <class Take>
  Status derive(const Request& unknowns, Take&& take);
  ConsistentStart::Derivative differentiate();
  bool read_slope(const VariableRow&, double& slope);
  Status difference(const Request& unknowns, double* derivatives);
  double time_seed() const;
  double first_difference();
  bool values_beside(const double* origin, double step, const Request& unknowns, double* values);
  bool read_derivative(const VariableRow&, int order, double& value);

  Buffer<dynamic> direction_;         ///< direction of a derivative, by row, in the variables' units
  Buffer<dynamic> direction_values_;  ///< its inputs, positions, velocities and parameters, SI
};

}  // namespace mechfmu
