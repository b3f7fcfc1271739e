// Adds constraints of joints, motions, couplings and the file, and the equations of motion.
#include "mechanics/body_composer.hpp"

#include <algorithm>

#include "elements/contacts/touching.hpp"
#include "elements/couplings/coupling_equation.hpp"
#include "elements/couplings/coupling_type.hpp"
#include "equations/compose_contacts.hpp"
#include "equations/constraint_reactions.hpp"
#include "equations/contact_efforts.hpp"
#include "modelDescription/description/own_units.hpp"

namespace mechfmu {

using casadi::Slice;
using casadi::SX;

Row& BodyComposer::add_row(const std::string& name, const Place& place, Level level, const SX& residual,
                           const Unit& unit, Shown multiplier) {
  Row row;
  row.equation.name = name;
  row.equation.place = place;
  row.equation.level = level;
  row.equation.residual = residual;
  row.equation.unit = unit;
  row.equation.multiplier = std::move(multiplier);
  rows_.push_back(std::move(row));
  return rows_.back();
}

void BodyComposer::add_rows() {
  row_meanings_ = std::make_unique<RowMeanings>(d_, kinematics_);
  for (const MovingJoint& joint : kinematics_.joints) add_joint_rows(joint);
  for (const Coupling& coupling : d_.couplings) {
    if (comes_and_goes(coupling)) continue;
    const CouplingEquation equation = find_coupling_type(coupling.type)->equation(coupling, surroundings_);
    add_row(coupling.name, coupling.place, equation.level, equation.residual,
            row_meanings_->unit_of(coupling, equation.level),
            shown(quantities_, "coupling." + coupling.name + ".multiplier"))
        .equation.description = coupling.description;
  }
  for (const Constraint& constraint : d_.constraints) {
    Row& row = rows_.emplace_back();
    row.equation = translated(constraint, *translate_);
    row.equation.unit = own_unit(d_, constraint.dimension);
    row.equation.multiplier = shown(quantities_, "constraint." + constraint.name + ".multiplier");
    for (const auto& [coordinate, coefficient] : constraint.realised_by)
      row.realised.emplace_back(value(coefficient), rate(named(coordinate)));
  }
  std::stable_sort(rows_.begin(), rows_.end(),
                   [](const Row& a, const Row& b) { return a.equation.level < b.equation.level; });
  for (Row& row : rows_) row.multiplier = SX::sym(row.equation.multiplier.name);
}

void BodyComposer::add_joint_rows(const MovingJoint& joint) {
  const std::size_t rows_before = rows_.size();
  const std::string& name = joint.joint->name;
  const Place& place = joint.joint->place;
  const auto add = [&](const JointRows& rows, Level level) {
    for (std::size_t i = 0; i < rows.rows.size(); ++i) {
      const std::string row = rows.rows.size() == 1 ? name : name + "." + rows.names[i];
      ConstraintEquation& equation =
          add_row(row, place, level, rows.rows[i], row_meanings_->unit_of(rows.meanings[i], level == Level::velocity),
                  hidden_variable(name + "." + rows.names[i], place))
              .equation;
      equation.of_joint = true;
      equation.gains = joint.joint->gains;
      if (joint.joint->length_motion) equation.driven = name + ".length";
      if (level != Level::position) continue;
      const bool more = i > 0 && rows.meanings[i].text == rows.meanings[i - 1].text;  // has the same text
      equation.meaning = more ? rows_.end()[-2].equation.meaning : row_meanings_->of(rows.meanings[i], joint);
    }
  };
  add(joint.motion.rows, Level::position);
  add(joint.closure.rows, Level::position);
  add(joint.roll, Level::velocity);
  for (const SX& condition : joint.closure.branch)
    equations_.branches.push_back({name, place, kinematics_.motions->real(condition)});
  for (std::size_t i = 0; i < joint.joint->coordinates.size(); ++i) {
    const JointCoordinate& coordinate = joint.joint->coordinates[i];
    if (!coordinate.motion) continue;
    // The motion acts on the coordinate itself, not on the symbol that forces read: its effort belongs to the reaction.
    const SX at = joint.cut ? with_turns(coordinate.name, joint.closure.coordinates[i])
                            : SX(kinematics_.symbols.q(joint.position + static_cast<casadi_int>(i)));
    ConstraintEquation& equation =
        add_row(coordinate.name + ".drive", coordinate.motion->place, Level::position,
                at - value_of(*coordinate.motion), coordinate.unit, shown(quantities_, coordinate.name + ".drive"))
            .equation;
    equation.driven = coordinate.name;
    equation.gains = joint.joint->gains;
    equation.meaning.text = "the motion of '" + coordinate.name + "' is missed by #";
  }
  check_gains(joint, std::span(rows_).subspan(rows_before));
}

/// Says that a gain is of no use: joints of the tree have no equations, and those of velocities alone no positions.
void BodyComposer::check_gains(const MovingJoint& joint, std::span<const Row> rows) {
  const auto needs = [&](const std::optional<double>& gain, const char* key, const Place& place, Level most) {
    if (!gain || std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row.equation.level <= most; }))
      return;
    const std::string why = !rows.empty() ? " has equations of velocities only, of which"
                            : !joint.cut  ? " carries its child in the tree, without an equation:"
                                          : " has no equation:";
    diagnostics_.add(
        place, "the joint " + in_quotes(joint.joint->name) + why + " nothing drifts that " + key + " could correct",
        rows.empty() && !joint.cut ? "remove it, or write cut = true to open the loop here" : "remove it");
  };
  const DriftGains& gains = joint.joint->gains;
  needs(gains.first, "drift_gain_1", gains.first_place, Level::velocity);
  needs(gains.second, "drift_gain_0", gains.second_place, Level::position);
}

/// Returns a prescribed motion. If an input drives it, it is the Taylor polynomial from the time at which inputs were
/// last taken over, or the output of a filter.
SX BodyComposer::value_of(const PrescribedMotion& motion) {
  const SX at = value(motion.value);
  if (motion.filter) return filtered(motion, at);
  if (!motion.rate) return at;
  const SX since = kinematics_.symbols.time - kinematics_.symbols.inputs(equations_.input_time);
  return at + value(*motion.rate) * since + value(*motion.acceleration) * SX::sq(since) / 2;
}

/// Returns the filter's state s, T² s̈ + 2T ṡ + s = u. It has an inertia of one, on which nothing else acts
/// (finish_filters).
SX BodyComposer::filtered(const PrescribedMotion& motion, const SX& u) {
  const Filter& filter = kinematics_.filter_of(motion);
  const Symbols& s = kinematics_.symbols;
  const SX at = s.q(filter.position), rate = s.v(filter.velocity), T = value(*motion.filter);
  filter_forces_.emplace_back(filter.velocity, (u - at - 2 * T * rate) / SX::sq(T));
  starts_->hold(s.q(filter.position).name(), motion.place, at, u, rate);
  return at;
}

/// Lets a constraint behind a filter act on the mechanism alone, and not on the filter.
void BodyComposer::finish_filters(ConstraintEquation& equation) const {
  const Symbols& s = kinematics_.symbols;
  const auto behind = [&](const Filter& filter) { return SX::depends_on(equation.residual, s.q(filter.position)); };
  if (std::none_of(kinematics_.filters.begin(), kinematics_.filters.end(), behind)) return;
  SX B = SX::jtimes(equation.residual, s.q, SX::jacobian(s.q_rate, s.v)).T();
  for (const Filter& filter : kinematics_.filters) B(filter.velocity) = 0;
  equation.realised_by = SX::sparsify(B);
}

/// Makes groups of rows that come and go. Their expressions contain openings and readings, so that joints get the
/// reactions to them.
void BodyComposer::make_contacts() {
  const ContactSource source{d_,
                             [this](const Expression& formula) { return value(formula); },
                             [this](ConditionEquation one) { add_condition(std::move(one)); },
                             [this](const SX& expression) { return rate(expression); },
                             [this](const SX& effort, const SX& speed) { power_->act(effort, speed); },
                             [this](const Contact& contact) { return touching_groups(contact); }};
  contacts_ = contact_groups(source);
  for (const Coupling& coupling : d_.couplings)
    if (comes_and_goes(coupling))
      for (ContactEquation& group : find_coupling_type(coupling.type)->contacts(coupling, surroundings_)) {
        make_contact_symbols(group);
        contacts_.push_back(std::move(group));
      }
  std::move(frictions_.begin(), frictions_.end(), std::back_inserter(contacts_));
}

std::vector<ContactEquation> BodyComposer::touching_groups(const Contact& contact) {
  const std::string surfaces = surfaces_text(contact, d_);
  std::vector<ContactEquation> groups;
  for (TouchingPlace& place : touching_places(contact, "the contact " + in_quotes(contact.name), surroundings_)) {
    ContactEquation& group = groups.emplace_back();
    group.gap = place.touch.gap;
    if (contact.has_friction) group.slips = place.slips;
    group.what = surfaces;
    for (ConditionEquation& condition : place.conditions) add_condition(std::move(condition));
  }
  return groups;
}

void BodyComposer::add_equations() {
  const BodyEquations bodies = power_->equations();
  equations_.mass_matrix = bodies.mass_matrix;
  masses_ = bodies.masses;
  equations_.inertia_forces = bodies.inertia_forces;
  equations_.forces = bodies.forces;
  for (const auto& [velocity, force] : filter_forces_) {
    (*equations_.mass_matrix)(velocity, velocity) = 1;
    equations_.forces(velocity) = force;
  }
  equations_.kinetic_energy = bodies.kinetic_energy;
  potential_energy_ = bodies.potential_energy;
  for (const Row& row : rows_) {
    ConstraintEquation equation = row.equation;
    equation.residual = SX::densify(kinematics_.motions->real(equation.residual));
    for (LocalCoordinateEquation& local : equation.local) {
      local.value = SX::densify(kinematics_.motions->real(local.value));
      local.slope = SX::densify(kinematics_.motions->real(local.slope));
    }
    if (!row.realised.empty()) {
      SX B = SX::zeros(kinematics_.symbols.v.numel());
      for (const auto& [coefficient, rate] : row.realised)
        B += SX::jtimes(kinematics_.motions->real(rate), kinematics_.symbols.v, kinematics_.motions->real(coefficient),
                        true);
      equation.realised_by = SX::sparsify(B);
    }
    if (equation.level == Level::position) finish_filters(equation);
    equations_.constraints.push_back(std::move(equation));
  }
}

}  // namespace mechfmu
