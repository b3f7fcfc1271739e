// Checks across the sections of a mechanism file, and what follows from them: dimensions, order of calculation, units.
#pragma once

#include "read_sections.hpp"

namespace mechfmu {

/// Reports every name that depends on itself and marks it, so that nothing follows it round the cycle.
void check_cycles(Reading& reading);

/// Checks all formulas and completes the description.
void check_description(Reading& reading);

// Parts of it.

/// Checks a start value, and finds whether it is calculated from parameters.
void check_start(Start& start, const std::string& what, const Measure& wanted, Checker& checker);

/// Formulas of joints and couplings: starts, motions, sums.
void check_joints(Reading& reading, Checker& checker);
void check_couplings(Reading& reading, Checker& checker);

/// Every body must be placed by joints.
void check_connections(Reading& reading);

/// What numbers alone can tell of bodies, joints and forces: masses, lengths, directions. `values` are those of
/// parameters and definitions that have one.
void check_numbers(const Description& description, const std::map<std::string, double>& values,
                   Diagnostics& diagnostics);

}  // namespace mechfmu
