// Checks all formulas of a file against names and dimensions, section by section.
#include "read_checks.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "elements/number_limits.hpp"
#include "expression_check.hpp"

namespace mechfmu {

namespace {

/// Returns a value in its unit with few digits, for messages.
std::string short_text(double value, const Unit& unit) {
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
    for (const Wanted& wanted : reading_.wanted) check(wanted);
    check_joints(reading_, checker_);
    check_couplings(reading_, checker_);
    if (reading_.of_bodies) check_connections(reading_);
    for (Constraint& constraint : description_.constraints) check(constraint);
    unknowns();
    outputs();
    if (diagnostics_.empty()) check_numbers(description_, constant_values(), diagnostics_);
    if (diagnostics_.empty()) bound_variables(description_);
    if (diagnostics_.empty()) list_units();
  }

 private:
  Measure declared(const std::string& name) {
    const Name* entry = names_.find(name);
    return entry && entry->measure ? *entry->measure : Measure{};
  }

  void functions() {
    for (const Function& function : description_.functions) {
      for (const std::string& argument : function.arguments)
        if (const Name* other = names_.find(argument))
          diagnostics_.add(function.place,
                           "the argument " + quoted(argument) + " of the function " + quoted(function.name) +
                               " is also " + kind_text(other->kind) + " at " + to_text(other->place),
                           "rename the argument");
      if (!names_.find(function.name)->broken) checker_.check_function(function);
    }
  }

  void parameters() {
    for (Parameter& parameter : description_.parameters) {
      const std::size_t errors = diagnostics_.size();
      checker_.expect(parameter.value.expression, parameter_usage("the parameter " + quoted(parameter.name)),
                      declared(parameter.name));
      // A faulty parameter is marked; otherwise all that use it would be errors as well.
      if (diagnostics_.size() > errors) names_.find(parameter.name)->broken = true;
      parameter.calculated = !checker_.content(parameter.value.expression).parameters.empty();
      if (parameter.calculated && parameter.tunable)
        diagnostics_.add(parameter.place,
                         "the parameter " + quoted(parameter.name) + " is calculated from others and cannot be tuned",
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
        if (value && !std::isfinite(*value))
          diagnostics_.add(start->place, "this start of " + quoted(coordinate.name) + " is not a finite number",
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
    const auto text = [&](double number) { return short_text(number, parameter.unit); };
    const std::string what = "the value " + text(shown) + " of " + quoted(parameter.name);
    if (!std::isfinite(value)) {
      diagnostics_.add(parameter.place, what + " is not a finite number",
                       "look for divisions by zero and roots of negative numbers");
      return;
    }
    // Rounding may move a calculated value beyond its bound.
    const double slip = parameter.value.written ? 0 : 1e-12 * std::abs(shown);
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
      check_start(coordinate.start, "the start of " + quoted(coordinate.name), unit, checker_);
      check_start(coordinate.rate_start, "the rate_start of " + quoted(coordinate.name), rate, checker_);
    }
  }

  /// Returns the dimension of energy × second^`seconds` ÷ the dimensions of coordinates; unknown if one of them is.
  Measure energy_per(std::initializer_list<std::string> coordinates, double seconds = 0) {
    Dimension dimension = energy_dimension() * power(time_dimension(), seconds);
    for (const std::string& coordinate : coordinates) {
      const JointCoordinate* of_joint = find_coordinate(description_, coordinate);
      const Measure unit = of_joint ? Measure::of(of_joint->unit) : declared(coordinate);
      if (!unit.is_quantity()) return {};
      dimension = dimension / unit.dimension;
    }
    return Measure::quantity(dimension);
  }

  void dynamics() {
    const Dynamics& dynamics = description_.dynamics;
    if (dynamics.kinetic_energy) checker_.expect(*dynamics.kinetic_energy, kinetic_usage(), energy_per({}));
    for (std::size_t i = 0; i < dynamics.mass_matrix.size(); ++i)
      for (std::size_t j = 0; j < dynamics.mass_matrix.size(); ++j) {
        const std::string& row = description_.coordinates[i].name;
        const std::string& column = description_.coordinates[j].name;
        checker_.expect(dynamics.mass_matrix[i][j],
                        mass_usage("the entry of mass_matrix for " + quoted(row) + " and " + quoted(column)),
                        energy_per({row, column}, 2));
      }
    if (dynamics.potential_energy) checker_.expect(*dynamics.potential_energy, potential_usage(), energy_per({}));
    for (const auto& [coordinate, force] : dynamics.forces)
      checker_.expect(force, force_usage("the force on " + quoted(coordinate)), energy_per({coordinate}));
  }

  void check(const Wanted& wanted) {
    Measure measure = wanted.measure;
    for (const Expression& expression : wanted.expressions)
      if (measure.is_quantity()) checker_.expect(expression, wanted.usage, measure);
      else measure = checker_.check(expression, wanted.usage);
  }

  void check(Constraint& constraint) {
    constexpr const char* level_names[] = {"position", "velocity", "acceleration"};
    constexpr const char* wanted[] = {"a coordinate", "der(…) of a coordinate", "der(der(…)) of a coordinate"};
    const int level = static_cast<int>(constraint.level);
    const std::string what = "the " + std::string(level_names[level]) + " constraint " + quoted(constraint.name);
    const Name* name = names_.find(constraint.name);
    const bool broken = !name || name->kind != NameKind::constraint || name->broken;
    const std::size_t errors = diagnostics_.size();
    const Measure residual = checker_.check(constraint.residual, constraint_usage(constraint.level, what));
    const bool known = residual.kind != Measure::Kind::unknown;
    constraint.dimension = residual.dimension;
    const int order = checker_.content(constraint.residual).order;
    // A number alone takes the place of a formula that could not be read.
    const bool unreadable = broken && constraint.residual.kind == Expression::Kind::number;
    if (order < level && known && !unreadable)
      diagnostics_.add(constraint.residual.place, what + " does not contain " + wanted[level],
                       order < 0 ? "write a formula of the coordinates that is held at 0"
                                 : "write it as " + std::string(level_names[order]) + " = \"…\"");

    // λ times ∂f/∂(the level's derivative of q_i) is a force on q_i, J/[q_i]; that derivative has [f] s^level/[q_i].
    Measure multiplier = Measure::quantity(energy_dimension() * power(time_dimension(), -level) / residual.dimension);
    if (!constraint.realised_by.empty()) multiplier = check_realisation(constraint, broken);
    // The multiplier of a faulty constraint stays unknown; otherwise outputs that use it would be errors as well.
    if (broken || !known || diagnostics_.size() > errors || !multiplier.is_quantity()) return;
    constraint.multiplier_unit = si_unit_of(multiplier.dimension);
    checker_.set_multiplier("constraint." + constraint.name + ".multiplier", multiplier);
  }

  /// B_i λ is the force on q_i, so each coefficient that has a dimension tells that of λ; bare numbers fit any.
  Measure check_realisation(const Constraint& constraint, bool broken) {
    const auto& columns = constraint.realised_by;
    const auto is_zero = [](const auto& column) { return evaluate(column.second) == 0; };
    if (!broken && std::all_of(columns.begin(), columns.end(), is_zero))
      diagnostics_.add(columns.front().second.place,
                       "the control of the constraint " + quoted(constraint.name) +
                           " acts on nothing: no coefficient in realised_by differs from 0",
                       "write realised_by = { coordinate = 1 }, or leave it out for an ideal constraint");
    Measure multiplier;
    for (const auto& [coordinate, coefficient] : columns) {
      const std::string what = "the coefficient of " + quoted(coordinate) + " in realised_by";
      const Measure measure = checker_.check(coefficient, force_usage(what));
      const Measure force = energy_per({coordinate});
      if (!measure.is_quantity() || !force.is_quantity()) continue;
      const Measure found = Measure::quantity(force.dimension / measure.dimension);
      if (multiplier.is_quantity() && multiplier.dimension != found.dimension)
        diagnostics_.add(coefficient.place,
                         what + " makes the control a quantity in " + readable(found.dimension) +
                             ", the others make it " + readable(multiplier.dimension),
                         "coefficient times control must be a force on its coordinate");
      multiplier = found;
    }
    return multiplier.is_quantity() ? multiplier : energy_per({columns.front().first});
  }

  void unknowns() {
    for (Unknown& unknown : description_.unknowns) {
      const std::string what = "the equation of the unknown " + quoted(unknown.name);
      check_start(unknown.start, "the start of " + quoted(unknown.name), declared(unknown.name), checker_);
      unknown.dimension = checker_.check(unknown.equation, unknown_usage(what)).dimension;
    }
    if (description_.equilibrium && !description_.unknowns.empty())
      diagnostics_.add(description_.unknowns.front().place,
                       "a start in equilibrium does not find the unknown " + quoted(description_.unknowns.front().name),
                       "remove start = \"equilibrium\", and give the coordinates their starts");
  }

  void outputs() {
    for (Output& output : description_.outputs) {
      Name* name = names_.find(output.name);
      if (!name || name->kind != NameKind::output) continue;
      if (output.kind != Output::Kind::value) continue;
      if (name->measure) {
        checker_.expect(output.value, output_usage("the output " + quoted(output.name)), *name->measure);
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

void check_start(Start& start, const std::string& what, const Measure& wanted, Checker& checker) {
  checker.expect(start.value.expression, parameter_usage(what), wanted);
  start.calculated = !checker.content(start.value.expression).parameters.empty();
}

void check_description(Reading& reading) { DescriptionCheck(reading).all(); }

}  // namespace mechfmu
