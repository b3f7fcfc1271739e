// Makes equations that couplings share.
#include "coupling_equation.hpp"

#include "modelDescription/formulas/diagnostics.hpp"
#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

using casadi::SX;

SX proportion(const Coupling& coupling, const SX& ratio, const SX& offset, const Surroundings& around) {
  return around.named(coupling.second) - ratio * around.named(coupling.first) - offset;
}

ContactEquation contact_of(const Coupling& coupling, const std::string& kind, const Surroundings& around) {
  const auto [joint, i] = around.coordinate(coupling.second == "ground" ? coupling.first : coupling.second);
  const JointCoordinate& coordinate = joint.joint.coordinates[i];
  ContactEquation group;
  group.name = "coupling." + coupling.name;
  group.what = "the " + kind + " " + in_quotes(coupling.name);
  group.place = coupling.place;
  group.description = coupling.description;
  group.gap_unit = coordinate.unit;
  group.slip_unit = coordinate.rate_unit;
  group.force_unit = group.friction_unit = force_unit_of(coordinate.unit);
  return group;
}

SX rate_of_first(const Coupling& coupling, const Surroundings& around) {
  const SX first = around.rate(around.named(coupling.first));
  return coupling.second == "ground" ? first : first - around.rate(around.named(coupling.second));
}

}  // namespace mechfmu
