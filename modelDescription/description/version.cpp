// The build compiles the number of the file VERSION into this file only.
#include "version.hpp"

namespace mechfmu {

const char* name_and_version() { return "mechfmu " MECHFMU_VERSION; }

}  // namespace mechfmu
