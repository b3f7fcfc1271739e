// Finds coordinates that cannot move.
//
// n velocity rows may leave n coordinates no motion at almost all positions, but one motion at positions at which the
// rows depend on each other. Then the author means a motion along these positions. The condition for them is a position
// constraint, which is missing (Phong 2002, section 4.2: tangency of the car's direction and the circle).
#include "immobile.hpp"

#include <memory>

#include "derivation/program/interpret.hpp"
#include "fmu_src/start/start.hpp"

namespace mechfmu {

namespace {

using Flags = std::unique_ptr<bool[]>;

/// Is true if a row asks for a motion: it depends on time or inputs, or asks for a velocity.
bool asks_for_motion(const Derivation& d, std::size_t row) {
  const Symbols& s = d.equations.symbols;
  const casadi::SX moving = casadi::SX::vertcat({s.time, s.inputs});
  const ConstraintEquation& equation = d.equations.constraints[row];
  const casadi::SX at_rest = casadi::SX::substitute(equation.residual, s.v, casadi::SX::zeros(s.v.numel()));
  return casadi::SX::depends_on(equation.residual, moving) ||
         (equation.level == Level::velocity && !casadi::SX::simplify(at_rest).is_zero());
}

}  // namespace

ImmobileCoordinates immobile_coordinates(const Derivation& derivation, const std::vector<double>& q) {
  const Equations& equations = derivation.equations;
  const Sizes& sizes = derivation.sizes;
  const InterpretedMechanism interpreted(derivation);
  Arena memory;
  ConsistentStart start(memory, interpreted.table());
  const auto n = static_cast<std::size_t>(sizes.velocities), all_rows = static_cast<std::size_t>(sizes.rows());
  const auto find = [&](std::size_t rows, bool* held, bool* holding) {
    const Flags counted = std::make_unique<bool[]>(all_rows);
    for (std::size_t i = 0; i < rows; ++i) counted[i] = !asks_for_motion(derivation, i);
    start.immobile(0, equations.parameter_values.data(), equations.input_values.data(), q.data(), counted.get(), held,
                   holding);
  };
  const auto tell = [&](const bool* held, const bool* without, const bool* holding) {
    Immobile result;
    for (std::size_t j = 0; j < n; ++j) {
      const Shown& velocity = equations.velocities[j];
      if (!held[j] || (without && without[j]) || velocity.hidden) continue;
      result.velocities.push_back(static_cast<int>(j));
      result.coordinates.push_back(velocity.derivative_of.empty() ? velocity.name : velocity.derivative_of);
    }
    for (std::size_t i = 0; result.any() && i < all_rows; ++i)
      if (holding[i]) result.constraints.push_back(equations.constraints[i].name);
    return result;
  };
  const Flags held = std::make_unique<bool[]>(n), holding = std::make_unique<bool[]>(all_rows);
  find(static_cast<std::size_t>(sizes.position_rows), held.get(), holding.get());
  ImmobileCoordinates result{tell(held.get(), nullptr, holding.get()), {}};
  if (sizes.velocity_rows == 0) return result;
  const Flags all_held = std::make_unique<bool[]>(n);
  find(all_rows, all_held.get(), holding.get());
  result.by_velocities = tell(all_held.get(), held.get(), holding.get());
  if (result.by_velocities.any()) result.by_velocities.missing = hidden_row(equations, result.by_velocities);
  return result;
}

std::string hidden_condition_text(const Immobile& held) {
  if (!held.any()) return "";
  const auto quoted_list = [](std::vector<std::string> names) {
    for (std::string& name : names) name = in_quotes(name);
    return listed(names);
  };
  const bool several = held.constraints.size() > 1;
  std::string text = quoted_list(held.constraints) + (several ? " together leave " : " leaves ") +
                     quoted_list(held.coordinates) + " no motion";
  if (several)
    text +=
        ", except at positions where they depend on each other. If they are to move along such positions, that condition "
        "is missing: ";
  if (!several) return text + ".";
  if (!held.missing) return text + "write it as a position constraint.";
  text += "write [mechanism] hidden = \"add\", or a constraint with position = \"" + held.missing->position + "\"";
  if (!held.missing->realised_by.empty()) text += " and realised_by = " + held.missing->realised_by;
  return text + ".";
}

}  // namespace mechfmu
