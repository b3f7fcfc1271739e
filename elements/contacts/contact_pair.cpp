// Lists the pairs, and finds slips.
#include "contact_pair.hpp"

#include "elements/rotations.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

/// Returns the velocity of the body's material at a point.
SX velocity_at(const SX& at, int body, const Surroundings& around) {
  if (body == 0) return SX::zeros(at.numel(), 1);
  const SX origin = around.point({body, 0, {}});
  SX turning = around.angular_velocity(body);
  if (around.spatial()) turning = SX::mtimes(around.rotation(body), turning);
  return around.rate(origin) + cross_product(turning, at - origin);
}

/// Returns two unit vectors across the normal, given in the axes of the second body where it is a plane.
std::vector<SX> tangents(const SX& normal) {
  const SX x = SX::vertcat({1, 0, 0}), y = SX::vertcat({0, 1, 0});
  const SX along = SX::if_else(SX::sq(normal(0)) < 0.5, x, y);
  const SX first = unit(along - SX::dot(along, normal) * normal);
  return {first, cross_product(normal, first)};
}

}  // namespace

std::span<const ContactPair> contact_pairs() {
#define MECHFMU_PAIR(name) contact_surfaces::name(),
  static const ContactPair pairs[] = {MECHFMU_CONTACT_PAIRS(MECHFMU_PAIR)};
#undef MECHFMU_PAIR
  return pairs;
}

const ContactPair* find_contact_pair(ContactSurface::Kind first, ContactSurface::Kind second) {
  for (const ContactPair& pair : contact_pairs())
    if (pair.first == first && pair.second == second) return &pair;
  return nullptr;
}

std::vector<SX> slips_of(const Touch& touch, const ContactSurface& first, const ContactSurface& second,
                         const Surroundings& around) {
  const SX slip = velocity_at(touch.at, first.body, around) - velocity_at(touch.at, second.body, around);
  if (!around.spatial()) return {touch.normal(1) * slip(0) - touch.normal(0) * slip(1)};
  const bool of_plane = second.kind == ContactSurface::Kind::plane && second.body != 0;
  const SX R = of_plane ? around.rotation(second.body) : SX::eye(3);
  std::vector<SX> slips;
  for (const SX& tangent : tangents(SX::mtimes(R.T(), touch.normal)))
    slips.push_back(SX::dot(SX::mtimes(R, tangent), slip));
  return slips;
}

}  // namespace mechfmu
