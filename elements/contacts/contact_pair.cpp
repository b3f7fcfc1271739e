// Lists the pairs, and finds slips.
#include "contact_pair.hpp"

#include "elements/rotations.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

/// Is the least part of the x axis in a plane, squared, with which it tells a direction there.
constexpr double part_of_x = 0.5;

std::vector<SX> with_third(const SX& first, const SX& normal) { return {first, cross_product(normal, first)}; }

std::vector<SX> tangents_of_plane(const SX& normal) {
  const SX x = SX::vertcat({1, 0, 0}), y = SX::vertcat({0, 1, 0});
  const SX first = SX::if_else(SX::sq(normal(0)) < part_of_x, x, y);
  return with_third(unit(first - SX::dot(first, normal) * normal), normal);
}

std::vector<SX> tangents_of_any(const SX& normal) {
  const SX x = normal(0), y = normal(1), z = normal(2);
  const SX side = SX::if_else(z < -std::sqrt(1 - part_of_x), -1, 1), lean = 1 + side * z;
  return with_third(SX::vertcat({1 - x * x / lean, -x * y / lean, -side * x}), normal);
}

}  // namespace

std::span<const ContactPair> contact_pairs() {
#define MECHFMU_PAIR(name) contact_surfaces::name(),
  static const ContactPair pairs[] = {MECHFMU_CONTACT_PAIRS(MECHFMU_PAIR)};
#undef MECHFMU_PAIR
  return pairs;
}

const ContactPair* find_contact_pair(SurfaceKind first, SurfaceKind second) {
  for (const ContactPair& pair : contact_pairs())
    if (pair.first == first && pair.second == second) return &pair;
  return nullptr;
}

SX velocity_at(const SX& at, int body, const Surroundings& around) {
  if (body == 0) return SX::zeros(at.numel(), 1);
  const SX origin = around.point({body, 0, {}});
  SX turning = around.angular_velocity(body);
  if (around.spatial()) turning = SX::mtimes(around.rotation(body), turning);
  return around.rate(origin) + cross_product(turning, at - origin);
}

std::vector<SX> tangents_of(const Touch& touch, const ContactSurface& second) {
  const SX& n = touch.normal;
  if (n.numel() == 2) return {SX::vertcat({n(1), -n(0)})};
  const bool of_plane = second.kind == SurfaceKind::plane;
  std::vector<SX> tangents =
      of_plane ? tangents_of_plane(second.direction) : tangents_of_any(turned_back(second.axes, n));
  for (SX& tangent : tangents) tangent = turned(second.axes, tangent);
  return tangents;
}

std::vector<SX> slips_of(const Touch& touch, const std::vector<SX>& tangents, int first_body, int second_body,
                         const Surroundings& around) {
  const SX slip = velocity_at(touch.first_at, first_body, around) - velocity_at(touch.second_at, second_body, around);
  std::vector<SX> slips;
  for (const SX& tangent : tangents) slips.push_back(SX::dot(tangent, slip));
  return slips;
}

}  // namespace mechfmu
