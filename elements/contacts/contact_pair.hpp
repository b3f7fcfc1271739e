// Says what a member of the family of pairs of surfaces tells, and lists the members. A pair is a surface of one body
// against one of another: its gap, and where and across which direction they touch. Slips follow from that alone. Each
// member has one file and one line in list.hpp.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "elements/surroundings.hpp"

namespace mechfmu {

/// Is a surface of a body, placed against the ground. A point is a ball without radius; corners of a box or of a
/// polygon are such points, and a capsule on a plane is the balls at its ends.
struct ContactSurface {
  enum class Kind { ball, plane, capsule };
  Kind kind = Kind::ball;
  int body = 0;
  casadi::SX at;           ///< ball: its centre; plane: one of its points; capsule: one end of its axis
  casadi::SX end = {};     ///< capsule: the other end of its axis
  casadi::SX normal = {};  ///< plane: its unit normal, out of the body
  casadi::SX radius = 0;   ///< radius of a ball or a capsule, m
};

/// Is how two surfaces touch. The gap is their distance, negative where they overlap.
struct Touch {
  casadi::SX gap;
  casadi::SX at;      ///< the point of the first surface that is nearest
  casadi::SX normal;  ///< unit vector out of the second surface, towards the first
};

struct ContactPair {
  ContactSurface::Kind first, second;
  Touch (*touch)(const ContactSurface& first, const ContactSurface& second);
};

/// Returns all pairs.
std::span<const ContactPair> contact_pairs();

/// Returns the pair of these kinds, or null.
const ContactPair* find_contact_pair(ContactSurface::Kind first, ContactSurface::Kind second);

/// Returns the velocity of the first body against the second where they touch, along the surface: one number in the
/// plane, positive to the right if the normal points up; in space two, along perpendicular directions. These are fixed
/// in a plane, and change with the normal otherwise, by a jump where it passes 45 degrees to the ground's x axis.
std::vector<casadi::SX> slips_of(const Touch&, const ContactSurface& first, const ContactSurface& second,
                                 const Surroundings&);

}  // namespace mechfmu
