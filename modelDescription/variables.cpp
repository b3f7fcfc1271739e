// Which variables a mechanism's FMU has, under which names and in which order.
#include "variables.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>

#include "units.hpp"

namespace mechfmu {

namespace {

/// Adds variables one after the other.
class Table {
 public:
  Table(const Description& description, const VariableFacts& facts) : description_(description), facts_(facts) {
    table_.model = description.name;
    table_.description = description.description;
    table_.stop_time = description.solver.stop_time;
    table_.communication_step = description.solver.communication_step;
    table_.tolerance = description.solver.tolerance;
    table_.parameter_references.resize(facts.parameter_values.size());
  }

  ModelVariables build() {
    add("time", "time", Source::time, Role::independent, 0, known_unit("s"));
    parameters();
    inputs();
    starts();
    coordinates();
    multipliers();
    outputs();
    solver();
    for (const ModelVariable& variable : table_.all) {
      const auto same = [&](const Unit& unit) { return unit.text == variable.unit.text; };
      const bool listed = std::any_of(table_.units.begin(), table_.units.end(), same);
      if (!variable.unit.text.empty() && !listed) table_.units.push_back(variable.unit);
    }
    return std::move(table_);
  }

 private:
  ModelVariable& add(const std::string& name, const std::string& text, Source source, Role role, int index,
                     const Unit& unit) {
    ModelVariable variable;
    variable.name = name;
    variable.description = text;
    variable.source = source;
    variable.role = role;
    variable.index = index;
    variable.unit = unit;
    const auto dependence = [index](const std::vector<Known>& known) {
      const auto place = static_cast<std::size_t>(index);
      return place < known.size() ? known[place] : Known{};
    };
    switch (source) {
      case Source::parameter: variable.at_start = dependence(facts_.calculated); break;
      case Source::position:
        variable.in_step = dependence(facts_.in_step.positions);
        variable.at_start = dependence(facts_.at_start.positions);
        break;
      case Source::velocity:
        variable.in_step = dependence(facts_.in_step.velocities);
        variable.at_start = dependence(facts_.at_start.velocities);
        break;
      case Source::acceleration:
        variable.in_step = dependence(facts_.in_step.accelerations);
        variable.at_start = dependence(facts_.at_start.accelerations);
        break;
      case Source::multiplier:
        variable.in_step = dependence(facts_.in_step.multipliers);
        variable.at_start = dependence(facts_.at_start.multipliers);
        break;
      default: break;
    }
    table_.all.push_back(std::move(variable));
    return table_.all.back();
  }

  /// A parameter of the mechanism, with its value in its unit: as written if it was a plain number.
  ModelVariable& add_parameter(const std::string& name, const std::string& text, int index, const Unit& unit,
                               const Value& value, bool calculated, bool tunable) {
    const Role given = tunable ? Role::tunable_parameter : Role::fixed_parameter;
    ModelVariable& variable =
        add(name, text, Source::parameter, calculated ? Role::calculated_parameter : given, index, unit);
    const auto is_tunable = [this](int parameter) {
      const auto place = static_cast<std::size_t>(parameter);
      return place < description_.parameters.size() && description_.parameters[place].tunable;
    };
    const std::vector<int>& from = variable.at_start.parameters;
    variable.tunable = calculated ? std::any_of(from.begin(), from.end(), is_tunable) : tunable;
    table_.parameter_references.at(static_cast<std::size_t>(index)) = static_cast<int>(table_.all.size());
    const double si = facts_.parameter_values.at(static_cast<std::size_t>(index));
    variable.start = value.written ? *value.written : from_si(si, unit);
    return variable;
  }

  void parameters() {
    int index = 0;
    for (const Parameter& parameter : description_.parameters) {
      ModelVariable& variable = add_parameter(parameter.name, parameter.description, index++, parameter.unit,
                                              parameter.value, parameter.calculated, parameter.tunable);
      variable.minimum = parameter.minimum;
      variable.maximum = parameter.maximum;
    }
  }

  void inputs() {
    int index = 0;
    for (const Input& input : description_.inputs) {
      ModelVariable& variable =
          add(input.name, input.description, Source::input, Role::input, index++, input.unit);
      table_.input_references.push_back(static_cast<int>(table_.all.size()));
      variable.start = input.start;
      variable.minimum = input.minimum;
      variable.maximum = input.maximum;
    }
  }

  void starts() {
    const int n = static_cast<int>(description_.coordinates.size());
    const int first = static_cast<int>(description_.parameters.size());
    for (int i = 0; i < n; ++i) {
      const Coordinate& c = description_.coordinates[static_cast<std::size_t>(i)];
      const auto text = [](const char* what, bool fixed) {
        return std::string(what) + (fixed ? ", held exactly" : ", a guess: the nearest consistent value is taken");
      };
      add_parameter(c.name + "_start", text(("start of " + c.name).c_str(), c.start.fixed), first + i, c.unit,
                    c.start.value, c.start.calculated, false);
      add_parameter(c.name + "_rate_start", text(("start of der(" + c.name + ")").c_str(), c.rate_start.fixed),
                    first + n + i, c.rate_unit, c.rate_start.value, c.rate_start.calculated, false);
    }
  }

  void coordinates() {
    const int first = static_cast<int>(table_.all.size()) + 1, n = static_cast<int>(description_.coordinates.size());
    int index = 0;
    for (const Coordinate& c : description_.coordinates) {
      ModelVariable& variable = add(c.name, c.description, Source::position, Role::output, index++, c.unit);
      variable.start = start_of(index - 1, false);
    }
    index = 0;
    for (const Coordinate& c : description_.coordinates) {
      ModelVariable& variable = add("der(" + c.name + ")", "rate of " + c.name, Source::velocity, Role::local, index++,
                                    c.rate_unit);
      variable.start = start_of(index - 1, true);
      variable.derivative_of = first + index - 1;
    }
    index = 0;
    for (const Coordinate& c : description_.coordinates) {
      ModelVariable& variable = add("der(" + c.name + ",2)", "acceleration of " + c.name, Source::acceleration,
                                    Role::local, index++, c.acceleration_unit);
      variable.derivative_of = first + n + index - 1;
    }
  }

  double start_of(int coordinate, bool rate) const {
    const std::size_t first = description_.parameters.size() + (rate ? description_.coordinates.size() : 0);
    const std::size_t parameter = first + static_cast<std::size_t>(coordinate);
    return table_.of_reference(table_.parameter_references[parameter]).start;
  }

  /// Rows as the core counts them: position constraints, then velocity, then acceleration constraints.
  void multipliers() {
    int row = 0;
    for (const Level level : {Level::position, Level::velocity, Level::acceleration}) {
      for (const Constraint& constraint : description_.constraints) {
        if (constraint.level != level) continue;
        const bool ideal = constraint.realised_by.empty();
        add("constraint." + constraint.name + ".multiplier",
            (ideal ? "multiplier of " : "force that realises ") + constraint.name +
                (constraint.description.empty() ? "" : ": " + constraint.description),
            Source::multiplier, Role::output, row++, constraint.multiplier_unit);
      }
    }
  }

  void outputs() {
    for (const Coordinate& c : description_.coordinates) {
      add_output(c.name + ".reaction", "generalised reaction force on " + c.name, Role::output, force_unit_of(c.unit));
    }
    for (const Output& output : description_.outputs) {
      add_output(output.name, output.description, Role::output, output.unit);
    }
    add_output("energy.kinetic", "kinetic energy", Role::local, known_unit("J"));
    add_output("energy.potential", "potential energy", Role::local, known_unit("J"));
    add_output("energy.total", "kinetic and potential energy", Role::local, known_unit("J"));
  }

  /// An expression that the mechanism evaluates; nothing if it has none of that name.
  void add_output(const std::string& name, const std::string& text, Role role, const Unit& unit) {
    for (std::size_t i = 0; i < facts_.outputs.size(); ++i) {
      if (facts_.outputs[i].name != name) continue;
      ModelVariable& variable = add(name, text, Source::output, role, facts_.outputs[i].index, unit);
      variable.group = facts_.outputs[i].group;
      if (i < facts_.in_step.outputs.size()) variable.in_step = facts_.in_step.outputs[i];
      if (i < facts_.at_start.outputs.size()) variable.at_start = facts_.at_start.outputs[i];
      return;
    }
  }

  void solver() {
    const SolverOptions& options = description_.solver;
    const auto number = [&](const char* name, const char* text, double start, const char* unit) {
      ModelVariable& variable =
          add(name, text, Source::solver_number, Role::fixed_parameter, numbers_++, known_unit(unit));
      variable.start = start;
      variable.minimum = 0;
    };
    number("solver.tolerance", "relative and absolute, maximum norm over positions and tangent velocities",
           options.tolerance, "");
    number("solver.step", "step size of fixed-step methods", options.step, "s");
    number("solver.drift_gain_1", "gain of the violation's rate in drift correction by feedback", options.drift_gain_1,
           "1/s");
    number("solver.drift_gain_0", "gain of the violation in drift correction by feedback", options.drift_gain_0,
           "1/s2");
    const auto choice = [&](const char* name, const std::string& start) {
      const auto names = solver_choices[choices_].names;
      std::string text = "one of:";
      for (const char* possible : names) text += std::string(" ") + possible;
      ModelVariable& variable = add(name, text, Source::solver_choice, Role::fixed_parameter, choices_, Unit{});
      variable.start = static_cast<double>(std::find(names.begin(), names.end(), start) - names.begin());
      ++choices_;
    };
    choice("solver.method", options.method);
    choice("solver.tangent_basis", options.tangent_basis);
    choice("solver.drift_correction", options.drift_correction);
    const auto statistic = [&](const char* name, const char* text, Statistic which) {
      add(name, text, Source::statistic, Role::local, static_cast<int>(which), Unit{});
    };
    statistic("solver.position_violation", "largest violation of a position constraint", Statistic::position_violation);
    statistic("solver.velocity_violation", "largest violation of a constraint at velocity level",
              Statistic::velocity_violation);
    statistic("solver.steps", "accepted steps so far", Statistic::steps);
    statistic("solver.rejected_steps", "rejected steps so far", Statistic::rejected_steps);
    statistic("solver.evaluations", "evaluations of the equations of motion so far", Statistic::evaluations);
    statistic("solver.basis_switches", "changes of the independent coordinates so far", Statistic::basis_switches);
    add("solver.degrees_of_freedom", "number of tangent velocities", Source::degrees_of_freedom, Role::local, 0, Unit{})
        .start = facts_.degrees_of_freedom;
  }

  const Description& description_;
  const VariableFacts& facts_;
  ModelVariables table_;
  int numbers_ = 0, choices_ = 0;
};

/// FNV-1a, 64 bits.
std::uint64_t hash(const std::string& text, std::uint64_t value) {
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return value;
}

}  // namespace

const char* ModelVariable::causality() const {
  switch (role) {
    case Role::independent: return "independent";
    case Role::fixed_parameter:
    case Role::tunable_parameter: return "parameter";
    case Role::calculated_parameter: return "calculatedParameter";
    case Role::input: return "input";
    case Role::output: return "output";
    case Role::local: break;
  }
  return "local";
}

const char* ModelVariable::variability() const {
  const bool parameter =
      role == Role::fixed_parameter || role == Role::tunable_parameter || role == Role::calculated_parameter;
  if (!parameter && source != Source::degrees_of_freedom) return "continuous";
  return tunable ? "tunable" : "fixed";
}

const char* ModelVariable::initial() const {
  if (role == Role::fixed_parameter || role == Role::tunable_parameter) return "exact";
  return role == Role::independent || role == Role::input ? nullptr : "calculated";
}

bool ModelVariable::has_start() const {
  return role == Role::fixed_parameter || role == Role::tunable_parameter || role == Role::input;
}

std::string ModelVariable::start_text() const {
  if (is_text()) return solver_choices[index].names[static_cast<std::size_t>(start)];
  return to_text(start);
}

std::vector<int> ModelVariables::references(const Known& known) const {
  std::vector<int> result;
  if (known.time) result.push_back(1);  // time comes first
  for (const int input : known.inputs) result.push_back(input_references[static_cast<std::size_t>(input)]);
  for (const int i : known.parameters) result.push_back(parameter_references[static_cast<std::size_t>(i)]);
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<int> ModelVariables::outputs() const {
  std::vector<int> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].role == Role::output) result.push_back(static_cast<int>(i) + 1);
  }
  return result;
}

std::vector<int> ModelVariables::initial_unknowns() const {
  std::vector<int> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].role == Role::output || all[i].role == Role::calculated_parameter) {
      result.push_back(static_cast<int>(i) + 1);
    }
  }
  return result;
}

ModelVariables list_variables(const Description& description, const VariableFacts& facts) {
  return Table(description, facts).build();
}

std::string content_token(const ModelVariables& variables, const std::string& program) {
  std::string content = program + '\0' + variables.model + '\0' + variables.description + '\0';
  for (const double number : {variables.stop_time, variables.communication_step, variables.tolerance}) {
    content += to_text(number) + '\0';
  }
  for (const ModelVariable& v : variables.all) {
    for (const std::string& part : {v.name, v.description, v.unit.text, std::string(v.causality()),
                                    std::string(v.variability()), v.start_text()}) {
      content += part + '\0';
    }
    for (const std::optional<double>& limit : {v.minimum, v.maximum}) content += limit ? to_text(*limit) + '\0' : "-";
    for (const Known* known : {&v.in_step, &v.at_start}) {
      for (const int reference : variables.references(*known)) content += std::to_string(reference) + ' ';
      content += '\0';
    }
  }
  char text[40];
  const std::uint64_t high = hash(content, 14695981039346656037u), low = hash(content, high);
  std::snprintf(text, sizeof text, "{%08x-%04x-%04x-%04x-%012llx}", static_cast<unsigned>(high >> 32),
                static_cast<unsigned>(high >> 16 & 0xffff), static_cast<unsigned>(high & 0xffff),
                static_cast<unsigned>(low >> 48), static_cast<unsigned long long>(low & 0xffffffffffff));
  return text;
}

std::string to_text(double number) {
  char text[32];
  const std::to_chars_result result = std::to_chars(text, text + sizeof text, number);
  return {text, result.ptr};
}

}  // namespace mechfmu
