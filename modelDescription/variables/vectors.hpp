// Splits names of vectors' components: "A.force.x" is x of "A.force", "der(S.y,2)" is y of "der(S,2)".
#pragma once

#include <string>

namespace mechfmu {

struct ModelVariable;

struct Component {
  std::string vector;
  char letter = '\0';  ///< w, x, y or z; 0 if the name is no component's
};

Component component_of(const std::string& name);

/// Returns the name of the array whose first component the variable is; for a scalar, the variable's own name.
std::string array_name(const ModelVariable& first);
/// Returns the description of an array: "x of the force" of a first component becomes "x, y, z of the force".
std::string array_description(const ModelVariable& first);

}  // namespace mechfmu
