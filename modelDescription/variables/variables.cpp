// Decides which variables a mechanism's FMU has, with which names and in which order.
#include "variables.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "modelDescription/formulas/diagnostics.hpp"
#include "modelDescription/formulas/units.hpp"
#include "solver_variables.hpp"

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
    table_.parameter_references.resize(facts.parameters.size());
    for (const Shown& position : facts.positions)
      positions_.emplace(position.name, static_cast<int>(positions_.size()));
    if (!facts.states_are_shown()) return;
    table_.position_references.resize(facts.positions.size());
    table_.velocity_references.resize(facts.velocities.size());
  }

  ModelVariables build() {
    add("time", "time", Source::time, Role::independent, 0, known_unit("s"));
    parameters();
    inputs();
    starts();
    add_each(facts_.positions, Source::position, facts_.in_step.positions, facts_.at_start.positions);
    velocities();
    state_rates();
    add_each(facts_.accelerations, Source::acceleration, facts_.in_step.accelerations, facts_.at_start.accelerations);
    position_rates();
    add_each(facts_.multipliers, Source::multiplier, facts_.in_step.multipliers, facts_.at_start.multipliers);
    outputs();
    contacts();
    add_solver_variables(table_, description_, facts_);
    connect();
    states();
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
    return add_variable(table_, name, text, source, role, index, unit);
  }

  /// Adds a computed variable.
  ModelVariable& add(const Shown& shown, Source source, int index, const Known& in_step, const Known& at_start) {
    ModelVariable& variable =
        add(shown.name, shown.description, source, exposed(shown) ? Role::output : Role::local, index, shown.unit);
    variable.in_step = in_step;
    variable.at_start = at_start;
    if (shown.nominal > 0) variable.nominal = shown.nominal / shown.unit.factor;
    return variable;
  }

  /// Is true if a computed variable is an output.
  bool exposed(const Shown& shown) const {
    const auto declares = [&shown](const Output& output) { return output.name == shown.name; };
    switch (description_.expose) {
      case Expose::declared: return std::any_of(description_.outputs.begin(), description_.outputs.end(), declares);
      case Expose::accelerations: return shown.acceleration || !shown.local;
      case Expose::all: break;
    }
    return !shown.local;
  }

  void add_each(const std::vector<Shown>& all, Source source, const std::vector<Known>& in_step,
                const std::vector<Known>& at_start) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!all[i].hidden) add(all[i], source, static_cast<int>(i), in_step[i], at_start[i]);
    }
  }

  /// Adds rates of coordinates. In model exchange the rate of a coordinate leads back onto the constraints, and differs
  /// from the velocity that is a state beside it.
  void velocities() {
    for (std::size_t j = 0; j < facts_.velocities.size(); ++j) {
      const Shown& velocity = facts_.velocities[j];
      if (velocity.hidden) continue;
      const int position = table_.model_exchange() ? position_of(velocity) : -1;
      if (position < 0) {
        add(velocity, Source::velocity, static_cast<int>(j), facts_.in_step.velocities[j],
            facts_.at_start.velocities[j]);
      } else {
        const auto i = static_cast<std::size_t>(position);
        add(velocity, Source::position_rate, position, facts_.in_step.position_rates[i],
            facts_.at_start.position_rates[i]);
      }
    }
  }

  /// Adds rates of states.
  void state_rates() {
    const std::size_t first = facts_.positions.size() - facts_.state_rates.size();
    for (std::size_t k = 0; k < facts_.state_rates.size(); ++k) {
      const std::size_t i = first + k;
      add(facts_.state_rates[k], Source::position_rate, static_cast<int>(i), facts_.in_step.position_rates[i],
          facts_.at_start.position_rates[i]);
    }
  }

  /// Returns the coordinate that a velocity is the rate of, or −1: no coordinate has an angular velocity as its rate.
  int position_of(const Shown& velocity) const {
    const auto found = positions_.find(velocity.derivative_of);
    return found == positions_.end() ? -1 : found->second;
  }

  /// Adds the variables that model exchange also needs: the velocities that are states, and rates of quaternions.
  void position_rates() {
    if (!table_.model_exchange()) return;
    std::map<std::string, std::string> rates;  // der(x) → x_rate
    for (std::size_t j = 0; j < facts_.velocities.size(); ++j) {
      Shown velocity = facts_.velocities[j];
      if (position_of(velocity) < 0) continue;
      const std::string coordinate = velocity.derivative_of;
      velocity.name = coordinate + "_rate";
      velocity.local = true;
      velocity.description =
          "der(" + coordinate + ") but for what leads back onto the constraints: state of model exchange";
      add(velocity, Source::velocity, static_cast<int>(j), facts_.in_step.velocities[j], facts_.at_start.velocities[j]);
      rates.emplace(facts_.velocities[j].name, velocity.name);
    }
    for (const Shown& acceleration : facts_.accelerations) {
      const auto rate = rates.find(acceleration.derivative_of);
      if (rate != rates.end()) states_by_rate_.emplace(acceleration.name, rate->second);
    }
    std::set<std::string> integrals;
    for (const Shown& velocity : facts_.velocities) integrals.insert(velocity.derivative_of);
    for (const Shown& rate : facts_.state_rates) integrals.insert(rate.derivative_of);
    for (std::size_t i = 0; i < facts_.positions.size(); ++i) {
      const Shown& position = facts_.positions[i];
      if (integrals.count(position.name) > 0) continue;
      ModelVariable& variable = add("der(" + position.name + ")", "rate of " + position.name, Source::position_rate,
                                    Role::local, static_cast<int>(i), per_second(position.unit));
      variable.in_step = facts_.in_step.position_rates[i];
      variable.at_start = facts_.at_start.position_rates[i];
      states_by_rate_[variable.name] = position.name;
    }
  }

  /// Marks coordinates and velocities as states of model exchange. They have the assembled start: an importer that
  /// reads only the XML gets positions that fit together.
  void states() {
    if (!table_.model_exchange()) return;
    std::map<std::string, int> guesses;  // map the name of a state's start to the state
    for (std::size_t i = 0; i < table_.all.size(); ++i) {
      ModelVariable& variable = table_.all[i];
      const bool position = variable.source == Source::position;
      variable.is_state = position || variable.source == Source::velocity;
      if (!variable.is_state) continue;
      const int reference = static_cast<int>(i) + 1;
      const auto index = static_cast<std::size_t>(variable.index);
      const std::vector<double>& assembled = position ? facts_.assembled_positions : facts_.assembled_velocities;
      (position ? table_.position_references : table_.velocity_references)[index] = reference;
      if (!assembled.empty()) variable.start = from_si(assembled[index], variable.unit) + 0.0;  // This avoids −0.
      guesses.emplace(variable.name + "_start", reference);
    }
    for (const ShownParameter& parameter : facts_.parameters) {
      if (!parameter.start_of || parameter.start_of->fixed || parameter.calculated) continue;
      const auto state = guesses.find(parameter.name);
      if (state != guesses.end()) start(parameter.name).guess_of = state->second;
    }
  }

  ModelVariable& start(const std::string& name) {
    return *std::find_if(table_.all.begin(), table_.all.end(), [&name](const ModelVariable& variable) {
      return variable.name == name;
    });
  }

  void outputs() {
    for (std::size_t i = 0; i < facts_.outputs.size(); ++i) {
      const VariableFacts::Output& output = facts_.outputs[i];
      if (output.hidden) continue;
      add(output, Source::output, output.index, facts_.in_step.outputs[i], facts_.at_start.outputs[i]).group =
          output.group;
    }
  }

  void contacts() {
    const auto add_all = [this](const std::vector<VariableFacts::Changing>& all, Source source) {
      for (const VariableFacts::Changing& one : all)
        add(one.name, one.description, source, Role::local, one.plus, one.unit).group = one.minus;
    };
    add_all(facts_.contact_states, Source::contact_state);
    add_all(facts_.impulses, Source::impulse);
    if (table_.model_exchange()) add_all(facts_.indicators, Source::indicator);
  }

  void parameters() {
    for (std::size_t i = 0; i < facts_.parameters.size(); ++i) {
      if (!facts_.parameters[i].start_of) add_parameter(i);
    }
  }

  /// Adds a parameter of the mechanism. Its value in its unit is as the file writes it if it is a plain number.
  void add_parameter(std::size_t index) {
    const ShownParameter& parameter = facts_.parameters[index];
    if (parameter.hidden) return;
    const Role given = parameter.tunable ? Role::tunable_parameter : Role::fixed_parameter;
    ModelVariable& variable =
        add(parameter.name, parameter.description, Source::parameter,
            parameter.calculated ? Role::calculated_parameter : given, static_cast<int>(index), parameter.unit);
    variable.at_start = facts_.calculated[index];
    const auto is_tunable = [this](int from) { return facts_.parameters[static_cast<std::size_t>(from)].tunable; };
    const std::vector<int>& from = variable.at_start.parameters;
    variable.tunable =
        !parameter.calculated ? parameter.tunable
        : variable.at_start.everything
            ? std::any_of(facts_.parameters.begin(), facts_.parameters.end(),
                          [](const ShownParameter& one) { return one.tunable; })
            : std::any_of(from.begin(), from.end(), is_tunable);
    variable.minimum = parameter.minimum;
    variable.maximum = parameter.maximum;
    variable.start = parameter.written ? *parameter.written : from_si(facts_.parameter_values[index], parameter.unit);
    // Rounding may move a formula's value beyond its bound.
    if (parameter.minimum) variable.start = std::max(variable.start, *parameter.minimum);
    if (parameter.maximum) variable.start = std::min(variable.start, *parameter.maximum);
    table_.parameter_references[index] = static_cast<int>(table_.all.size());
  }

  void inputs() {
    int index = 0;
    for (const Input& input : description_.inputs) {
      ModelVariable& variable = add(input.name, input.description, Source::input, Role::input, index++, input.unit);
      table_.input_references.push_back(static_cast<int>(table_.all.size()));
      variable.start = input.start;
      variable.minimum = input.minimum;
      variable.maximum = input.maximum;
    }
  }

  /// Adds start values: that of a coordinate, then that of its rate.
  void starts() {
    const auto coordinate = [of = derivatives()](const std::string& variable) {
      const auto rate = of.find(variable);
      return rate == of.end() ? variable : rate->second;
    };
    std::map<std::string, std::vector<std::size_t>> by_coordinate;
    for (std::size_t i = 0; i < facts_.parameters.size(); ++i) {
      const ShownParameter& parameter = facts_.parameters[i];
      if (parameter.start_of) by_coordinate[coordinate(parameter.start_of->variable)].push_back(i);
    }
    for (const ShownParameter& parameter : facts_.parameters) {
      if (!parameter.start_of) continue;
      std::vector<std::size_t>& together = by_coordinate[coordinate(parameter.start_of->variable)];
      for (const std::size_t index : together) add_parameter(index);
      together.clear();
    }
  }

  /// Maps the name of each variable that is a derivative of another one to that other name.
  std::map<std::string, std::string> derivatives() const {
    std::map<std::string, std::string> result;
    const auto add_all = [&result](const auto& all) {
      for (const Shown& shown : all) {
        if (!shown.derivative_of.empty()) result.emplace(shown.name, shown.derivative_of);
      }
    };
    add_all(facts_.positions);
    add_all(facts_.velocities);
    add_all(facts_.state_rates);
    add_all(facts_.accelerations);
    add_all(facts_.outputs);
    for (const auto& [rate, state] : states_by_rate_) result[rate] = state;
    return result;
  }

  /// Connects variables by name: derivatives, and starts, which variables show until they are computed.
  void connect() {
    std::map<std::string, int> references;
    for (std::size_t i = 0; i < table_.all.size(); ++i) references.emplace(table_.all[i].name, static_cast<int>(i) + 1);
    for (const auto& [name, of] : derivatives()) {
      const auto derivative = references.find(name), variable = references.find(of);
      if (derivative == references.end() || variable == references.end()) continue;  // One of them is hidden.
      table_.all[static_cast<std::size_t>(derivative->second) - 1].derivative_of = variable->second;
    }
    for (const Joint& joint : description_.joints) {
      if (joint.length_motion) connect(*joint.length_motion);
      for (const JointCoordinate& coordinate : joint.coordinates) {
        if (coordinate.motion) connect(*coordinate.motion);
      }
    }
    for (const ShownParameter& parameter : facts_.parameters) {
      if (!parameter.start_of) continue;
      const auto start = references.find(parameter.name), variable = references.find(parameter.start_of->variable);
      if (start == references.end() || variable == references.end()) continue;
      table_.all[static_cast<std::size_t>(variable->second) - 1].start = table_.of_reference(start->second).start;
    }
  }

  /// Connects inputs that drive a coordinate: its rate and acceleration are their derivatives.
  void connect(const PrescribedMotion& motion) {
    const auto reference = [this](const std::optional<Expression>& formula) {
      for (std::size_t i = 0; i < description_.inputs.size(); ++i) {
        const bool is_input = formula && formula->kind == Expression::Kind::symbol;
        if (is_input && formula->name == description_.inputs[i].name) return table_.input_references[i];
      }
      return 0;
    };
    const int rate = reference(motion.rate);
    const auto derive = [this](int derivative, int of) {
      if (derivative != 0 && of != 0) table_.all[static_cast<std::size_t>(derivative) - 1].derivative_of = of;
    };
    derive(rate, reference(motion.value));
    derive(reference(motion.acceleration), rate);
  }

  const Description& description_;
  const VariableFacts& facts_;
  ModelVariables table_;
  std::map<std::string, int> positions_;  ///< indices by name
  /// Holds the name of a state of model exchange by the name of its derivative.
  std::map<std::string, std::string> states_by_rate_;
};

}  // namespace

bool VariableFacts::states_are_shown() const {
  const auto shown = [](const std::vector<Shown>& all) {
    return std::none_of(all.begin(), all.end(), [](const Shown& variable) { return variable.hidden; });
  };
  return shown(positions) && shown(velocities) && shown(accelerations);
}

std::string VariableFacts::degrees_of_freedom_text() const {
  std::string text =
      std::to_string(degrees_of_freedom) + (degrees_of_freedom == 1 ? " degree" : " degrees") + " of freedom";
  const int count = static_cast<int>(filters.size());
  if (count == 0) return text;
  const std::string of = count == 1 ? " of the filter of " : " of the filters of ";
  const std::string which =
      count == degrees_of_freedom ? (count == 1 ? "that" : "those")
      : count == 1                ? "one is that"
                                  : std::to_string(count) + " are those";
  return text + " (" + which + of + listed(filters) + ")";
}

ModelVariables list_variables(const Description& description, const VariableFacts& facts) {
  return Table(description, facts).build();
}

}  // namespace mechfmu
