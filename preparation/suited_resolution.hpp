// How the constraints are resolved where the mechanism file does not say: by the shape of the mechanism.
#pragma once

#include <string>

#include "fmu_src/mechanism/mechanism.hpp"

namespace mechfmu {

struct SuitedResolution {
  std::string name;    ///< in mechanism/families.hpp
  std::string reason;  ///< for --explain
};

SuitedResolution suited_resolution(const Sizes&);

}  // namespace mechfmu
