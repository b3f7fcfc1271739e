// Finds which inputs act at once on accelerations, reactions and outputs: the structure behind an FMU's ModelStructure.
#pragma once

#include "derive.hpp"

namespace mechfmu {

/// Holds dependencies as numbers of sets, since many values depend on the same inputs.
struct DependencySets {
  std::vector<std::vector<int>> sets;  ///< have ascending indices
  std::vector<std::size_t> outputs, accelerations, multipliers;
};

/// Dependencies by structure. Accelerations, multipliers and loads are solved for together with all others that M, C_a,
/// B and the loads couple them to, so they depend on every input that acts anywhere in their connected component.
DependencySets dependency_sets(const Equations& equations, const casadi::SX& M, const casadi::SX& C_a,
                               const casadi::SX& B, const casadi::SX& h, const casadi::SX& gamma);
InputDependencies input_dependencies(const Equations& equations, const casadi::SX& M, const casadi::SX& C_a,
                                     const casadi::SX& B, const casadi::SX& h, const casadi::SX& gamma);

}  // namespace mechfmu
