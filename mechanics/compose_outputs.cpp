// Finds reactions, normal forces, and all variables that the FMU shows.
#include "mechanics/body_composer.hpp"

#include <algorithm>
#include <map>

#include "drawing.hpp"
#include "elements/components.hpp"
#include "elements/couplings/coupling_type.hpp"
#include "equations/constraint_reactions.hpp"
#include "equations/contact_efforts.hpp"
#include "equations/contact_variables.hpp"
#include "modelDescription/formulas/units.hpp"
#include "sensors.hpp"

namespace mechfmu {

using casadi::Slice;
using casadi::SX;

/// Adds the wrench of every joint on its child, in the parent's frame.
void BodyComposer::add_reactions() {
  std::vector<ConstraintPower> constraints;
  std::vector<std::pair<SX, SX>> further;
  for (const Row& row : rows_) {
    if (row.realised.empty()) constraints.push_back({row.equation.level, row.equation.residual, row.multiplier});
    else
      for (const auto& [coefficient, rate] : row.realised) further.emplace_back(coefficient * row.multiplier, rate);
  }
  for (const ContactEquation& contact : contacts_) {
    const std::vector<SX> efforts = contact_efforts(contact);
    const std::size_t tangent = efforts.size() - contact.slips.size();
    if (tangent > 0)
      constraints.push_back({contact.has_gap() ? Level::position : Level::velocity,
                             contact.has_gap() ? contact.gap : contact.speed, efforts[0]});
    for (std::size_t i = 0; i < contact.slips.size(); ++i)
      constraints.push_back({Level::velocity, contact.slips[i], efforts[tangent + i]});
  }
  const VirtualPower::Transmitted transmitted = power_->transmitted(constraints, further);
  const casadi_int space = kinematics_.space(), all = kinematics_.openings_of_a_joint();
  for (const MovingJoint& joint : kinematics_.joints) {
    const std::string& name = joint.joint->name;
    if (joint.form->pulls) {
      for (const Row& row : rows_) {
        if (row.equation.name != name) continue;
        show(name + ".tension", -row.multiplier);
        if (!joint.joint->length_motion) continue;
        show(name + ".length", joint.geometry.number("length"));
        shown_["der(" + name + ".length)"] = rate(joint.geometry.number("length"));
        shown_["der(" + name + ".length,2)"] = rate(rate(joint.geometry.number("length")));
        show(name + ".length.drive", row.multiplier);
      }
      continue;
    }
    SX wrench = transmitted.openings(Slice(joint.opening, joint.opening + all));
    SX force = wrench(Slice(0, space)), torque = wrench(Slice(space, all));
    if (joint.cut) {
      force = -force;
      torque = -torque;
    }
    for (std::size_t i = 0; i < joint.motion.efforts.size(); ++i) {
      const SX effort = transmitted.readings(joint.reading + static_cast<casadi_int>(i));
      force -= effort * joint.motion.efforts[i].force;
      torque -= effort * joint.motion.efforts[i].torque;
    }
    force = SX::mtimes(joint.R_PJ, force);
    if (space == 3) torque = SX::mtimes(joint.R_PJ, torque);
    const auto define = [this](const std::string& variable, const SX& value) { show(variable, value); };
    show_each(name + ".reaction.force", force, xyz, define);
    if (space == 3) show_each(name + ".reaction.torque", torque, xyz, define);
    else show(name + ".reaction.torque", torque);
    reaction_forces_[&joint] = force;
  }
  for (const auto& [friction, load] : loads_)
    equations_.loads.push_back(
        {friction->name, friction->place, normal_force(*friction), {}, known_unit("N"), known_unit("N")});
  for (const Row& row : rows_) {
    if (!row.equation.multiplier.hidden) translate_->define(row.equation.multiplier.name, row.multiplier);
    for (const auto& [reaction, value] : local_reactions(row.equation, row.multiplier)) show(reaction.name, value);
  }
  unknowns_->add_equations(
      [this](const Expression& equation) { return kinematics_.motions->real(SX::densify(value(equation))); },
      equations_);
}

namespace {

/// Returns the direction in which a coordinate that is a position moves the child, in the joint's frame.
SX sliding_direction(const MovingJoint& joint, std::size_t coordinate, casadi_int space) {
  const int column = joint.form->coordinates[coordinate].direction;
  if (space == 2) return column < 0 ? joint.geometry.axis : SX::eye(space)(Slice(), column);
  return joint.geometry.frame(Slice(), column < 0 ? 2 : column);
}

}  // namespace

/// Returns the joint's reaction across the direction that the friction's coordinate leaves free.
SX BodyComposer::normal_force(const Force& friction) const {
  const auto [joint, i] = kinematics_.coordinate(friction.coordinate);
  SX force = reaction_forces_.at(joint);
  if (!joint->form->coordinates[i].angle) {
    const SX along = SX::mtimes(joint->R_PJ, sliding_direction(*joint, i, kinematics_.space()));
    force -= SX::dot(along, force) * along;
  }
  return SX::densify(kinematics_.motions->real(SX::norm_2(force)));
}

void BodyComposer::add_outputs() {
  Symbols& s = kinematics_.symbols;
  show("energy.kinetic", equations_.kinetic_energy);
  show("energy.potential", potential_energy_);
  show("energy.total", equations_.kinetic_energy + potential_energy_);
  s.multipliers = multipliers();
  // A cut joint's coordinates come first, with their derivatives.
  std::vector<std::pair<Shown, SX>> outputs;
  for (const Quantity& quantity : quantities_) {
    const auto found = shown_.find(quantity.name);
    if (found == shown_.end()) continue;  // is a position, a velocity or a multiplier
    Shown shown = mechfmu::shown(quantity);
    shown.local = !is_of_cut(quantity.name) && !is_reaction(quantity);
    outputs.emplace_back(shown, found->second);
    add_derivatives(quantity, outputs);
  }
  for (const auto& unknown : unknowns_->shown()) outputs.push_back(unknown);
  for (const auto& [name, value] : contact_names(contacts_)) translate_->define(name, value);
  for (const Output& output : d_.outputs) {
    const SX at = output.kind == Output::Kind::value ? value(output.value) : declared_output(output, kinematics_);
    translate_->define(output.name, at);
    outputs.emplace_back(Shown{output.name, output.description, output.unit, output.place}, at);
  }
  std::vector<SX> found_late{s.acceleration, s.multipliers, column(load_symbols())};
  for (const ContactEquation& contact : contacts_) found_late.push_back(contact.multipliers);
  const Places late(SX::vertcat(found_late));
  std::vector<SX> values;
  for (const auto& [shown, value] : outputs) values.push_back(SX::densify(value));
  values = kinematics_.motions->real(values);
  std::map<int, int> counts;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const bool read_late = late.any_in(values[i]);
    const int group = read_late ? reaction_outputs : outputs[i].first.local ? energy_outputs : motion_outputs;
    equations_.outputs.push_back({outputs[i].first, SX::densify(values[i]), group, counts[group]++});
  }
}

/// Adds derivatives of cut joints' coordinates, of their angular velocities, and of driven lengths.
void BodyComposer::add_derivatives(const Quantity& quantity, std::vector<std::pair<Shown, SX>>& outputs) const {
  const Unit rate_unit = per_second(quantity.unit);
  Shown rate = shown_rate(shown(quantity), rate_unit);
  const auto of_rate = shown_.find(rate.name);
  if (of_rate == shown_.end()) return;
  rate.local = rate.acceleration = quantity.kind == Quantity::Kind::rate;
  outputs.emplace_back(rate, of_rate->second);
  const JointCoordinate* coordinate = find_coordinate(d_, quantity.name);
  const bool driven = coordinate ? coordinate->motion.has_value() : !is_of_cut(quantity.name);
  const Shown acceleration = shown_acceleration(shown(quantity), per_second(rate_unit), driven);
  const auto of_acceleration = shown_.find(acceleration.name);
  if (of_acceleration != shown_.end()) outputs.emplace_back(acceleration, of_acceleration->second);
}

/// Is true for a coordinate or angular velocity of a cut joint.
bool BodyComposer::is_of_cut(const std::string& name) const {
  return cut_values_.count(name) > 0 ||
         std::any_of(cut_orientations_.begin(), cut_orientations_.end(), [&](const MovingJoint* joint) {
           return name.starts_with(joint->joint->name + ".orientation.") ||
                  name.starts_with(joint->joint->name + ".angular_velocity.");
         });
}

bool BodyComposer::is_reaction(const Quantity& quantity) {
  return quantity.kind == Quantity::Kind::result && !quantity.name.starts_with("energy.");
}

SX BodyComposer::multipliers() const {
  std::vector<SX> all;
  for (const Row& row : rows_) all.push_back(row.multiplier);
  return column(all);
}

std::vector<SX> BodyComposer::load_symbols() const {
  std::vector<SX> symbols;
  for (const auto& [force, load] : loads_) symbols.push_back(load);
  symbols.push_back(unknowns_->symbols());
  return symbols;
}

void BodyComposer::finish() {
  Symbols& s = kinematics_.symbols;
  s.turns = column(turns_);
  s.loads = column(load_symbols());
  equations_.symbols = s;
  states_->enter(kinematics_.motions->real(state_rates_), equations_);
  states_->add_resets(
      [this](const Expression& formula) { return kinematics_.motions->real(SX::densify(value(formula))); }, equations_);
  add_efforts(equations_);
  add_violations(equations_);
  equations_.quaternions = kinematics_.quaternions;
  equations_.structure = tree_text(d_, tree_) + masses_;
  equations_.equilibrium = d_.equilibrium;
  for (const Filter& filter : kinematics_.filters) equations_.filters.push_back(filter.of);
  equations_.drawing = draw(d_, kinematics_);
  equations_.places = held_places(kinematics_);
  for (const MassProperties& body : power_->masses()) equations_.total_mass += body.mass;
  equations_.gravity = SX::norm_2(kinematics_.vector(d_.gravity));
  // A length that cannot be zero is a size.
  const auto add_sizes = [this](const std::vector<NumberKey>& keys, const std::map<std::string, Expression>& numbers) {
    for (const NumberKey& key : keys)
      if (const auto number = numbers.find(key.name); number != numbers.end() && key.is_size())
        equations_.radii.push_back(value(number->second));
  };
  for (const Joint& joint : d_.joints) add_sizes(find_joint_form(joint.type, d_.spatial)->numbers, joint.numbers);
  for (const Coupling& coupling : d_.couplings) add_sizes(find_coupling_type(coupling.type)->numbers, coupling.numbers);
}

}  // namespace mechfmu
