// Lists the pairs of surfaces. Each line is a function of the member's file that returns the pair of this name.
#pragma once

#include "contact_pair.hpp"

#define MECHFMU_CONTACT_PAIRS(MEMBER) \
  MEMBER(ball_on_plane)               \
  MEMBER(ball_on_ball)                \
  MEMBER(ball_on_capsule)             \
  MEMBER(ball_on_box)                 \
  MEMBER(ball_on_polygon)             \
  MEMBER(ball_on_profile)             \
  MEMBER(edge_on_plane)

namespace mechfmu::contact_surfaces {

#define MECHFMU_DECLARE(name) ContactPair name();
MECHFMU_CONTACT_PAIRS(MECHFMU_DECLARE)
#undef MECHFMU_DECLARE

}  // namespace mechfmu::contact_surfaces
