// This file has what responses have in common.
#include "response.hpp"

namespace mechfmu {

int count_free_rows(const Mechanism& m) {
  const auto has_entries = [](const Pattern& pattern, int row) {
    for (int e = 0; e < pattern.nonzeros; ++e) {
      if (pattern.row[e] == row) return true;
    }
    return false;
  };
  int count = 0;
  for (int i = 0; i < m.sizes.rows(); ++i) count += has_entries(m.C, i) && !has_entries(m.C_a, i);
  return count;
}

bool fail_inertia(const Mechanism& m, const Response& response, double time, Message& message) {
  if (m.character.ideal) {
    return message.fail("The mass matrix is singular in a direction that the constraints leave free at t = %.9g s.",
                        time);
  }
  message.fail("The control (or friction) that is to realise");
  for (int i = 0, named = 0; i < response.rank(); ++i) {
    const int row = response.row(i);
    if (m.realised[row]) message.add("%s '%s'", named++ == 0 ? "" : ",", m.constraint_names[row]);
  }
  message.add(
      " cannot do so at t = %.9g s: no value of it gives the acceleration that is demanded. Realise the "
      "constraint by a force that acts along it, or prescribe another motion.",
      time);
  return false;
}

}  // namespace mechfmu
