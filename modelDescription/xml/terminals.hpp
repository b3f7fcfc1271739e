// terminalsAndIcons/terminalsAndIcons.xml: the flanges that a mechanism is driven at.
#pragma once

#include <string>
#include <vector>

#include "modelDescription/variables/variables.hpp"

namespace mechfmu {

/// A joint's coordinate, or the length of a rod, at which something outside may act, and its variables.
struct Flange {
  std::string name;                ///< the coordinate's, or "rod.length"
  bool angle = false;              ///< an angle and a torque, or else a position and a force
  std::string position;            ///< an output, or the input that drives it
  std::string rate, acceleration;  ///< the same
  std::string effort;              ///< an input that acts there, or the effort that a motion takes
};

/// Coordinates and lengths with a motion, and coordinates with a force whose value an input gives. Only variables that
/// can be connected are named: without a position or an effort there is no flange; without a rate or an acceleration
/// these are empty.
std::vector<Flange> flanges(const Description& description, const ModelVariables& variables);

/// The file's text; there is an icon, and may be no flange.
std::string write_terminals_and_icons(const std::vector<Flange>& flanges);

}  // namespace mechfmu
