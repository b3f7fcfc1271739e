// Lists the quantities of points and bodies that an output may ask for.
#pragma once

#include <string>
#include <vector>

#include "modelDescription/description/description.hpp"

namespace mechfmu {

/// Is a quantity of a point or a body, with the key that asks for it.
struct AskedOutput {
  const char* key;
  Output::Kind kind;
  const char* unit;
  bool of_point;
  bool has_frame;  ///< is true if the author may choose the frame of the components
  /// These are the names of its components. One without name is a number; without any the dimension does not have it.
  std::vector<std::string> planar, spatial;
};

/// Returns all of them.
const std::vector<AskedOutput>& asked_outputs();

}  // namespace mechfmu
