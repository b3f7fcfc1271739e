// Writes numbers for people who judge them.
#pragma once

#include <cstdio>
#include <string>

#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

/// Returns a number with enough digits to judge a value.
inline std::string shown(double number, int digits = 9) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, number);
  return text;
}

/// Returns a value in the unit that the file gives.
inline std::string shown(double si, const Unit& unit) { return shown(from_si(si, unit)); }

}  // namespace mechfmu
