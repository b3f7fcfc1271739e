// Says what a member of the family of pairs of surfaces tells, and lists the members. A pair is a surface of one body
// against one of another: its gap, and where and across which direction they touch. Slips follow from that alone. Each
// member has one file and one line in list.hpp.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "elements/surroundings.hpp"
#include "equations/equations.hpp"
#include "surface_shape.hpp"

namespace mechfmu {

/// Is a surface of a body in its place. Vectors are in the ground's axes, but where a comment says otherwise.
struct ContactSurface {
  SurfaceKind kind = SurfaceKind::ball;
  int body = 0;
  /// Is the centre of a ball, an edge or a box; a point of a plane; the origin of a profile; an end of a capsule's
  /// axis.
  casadi::SX at = {};
  casadi::SX axes = {};       ///< rotation of the surface's own axes against the ground's
  casadi::SX end = {};        ///< capsule: the other end of its axis
  casadi::SX direction = {};  ///< plane: its unit normal, out of the body; edge: the disk's axis; both in own axes
  casadi::SX radius = 0;      ///< radius of a ball, an edge or a capsule, m
  casadi::SX half = {};       ///< box: half of its edges
  std::vector<casadi::SX> corners = {};                             ///< polygon, from `at` in own axes
  std::function<casadi::SX(const casadi::SX& x)> height = nullptr;  ///< profile: y of x, in own axes
};

/// Is how two surfaces touch.
struct Touch {
  /// Is the distance, negative where surfaces overlap. A profile has it to first order: it is exact where they touch.
  casadi::SX gap;
  casadi::SX normal;     ///< unit vector out of the second surface, towards the first
  casadi::SX first_at;   ///< the point of the first surface that is nearest
  casadi::SX second_at;  ///< the point of the second surface that is nearest
};

struct ContactPair {
  SurfaceKind first, second;
  bool for_pieces = false;  ///< is true if pieces of a surface stand for the first: corners, ends, rims
  Touch (*touch)(const ContactSurface& first, const ContactSurface& second);
  /// Returns conditions on the geometry; `what` is "the contact 'heel' between …". Null: there are none.
  std::vector<ConditionEquation> (*conditions)(const ContactSurface& first, const ContactSurface& second,
                                               const std::string& what, const Place&) = nullptr;
};

/// Returns all pairs.
std::span<const ContactPair> contact_pairs();

/// Returns the pair of these kinds, or null.
const ContactPair* find_contact_pair(SurfaceKind first, SurfaceKind second);

/// Returns orthonormal directions across the normal in which slips are told: one in the plane, the normal turned by
/// −90°, to the right if the normal points up. In space there are two, which make a right-handed frame with the normal.
///
/// On a plane they are fixed in its axes: the first is its x axis put into the plane, or its y axis if x is nearly the
/// normal. Elsewhere normals may have all directions, and no pair of directions can follow them without a jump: those
/// of x and y are taken along by the smallest turn that leads from z to the normal (without spin; Frisvad 2012, Duff et
/// al. 2017), or from −z if the normal is within 45° of it. They jump on that circle and nowhere else. Slips, friction
/// and its components jump there together, so that the motion does not.
std::vector<casadi::SX> tangents_of(const Touch&, const ContactSurface& second);

/// Returns the velocity of the first body's material against the second's, each where it is nearest to the other, along
/// these directions.
std::vector<casadi::SX> slips_of(const Touch&, const std::vector<casadi::SX>& tangents, int first_body, int second_body,
                                 const Surroundings&);

/// Returns the velocity of the body's material at a point.
casadi::SX velocity_at(const casadi::SX& at, int body, const Surroundings&);

}  // namespace mechfmu
