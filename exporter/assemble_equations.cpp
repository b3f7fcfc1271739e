// Description to equations: symbols for every name, then every formula translated and checked for what it may depend on.
#include "assemble_equations.hpp"

#include <algorithm>
#include <cmath>

#include "modelDescription/units.hpp"
#include "translate.hpp"

namespace mechfmu {

using casadi::SX;
using casadi::SXElem;

namespace {

SX column_of_symbols(const std::vector<std::string>& names) {
  std::vector<SXElem> symbols;
  for (const std::string& name : names) symbols.push_back(SXElem::sym(name));
  return symbols.empty() ? SX(0, 1) : SX(symbols);
}

SX column(const std::vector<SX>& entries) { return entries.empty() ? SX(0, 1) : SX::vertcat(entries); }

class Assembly {
 public:
  Assembly(const Description& description, Diagnostics& diagnostics)
      : description_(description),
        diagnostics_(diagnostics),
        symbols_(equations_.symbols),
        translate_(description.functions, make_symbols()) {}

  Equations run() {
    equations_.name = description_.name;
    equations_.equilibrium = description_.equilibrium;
    add_names();
    add_parameters();
    add_dynamics();
    add_constraints();
    add_outputs();
    return std::move(equations_);
  }

 private:
  const Symbols& make_symbols() {
    std::vector<std::string> rates, accelerations;
    for (const Coordinate& coordinate : description_.coordinates) {
      equations_.position_names.push_back(coordinate.name);
      equations_.position_fixed.push_back(coordinate.start.fixed);
      equations_.velocity_names.push_back("der(" + coordinate.name + ")");
      equations_.velocity_fixed.push_back(coordinate.rate_start.fixed);
      accelerations.push_back("der(" + coordinate.name + ",2)");
    }
    for (const Input& input : description_.inputs) {
      equations_.input_names.push_back(input.name);
      equations_.input_values.push_back(to_si(input.start, input.unit));
    }
    for (const Parameter& parameter : description_.parameters) equations_.parameter_names.push_back(parameter.name);
    for (const Coordinate& coordinate : description_.coordinates)
      equations_.parameter_names.push_back(coordinate.name + "_start");
    for (const Coordinate& coordinate : description_.coordinates)
      equations_.parameter_names.push_back(coordinate.name + "_rate_start");

    std::vector<std::string> multipliers;
    for (const Level level : {Level::position, Level::velocity, Level::acceleration})
      for (const Constraint& constraint : description_.constraints)
        if (constraint.level == level) {
          rows_.push_back(&constraint);
          multipliers.push_back("constraint." + constraint.name + ".multiplier");
        }

    symbols_.time = SX::sym("time");
    symbols_.q = column_of_symbols(equations_.position_names);
    symbols_.v = column_of_symbols(equations_.velocity_names);
    symbols_.q_rate = symbols_.v;
    symbols_.acceleration = column_of_symbols(accelerations);
    symbols_.inputs = column_of_symbols(equations_.input_names);
    symbols_.parameters = column_of_symbols(equations_.parameter_names);
    symbols_.multipliers = column_of_symbols(multipliers);
    return symbols_;
  }

  void add_names() {
    translate_.define("time", symbols_.time);
    define_each(equations_.position_names, symbols_.q);
    define_each(equations_.input_names, symbols_.inputs);
    for (std::size_t i = 0; i < description_.parameters.size(); ++i)
      translate_.define(description_.parameters[i].name, symbols_.parameters(static_cast<casadi_int>(i)));
    for (const Definition& definition : description_.definitions) translate_.define(definition.name, definition.value);
    for (const Output& output : description_.outputs) translate_.define(output.name, output.value);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      translate_.define("constraint." + rows_[i]->name + ".multiplier", symbols_.multipliers(static_cast<casadi_int>(i)));
  }

  void define_each(const std::vector<std::string>& names, const SX& symbols) {
    for (std::size_t i = 0; i < names.size(); ++i) translate_.define(names[i], symbols(static_cast<casadi_int>(i)));
  }

  /// Numbers of all parameters and starts, and the formulas of those that are calculated from others.
  void add_parameters() {
    Translator of_parameters(description_.functions);
    std::vector<SX> values(equations_.parameter_names.size());
    const auto add = [&](std::size_t index, const Value& value, bool calculated) {
      values[index] = of_parameters(value.expression);
      if (calculated) equations_.calculations.push_back({static_cast<int>(index), values[index]});
    };
    const auto add_parameter = [&](std::size_t index) {
      const Parameter& parameter = description_.parameters[index];
      add(index, parameter.value, parameter.calculated);
      of_parameters.define(parameter.name, parameter.calculated
                                               ? values[index]
                                               : symbols_.parameters(static_cast<casadi_int>(index)));
    };
    for (std::size_t i = 0; i < description_.parameters.size(); ++i)
      if (!description_.parameters[i].calculated) add_parameter(i);
    for (const int i : description_.calculation_order) add_parameter(static_cast<std::size_t>(i));

    std::size_t next = description_.parameters.size();
    const auto n = static_cast<casadi_int>(description_.coordinates.size()), first = static_cast<casadi_int>(next);
    equations_.position_guess = symbols_.parameters(casadi::Slice(first, first + n));
    equations_.velocity_guess = symbols_.parameters(casadi::Slice(first + n, first + 2 * n));
    for (const Coordinate& coordinate : description_.coordinates)
      add(next++, coordinate.start.value, coordinate.start.calculated);
    for (const Coordinate& coordinate : description_.coordinates)
      add(next++, coordinate.rate_start.value, coordinate.rate_start.calculated);

    std::vector<SX> given(values.size(), SX(0));
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i].is_constant()) given[i] = values[i];
    const SX numbers = SX::substitute(column(values), symbols_.parameters, column(given));
    equations_.parameter_values = static_cast<casadi::DM>(SX::densify(numbers)).nonzeros();
    check_parameters();
  }

  /// A table may hide a division by zero from those who evaluate formulas of numbers alone.
  void check_parameters() {
    std::vector<Place> places;
    for (const Parameter& parameter : description_.parameters) places.push_back(parameter.place);
    for (const Coordinate& coordinate : description_.coordinates) places.push_back(coordinate.start.place);
    for (const Coordinate& coordinate : description_.coordinates) places.push_back(coordinate.rate_start.place);
    for (std::size_t i = 0; i < places.size(); ++i)
      if (!std::isfinite(equations_.parameter_values[i]))
        diagnostics_.add(places[i],
                         "the value of " + mechfmu::quoted(equations_.parameter_names[i]) + " is not a finite number",
                         "look for divisions by zero and roots of negative numbers");
  }

  void add_dynamics() {
    const Dynamics& dynamics = description_.dynamics;
    equations_.kinetic_energy = SX(0);
    equations_.energy_place = dynamics.place;
    if (dynamics.kinetic_energy) {
      equations_.kinetic_energy = translate_(*dynamics.kinetic_energy);
      equations_.energy_place = dynamics.kinetic_energy->place;
    } else if (!dynamics.mass_matrix.empty()) {
      add_mass_matrix(dynamics.mass_matrix);
    }
    if (dynamics.potential_energy) equations_.potential_energy = translate_(*dynamics.potential_energy);

    std::vector<SX> forces(description_.coordinates.size(), SX(0));
    for (const auto& [coordinate, force] : dynamics.forces)
      forces[coordinate_index(coordinate)] += translate_(force);
    equations_.forces = column(forces);
  }

  void add_mass_matrix(const std::vector<std::vector<Expression>>& entries) {
    const auto n = static_cast<casadi_int>(entries.size());
    SX M(n, n);
    for (casadi_int i = 0; i < n; ++i)
      for (casadi_int j = 0; j < n; ++j)
        if (const SX entry = translate_(entries[i][j]); !entry.is_zero())
          M(i, j) = entry;
    equations_.mass_matrix = M;
    equations_.energy_place = entries.front().front().place;
    SX twice_the_energy = 0;
    for (casadi_int i = 0; i < n; ++i) {
      twice_the_energy += M(i, i) * SX::sq(symbols_.v(i));
      for (casadi_int j = 0; j < i; ++j) twice_the_energy += 2 * M(i, j) * symbols_.v(i) * symbols_.v(j);
    }
    equations_.kinetic_energy = SX::densify(twice_the_energy) / 2;
  }

  void add_constraints() {
    for (const Constraint* constraint : rows_) {
      ConstraintEquation row{
          constraint->name, constraint->place, constraint->level, translate_(constraint->residual), {}};
      if (!constraint->realised_by.empty()) {
        row.realised_by = SX(static_cast<casadi_int>(description_.coordinates.size()), 1);
        for (const auto& [coordinate, coefficient] : constraint->realised_by)
          (*row.realised_by)(static_cast<casadi_int>(coordinate_index(coordinate))) = translate_(coefficient);
      }
      equations_.constraints.push_back(std::move(row));
    }
  }

  void add_outputs() {
    const SX reactions = reaction_forces();
    for (std::size_t i = 0; i < description_.coordinates.size(); ++i) {
      const std::string name = description_.coordinates[i].name + ".reaction";
      add_output(name, reactions(static_cast<casadi_int>(i)), reaction_outputs);
    }
    add_output("energy.kinetic", equations_.kinetic_energy, energy_outputs);
    if (equations_.potential_energy) {
      add_output("energy.potential", *equations_.potential_energy, energy_outputs);
      add_output("energy.total", equations_.kinetic_energy + *equations_.potential_energy, energy_outputs);
    }
    const SX late = SX::vertcat({symbols_.acceleration, symbols_.multipliers});
    for (const Output& output : description_.outputs) {
      const SX value = translate_(output.value);
      add_output(output.name, value, SX::depends_on(value, late) ? reaction_outputs : motion_outputs);
    }
  }

  void add_output(const std::string& name, const SX& value, OutputGroupIndex group) {
    translate_.define(name, value);
    const auto count = std::count_if(equations_.outputs.begin(), equations_.outputs.end(),
                                     [group](const OutputEquation& output) { return output.group == group; });
    equations_.outputs.push_back({name, SX::densify(value), group, static_cast<int>(count)});
  }

  /// Generalised reaction force of every coordinate, B λ: what each reaction's power is per velocity.
  SX reaction_forces() const {
    SX total = SX::zeros(symbols_.v.numel(), 1);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const ConstraintEquation& row = equations_.constraints[i];
      const SX multiplier = symbols_.multipliers(static_cast<casadi_int>(i));
      const SX& motion = row.level == Level::position   ? symbols_.q
                         : row.level == Level::velocity ? symbols_.v
                                                        : symbols_.acceleration;
      total += (row.realised_by ? *row.realised_by : SX::jacobian(row.residual, motion).T()) * multiplier;
    }
    return SX::densify(total);
  }

  std::size_t coordinate_index(const std::string& name) const {
    const auto& names = equations_.position_names;
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  }

  const Description& description_;
  Diagnostics& diagnostics_;
  Equations equations_;
  Symbols& symbols_;
  std::vector<const Constraint*> rows_;  ///< in the order of the multipliers
  Translator translate_;
};

}  // namespace

std::optional<Equations> assemble_equations(const Description& description, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.size();
  Equations equations = Assembly(description, diagnostics).run();
  if (diagnostics.size() > before) return std::nullopt;
  return equations;
}

}  // namespace mechfmu
