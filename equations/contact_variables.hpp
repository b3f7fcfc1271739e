// Names what contacts show of gaps, slips and forces: as variables, and for formulas of [outputs].
#pragma once

#include "equations.hpp"

namespace mechfmu {

/// Is a variable of a group, or of the two sides of a thing.
struct ContactVariable {
  Shown shown;
  casadi::SX value;
  OutputGroupIndex group;
};

/// Returns "" for the only slip of a group, else ".x" or ".y".
std::string slip_axis(const ContactEquation&, std::size_t slip);

/// Returns the gap, the slips and the forces of a group.
std::vector<ContactVariable> contact_variables(const ContactEquation&);

/// Returns the efforts of limits and of couplings with backlash, from both of their sides.
std::vector<ContactVariable> side_efforts(const std::vector<ContactEquation>&);

/// Returns what formulas of [outputs] may name, and its values. Forces of a contact that touches at several places are
/// sums there: of "foot[1].normal.force" and so on as "foot.normal.force".
std::vector<std::pair<std::string, casadi::SX>> contact_names(const std::vector<ContactEquation>&);

}  // namespace mechfmu
