// Names of vectors' components: "A.force.x" is x of "A.force", "der(S.y,2)" is y of "der(S,2)".
#pragma once

#include <string>

namespace mechfmu {

struct Component {
  std::string vector;
  char letter = '\0';  ///< w, x, y, z; 0: the name is no component's
};

Component component_of(const std::string& name);

}  // namespace mechfmu
