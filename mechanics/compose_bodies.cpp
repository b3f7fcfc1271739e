// Turns bodies into equations, step by step: parameters, poses, names, forces; then constraints, reactions and
// variables.
#include "mechanics/compose_bodies.hpp"

#include "mechanics/body_composer.hpp"

#include <algorithm>

#include "elements/components.hpp"
#include "elements/couplings/coupling_type.hpp"
#include "elements/forces/force_builder.hpp"
#include "elements/forces/force_type.hpp"
#include "elements/rotations.hpp"
#include "equations/compose_contacts.hpp"
#include "equations/contact_efforts.hpp"
#include "modelDescription/formulas/units.hpp"
#include "sensors.hpp"

namespace mechfmu {

using casadi::Slice;
using casadi::SX;

std::optional<Equations> BodyComposer::run() {
  const std::size_t errors = diagnostics_.size();
  equations_.name = d_.name;
  equations_.energy_place = d_.bodies.size() > 1 ? d_.bodies[1].place : d_.place;
  starts_ = std::make_unique<Starts>(d_, quantities_, kinematics_, parameters_, equations_);
  states_ = std::make_unique<StateComposer>(d_, parameters_);
  unknowns_ = std::make_unique<UnknownComposer>(d_, parameters_);
  parameters_.finish(diagnostics_);
  if (diagnostics_.size() > errors) return std::nullopt;
  make_symbols();
  translate_ = std::make_unique<Translator>(d_.functions, kinematics_.motions->rate);
  translate_->define("time", kinematics_.symbols.time);
  for (std::size_t i = 0; i < d_.parameters.size(); ++i)
    translate_->define(d_.parameters[i].name, parameters_.symbol(i));
  for (std::size_t i = 0; i < d_.inputs.size(); ++i)
    translate_->define(d_.inputs[i].name, kinematics_.symbols.inputs(static_cast<casadi_int>(i)));
  states_->define(*translate_);
  unknowns_->define(*translate_);
  for (const Definition& definition : d_.definitions) translate_->define(definition.name, definition.value);
  kinematics_.build([this](const std::string& coordinate) { return starts_->symbol(coordinate); },
                    [this](const PrescribedMotion& motion) { return value_of(motion); });
  power_ = std::make_unique<VirtualPower>(kinematics_, mass_properties(), kinematics_.vector(d_.gravity));
  define_coordinates();
  define_places();
  find_state_rates();
  for (const Force& force : d_.forces) apply(force);
  add_rows();
  make_contacts();
  add_equations();
  add_reactions();
  add_conditions();
  starts_->finish(cut_values_, turns_);
  add_outputs();
  finish();
  for (ContactEquation& group : contacts_) {
    group.for_expressions([this](SX& e) { e = SX::densify(kinematics_.motions->real(e)); });
    enter_contact(std::move(group), equations_, diagnostics_);
  }
  if (diagnostics_.size() > errors) return std::nullopt;
  return std::move(equations_);
}

SX BodyComposer::named(const std::string& name) {
  Expression symbol;
  symbol.kind = Expression::Kind::symbol;
  symbol.name = name;
  return value(symbol);
}

/// Makes a dotted name known to formulas, and as a variable.
void BodyComposer::show(const std::string& name, const SX& value) {
  translate_->define(name, value);
  shown_[name] = value;
}

void BodyComposer::make_symbols() {
  Symbols& s = kinematics_.symbols;
  enter_inputs(d_, equations_);
  if (has_prescribed_motion_by_input()) {
    equations_.input_time = static_cast<int>(equations_.input_names.size());
    equations_.input_names.push_back("time of the inputs");
    equations_.input_values.push_back(0);
  }
  s.inputs = column_of_symbols(equations_.input_names);
  s.parameters = equations_.symbols.parameters;
  s.states = states_->symbols();
}

bool BodyComposer::has_prescribed_motion_by_input() const {
  const auto by_input = [](const std::optional<PrescribedMotion>& motion) { return motion && motion->rate; };
  return std::any_of(d_.joints.begin(), d_.joints.end(), [&](const Joint& joint) {
    return by_input(joint.length_motion) ||
           std::any_of(joint.coordinates.begin(), joint.coordinates.end(),
                       [&](const JointCoordinate& coordinate) { return by_input(coordinate.motion); });
  });
}

std::vector<MassProperties> BodyComposer::mass_properties() {
  std::vector<MassProperties> result;
  for (const Body& body : d_.bodies) {
    std::vector<SX> I;
    for (const Expression& number : body.inertia) I.push_back(value(number));
    if (!d_.spatial) result.push_back({value(body.mass), I.empty() ? SX(0) : I[0]});
    else if (I.empty()) result.push_back({value(body.mass), SX::zeros(3, 3)});
    else
      result.push_back({value(body.mass), SX::vertcat({SX::horzcat({I[0], I[3], I[4]}), SX::horzcat({I[3], I[1], I[5]}),
                                                       SX::horzcat({I[4], I[5], I[2]})})});
  }
  return result;
}

/// Defines joints' coordinates as formulas read them: they have symbols of their own in the tree, and follow from the
/// relative pose at cuts.
void BodyComposer::define_coordinates() {
  const Motions& motions = *kinematics_.motions;
  for (const MovingJoint& joint : kinematics_.joints) {
    const std::vector<JointCoordinate>& coordinates = joint.joint->coordinates;
    JointClosure closure;
    if (joint.cut && joint.form->close) closure = joint.form->close(joint.geometry, joint.relative);
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      const std::string& name = coordinates[i].name;
      if (!joint.cut) {
        translate_->define(name, motions.readings.at(joint.reading + static_cast<casadi_int>(i)));
        continue;
      }
      const SX at = with_turns(name, closure.coordinates[i]);
      cut_values_[name] = at;
      show(name, at);
      shown_["der(" + name + ")"] = rate(at);
      shown_["der(" + name + ",2)"] = rate(rate(at));
    }
    if (joint.joint->orientation) define_orientation(joint);
  }
}

/// Returns a coordinate of a cut. The turns of an angle are one symbol for all readers.
SX BodyComposer::with_turns(const std::string& name, const ClosureCoordinate& coordinate) {
  if (!coordinate.wraps) return coordinate.value;
  std::vector<AngleEquation>& angles = equations_.angles;
  const auto known = std::find_if(angles.begin(), angles.end(), [&](const auto& angle) { return angle.name == name; });
  const auto index = static_cast<std::size_t>(known - angles.begin());
  if (known == angles.end()) {
    turns_.push_back(SX::sym("turns of " + name));
    angles.push_back({name, kinematics_.motions->real(coordinate.value), starts_->symbol(name)});
  }
  return coordinate.value + 2 * casadi::pi * turns_[index];
}

void BodyComposer::define_orientation(const MovingJoint& joint) {
  const std::string front = joint.joint->name;
  const auto count = static_cast<casadi_int>(joint.joint->coordinates.size());
  const Symbols& s = kinematics_.symbols;
  SX quaternion, omega;
  if (joint.cut) {
    quaternion = quaternion_of(joint.relative.R);
    omega = joint.relative.rotation_rate;
    cut_orientations_.push_back(&joint);
  } else {
    quaternion = s.q(Slice(joint.position + count, joint.position + count + 4));
    omega = s.v(Slice(joint.velocity + count, joint.velocity + count + 3));
  }
  const auto define = [&](const std::string& variable, const SX& value) {
    translate_->define(variable, value);
    if (joint.cut) shown_[variable] = value;
  };
  show_each(front + ".orientation", quaternion, wxyz, define);
  show_each(front + ".angular_velocity", omega, xyz, define);
  if (!joint.cut) return;
  for (casadi_int i = 0; i < 3; ++i) shown_["der(" + front + ".angular_velocity" + xyz[i] + ")"] = rate(omega(i));
}

void BodyComposer::define_places() {
  const auto define = [this](const std::string& name, const SX& value) { show(name, value); };
  for (std::size_t i = 1; i < kinematics_.bodies.size(); ++i) show_body(kinematics_.bodies[i], kinematics_, define);
  for (const Sensor& sensor : d_.sensors) show_sensor(sensor, kinematics_, define);
}

/// Finds the rates of states, which are known wherever derivatives are taken from here on.
void BodyComposer::find_state_rates() {
  state_rates_ = states_->rates(*translate_);
  kinematics_.motions->rate.set(states_->symbols(), state_rates_);
}

/// Is a force as its formulas enter it.
class BodyComposer::Entered final : public ForceBuilder {
 public:
  Entered(const Force& one, BodyComposer& composer) : ForceBuilder(one, composer.surroundings_), composer_(composer) {}

  void store(const SX& energy) const override { composer_.power_->store(energy); }
  void show(const std::string& variable, const SX& value) const override {
    composer_.show(force.name + "." + variable, value);
  }
  SX normal_force() const override {
    const SX load = SX::sym("normal force of " + force.name);
    composer_.loads_.push_back({&force, load});
    return load;
  }
  SX stick(const SX& capacity, const SX& rest) const override {
    const auto [joint, i] = around.coordinate(force.coordinate);
    const JointCoordinate& coordinate = joint.joint.coordinates[i];
    ContactEquation group;
    group.name = force.name;
    group.what = "the friction " + in_quotes(force.name);
    group.place = force.place;
    group.law = contacts::Law::capacity;
    group.of_force = true;
    group.slips = {around.rate(around.named(force.coordinate))};
    group.capacity = capacity;
    group.rest = rest;
    group.gap_unit = coordinate.unit;
    group.slip_unit = coordinate.rate_unit;
    group.force_unit = group.friction_unit = force_unit_of(coordinate.unit);
    make_contact_symbols(group);
    const SX effort = contact_efforts(group).front();
    composer_.frictions_.push_back(std::move(group));
    return effort;
  }
  bool is_constant(const SX& expression) const override {
    const Symbols& s = composer_.kinematics_.symbols;
    const Motions& m = *composer_.kinematics_.motions;
    return !SX::depends_on(expression, SX::vertcat({s.time, s.q, s.v, s.inputs, s.states,
                                                    composer_.unknowns_->symbols(), m.readings.at, m.readings.rate}));
  }

 private:
  void enter(const SX& effort, const SX& rate) const override { composer_.power_->act(effort, rate); }

  BodyComposer& composer_;
};

void BodyComposer::apply(const Force& force) { find_force_type(force.type)->apply(Entered(force, *this)); }

std::optional<Equations> compose_bodies(const Description& description, Diagnostics& diagnostics) {
  return BodyComposer(description, diagnostics).run();
}

}  // namespace mechfmu
