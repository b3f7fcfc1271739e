// Lists the variables of the solver: its settings, what it counts, and what it chooses.
#include "solver_variables.hpp"

#include <algorithm>

#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

ModelVariable& add_variable(ModelVariables& table, const std::string& name, const std::string& text, Source source,
                            Role role, int index, const Unit& unit) {
  ModelVariable variable;
  variable.name = name;
  variable.description = text;
  variable.source = source;
  variable.role = role;
  variable.index = index;
  variable.unit = unit;
  table.all.push_back(std::move(variable));
  return table.all.back();
}

namespace {

/// Adds what the solver chooses: independent coordinates and, if the file asks for them, tangent velocities.
void choice_of_coordinates(ModelVariables& table, const Description& description, const VariableFacts& facts) {
  for (std::size_t j = 0; j < facts.velocities.size(); ++j) {
    const Shown& velocity = facts.velocities[j];
    if (velocity.hidden) continue;
    const std::string& name = velocity.derivative_of.empty() ? velocity.name : velocity.derivative_of;
    add_variable(table, "solver.independent." + name,
                 "1 while " + name + " is independent in the resolution of the constraints, else 0",
                 Source::independent, Role::local, static_cast<int>(j), Unit{});
  }
  for (int j = 0; description.exposes_solver && j < facts.tangent_velocities; ++j)
    add_variable(table, "solver.u[" + std::to_string(j + 1) + "]",
                 "tangent velocity: half the sum of their squares is the kinetic energy that constraints leave free",
                 Source::tangent_velocity, Role::local, j, Unit{});
}

}  // namespace

void add_solver_variables(ModelVariables& table, const Description& description, const VariableFacts& facts) {
  int numbers = 0, choices = 0;
  const SolverOptions& options = description.solver;
  const auto number = [&](const char* name, const char* text, double start, const char* unit) -> ModelVariable& {
    ModelVariable& variable =
        add_variable(table, name, text, Source::solver_number, Role::fixed_parameter, numbers++, known_unit(unit));
    variable.start = start;
    variable.minimum = 0;
    return variable;
  };
  number("solver.tolerance", "relative and absolute, maximum norm over positions and tangent velocities",
         options.tolerance, "");
  number("solver.step", "step size of fixed-step methods, positive", options.step, "s").minimum.reset();
  number("solver.drift_gain_1",
         "gain of drift correction by feedback, and in model exchange: of the violation; of its rate in baumgarte",
         options.drift_gain_1, "1/s");
  number("solver.drift_gain_0", "gain of the violation's integral in drift correction integral; of it in baumgarte",
         options.drift_gain_0, "1/s2");
  number("solver.closure_tolerance",
         "by how much constraints that depend on each other may disagree, of the mechanism's size and in rad",
         options.closure_tolerance, "");
  number("solver.drift_interval",
         "steps after which drift correction projection closes the positions; 0: the bound alone decides",
         options.drift_interval, "");
  number("solver.drift_bound",
         "violation above which projection closes them sooner, of the mechanism's size and in rad; 0: none",
         options.drift_bound, "");
  number("solver.max_steps",
         "most steps of the integrator in one communication step, positive: what needs more is an error",
         options.max_steps, "")
      .minimum.reset();
  const auto choice = [&](const char* name, const char* type, std::string text, const std::string& start) {
    const MemberNames& names = *solver_choices[choices].names;
    const auto item = [&names](const char* const* place) {
      return item_of_index(static_cast<int>(place - names.begin()));
    };
    for (const char* const& possible : names) {
      text += (item(&possible) == item_of_index(0) ? ": " : ", ") + std::to_string(item(&possible)) + " " + possible;
    }
    ModelVariable& variable =
        add_variable(table, name, text, Source::solver_choice, Role::fixed_parameter, choices++, Unit{});
    variable.type = type;
    variable.start = item(std::find(names.begin(), names.end(), start));
  };
  choice("solver.method", "solver.Method", "integration method", options.method);
  choice("solver.tangent_basis", "solver.TangentBasis", "how the constraints are resolved", options.tangent_basis);
  choice("solver.drift_correction", "solver.DriftCorrection", "how position constraints are kept",
         options.drift_correction);
  const auto statistic = [&](const char* name, const char* text, Statistic which) {
    add_variable(table, name, text, Source::statistic, Role::local, static_cast<int>(which), Unit{});
  };
  statistic("solver.position_violation", "largest violation of a position constraint", Statistic::position_violation);
  statistic("solver.velocity_violation", "largest violation of a constraint at velocity level",
            Statistic::velocity_violation);
  statistic("solver.acceleration_violation", "largest violation of a constraint at acceleration level",
            Statistic::acceleration_violation);
  statistic("solver.closure_gap", "largest violation of a position constraint, of the mechanism's size and in rad",
            Statistic::closure_gap);
  statistic("solver.steps", "accepted steps so far", Statistic::steps);
  statistic("solver.rejected_steps", "rejected steps so far", Statistic::rejected_steps);
  statistic("solver.evaluations", "evaluations of the equations of motion so far", Statistic::evaluations);
  statistic("solver.basis_switches", "changes of the independent coordinates so far", Statistic::basis_switches);
  statistic("solver.basis_quality",
            "smallest relative pivot of the constraints for the independent coordinates: 0 at a singular position",
            Statistic::basis_quality);
  if (facts.has_events)
    statistic("solver.events", "how often contacts or conditions in formulas have changed so far", Statistic::events);
  choice_of_coordinates(table, description, facts);
  const std::string what =
      facts.tangent_velocities > facts.degrees_of_freedom
          ? "number of velocities that the constraints leave free"
          : "number of tangent velocities";
  const std::string meaning = facts.filters.empty() ? what : what + ": " + facts.degrees_of_freedom_text();
  add_variable(table, "solver.degrees_of_freedom", meaning, Source::degrees_of_freedom, Role::local, 0, Unit{}).start =
      facts.degrees_of_freedom;
}

}  // namespace mechfmu
