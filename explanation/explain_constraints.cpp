// Tells constraints as the program has them: how each is held, and the formulas of those that no file has.
#include "explain_constraints.hpp"

#include "derivation/program/program.hpp"
#include "equations/columns.hpp"
#include "modelDescription/formulas/diagnostics.hpp"
#include "numbers.hpp"
#include "preparation/text_table.hpp"
#include "readable/readable.hpp"

namespace mechfmu {
namespace {

using casadi::SX;

constexpr std::size_t longest_formula = 2000;  ///< characters of a formula that is printed; nobody reads longer ones

const char* level_text(Level level) {
  switch (level) {
    case Level::position: return "position";
    case Level::velocity: return "velocity";
    default: return "acceleration";
  }
}

/// Returns the coordinates along which a control realises a constraint.
std::string realised_by(const ConstraintEquation& row, const Equations& equations) {
  if (!row.realised_by) return "ideal reaction";
  if (row.kept_by_others) return "-";
  std::string names;
  for (const casadi_int i : row.realised_by->sparsity().get_row()) {
    const Shown& velocity = equations.velocities[static_cast<std::size_t>(i)];
    names += (names.empty() ? "" : ", ") + (velocity.derivative_of.empty() ? velocity.name : velocity.derivative_of);
  }
  return names;
}

std::string multipliers(const Prepared& prepared) {
  TextTable table;
  table.add({"constraint", "level", "realised by", "multiplier", "unit", "description"});
  // The order is that of the multipliers, as in all later stages.
  const Equations& equations = prepared.derivation.equations;
  for (std::size_t i = 0; i < equations.constraints.size(); ++i) {
    const ConstraintEquation& row = equations.constraints[i];
    const std::string multiplier = row.kept_by_others ? "-" : shown(prepared.start.multipliers[i]);
    table.add({row.name, level_text(row.level) + std::string(row.nonlinear ? ", not linear" : ""),
               realised_by(row, equations), multiplier, row.multiplier.unit.text, row.description});
  }
  return table.text("  ");
}

/// Returns the reactions along local coordinates at the start; empty if no constraint has some.
std::string local_coordinates(const Prepared& prepared) {
  const Equations& equations = prepared.derivation.equations;
  const auto at_start = [&](const Shown& reaction) {
    for (std::size_t i = 0; i < equations.outputs.size(); ++i)
      if (equations.outputs[i].shown.name == reaction.name) return shown(prepared.start.outputs[i], reaction.unit);
    return std::string();
  };
  TextTable table;
  table.add({"constraint", "local coordinate", "", "reaction", "unit"});
  bool any = false;
  for (const Constraint& constraint : prepared.description.constraints)
    for (const ConstraintEquation& row : equations.constraints) {
      if (!row.of_file || row.name != constraint.name) continue;
      for (std::size_t i = 0; i < row.local.size(); ++i) {
        const LocalCoordinateEquation& local = row.local[i];
        table.add({row.name, constraint.local[i].name, "= " + local.formula, at_start(local.reaction),
                   local.reaction.unit.text});
        any = true;
      }
    }
  return any ? table.text("  ") : "";
}

/// Returns a formula, or an empty text if it is none that somebody would read.
std::string formula(const Symbols& symbols, const SX& expression) {
  Readable readable(symbols);
  const std::optional<Quotient> value = readable.quotients(expression).front();
  const std::string text = value ? readable.text(*value) : "";
  return text.size() <= longest_formula ? text : "";
}

/// Writes a row. If it is too long, the parts of it that depend on time and parameters only get names.
void add_formula(TextTable& table, const ConstraintEquation& row, const Symbols& symbols) {
  if (const std::string text = formula(symbols, row.residual); !text.empty()) {
    table.add({row.name, "0 = " + text});
    return;
  }
  SX rest;
  std::vector<SX> parts, values, names;
  SX::extract_parametric(row.residual, SX::vertcat({symbols.time, symbols.parameters}), rest, parts, values, {});
  TextTable named;
  Symbols with_names = symbols;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!SX::depends_on(values[i], symbols.time)) continue;
    names.push_back(SX::sym("part_" + std::to_string(names.size() + 1)));
    with_names.parameters = SX::vertcat({with_names.parameters, names.back()});
    const casadi::Function function("part", {symbols.time, symbols.parameters}, {values[i]});
    named.add({"  " + names.back().scalar().name(),
               "depends on time only: " + std::to_string(Program(function).operation_count()) + " operations"});
    values[i] = names.back();
  }
  const std::string text = formula(with_names, SX::substitute(rest, column(parts), column(values)));
  table.add({row.name, text.empty() ? "(too long to be shown)" : "0 = " + text});
  if (!text.empty()) table.add(named);
}

/// Returns the formulas of constraints that the program has found; empty if it has found none.
std::string hidden_constraints(const Prepared& prepared) {
  const Equations& equations = prepared.derivation.equations;
  TextTable table;
  for (ConstraintEquation row : equations.constraints) {
    if (!row.kept_by_others && row.place != prepared.description.adds_hidden) continue;
    row.residual = equations.without_sides(row.residual);
    add_formula(table, row, equations.symbols);
  }
  return table.empty() ? "" : table.text("  ");
}

}  // namespace

std::string explain_constraints(const Prepared& prepared) {
  std::string text = "\nConstraints, with their multipliers at the start\n" + multipliers(prepared);
  const auto section = [&](const char* title, const std::string& lines) {
    if (!lines.empty()) text += "\n" + std::string(title) + "\n" + lines;
  };
  section("Local coordinates of constraints, with the reactions along them at the start", local_coordinates(prepared));
  section("Hidden constraints, as the program has found them", hidden_constraints(prepared));
  return text;
}

}  // namespace mechfmu
