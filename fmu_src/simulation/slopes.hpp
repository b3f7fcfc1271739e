// What values change by along a direction of time, state, inputs and parameters.
#pragma once

#include "reader.hpp"
#include "start/start.hpp"

namespace mechfmu {

class Slopes : public Reader {
 public:
  /// A direction of time, positions, velocities, inputs and parameters; nullptr: they stay.
  struct Direction {
    double time = 0;
    const double *q = nullptr, *v = nullptr, *inputs = nullptr, *parameters = nullptr;
  };
  /// Finds what q̇, v̇, λ and outputs change by along a direction, whose arrays must outlive the reading of outputs.
  /// False: singular. The slopes are those of the last direction.
  bool differentiate(const Direction&);
  /// The same along the motion, inputs held.
  bool differentiate_by_time();
  /// Fills in what calculated parameters change by with the others.
  void differentiate_calculated(double* parameters);
  /// The same as differentiate() for what assemble() has found, along a direction of time, parameters and inputs.
  ConsistentStart::Derivative differentiate_start(double time, const double* parameters, const double* inputs);
  /// The same where inputs that drive motions, or parameters, move positions and velocities, as adopt_inputs() and
  /// adopt_parameters() do; q and v of the direction are added to that, `freely` or not.
  bool differentiate_jump(const Direction&, bool freely);
  /// The same as differentiate() would give if the motion were integrated from outside: with time and states the
  /// velocities that fit change, and what leads back. The first call allocates.
  bool differentiate_freely(const Direction&);

  const double* position_slopes() const { return direction_.q; }
  const double* velocity_slopes() const { return direction_.v; }
  const double* parameter_slopes() const { return direction_.parameters; }  ///< nullptr: they stay
  const double* rate_slopes();
  const double* velocity_rate_slopes();
  const double* acceleration_slopes() const { return solved_slopes_.data(); }
  const double* multiplier_slopes() const { return acceleration_slopes() + mechanism_.sizes.velocities; }
  const double* output_slopes(int group);

 protected:
  Slopes(Arena&, const Mechanism&);
  ~Slopes() = default;

  ConsistentStart start_;

 private:
  bool differentiate(const Direction&, const Fitting* led);
  Point along_direction() const;
  Point along() const;
  Accelerations::Changes balance_changes(Point at, const Point& along);
  void share_by_loads(const Point& at);
  void lengthen_quaternions_along(const double* position_change, double* rate_change) const;

  Direction direction_;
  const Fitting* led_ = nullptr;  ///< if given, slopes are of what it leads back
  Buffer<dynamic> tape_values_, tape_slopes_, balance_slopes_, kept_balance_slopes_, kept_multipliers_, load_turn_,
      solved_slopes_, output_slopes_, rate_slopes_, velocity_rate_slopes_, carrier_, start_slopes_, moves_,
      start_q_slopes_, start_v_slopes_;
};

}  // namespace mechfmu
