// Checks every body alone: Newton's and Euler's equations with nothing but a mechanism's own variables.
#pragma once

#include <vector>

#include "assembled.hpp"
#include "random.hpp"

namespace mechfmu::testing {

/// Says where a body is.
struct BodyPose {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
};

/// Returns the poses of all bodies, the ground first, from their pose variables.
std::vector<BodyPose> poses(const RandomMechanism&, const Assembled&);

/// Says how a body moves, in the ground's axes.
struct BodyMotion {
  Eigen::Vector3d center_acceleration = Eigen::Vector3d::Zero();  ///< acceleration of the mass centre
  Eigen::Vector3d turning = Eigen::Vector3d::Zero();              ///< angular velocity
  Eigen::Vector3d turning_rate = Eigen::Vector3d::Zero();
};

/// Returns the motions from the mechanism's own velocities and accelerations; the ground comes first.
std::vector<BodyMotion> motions(const RandomMechanism&, const Assembled&);

/// From nothing but the poses at five instants, h apart; it is left at the middle one. `events` is how many events
/// there were between: accelerations jump there.
std::vector<BodyMotion> motions_by_differences(const RandomMechanism&, Assembled&, double h, double* events = nullptr);

/// Returns the largest difference, over all bodies, between the rate of momentum and the forces, or between the rate of
/// angular momentum about the mass centre and the moments, relative to 1 + the sum of their sizes.
double worst_imbalance(const RandomMechanism&, const Assembled&, const std::vector<BodyMotion>&);

/// Returns the largest difference, over all joints but distances, between the child's place and rotation against the
/// parent and those that the joint's coordinates give.
double worst_gap(const RandomMechanism&, const Assembled&);

/// The force and the torque that an effort of one along a joint's coordinate is on the child, at its point, in the
/// ground's axes.
std::pair<Eigen::Vector3d, Eigen::Vector3d> effort_wrench(const RandomMechanism&, const std::vector<BodyPose>&,
                                                          const RandomJoint&, int coordinate);

}  // namespace mechfmu::testing
