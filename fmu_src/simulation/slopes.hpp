// Computes derivatives of values along a direction of time, state, inputs and parameters.
#pragma once

#include "reader.hpp"
#include "start/start.hpp"

namespace mechfmu {

class Slopes : public Reader {
 public:
  /// A direction has time, positions, velocities, inputs and parameters; an array that is nullptr stands for zeros.
  struct Direction {
    double time = 0;
    const double *q = nullptr, *v = nullptr, *inputs = nullptr, *parameters = nullptr;
  };
  /// Finds the derivatives of q̇, v̇, λ and outputs along a direction; its arrays must outlive the reading of outputs.
  /// The slopes below are those of the last direction. Returns false if the equations are singular.
  bool differentiate(const Direction&);
  /// Finds the derivatives along the motion, with inputs held.
  bool differentiate_by_time();
  /// Fills in the derivatives of calculated parameters from those of the others.
  void differentiate_calculated(double* parameters);
  /// Finds the derivatives of the start that assemble() has found, along a direction of time, parameters and inputs.
  ConsistentStart::Derivative differentiate_start(double time, const double* parameters, const double* inputs);
  /// Finds the derivatives along a direction in which inputs of prescribed motions, or parameters, move positions and
  /// velocities, as adopt_inputs() and adopt_parameters() do. The direction's q and v are added to these moves. With
  /// `freely` it goes on with differentiate_freely(), else with differentiate().
  bool differentiate_jump(const Direction&, bool freely);
  /// Finds the derivatives that differentiate() would give if the motion were integrated from outside: with time and
  /// states, the velocities that fit change, and so do the rates that lead back to the constraints. The first call
  /// allocates.
  bool differentiate_freely(const Direction&);

  const double* position_slopes() const { return direction_.q; }
  const double* velocity_slopes() const { return direction_.v; }
  const double* parameter_slopes() const { return direction_.parameters; }  ///< nullptr means zeros
  const double* rate_slopes();
  const double* velocity_rate_slopes();
  const double* acceleration_slopes() const { return solved_slopes_.data(); }
  const double* multiplier_slopes() const { return acceleration_slopes() + mechanism_.sizes.velocities; }
  const double* output_slopes(int group);

 protected:
  Slopes(Arena&, const Mechanism&);
  ~Slopes() = default;
  /// Brings states that start steady to where their rates are zero (steady_states.cpp). If it returns false, the
  /// message says why.
  bool find_steady_states();

  ConsistentStart start_;

 private:
  bool differentiate(const Direction&, const Fitting* led);
  Point given_direction() const;
  Point fitting_direction() const;
  Accelerations::Changes balance_changes(Point at, const Point& direction);
  void share_by_loads(const Point& at);
  void turn_ways(Point at, const Point& direction);
  bool solve_for_steady(double* x);
  bool differentiate_steady_states(const Direction&);
  void differentiate_starts_of_states(double time, const double* parameters, const double* inputs);
  void lengthen_quaternions_along(const double* position_change, double* rate_change) const;

  Direction direction_;
  const Fitting* led_ = nullptr;  ///< if given, the slopes are those of a motion that it leads back
  Buffer<dynamic> tape_values_, tape_slopes_, balance_slopes_, kept_balance_slopes_, kept_multipliers_, load_turn_,
      solved_slopes_, way_, output_slopes_, rate_slopes_, velocity_rate_slopes_, preimage_, start_slopes_, moves_,
      start_q_slopes_, start_v_slopes_, steady_;
};

}  // namespace mechfmu
