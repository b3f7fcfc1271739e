// Writes terminalsAndIcons/terminalsAndIcons.xml: the flanges at which a mechanism is driven.
#pragma once

#include <string>
#include <vector>

#include "modelDescription/variables/variables.hpp"

namespace mechfmu {

/// Is a joint's coordinate, or the length of a rod, at which another model may act, with its variables.
struct Flange {
  std::string name;                ///< name of the coordinate, or "rod.length"
  bool angle = false;              ///< is true for an angle and a torque, false for a position and a force
  std::string position;            ///< an output, or the input that drives it
  std::string rate, acceleration;  ///< outputs, or inputs that drive them
  std::string effort;              ///< an input that acts there, or the effort of a prescribed motion
};

/// Returns coordinates and lengths with a motion, and coordinates with a force whose value an input gives. It names
/// only variables that can be connected: without a position or an effort there is no flange; without a rate or an
/// acceleration these names are empty.
std::vector<Flange> flanges(const Description& description, const ModelVariables& variables);

/// Returns the file's text. There is an icon; there may be no flange.
std::string write_terminals_and_icons(const std::vector<Flange>& flanges);

}  // namespace mechfmu
