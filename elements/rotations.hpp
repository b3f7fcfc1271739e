// Rotations as expressions: matrices, quaternions, frames about an axis.
#pragma once

#include <vector>

#include <casadi/casadi.hpp>

namespace mechfmu {

/// The rotation by an angle in the plane, 2 × 2.
casadi::SX planar_rotation(const casadi::SX& angle);

/// The rotation by an angle about the third column of a frame.
casadi::SX rotation_about(const casadi::SX& frame, const casadi::SX& angle);

/// The rotation by an angle about the first column of a frame.
casadi::SX rotation_about_first(const casadi::SX& frame, const casadi::SX& angle);

/// The rotation of a unit quaternion w, x, y, z.
casadi::SX rotation_of(const casadi::SX& quaternion);

/// q̇ = ½ q ∘ (0, ω), ω in the turned frame.
casadi::SX quaternion_rate(const casadi::SX& quaternion, const casadi::SX& omega);

/// The unit quaternion of a rotation, of the two the one whose largest component is positive.
casadi::SX quaternion_of(const casadi::SX& R);

/// a with a × b = cross_matrix(a) b.
casadi::SX cross_matrix(const casadi::SX& a);

/// a × b in space; in the plane for the number a the vector a e_z × b.
casadi::SX cross_product(const casadi::SX& a, const casadi::SX& b);

/// x, y, z as rotations about the fixed axes in turn, as in URDF: R = Rz Ry Rx.
casadi::SX rotation_of_roll_pitch_yaw(const casadi::SX& angles);

/// A vector of length one. One that is a number is given in exact zeros and ones where it can be.
casadi::SX unit(const casadi::SX& vector);

/// The angle between two directions of any length, from 0 to π.
casadi::SX angle_between(const casadi::SX& a, const casadi::SX& b);

/// A right-handed frame with this third column; the first is that of the ground's axes that suits best at `values`, the
/// vector's numbers, put into the plane.
casadi::SX frame_about(const casadi::SX& axis, const std::vector<double>& values);

/// The same with a given direction for the first column, put into the plane.
casadi::SX frame_about(const casadi::SX& axis, const casadi::SX& first);

}  // namespace mechfmu
