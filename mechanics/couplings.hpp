// Couplings of joints: ideal constraints on their coordinates, or at the pitch point of two gears.
#pragma once

#include <functional>

#include "exporter/equations.hpp"
#include "kinematics.hpp"

namespace mechfmu {

struct CouplingEquation {
  Level level;
  casadi::SX residual;
};

/// The constraint of a coupling. `named`: coordinates as they are read; `value`: formulas of parameters.
CouplingEquation coupling_equation(const Coupling& coupling, const Kinematics& kinematics,
                                   const std::function<casadi::SX(const Expression&)>& value,
                                   const std::function<casadi::SX(const std::string&)>& named);

/// What its geometry has to fulfil: radii that fit the distance of the axes, axes that are parallel or perpendicular.
/// `length`: the unit that messages tell lengths in.
std::vector<ConditionEquation> coupling_conditions(const Coupling& coupling, const Kinematics& kinematics, const Unit& length,
                                                   const std::function<casadi::SX(const Expression&)>& value);

}  // namespace mechfmu
