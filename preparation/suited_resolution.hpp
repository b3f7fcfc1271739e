// Chooses the resolution by the shape of the mechanism if the mechanism file does not name one.
#pragma once

#include <string>

#include "fmu_src/mechanism/mechanism.hpp"
#include "modelDescription/description/description.hpp"

namespace mechfmu {

struct SuitedResolution {
  std::string name;    ///< name in mechanism/families.hpp
  std::string reason;  ///< reason for --explain
};

SuitedResolution suited_resolution(const Sizes&, const Character&, const Description&);

}  // namespace mechfmu
