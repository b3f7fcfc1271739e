#include "own_units.hpp"

#include <algorithm>
#include <utility>

#include "modelDescription/formulas/expression.hpp"
#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

Unit own_unit(const Description& description, const Dimension& dimension, int radian) {
  std::vector<std::pair<Unit, int>> counts;
  const auto count = [&](const Unit& unit) {
    if (unit.dimension != dimension || unit.radian != radian || unit.offset != 0 || unit.text.empty()) return;
    const auto known =
        std::find_if(counts.begin(), counts.end(), [&](const auto& one) { return one.first.text == unit.text; });
    if (known == counts.end()) counts.emplace_back(unit, 1);
    else ++known->second;
  };
  for (const Parameter& parameter : description.parameters) count(parameter.unit);
  for (const Input& input : description.inputs) count(input.unit);
  for (const Coordinate& coordinate : description.coordinates) count(coordinate.unit);
  for (const Velocity& velocity : description.velocities) count(velocity.unit);
  for (const Joint& joint : description.joints)
    for (const JointCoordinate& coordinate : joint.coordinates)
      if (coordinate.unit.factor != 1) count(coordinate.unit);  // A unit with the factor 1 may come from a default.
  for (const Output& output : description.outputs) count(output.unit);
  const auto most =
      std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most != counts.end()) return most->first;
  return radian == 1 ? known_unit("rad") : si_unit_of(dimension);
}

Unit unit_of_formula(const Description& description, const Expression& formula, const Unit& si) {
  if (formula.kind == Expression::Kind::number || si.text.empty()) return si;
  for (const Expression* used : names_used(formula)) {
    const auto declared = [&](const auto& variables) -> const Unit* {
      for (const auto& variable : variables)
        if (variable.name == used->name && variable.unit.dimension == si.dimension) return &variable.unit;
      return nullptr;
    };
    if (const Unit* unit = declared(description.parameters)) return *unit;
    if (const Unit* unit = declared(description.inputs)) return *unit;
  }
  const Unit own = own_unit(description, si.dimension, si.radian);
  return own.factor == si.factor ? si : own;
}

Unit own_length_unit(const Description& description) { return own_unit(description, known_unit("m").dimension); }

Unit own_angle_unit(const Description& description) { return own_unit(description, {}, 1); }

}  // namespace mechfmu
