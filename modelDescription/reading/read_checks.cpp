// Checks all formulas of a file against names and dimensions, section by section.
#include "read_checks.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "elements/number_limits.hpp"
#include "fmu_src/linear/tolerances.hpp"
#include "modelDescription/formulas/expression.hpp"
#include "modelDescription/reading/expressions/expression_check.hpp"

namespace mechfmu {

namespace {

/// Returns a value in its unit with few digits, for messages.
std::string number_text(double value, const Unit& unit) {
  std::ostringstream text;
  text << value << (unit.text.empty() ? "" : " ") << unit.text;
  return text.str();
}

class DescriptionCheck {
 public:
  explicit DescriptionCheck(Reading& reading)
      : reading_(reading), description_(reading.description), names_(reading.names), diagnostics_(reading.diagnostics),
        checker_(description_, names_, diagnostics_) {}

  void all() {
    functions();
    parameters();
    if (diagnostics_.empty()) parameter_values();
    definitions();
    coordinates();
    dynamics();
    states();
    for (const Wanted& wanted : reading_.wanted) check(wanted);
    check_joints(reading_, checker_);
    check_couplings(reading_, checker_);
    if (reading_.of_bodies) check_connections(reading_);
    for (Constraint& constraint : description_.constraints) check_constraint(constraint, reading_, checker_);
    for (Contact& contact : description_.contacts) check_contact(contact, reading_, checker_);
    unknowns();
    outputs();
    if (diagnostics_.empty()) check_numbers(description_, constant_values(), diagnostics_);
    if (diagnostics_.empty()) bound_variables(description_);
    if (diagnostics_.empty()) list_units();
  }

 private:
  Measure declared(const std::string& name) { return declared_measure(reading_, name); }

  void functions() {
    for (const Function& function : description_.functions) {
      for (const std::string& argument : function.arguments)
        if (const Name* other = names_.find(argument))
          diagnostics_.add(function.place,
                           "the argument " + in_quotes(argument) + " of the function " + in_quotes(function.name) +
                               " is also " + kind_text(other->kind) + " at " + to_text(other->place),
                           "rename the argument");
      if (!names_.find(function.name)->broken) checker_.check_function(function);
    }
  }

  void parameters() {
    for (Parameter& parameter : description_.parameters) {
      const std::size_t errors = diagnostics_.size();
      checker_.expect(parameter.value.expression, parameter_usage("the parameter " + in_quotes(parameter.name)),
                      declared(parameter.name));
      // A faulty parameter is marked; otherwise all that use it would be errors as well.
      if (diagnostics_.size() > errors) names_.find(parameter.name)->broken = true;
      parameter.calculated = !checker_.content(parameter.value.expression).parameters.empty();
      if (parameter.calculated && parameter.tunable)
        diagnostics_.add(parameter.place,
                         "the parameter " + in_quotes(parameter.name) +
                             " is calculated from others and cannot be tuned",
                         "remove tunable: it follows the parameters it is calculated from");
    }
  }

  /// Puts calculated parameters in order, finds which are tunable, and checks the values if they are numbers.
  void parameter_values() {
    std::vector<bool> done(description_.parameters.size());
    for (std::size_t i = 0; i < done.size(); ++i) calculate(i, done);
    const auto evaluated = [&](const Parameter& parameter) {
      const std::optional<double> value = evaluate(parameter.value.expression, values_, description_.functions);
      if (value) values_[parameter.name] = *value;
      if (value) check_value(parameter, *value);
    };
    for (const Parameter& parameter : description_.parameters)
      if (!parameter.calculated) evaluated(parameter);
    for (const int index : description_.calculation_order)
      evaluated(description_.parameters[static_cast<std::size_t>(index)]);
    for (const Coordinate& coordinate : description_.coordinates)
      for (const Start* start : {&coordinate.start, &coordinate.rate_start}) {
        const std::optional<double> value = evaluate(start->value.expression, values_, description_.functions);
        if (value && !is_finite(*value))
          diagnostics_.add(start->place, "this start of " + in_quotes(coordinate.name) + " is not a finite number",
                           "look for divisions by zero and roots of negative numbers");
      }
  }

  void calculate(std::size_t index, std::vector<bool>& done) {
    if (done[index]) return;
    done[index] = true;
    Parameter& parameter = description_.parameters[index];
    for (const std::string& name : checker_.content(parameter.value.expression).parameters) {
      const std::size_t needed = names_.find(name)->index;
      calculate(needed, done);
      parameter.tunable = parameter.tunable || description_.parameters[needed].tunable;
    }
    if (parameter.calculated) description_.calculation_order.push_back(static_cast<int>(index));
  }

  void check_value(const Parameter& parameter, double value) {
    const double shown = parameter.value.written.value_or(from_si(value, parameter.unit));
    const auto text = [&](double number) { return number_text(number, parameter.unit); };
    const std::string what = "the value " + text(shown) + " of " + in_quotes(parameter.name);
    if (!is_finite(value)) {
      diagnostics_.add(parameter.place, what + " is not a finite number",
                       "look for divisions by zero and roots of negative numbers");
      return;
    }
    const double slip = parameter.value.written ? 0 : rounding_of_formulas * std::abs(shown);
    if (parameter.minimum && shown < *parameter.minimum - slip)
      diagnostics_.add(parameter.place, what + " is below its min " + text(*parameter.minimum),
                       "correct the value or the min");
    if (parameter.maximum && shown > *parameter.maximum + slip)
      diagnostics_.add(parameter.place, what + " is above its max " + text(*parameter.maximum),
                       "correct the value or the max");
  }

  /// Returns the values of parameters, and of definitions that depend on parameters only.
  std::map<std::string, double> constant_values() const {
    std::map<std::string, double> values = values_;
    for (bool found = true; found;) {
      found = false;
      for (const Definition& definition : description_.definitions) {
        const std::optional<double> value = evaluate(definition.value, values, description_.functions);
        found = (value && values.try_emplace(definition.name, *value).second) || found;
      }
    }
    return values;
  }

  void definitions() {
    for (Definition& definition : description_.definitions) {
      Name* name = names_.find(definition.name);
      if (name && name->kind == NameKind::definition)
        definition.dimension = checker_.measure_of(definition.name, *name).dimension;
    }
  }

  void coordinates() {
    for (Coordinate& coordinate : description_.coordinates) {
      const Measure unit = declared(coordinate.name);
      const Measure rate = unit.is_quantity() ? Measure::quantity(unit.dimension / time_dimension()) : unit;
      check_start(coordinate.start, "the start of " + in_quotes(coordinate.name), unit, checker_);
      check_start(coordinate.rate_start, "the rate_start of " + in_quotes(coordinate.name), rate, checker_);
      if (coordinate.rate)
        checker_.expect(*coordinate.rate, rate_usage("the rate of " + in_quotes(coordinate.name)), rate);
    }
    velocities();
  }

  /// Each velocity moves some coordinate. (Whether rates and velocities determine each other is seen when the
  /// equations are put together.)
  void velocities() {
    for (Velocity& velocity : description_.velocities) {
      check_start(velocity.start, "the start of " + in_quotes(velocity.name), declared(velocity.name), checker_);
      const auto moves = [&](const Coordinate& coordinate) {
        if (!coordinate.rate) return false;
        const std::vector<const Expression*> used = names_used(*coordinate.rate);
        return std::any_of(used.begin(), used.end(), [&](const Expression* one) { return one->name == velocity.name; });
      };
      if (std::none_of(description_.coordinates.begin(), description_.coordinates.end(), moves))
        diagnostics_.add(velocity.place, "no rate of a coordinate contains the velocity " + in_quotes(velocity.name),
                         "use it below [velocities.rate], or remove it");
    }
  }

  void dynamics() {
    const Dynamics& dynamics = description_.dynamics;
    if (dynamics.kinetic_energy) checker_.expect(*dynamics.kinetic_energy, kinetic_usage(), energy_per(reading_, {}));
    for (std::size_t i = 0; i < dynamics.mass_matrix.size(); ++i)
      for (std::size_t j = 0; j < dynamics.mass_matrix.size(); ++j) {
        const std::string& row = description_.coordinates[i].name;
        const std::string& column = description_.coordinates[j].name;
        checker_.expect(dynamics.mass_matrix[i][j],
                        mass_usage("the entry of mass_matrix for " + in_quotes(row) + " and " + in_quotes(column)),
                        energy_per(reading_, {row, column}, 2));
      }
    if (dynamics.potential_energy)
      checker_.expect(*dynamics.potential_energy, potential_usage(), energy_per(reading_, {}));
    for (const auto& [coordinate, force] : dynamics.forces)
      checker_.expect(force, force_usage("the force on " + in_quotes(coordinate)), energy_per(reading_, {coordinate}));
  }

  void check(const Wanted& wanted) {
    Measure measure = wanted.measure;
    for (const Expression& expression : wanted.expressions)
      if (measure.is_quantity()) checker_.expect(expression, wanted.usage, measure);
      else measure = checker_.check(expression, wanted.usage);
  }

  void states() {
    for (OwnState& state : description_.states) {
      const Measure unit = declared(state.name);
      const Measure rate = unit.is_quantity() ? Measure::quantity(unit.dimension / time_dimension()) : unit;
      check_start(state.start, "the start of " + in_quotes(state.name), unit, checker_);
      checker_.expect(state.rate, state_rate_usage("the rate of " + in_quotes(state.name)), rate);
      if (state.steady && description_.equilibrium)
        diagnostics_.add(state.start.place,
                         "the state " + in_quotes(state.name) +
                             " cannot start steady beside start = \"equilibrium\", which looks for positions first",
                         "give the state a start value, or the coordinates their starts");
    }
  }

  void unknowns() {
    for (Unknown& unknown : description_.unknowns) {
      const std::string what = "the equation of the unknown " + in_quotes(unknown.name);
      check_start(unknown.start, "the start of " + in_quotes(unknown.name), declared(unknown.name), checker_);
      unknown.dimension = checker_.check(unknown.equation, unknown_usage(what)).dimension;
    }
    if (description_.equilibrium && !description_.unknowns.empty())
      diagnostics_.add(description_.unknowns.front().place,
                       "a start in equilibrium does not find the unknown " +
                           in_quotes(description_.unknowns.front().name),
                       "remove start = \"equilibrium\", and give the coordinates their starts");
  }

  void outputs() {
    for (Output& output : description_.outputs) {
      Name* name = names_.find(output.name);
      if (!name || name->kind != NameKind::output) continue;
      if (output.kind != Output::Kind::value) continue;
      if (name->measure) {
        checker_.expect(output.value, output_usage("the output " + in_quotes(output.name)), *name->measure);
      } else {
        const Measure found = checker_.measure_of(output.name, *name);
        if (found.has_dimension()) output.unit = si_unit_of(found.dimension);
      }
    }
  }

  /// Lists every distinct unit that a variable may have, in the order of the file; also those of efforts, energies and
  /// times.
  void list_units() {
    const auto add = [&](const Unit& unit) {
      const auto same = [&](const Unit& other) { return other.text == unit.text; };
      std::vector<Unit>& units = description_.units;
      if (!unit.text.empty() && std::none_of(units.begin(), units.end(), same)) units.push_back(unit);
    };
    add(known_unit("s"));
    add(known_unit("J"));
    for (const Parameter& parameter : description_.parameters) add(parameter.unit);
    for (const Input& input : description_.inputs) add(input.unit);
    for (const Coordinate& coordinate : description_.coordinates)
      for (const Unit& unit :
           {coordinate.unit, coordinate.rate_unit, coordinate.acceleration_unit, force_unit_of(coordinate.unit)})
        add(unit);
    for (const Velocity& velocity : description_.velocities)
      for (const Unit& unit : {velocity.unit, velocity.acceleration_unit, force_unit_along(velocity.unit)}) add(unit);
    for (const OwnState& state : description_.states) add(state.unit), add(state.rate_unit);
    for (const Unknown& unknown : description_.unknowns) add(unknown.unit);
    for (const Quantity& quantity : quantities(description_)) {
      add(quantity.unit);
      if (quantity.kind == Quantity::Kind::force || quantity.kind == Quantity::Kind::result) continue;
      add(per_second(quantity.unit));
      if (quantity.kind == Quantity::Kind::coordinate) add(per_second(per_second(quantity.unit)));
    }
    for (const Output& output : description_.outputs) add(output.unit);
  }

  Reading& reading_;
  Description& description_;
  Names& names_;
  Diagnostics& diagnostics_;
  Checker checker_;
  std::map<std::string, double> values_;  ///< values of parameters, SI
};

}  // namespace

Measure declared_measure(Reading& reading, const std::string& name) {
  const Name* entry = reading.names.find(name);
  return entry && entry->measure ? *entry->measure : Measure{};
}

Measure energy_per(Reading& reading, std::initializer_list<std::string> coordinates, double seconds) {
  Dimension dimension = energy_dimension() * power(time_dimension(), seconds);
  for (const std::string& coordinate : coordinates) {
    const JointCoordinate* of_joint = find_coordinate(reading.description, coordinate);
    const Measure unit = of_joint ? Measure::of(of_joint->unit) : declared_measure(reading, coordinate);
    if (!unit.is_quantity()) return {};
    const Name* name = reading.names.find(coordinate);
    const bool velocity = name && name->kind == NameKind::velocity;  // power per velocity
    dimension = dimension / unit.dimension / (velocity ? time_dimension() : Dimension{});
  }
  return Measure::quantity(dimension);
}

void check_start(Start& start, const std::string& what, const Measure& wanted, Checker& checker) {
  checker.expect(start.value.expression, parameter_usage(what), wanted);
  start.calculated = !checker.content(start.value.expression).parameters.empty();
}

void check_description(Reading& reading) { DescriptionCheck(reading).all(); }

}  // namespace mechfmu
