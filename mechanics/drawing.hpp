// Draws a mechanism: bodies are lines between the points at which joints hold them.
#pragma once

#include "equations/equations.hpp"
#include "kinematics.hpp"

namespace mechfmu {

/// Returns lines, wheels and places on the ground, from the poses of `kinematics`.
Drawing draw(const Description& description, const Kinematics& kinematics);

/// Returns the places of joints and mass centres, as functions of positions and parameters.
std::vector<casadi::SX> held_places(const Kinematics& kinematics);

}  // namespace mechfmu
