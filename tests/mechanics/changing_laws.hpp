// Checks the laws of what comes and goes at one instant, with nothing but a mechanism's own variables: gaps do not
// close further, forces only push, friction is within its bounds, and against the slip while it slides.
#pragma once

#include <string>
#include <vector>

#include "assembled.hpp"
#include "random.hpp"

namespace mechfmu::testing {

/// Returns what breaks a law, with its numbers.
std::vector<std::string> broken_laws(const RandomMechanism&, const Assembled&);

/// Returns the power of everything that comes and goes, and of constraints, with the sum of its parts without signs.
struct Power {
  double sum = 0, size = 0;
};
Power power_of_rows(const RandomMechanism&, const Assembled&);

/// Returns how many rows act: forces of contacts, of limits and of couplings that are not zero.
int acting(const RandomMechanism&, const Assembled&);

}  // namespace mechfmu::testing
