// Takes the reactions of constraints apart.
#include "constraint_reactions.hpp"

#include <set>

#include "columns.hpp"
#include "modelDescription/formulas/expression.hpp"
#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

using casadi::SX;

ConstraintEquation translated(const Constraint& constraint, Translator& translate) {
  ConstraintEquation row;
  row.name = constraint.name;
  row.place = constraint.place;
  row.level = constraint.level;
  row.description = constraint.description;
  row.gains = constraint.gains;
  row.of_file = true;
  Translator::Names symbols;
  std::vector<SX> local, values;
  for (const LocalCoordinate& coordinate : constraint.local) {
    local.push_back(SX::sym(coordinate.name));
    values.push_back(SX::densify(translate(coordinate.value)));
    symbols.emplace(coordinate.name, local.back());
  }
  const SX residual = translate(constraint.residual, symbols), x = column(local), at = column(values);
  row.residual = local.empty() ? residual : SX::substitute(residual, x, at);
  for (std::size_t i = 0; i < local.size(); ++i) {
    const LocalCoordinate& coordinate = constraint.local[i];
    const std::string meaning = constraint.description.empty() ? "" : ": " + constraint.description;
    const Shown reaction{"constraint." + constraint.name + ".reaction." + coordinate.name,
                         "reaction along " + coordinate.name + " of " + constraint.name + meaning,
                         coordinate.reaction_unit, constraint.place};
    const SX slope = SX::substitute(SX::densify(SX::jacobian(residual, local[i])), x, at);
    row.local.push_back({reaction, to_text(coordinate.value), values[i], slope});
  }
  return row;
}

std::vector<std::pair<Shown, SX>> local_reactions(const ConstraintEquation& row, const SX& multiplier) {
  std::vector<std::pair<Shown, SX>> reactions;
  for (const LocalCoordinateEquation& local : row.local)
    reactions.emplace_back(local.reaction, local.slope * multiplier);
  return reactions;
}

namespace {

/// Returns the directions in which a row's reaction acts, by velocity: a column of B.
SX direction_of(const ConstraintEquation& row, const Symbols& s, const SX& A) {
  if (row.realised_by) return *row.realised_by;
  if (row.level == Level::velocity) return Places(s.v).jacobian(row.residual).T();
  if (row.level == Level::acceleration) return Places(s.acceleration).jacobian(row.residual).T();
  return SX::sparsify(SX::mtimes(Places(s.q).jacobian(row.residual), A)).T();
}

}  // namespace

void add_efforts(Equations& equations) {
  const Symbols& s = equations.symbols;
  const SX A = SX::jacobian(s.q_rate, s.v);
  int count = 0;
  for (std::size_t i = 0; i < equations.constraints.size(); ++i) {
    const ConstraintEquation& row = equations.constraints[i];
    if (!row.of_file) continue;
    const SX direction = direction_of(row, s, A);
    const SX multiplier = s.multipliers(static_cast<casadi_int>(i));
    const auto add = [&](const std::string& along, const Unit& velocity, const SX& value) {
      Shown shown{"constraint." + row.name + ".effort." + along, "generalised reaction of " + row.name + " on " + along,
                  force_unit_along(velocity), row.place, true};
      equations.outputs.push_back({std::move(shown), SX::densify(value * multiplier), effort_outputs, count++});
    };
    const std::vector<casadi_int> velocities = direction.sparsity().get_row();
    for (std::size_t e = 0; e < velocities.size(); ++e) {
      const Shown& velocity = equations.velocities[static_cast<std::size_t>(velocities[e])];
      if (velocity.hidden) continue;
      add(velocity.derivative_of.empty() ? velocity.name : velocity.derivative_of, velocity.unit,
          SX(direction.nonzeros()[e]));
    }
    for (const VelocityEquation& own : equations.own_velocities) {
      const SX value = SX::mtimes(own.direction.T(), direction);
      if (value.nnz() > 0) add(own.shown.name, own.shown.unit, value);
    }
  }
}

namespace {

/// Returns what the rows of a joint leave open of one dimension, the root of the sum of squares.
SX open_of_joint(const Equations& equations, const std::string& joint, const Dimension& dimension) {
  std::vector<SX> rows;
  for (const ConstraintEquation& row : equations.constraints)
    if (row.of_joint && row.level == Level::position && row.unit.dimension == dimension &&
        row.name.substr(0, row.name.find('.')) == joint)
      rows.push_back(row.residual);
  return rows.empty() ? SX(0, 1) : rows.size() == 1 ? SX(SX::abs(rows[0])) : SX(SX::norm_2(column(rows)));
}

}  // namespace

void add_violations(Equations& equations) {
  int count = 0, late = 0;
  const auto add = [&](Shown shown, const SX& value, bool needs_accelerations) {
    shown.local = true;
    const OutputGroupIndex group = needs_accelerations ? effort_outputs : violation_outputs;
    equations.outputs.push_back({std::move(shown), SX::densify(value), group, needs_accelerations ? late++ : count++});
  };
  for (const OutputEquation& output : equations.outputs) late += output.group == effort_outputs;
  std::set<std::string> joints;
  for (const ConstraintEquation& row : equations.constraints) {
    const std::string name = row.of_file ? "constraint." + row.name : row.name.substr(0, row.name.find('.'));
    if (row.of_file)
      add({name + ".violation", "what " + row.name + " leaves open", row.unit, row.place}, row.residual,
          row.level == Level::acceleration);
    if (!row.of_joint || row.level != Level::position || !joints.insert(name).second) continue;
    const SX gap = open_of_joint(equations, name, known_unit("m").dimension),
             turn = open_of_joint(equations, name, Dimension{});
    if (!gap.is_empty())
      add({name + ".violation", "distance that " + name + " leaves open", known_unit("m"), row.place}, gap, false);
    if (!turn.is_empty())
      add({name + ".angle_violation", "sine of the angle that " + name + " leaves open", Unit{}, row.place}, turn,
          false);
  }
}

}  // namespace mechfmu
