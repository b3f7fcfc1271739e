// Says in which order a mechanism's constraints may be kept (docs/method.md, redundancy): position rows, velocity rows,
// acceleration rows, and after all of them the rows that a control realises, since another order could make [M −B; C 0]
// singular.
#pragma once

#include "linear/pivoting.hpp"
#include "mechanism/mechanism.hpp"

namespace mechfmu {

/// Returns this order. If `rank_of_C` is known, at most so many rows are kept for positions and velocities.
inline Priorities priorities(const Mechanism& m, int rank_of_C = -1) {
  return {{m.sizes.position_rows, m.sizes.rows()}, rank_of_C, m.realised, m.same_unit, m.bare, m.nominal};
}

}  // namespace mechfmu
