// Takes derivatives of expressions along velocities, and in time along the motion.
#pragma once

#include "equations/columns.hpp"
#include "equations/equations.hpp"

namespace mechfmu {

class MotionRates {
 public:
  explicit MotionRates(const Equations&);

  /// Returns ∂/∂q A of a column: what moving along each velocity changes. If there are quaternions, there are two ways
  /// to write it, and the one of fewer operations is taken.
  casadi::SX along_velocities(const casadi::SX& expression) const;
  /// Returns the time derivative along the motion of something that depends on time and positions, or at fixed
  /// velocities.
  casadi::SX at_fixed_velocities(const casadi::SX& expression) const;
  /// Returns Ṁ or Ċ, where it is not zero.
  casadi::SX of_matrix(const casadi::SX& matrix) const;

 private:
  const Equations& equations_;
  const Symbols& symbols_;
  Places q_, v_;
  Places moving_;      ///< time, positions and states
  casadi::SX motion_;  ///< their rates
};

}  // namespace mechfmu
