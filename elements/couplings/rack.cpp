// Couples a rack to the wheel that drives it: second = radius · first, an angle and a position. In space the rack lies
// across the axis.
#include "coupling_equation.hpp"
#include "elements/rotations.hpp"
#include "list.hpp"
#include "modelDescription/formulas/diagnostics.hpp"
#include "modelDescription/formulas/export_tolerances.hpp"
#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

CouplingEquation rack_equation(const Coupling& coupling, const Surroundings& around) {
  return {Level::position, proportion(coupling, around.number(coupling.numbers, "radius"), 0, around)};
}

/// Returns the direction of an angle's axis or a position's line, in the ground's axes; it is empty if the joint has
/// none.
SX direction_of(const std::string& coordinate, const Surroundings& around) {
  const PlacedJoint joint = around.coordinate(coordinate).first;
  if (!joint.form.has_axis()) return SX(0, 1);
  return SX::mtimes({around.rotation(joint.joint.parent.body), joint.parent_frame, third(joint.geometry)});
}

std::vector<ConditionEquation> rack_conditions(const Coupling& coupling, const Surroundings& around) {
  if (!around.spatial()) return {};
  const SX axis = direction_of(coupling.first, around), line = direction_of(coupling.second, around);
  if (axis.is_empty() || line.is_empty()) return {};
  return {{Condition::agrees_with,
           "the angle between the axis of " + in_quotes(coupling.first) + " and the direction of " +
               in_quotes(coupling.second) + ", which the rack " + in_quotes(coupling.name) + " couples,",
           "", known_unit("deg"), "turn one of them, or write type = \"linear\" for what is no rack", coupling.place,
           angle_between(axis, line), casadi::pi / 2, right_angle}};
}

}  // namespace

CouplingType couplings::rack() {
  return {.name = "rack",
          .couples = CouplingType::angle_and_position,
          .numbers = {{"radius", Measures::length, true, Bound::not_zero}},
          .equation = rack_equation,
          .conditions = rack_conditions};
}

}  // namespace mechfmu
