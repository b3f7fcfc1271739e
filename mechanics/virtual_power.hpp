// Virtual power: what masses, applied efforts and constraints do in real and virtual velocities. Forces are entered by
// their power; generalised forces, reactions and the efforts along joints' coordinates are its derivatives.
#pragma once

#include <vector>

#include "kinematics.hpp"

namespace mechfmu {

/// Mass and inertia of a body as expressions.
struct MassProperties {
  casadi::SX mass;
  casadi::SX inertia;  ///< about the mass centre: planar one number; spatial 3 × 3 in the body's frame
};

/// The equations of motion of the bodies: M v̇ = forces + inertia_forces + constraints.
struct BodyEquations {
  casadi::SX mass_matrix;      ///< n × n
  casadi::SX inertia_forces;   ///< −Σ J_vᵀ m J̇_v v + J_ωᵀ (I J̇_ω v + ω × I ω)
  casadi::SX forces;           ///< of gravity and efforts
  casadi::SX kinetic_energy, potential_energy;
};

/// A constraint with its multiplier.
struct ConstraintPower {
  Level level;
  casadi::SX residual, multiplier;
};

class VirtualPower {
 public:
  VirtualPower(const Kinematics& kinematics, std::vector<MassProperties> masses, const casadi::SX& gravity);

  /// An effort on a rate, component by component; their product is the power.
  void act(const casadi::SX& effort, const casadi::SX& rate);
  /// Energy that efforts already entered store.
  void store(const casadi::SX& energy) { stored_ = stored_ + energy; }

  BodyEquations equations() const;

  /// Efforts of all openings: the wrenches of tree joints on their children, in the parents' joint frames, without what
  /// the joints' own closures and readings say; and the applied efforts along readings.
  struct Transmitted {
    casadi::SX openings, readings;
  };
  Transmitted transmitted(const std::vector<ConstraintPower>& constraints,
                          const std::vector<std::pair<casadi::SX, casadi::SX>>& further_efforts) const;

 private:
  const Kinematics& kinematics_;
  const Motions& motions_;
  std::vector<MassProperties> masses_;
  casadi::SX gravity_;
  std::vector<casadi::SX> efforts_{casadi::SX(0, 1)}, rates_{casadi::SX(0, 1)};
  casadi::SX stored_ = 0;
};

}  // namespace mechfmu
