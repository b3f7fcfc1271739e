// Makes rotations as expressions: matrices, quaternions, frames about an axis.
#pragma once

#include <vector>

#include <casadi/casadi.hpp>

namespace mechfmu {

/// Returns R a, and Rᵀ a.
inline casadi::SX turned(const casadi::SX& R, const casadi::SX& a) { return casadi::SX::mtimes(R, a); }
inline casadi::SX turned_back(const casadi::SX& R, const casadi::SX& a) { return casadi::SX::mtimes(R.T(), a); }

/// Returns the rotation by an angle in the plane, 2 × 2.
casadi::SX planar_rotation(const casadi::SX& angle);

/// Returns the rotation by an angle about the third column of a frame.
casadi::SX rotation_about(const casadi::SX& frame, const casadi::SX& angle);

/// Returns the rotation by an angle about the first column of a frame.
casadi::SX rotation_about_first(const casadi::SX& frame, const casadi::SX& angle);

/// Returns the rotation of a unit quaternion w, x, y, z.
casadi::SX rotation_of(const casadi::SX& quaternion);

/// Returns q̇ = ½ q ∘ (0, ω), with ω in the turned frame.
casadi::SX quaternion_rate(const casadi::SX& quaternion, const casadi::SX& omega);

/// Returns the unit quaternion of a rotation; of the two it is the one whose largest component is positive.
casadi::SX quaternion_of(const casadi::SX& R);

/// Returns the matrix with a × b = cross_matrix(a) b.
casadi::SX cross_matrix(const casadi::SX& a);

/// Returns a × b in space, and a e_z × b in the plane, where a is a number.
casadi::SX cross_product(const casadi::SX& a, const casadi::SX& b);

/// Returns the rotation by the angles x, y, z about the fixed axes in turn, as in URDF: R = Rz Ry Rx.
casadi::SX rotation_of_roll_pitch_yaw(const casadi::SX& angles);

/// Returns the vector with length one. If its components are numbers, the result has exact zeros and ones where it can.
casadi::SX unit(const casadi::SX& vector);

/// Returns the angle between two directions of any length, from 0 to π.
casadi::SX angle_between(const casadi::SX& a, const casadi::SX& b);

/// Returns a right-handed frame with this third column. Its first column is one of the ground's axes, put into the
/// plane: the one that suits best at `values`, the vector's numbers.
casadi::SX frame_about(const casadi::SX& axis, const std::vector<double>& values);

/// Returns a right-handed frame with this third column; its first column is a given direction, put into the plane.
casadi::SX frame_about(const casadi::SX& axis, const casadi::SX& first);

}  // namespace mechfmu
