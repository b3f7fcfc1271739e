// Turns a description into equations: makes symbols for all names, then translates every formula and checks what it
// depends on.
#include "equations/compose_equations.hpp"

#include <algorithm>

#include "columns.hpp"
#include "constraint_reactions.hpp"
#include "contact_variables.hpp"
#include "enter_condition.hpp"
#include "equations/compose_contacts.hpp"
#include "equations/compose_parameters.hpp"
#include "equations/compose_states.hpp"
#include "equations/compose_unknowns.hpp"
#include "equations/compose_velocities.hpp"
#include "modelDescription/description/own_units.hpp"
#include "modelDescription/formulas/units.hpp"
#include "translate.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

class EquationComposer {
 public:
  EquationComposer(const Description& description, Diagnostics& diagnostics)
      : description_(description), diagnostics_(diagnostics), symbols_(equations_.symbols),
        parameters_(description, equations_), translate_(description.functions, Rates(make_symbols())) {}

  Equations run() {
    equations_.name = description_.name;
    equations_.equilibrium = description_.equilibrium;
    add_names();
    velocities_->resolve(translate_, equations_, diagnostics_);
    if (equations_.own_velocities.size() < description_.velocities.size())
      return std::move(equations_);  // Formulas need the velocities.
    states_->enter(states_->rates(translate_), equations_);
    add_dynamics();
    add_constraints();
    unknowns_->add_equations([this](const Expression& equation) { return translate_(equation); }, equations_);
    states_->add_resets([this](const Expression& formula) { return translate_(formula); }, equations_);
    add_contacts();
    add_outputs();
    return std::move(equations_);
  }

 private:
  const Symbols& make_symbols() {
    std::vector<SX> positions, velocities;
    for (const Coordinate& coordinate : description_.coordinates) {
      const Shown position{coordinate.name, coordinate.description, coordinate.unit, coordinate.place};
      equations_.positions.push_back(position);
      equations_.velocities.push_back(shown_rate(position, coordinate.rate_unit));
      equations_.accelerations.push_back(shown_acceleration(position, coordinate.acceleration_unit));
      positions.push_back(parameters_.add(shown_start(position, coordinate.start), coordinate.start.value.expression));
      equations_.position_fixed.push_back(coordinate.start.fixed);
      equations_.velocity_fixed.push_back(coordinate.rate_start.fixed);
    }
    velocities_.emplace(description_, parameters_);
    for (std::size_t i = 0; i < description_.coordinates.size(); ++i) {
      const Start& start = description_.coordinates[i].rate_start;
      const ShownParameter shown = shown_rate_start(equations_.positions[i], equations_.velocities[i], start);
      velocities.push_back(description_.coordinates[i].rate ? velocities_->add_rate_start(i, shown, positions)
                                                            : parameters_.add(shown, start.value.expression));
    }
    equations_.position_guess = column(positions);
    equations_.velocity_guess = column(velocities);
    states_.emplace(description_, parameters_);
    unknowns_.emplace(description_, parameters_);
    parameters_.finish(diagnostics_);
    enter_inputs(description_, equations_);

    std::vector<std::string> multipliers;
    for (const Level level : {Level::position, Level::velocity, Level::acceleration})
      for (const Constraint& constraint : description_.constraints)
        if (constraint.level == level) {
          rows_.push_back(&constraint);
          multipliers.push_back(multiplier_name(constraint));
        }

    symbols_.time = SX::sym("time");
    symbols_.q = column_of_symbols(names_of(equations_.positions));
    symbols_.v = column_of_symbols(names_of(equations_.velocities));
    symbols_.q_rate = symbols_.v;
    symbols_.acceleration = column_of_symbols(names_of(equations_.accelerations));
    symbols_.inputs = column_of_symbols(equations_.input_names);
    symbols_.multipliers = column_of_symbols(multipliers);
    symbols_.states = states_->symbols();
    symbols_.loads = unknowns_->symbols();
    return symbols_;
  }

  void add_contacts() {
    const ContactSource source{
        description_, [this](const Expression& formula) { return translate_(formula); },
        [this](ConditionEquation one) { enter_condition(std::move(one), equations_, diagnostics_); }, Rates(symbols_),
        [this](const SX& effort, const SX& rate) {
          equations_.forces += effort * SX::densify(SX::jacobian(rate, symbols_.v).T());
        }};
    for (ContactEquation& group : contact_groups(source)) enter_contact(std::move(group), equations_, diagnostics_);
  }

  static std::string multiplier_name(const Constraint& constraint) {
    return "constraint." + constraint.name + ".multiplier";
  }

  void add_names() {
    translate_.define("time", symbols_.time);
    define_each(names_of(equations_.positions), symbols_.q);
    define_each(equations_.input_names, symbols_.inputs);
    for (std::size_t i = 0; i < description_.parameters.size(); ++i)
      translate_.define(description_.parameters[i].name, symbols_.parameters(static_cast<casadi_int>(i)));
    states_->define(translate_);
    unknowns_->define(translate_);
    for (const Definition& definition : description_.definitions) translate_.define(definition.name, definition.value);
    for (const Output& output : description_.outputs) translate_.define(output.name, output.value);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      translate_.define(multiplier_name(*rows_[i]), symbols_.multipliers(static_cast<casadi_int>(i)));
  }

  void define_each(const std::vector<std::string>& names, const SX& symbols) {
    for (std::size_t i = 0; i < names.size(); ++i) translate_.define(names[i], symbols(static_cast<casadi_int>(i)));
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

    equations_.forces = SX::zeros(symbols_.v.numel(), 1);
    for (const auto& [name, force] : dynamics.forces) equations_.forces += along(name) * translate_(force);
    equations_.forces = SX::densify(equations_.forces);
  }

  void add_mass_matrix(const std::vector<std::vector<Expression>>& entries) {
    const auto n = static_cast<casadi_int>(entries.size());
    SX M(n, n);
    for (casadi_int i = 0; i < n; ++i)
      for (casadi_int j = 0; j < n; ++j)
        if (const SX entry = translate_(entries[i][j]); !entry.is_zero()) M(i, j) = entry;
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
      ConstraintEquation row = translated(*constraint, translate_);
      row.multiplier = shown_multiplier(*constraint);
      row.unit = own_unit(description_, constraint->dimension);
      if (!constraint->realised_by.empty()) {
        row.realised_by = SX(static_cast<casadi_int>(description_.coordinates.size()), 1);
        for (const auto& [name, coefficient] : constraint->realised_by)
          *row.realised_by = *row.realised_by + along(name) * translate_(coefficient);
        row.realised_by = SX::sparsify(*row.realised_by);
      }
      equations_.constraints.push_back(std::move(row));
    }
  }

  static Shown shown_multiplier(const Constraint& constraint) {
    const char* what = constraint.realised_by.empty() ? "multiplier of " : "force that realises ";
    const std::string meaning = constraint.description.empty() ? "" : ": " + constraint.description;
    return {multiplier_name(constraint), what + constraint.name + meaning, constraint.multiplier_unit,
            constraint.place};
  }

  void add_outputs() {
    const SX reactions = reaction_forces();
    for (std::size_t i = 0; i < description_.coordinates.size(); ++i) {
      const Coordinate& of = description_.coordinates[i];
      add_output({of.name + ".reaction", "generalised reaction force on " + of.name, force_unit_of(of.unit), of.place},
                 reactions(static_cast<casadi_int>(i)), reaction_outputs);
    }
    for (const VelocityEquation& velocity : equations_.own_velocities) {
      const std::string& name = velocity.shown.name;
      add_output({name + ".reaction", "generalised reaction force along " + name, force_unit_along(velocity.shown.unit),
                  velocity.shown.place},
                 SX::mtimes(velocity.direction.T(), reactions), reaction_outputs);
    }
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (const auto& [shown, value] :
           local_reactions(equations_.constraints[i], symbols_.multipliers(static_cast<casadi_int>(i))))
        add_output(shown, value, reaction_outputs);
    // The author's outputs may use the energies, which are listed after them.
    const auto energies = shown_energies();
    for (const auto& [shown, value] : energies) translate_.define(shown.name, value);
    for (const auto& [name, value] : contact_names(equations_.contacts)) translate_.define(name, value);
    std::vector<SX> found_late{symbols_.acceleration, symbols_.multipliers, symbols_.loads};
    for (const ContactEquation& contact : equations_.contacts) found_late.push_back(contact.multipliers);
    const SX late = SX::vertcat(found_late);
    const auto group = [&late](const SX& value, OutputGroupIndex otherwise) {
      return SX::depends_on(value, late) ? reaction_outputs : otherwise;
    };
    for (const auto& [shown, value] : unknowns_->shown()) add_output(shown, value, reaction_outputs);
    add_velocities();
    for (const Output& output : description_.outputs) {
      const SX value = translate_(output.value);
      add_output({output.name, output.description, output.unit, output.place}, value, group(value, motion_outputs));
    }
    for (const auto& [shown, value] : energies) add_output(shown, value, group(value, energy_outputs));
    add_efforts(equations_);
    add_violations(equations_);
  }

  /// Adds the file's velocities and their derivatives.
  void add_velocities() {
    const Rates rate(symbols_);
    for (std::size_t j = 0; j < equations_.own_velocities.size(); ++j) {
      const VelocityEquation& velocity = equations_.own_velocities[j];
      add_output(velocity.shown, velocity.value, motion_outputs);
      Shown acceleration = shown_rate(velocity.shown, description_.velocities[j].acceleration_unit);
      acceleration.local = acceleration.acceleration = true;
      add_output(acceleration, rate(velocity.value), reaction_outputs);
    }
  }

  std::vector<std::pair<Shown, SX>> shown_energies() const {
    const auto energy = [this](const std::string& name, const std::string& meaning) {
      return Shown{name, meaning, known_unit("J"), equations_.energy_place, true};
    };
    const SX& kinetic = equations_.kinetic_energy;
    if (!equations_.potential_energy) return {{energy("energy.kinetic", "kinetic energy"), kinetic}};
    const SX& potential = *equations_.potential_energy;
    return {{energy("energy.kinetic", "kinetic energy"), kinetic},
            {energy("energy.potential", "potential energy"), potential},
            {energy("energy.total", "kinetic and potential energy"), kinetic + potential}};
  }

  void add_output(const Shown& shown, const SX& value, OutputGroupIndex group) {
    translate_.define(shown.name, value);
    const auto count = std::count_if(equations_.outputs.begin(), equations_.outputs.end(),
                                     [group](const OutputEquation& output) { return output.group == group; });
    equations_.outputs.push_back({shown, SX::densify(value), group, static_cast<int>(count)});
  }

  /// Returns the generalised reaction force of every coordinate, B λ: the power of all reactions per velocity.
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

  /// Returns what a force of one along a coordinate or a velocity of the file is by the rates of coordinates.
  SX along(const std::string& name) const {
    for (const VelocityEquation& velocity : equations_.own_velocities)
      if (velocity.shown.name == name) return velocity.slopes.T();
    const auto& all = description_.coordinates;
    const auto named = std::find_if(all.begin(), all.end(), [&](const Coordinate& c) { return c.name == name; });
    SX unit(symbols_.v.numel(), 1);
    unit(named - all.begin()) = 1;
    return unit;
  }

  const Description& description_;
  Diagnostics& diagnostics_;
  Equations equations_;
  Symbols& symbols_;
  ParameterComposer parameters_;
  std::optional<VelocityComposer> velocities_;
  std::optional<StateComposer> states_;
  std::optional<UnknownComposer> unknowns_;
  std::vector<const Constraint*> rows_;  ///< have the order of the multipliers
  Translator translate_;
};

}  // namespace

std::optional<Equations> compose_equations(const Description& description, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.size();
  Equations equations = EquationComposer(description, diagnostics).run();
  if (diagnostics.size() > before) return std::nullopt;
  return equations;
}

}  // namespace mechfmu
