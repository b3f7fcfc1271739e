// Couples two coordinates, or one and the ground, in one direction: the second is never slower than the first. It has
// no gap: it acts wherever the second would fall behind.
#include "coupling_equation.hpp"
#include "list.hpp"

namespace mechfmu {

namespace {

std::vector<ContactEquation> one_way_contacts(const Coupling& coupling, const Surroundings& around) {
  ContactEquation group = contact_of(coupling, "one-way coupling", around);
  group.speed = -rate_of_first(coupling, around);
  return {group};
}

}  // namespace

CouplingType couplings::one_way() {
  return {.name = "one_way", .couples = CouplingType::with_ground, .numbers = {}, .contacts = one_way_contacts};
}

}  // namespace mechfmu
