// What a mechanism looks like: bodies as lines between the points that joints hold them at.
#pragma once

#include "equations/equations.hpp"
#include "kinematics.hpp"

namespace mechfmu {

/// Lines, wheels and places on the ground, from the poses of `kinematics`.
Drawing draw(const Description& description, const Kinematics& kinematics);

/// Where joints hold bodies, and mass centres: of positions and parameters.
std::vector<casadi::SX> held_places(const Kinematics& kinematics);

}  // namespace mechfmu
