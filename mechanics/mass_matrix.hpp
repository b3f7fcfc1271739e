// Makes the mass matrix of bodies in velocities of joints in two ways; the program uses the one with fewer operations.
#pragma once

#include <vector>

#include "kinematics.hpp"

namespace mechfmu {

/// Holds mass and inertia of a body as expressions.
struct MassProperties {
  casadi::SX mass;
  casadi::SX inertia;  ///< is about the mass centre, in the body's axes: one number in the plane, 3 × 3 in space
};

/// Returns Σ J_vᵀ m J_v + J_ωᵀ I J_ω of all bodies.
casadi::SX mass_matrix_by_body_jacobians(const Kinematics& kinematics, const std::vector<MassProperties>& masses);

/// Returns the mass matrix by composite inertias (Featherstone 2008, section 6.2). Inertias of everything beyond a
/// joint are summed up inward, and every joint on the way to the ground feels the momentum that a joint's velocity
/// gives them. The sums are in the ground's axes, about the joints' points. All bodies are carried by joints of the
/// tree.
casadi::SX mass_matrix_by_composite_inertias(const Kinematics& kinematics, const std::vector<MassProperties>& masses);

/// Counts the operations of a mass matrix and its rate along the motion.
casadi_int operations_of(const casadi::SX& mass_matrix, const Symbols& symbols);

/// Is true if the expression is zero as it stands.
inline bool is_nothing(const casadi::SX& expression) {
  return expression.is_constant() && casadi::SX::sparsify(expression).nnz() == 0;
}

}  // namespace mechfmu
