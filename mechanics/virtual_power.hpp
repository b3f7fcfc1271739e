// Computes the virtual power of masses, applied efforts and constraints in real and virtual velocities. Forces are
// entered by their power; generalised forces, reactions and the efforts along joints' coordinates are its derivatives.
#pragma once

#include <vector>

#include "mass_matrix.hpp"

namespace mechfmu {

/// Holds the equations of motion of the bodies: M v̇ = forces + inertia_forces + constraints.
struct BodyEquations {
  casadi::SX mass_matrix;     ///< n × n
  casadi::SX inertia_forces;  ///< forces of inertia at v̇ = 0
  casadi::SX forces;          ///< forces of gravity and efforts
  casadi::SX kinetic_energy, potential_energy;
  std::string masses;  ///< says in which ways these are made, for the author
};

/// Is a constraint with its multiplier.
struct ConstraintPower {
  Level level;
  casadi::SX residual, multiplier;
};

class VirtualPower {
 public:
  VirtualPower(const Kinematics& kinematics, std::vector<MassProperties> masses, const casadi::SX& gravity);

  /// Enters an effort on a rate, component by component; their product is the power.
  void act(const casadi::SX& effort, const casadi::SX& rate);
  /// Adds energy that efforts already entered store.
  void store(const casadi::SX& energy) { stored_ = stored_ + energy; }

  BodyEquations equations() const;

  const Kinematics& kinematics() const { return kinematics_; }
  const std::vector<MassProperties>& masses() const { return masses_; }

  /// Holds the efforts of all openings: the wrenches of tree joints on their children, in the parents' joint frames,
  /// without the part of the joints' own closures and readings. It also holds the applied efforts along readings.
  struct Transmitted {
    casadi::SX openings, readings;
  };
  Transmitted transmitted(const std::vector<ConstraintPower>& constraints,
                          const std::vector<std::pair<casadi::SX, casadi::SX>>& further_efforts) const;

 private:
  /// Returns the velocities whose change mass resists: velocities of mass centres and angular velocities of those
  /// bodies that have mass or inertia, in one column.
  casadi::SX inertial_rates() const;
  /// Returns for each of them the rate of momentum, m (a − g) or I α + ω × I ω. `rates` and `accelerations` have their
  /// order.
  casadi::SX resistance(const casadi::SX& rates, const casadi::SX& accelerations, const casadi::SX& gravity) const;
  bool has_long_branches() const;
  void choose_mass_matrix(BodyEquations& result) const;
  void choose_inertia_forces(BodyEquations& result) const;
  void add_energies(BodyEquations& result, const casadi::SX& rates) const;

  const Kinematics& kinematics_;
  const Motions& motions_;
  std::vector<MassProperties> masses_;
  casadi::SX gravity_;
  std::vector<casadi::SX> efforts_{casadi::SX(0, 1)}, rates_{casadi::SX(0, 1)};
  casadi::SX stored_ = 0;
};

}  // namespace mechfmu
