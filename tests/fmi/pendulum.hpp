// Declares the test model.
#pragma once

#include <cstring>

#include "fmu_src/fmi/variable_table.hpp"

namespace mechfmu {

inline constexpr char pendulum_token[] = "{pendulum}";

/// Value reference of a variable, 0 if there is none.
inline unsigned reference(const char* name) {
  unsigned reference = 1;
  for (const VariableRow& row : exported_variables().all()) {
    if (std::strcmp(row.name, name) == 0) return reference;
    ++reference;
  }
  return 0;
}

}  // namespace mechfmu
