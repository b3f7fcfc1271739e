// Checks across the sections of a mechanism file, and finds what follows from them: dimensions, order of calculation,
// units.
#pragma once

#include "read_sections.hpp"

namespace mechfmu {

/// Reports every name that depends on itself and marks it, so that no search follows it round the cycle.
void check_cycles(Reading& reading);

/// Checks all formulas and completes the description.
void check_description(Reading& reading);

// These are parts of it.

/// Returns the measure that a name is declared with; unknown if it has none.
Measure declared_measure(Reading& reading, const std::string& name);

/// Returns the dimension of energy × second^`seconds` ÷ the dimensions of coordinates; unknown if one of them is.
Measure energy_per(Reading& reading, std::initializer_list<std::string> coordinates, double seconds = 0);

/// Checks a constraint, and finds the units of its multiplier and of its reactions.
void check_constraint(Constraint& constraint, Reading& reading, Checker& checker);

/// Checks the gap and the slips of a contact, and finds their dimension.
void check_contact(Contact& contact, Reading& reading, Checker& checker);

/// Checks a start value, and finds whether it is calculated from parameters.
void check_start(Start& start, const std::string& what, const Measure& wanted, Checker& checker);

/// Checks formulas of joints and couplings: starts, motions, sums.
void check_joints(Reading& reading, Checker& checker);
void check_couplings(Reading& reading, Checker& checker);

/// Adds an error if joints do not place every body.
void check_connections(Reading& reading);

/// Checks what numbers alone show of bodies, joints and forces: masses, lengths, directions. `values` holds the
/// parameters and definitions that have a value.
void check_numbers(const Description& description, const std::map<std::string, double>& values,
                   Diagnostics& diagnostics);

}  // namespace mechfmu
