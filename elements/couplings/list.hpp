// Lists the couplings. Each line is a function of the member's file that returns the type of this name.
#pragma once

#include "coupling_type.hpp"

#define MECHFMU_COUPLINGS(MEMBER) \
  MEMBER(linear)                  \
  MEMBER(gear)                    \
  MEMBER(rack)                    \
  MEMBER(mesh)                    \
  MEMBER(clutch)                  \
  MEMBER(one_way)                 \
  MEMBER(lock)

namespace mechfmu::couplings {

#define MECHFMU_DECLARE(name) CouplingType name();
MECHFMU_COUPLINGS(MECHFMU_DECLARE)
#undef MECHFMU_DECLARE

}  // namespace mechfmu::couplings
