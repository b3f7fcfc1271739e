// Reports a type that a section does not have.
#pragma once

#include <string>
#include <vector>

#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

/// Adds the error that `what` is of an unknown type. The repair names the section that has the type, if another one
/// does, or else the type of `known` that is nearest to it.
void add_unknown_type(const Place& place, const std::string& what, const std::string& type,
                      const std::vector<std::string>& known, Diagnostics& diagnostics);

}  // namespace mechfmu
