// What --explain prints: plain text in aligned columns.
#include "exporter/explain.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "exporter/emit.hpp"
#include "exporter/text_table.hpp"
#include "modelDescription/diagnostics.hpp"
#include "modelDescription/documentation.hpp"
#include "modelDescription/units.hpp"

namespace mechfmu {
namespace {

/// Enough digits to judge a value; with a unit, in the one that the file gives.
std::string shown(double number, int digits = 9) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, number);
  return text;
}

std::string shown(double si, const Unit& unit) { return shown(from_si(si, unit)); }

const char* level_text(Level level) {
  switch (level) {
    case Level::position:
      return "position";
    case Level::velocity:
      return "velocity";
    default:
      return "acceleration";
  }
}

std::string count_text(int count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string how_it_is_given(const Start& start) { return start.fixed ? "fixed" : "guess"; }

/// The table guess → found: a wrong branch of the assembly is seen at once.
std::string coordinates(const Prepared& prepared) {
  const FoundStart& start = prepared.start;
  TextTable positions, rates;
  positions.add({"coordinate", "unit", "", "start", "found", "moved by", "description"});
  rates.add({"rate", "unit", "", "start", "found", "moved by", "acceleration"});
  const auto moved = [](double from, double to, const Unit& unit) {
    const double tiny = 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(from), std::abs(to));
    Unit scale = unit;
    scale.offset = 0;
    return std::abs(to - from) <= tiny ? std::string("-") : shown(to - from, scale);
  };
  for (std::size_t i = 0; i < prepared.description.coordinates.size(); ++i) {
    const Coordinate& c = prepared.description.coordinates[i];
    const double q_start = start.q_guess[i], v_start = start.v_guess[i];
    positions.add({c.name, c.unit.text, how_it_is_given(c.start), shown(q_start, c.unit), shown(start.q[i], c.unit),
                   moved(q_start, start.q[i], c.unit), c.description});
    rates.add({"der(" + c.name + ")", c.rate_unit.text, how_it_is_given(c.rate_start), shown(v_start, c.rate_unit),
               shown(start.v[i], c.rate_unit), moved(v_start, start.v[i], c.rate_unit),
               shown(start.acceleration[i], c.acceleration_unit)});
  }
  return positions.text("  ") + "\n" + rates.text("  ") + "\n  what stays open: positions " +
         shown(start.position_violation, 2) + ", velocities " + shown(start.velocity_violation, 2) +
         " (largest residual, SI units)\n";
}

std::string constraints(const Prepared& prepared) {
  TextTable table;
  table.add({"constraint", "level", "realised by", "multiplier", "unit", "description"});
  // In the order of the multipliers, as everywhere behind the file.
  const std::vector<ConstraintEquation>& equations = prepared.derivation.equations.constraints;
  for (std::size_t i = 0; i < equations.size(); ++i) {
    const std::vector<Constraint>& all = prepared.description.constraints;
    const auto named = std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.name == equations[i].name; });
    std::string realised_by;
    for (const auto& [coordinate, coefficient] : named->realised_by) {
      realised_by += (realised_by.empty() ? "" : ", ") + coordinate;
    }
    table.add({named->name, level_text(named->level), realised_by.empty() ? "ideal reaction" : realised_by,
               shown(prepared.start.multipliers[i]), named->multiplier_unit.text, named->description});
  }
  return table.text("  ");
}

std::string solver(const Prepared& prepared) {
  const SolverOptions& solver = prepared.description.solver;
  TextTable table;
  table.add({"method", solver.method});
  if (solver.method == "rk4")
    table.add({"step", shown(solver.step) + " s"});
  else
    table.add({"tolerance", shown(solver.tolerance)});
  table.add({"tangent basis", solver.tangent_basis});
  table.add({"drift correction", solver.drift_correction});
  table.add({"stop time", shown(solver.stop_time) + " s"});
  table.add({"communication step", shown(solver.communication_step) + " s"});
  return table.text("  ");
}

std::string operations(const Prepared& prepared) {
  const Derivation& derivation = prepared.derivation;
  const OperationCounts counts = count_operations(derivation);
  const bool short_form = derivation.character.short_form;
  TextTable table;
  table.add({"once, of the parameters", std::to_string(counts.prepare)});
  table.add({"M and C, of time and coordinates", std::to_string(counts.position)});
  table.add({short_form ? "the applied forces" : "forces, dM/dt and dC/dt", std::to_string(counts.velocity)});
  if (counts.violation > 0) table.add({"constraints' values", std::to_string(counts.violation)});
  table.add({"accelerations and reactions, when read", std::to_string(counts.acceleration)});
  int outputs = 0;
  for (const int count : counts.outputs) outputs += count;
  table.add({"outputs, when read", std::to_string(outputs)});
  return table.text("  ") +
         (short_form ? "  One degree of freedom under ideal constraints: a step needs w_d'Q only.\n" : "");
}

}  // namespace

std::string explain(const Prepared& prepared) {
  const Description& description = prepared.description;
  const Sizes& sizes = prepared.derivation.sizes;
  std::string text =
      description.name + (description.description.empty() ? "" : ": " + description.description) + "\n\n";
  text += degrees_of_freedom_text(prepared) + ": " + count_text(sizes.velocities, "coordinate", "coordinates");
  if (sizes.rows() > 0) {
    text += " - " + count_text(sizes.rank, "independent constraint", "independent constraints") + " of " +
            std::to_string(sizes.rows());
  }
  text += "\n";
  if (!prepared.start.redundant.empty()) {
    text += "redundant at the start, implied by the others: " + listed(prepared.start.redundant) + "\n";
  }
  text += "\nThe start\n" + coordinates(prepared);
  if (!description.constraints.empty())
    text += "\nConstraints, with their multipliers at the start\n" + constraints(prepared);
  text += "\nSolution\n" + solver(prepared);
  text += "\nArithmetic operations of one evaluation\n" + operations(prepared);
  return text + "\nVariables of the FMU\n" + listing(prepared.variables);
}

}  // namespace mechfmu
