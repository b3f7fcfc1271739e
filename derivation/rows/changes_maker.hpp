// Says which class of the core follows what changes at instants in a mechanism.
#pragma once

#include "fmu_src/stepping/changes.hpp"

namespace mechfmu {

/// Says who makes the object that follows what changes at instants, and how generated code calls it; nullptr: nobody.
struct ChangesMaker {
  const char* name = nullptr;
  ChangesFactory make = nullptr;
};
inline ChangesMaker maker_of_changes(const Sizes& sizes) {
  const bool switches = sizes.switches + sizes.resets > 0;
  if (sizes.contacts > 0 && switches) return {"make_contact_and_switch_changes", make_contact_and_switch_changes};
  if (sizes.contacts > 0) return {"make_contact_changes", make_contact_changes};
  if (switches) return {"make_switch_changes", make_switch_changes};
  return {};
}

}  // namespace mechfmu
