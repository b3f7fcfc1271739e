// The mass matrix of bodies in velocities of joints, made in two ways; the one of fewer operations is used.
#pragma once

#include <vector>

#include "kinematics.hpp"

namespace mechfmu {

/// Mass and inertia of a body as expressions.
struct MassProperties {
  casadi::SX mass;
  casadi::SX inertia;  ///< about the mass centre: planar one number; spatial 3 × 3 in the body's frame
};

/// Σ J_vᵀ m J_v + J_ωᵀ I J_ω of all bodies.
casadi::SX mass_matrix_by_body_jacobians(const Kinematics& kinematics, const std::vector<MassProperties>& masses);

/// By composite inertias (Featherstone 2008, section 6.2): those of everything beyond a joint are summed up inward, and
/// the momentum that a joint's velocity gives them is felt by every joint on the way to the ground. In the ground's
/// axes, about the joints' points. For bodies that the tree's joints carry.
casadi::SX mass_matrix_by_composite_inertias(const Kinematics& kinematics, const std::vector<MassProperties>& masses);

/// Operations that a mass matrix and its rate along the motion take.
casadi_int operations_of(const casadi::SX& mass_matrix, const Symbols& symbols);

/// Zero as it stands.
inline bool is_nothing(const casadi::SX& expression) {
  return expression.is_constant() && casadi::SX::sparsify(expression).nnz() == 0;
}

}  // namespace mechfmu
