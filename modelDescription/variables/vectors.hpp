// Names of vectors' components: "A.force.x" is x of "A.force", "der(S.y,2)" is y of "der(S,2)".
#pragma once

#include <string>

namespace mechfmu {

struct ModelVariable;

struct Component {
  std::string vector;
  char letter = '\0';  ///< w, x, y, z; 0: the name is no component's
};

Component component_of(const std::string& name);

/// Of the array whose first component a variable is; of a scalar, its own.
std::string array_name(const ModelVariable& first);
/// "x of the force" of a first component is "x, y, z of the force" of them all.
std::string array_description(const ModelVariable& first);

}  // namespace mechfmu
