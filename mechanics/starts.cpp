// Makes start values of joints.
#include "starts.hpp"

#include <algorithm>

#include "elements/components.hpp"
#include "elements/rotations.hpp"
#include "equations/columns.hpp"
#include "modelDescription/description/own_units.hpp"
#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

using casadi::Slice;
using casadi::SX;

Starts::Starts(const Description& description, const std::vector<Quantity>& quantities, const Kinematics& kinematics,
               ParameterComposer& parameters, Equations& equations)
    : description_(description), quantities_(quantities), kinematics_(kinematics), parameters_(parameters),
      equations_(equations) {
  for (const MovingJoint& joint : kinematics_.joints) {
    enter(joint);
    if (joint.joint->orientation) enter_orientation(joint);
  }
  enter_hidden();
}

void Starts::enter(const MovingJoint& joint) {
  for (const JointCoordinate& coordinate : joint.joint->coordinates) {
    const Shown position = shown(quantities_, coordinate.name);
    const Shown velocity = shown_rate(position, coordinate.rate_unit);
    positions_[coordinate.name] =
        parameters_.add(shown_start(position, coordinate.start), coordinate.start.value.expression);
    velocities_[coordinate.name] = parameters_.add(shown_rate_start(position, velocity, coordinate.rate_start),
                                                   coordinate.rate_start.value.expression);
    if (joint.cut) continue;
    equations_.positions.push_back(position);
    equations_.velocities.push_back(velocity);
    equations_.accelerations.push_back(
        shown_acceleration(position, coordinate.acceleration_unit, coordinate.motion.has_value()));
    equations_.position_fixed.push_back(coordinate.start.fixed);
    equations_.velocity_fixed.push_back(coordinate.rate_start.fixed);
  }
}

void Starts::enter_orientation(const MovingJoint& joint) {
  const OrientationStart& given = *joint.joint->orientation;
  const std::string& name = joint.joint->name;
  // They are formulas of parameters alone: the rotation as a matrix, from which the quaternion follows.
  std::vector<SX> numbers;
  for (const Expression& number : given.start.numbers) numbers.push_back(parameters_.formula(number));
  const SX R = kinematics_.rotation_of_numbers(given.start.kind, column(numbers));
  const SX quaternion = given.start.kind == Rotation::Kind::quaternion ? unit(column(numbers)) : quaternion_of(R);
  std::vector<SX> components;
  for (const Expression& component : given.rate.components) components.push_back(parameters_.formula(component));
  SX omega = components.empty() ? SX::zeros(3) : column(components);
  if (given.rate_in_parent) omega = SX::mtimes(R.T(), omega);

  for (casadi_int i = 0; i < 4; ++i) {
    const Shown position = shown(quantities_, name + ".orientation" + wxyz[i]);
    positions_[position.name] =
        parameters_.add(shown_start(position, position.name + "_start", given.fixed, false, given.place),
                        SX(quaternion(i)));
    if (!joint.cut) equations_.positions.push_back(position);
  }
  for (casadi_int i = 0; i < 3; ++i) {
    const Shown velocity = shown(quantities_, name + ".angular_velocity" + xyz[i]);
    velocities_[velocity.name] =
        parameters_.add(shown_start(velocity, velocity.name + "_start", given.rate_fixed, true, given.rate_place),
                        SX(omega(i)));
    if (joint.cut) continue;
    Shown acceleration{"der(" + velocity.name + ")", "rate of " + velocity.name, per_second(velocity.unit),
                       velocity.place};
    acceleration.local = acceleration.acceleration = true;
    acceleration.derivative_of = velocity.name;
    equations_.velocities.push_back(velocity);
    equations_.accelerations.push_back(acceleration);
    equations_.position_fixed.push_back(given.fixed);
    equations_.velocity_fixed.push_back(given.rate_fixed);
  }
}

/// Returns the unit in which messages show a coordinate, or a rate, that the FMU does not show.
Unit Starts::hidden_unit(const std::string& name) const {
  if (name.starts_with("der(")) return per_second(hidden_unit(name.substr(4, name.size() - 5)));
  const std::string filter = ".filter";
  const JointCoordinate* filtered =
      name.ends_with(filter) ? find_coordinate(description_, name.substr(0, name.size() - filter.size())) : nullptr;
  if (filtered) return filtered->unit;
  if (name.ends_with(".center.angle")) return own_angle_unit(description_);
  if (name.find(".angular_velocity.") != std::string::npos) return known_unit("rad/s");
  return name.find(".orientation.") != std::string::npos ? Unit{} : own_length_unit(description_);
}

/// Enters coordinates that the FMU does not show: those of free bodies and of filters.
void Starts::enter_hidden() {
  const auto hide = [this](std::vector<Shown>& list, const std::vector<std::string>& names) {
    for (std::size_t i = list.size(); i < names.size(); ++i) {
      list.push_back(hidden_variable(names[i], description_.place));
      list.back().unit = hidden_unit(names[i]);
    }
  };
  const std::size_t shown = equations_.positions.size();
  hide(equations_.positions, kinematics_.position_names);
  for (std::size_t i = shown; i < equations_.positions.size(); ++i)
    equations_.positions[i].unit = kinematics_.position_units[i];
  hide(equations_.velocities, kinematics_.velocity_names);
  hide(equations_.accelerations, kinematics_.velocity_names);
  equations_.position_fixed.resize(equations_.velocities.size(), false);
  equations_.velocity_fixed.resize(equations_.velocities.size(), false);
}

void Starts::hold(const std::string& name, const Place& place, const SX& coordinate, const SX& start, const SX& rate) {
  positions_[name] = start;
  equations_.start_positions.push_back({name, place, coordinate - start, hidden_unit(name)});
  equations_.start_velocities.push_back({"der(" + name + ")", place, rate, hidden_unit("der(" + name + ")")});
}

void Starts::finish(const std::map<std::string, SX>& cut_values, const std::vector<SX>& turns) {
  guess_free_bodies();
  guess();
  const Motions& motions = *kinematics_.motions;
  const SX all_turns = column(turns);
  for (const MovingJoint& joint : kinematics_.joints) {
    if (!joint.cut) continue;
    for (std::size_t i = 0; i < joint.joint->coordinates.size(); ++i) {
      const JointCoordinate& coordinate = joint.joint->coordinates[i];
      const SX at = motions.real(cut_values.at(coordinate.name));
      if (coordinate.start.fixed || (coordinate.given && !kinematics_.absolute)) {
        SX apart = SX::substitute(at, all_turns, SX::zeros(all_turns.numel())) - symbol(coordinate.name);
        if (SX::depends_on(at, all_turns)) apart = SX::atan2(SX::sin(apart), SX::cos(apart));
        (coordinate.start.fixed ? equations_.start_positions : equations_.start_guesses)
            .push_back({coordinate.name, coordinate.start.place, apart, coordinate.unit});
      }
      if (coordinate.rate_start.fixed)
        equations_.start_velocities.push_back(
            {"der(" + coordinate.name + ")", coordinate.rate_start.place,
             motions.real(motions.rate(cut_values.at(coordinate.name))) - velocities_.at(coordinate.name),
             coordinate.rate_unit});
    }
    if (joint.joint->orientation) hold_orientation(joint);
  }
}

/// Makes rows for fixed start values and for guesses.
void Starts::hold_orientation(const MovingJoint& joint) {
  const OrientationStart& given = *joint.joint->orientation;
  const std::string& name = joint.joint->name;
  const Motions& motions = *kinematics_.motions;
  if (given.fixed || (given.given && !kinematics_.absolute)) {
    std::vector<SX> start;
    for (const char* component : wxyz) start.push_back(symbol(name + ".orientation" + component));
    const SX E = SX::mtimes(rotation_of(unit(column(start))).T(), motions.real(joint.relative.R));
    const SX axial[] = {E(2, 1) - E(1, 2), E(0, 2) - E(2, 0), E(1, 0) - E(0, 1)};
    for (int i = 0; i < 3; ++i)
      (given.fixed ? equations_.start_positions : equations_.start_guesses)
          .push_back({name + ".orientation" + xyz[i], given.place, axial[i] / 2, own_angle_unit(description_)});
  }
  if (!given.rate_fixed) return;
  const SX omega = motions.real(joint.relative.rotation_rate);
  for (casadi_int i = 0; i < 3; ++i) {
    const std::string rate = name + ".angular_velocity" + xyz[i];
    equations_.start_velocities.push_back(
        {rate, given.rate_place, omega(i) - velocities_.at(rate), known_unit("rad/s")});
  }
}

/// Guesses coordinates by their own parameters, and others by what is known of them.
void Starts::guess() {
  const auto guesses = [](const std::vector<Shown>& all, const std::map<std::string, SX>& known) {
    std::vector<SX> result;
    for (const Shown& shown : all) {
      const auto found = known.find(shown.derivative_of.empty() ? shown.name : shown.derivative_of);
      result.push_back(found == known.end() ? SX(0) : found->second);
    }
    return SX::densify(column(result));
  };
  equations_.position_guess = guesses(equations_.positions, positions_);
  equations_.velocity_guess = guesses(equations_.velocities, velocities_);
}

/// Lets bodies that no joint carries start where the joints' start values lead.
void Starts::guess_free_bodies() {
  const auto is_free = [](const MovingBody& body) { return body.first_q >= 0; };
  if (std::none_of(kinematics_.bodies.begin(), kinematics_.bodies.end(), is_free)) return;
  std::vector<SX> symbols, rates;
  const Tree tree = tree_of_all_joints(description_);
  const std::vector<Frame> frames = kinematics_.poses_at(tree, [&](int index, JointGeometry& g) {
    const Joint& joint = *kinematics_.joints[static_cast<std::size_t>(index)].joint;
    std::vector<SX> q;
    for (const JointCoordinate& coordinate : joint.coordinates) {
      q.push_back(symbol(coordinate.name));
      symbols.push_back(q.back());
      rates.push_back(velocities_.at(coordinate.name));
    }
    g.q = column(q);
    g.v = SX::zeros(g.q.numel());
    g.angular_velocity = SX::zeros(3);
    if (!joint.orientation) return;
    std::vector<SX> quaternion, omega;
    for (const char* component : wxyz) quaternion.push_back(symbol(joint.name + ".orientation" + component));
    for (const char* component : xyz) omega.push_back(velocities_.at(joint.name + ".angular_velocity" + component));
    g.quaternion = column(quaternion);
    symbols.push_back(g.quaternion);
    rates.push_back(quaternion_rate(g.quaternion, column(omega)));
  });
  const SX all = column(symbols), all_rates = column(rates);
  const auto rate = [&](const SX& expression) {
    return all.is_empty() ? SX::zeros(expression.numel()) : SX::densify(SX::jtimes(expression, all, all_rates));
  };
  for (std::size_t i = 1; i < frames.size(); ++i) {
    if (!is_free(kinematics_.bodies[i])) continue;
    const Frame& frame = frames[i];
    const SX center = frame.p_GF + SX::mtimes(frame.R_GF, kinematics_.vector(description_.bodies[i].center_of_mass));
    std::vector<SX> position = {center}, velocity = {rate(center)};
    if (description_.spatial) {
      const SX turning = SX::mtimes(frame.R_GF.T(), SX::reshape(rate(SX::vec(frame.R_GF)), 3, 3));  // is RᵀṘ
      position.push_back(quaternion_of(frame.R_GF));
      velocity.push_back(SX::vertcat({turning(2, 1), turning(0, 2), turning(1, 0)}));
    } else {
      position.push_back(frame.angle_GF);
      velocity.push_back(rate(frame.angle_GF));
    }
    const auto enter =
        [](const std::vector<std::string>& names, int first, const SX& values, std::map<std::string, SX>& known) {
          for (casadi_int j = 0; j < values.numel(); ++j) known[names[static_cast<std::size_t>(first + j)]] = values(j);
        };
    enter(kinematics_.position_names, kinematics_.bodies[i].first_q, SX::densify(column(position)), positions_);
    enter(kinematics_.velocity_names, kinematics_.bodies[i].first_v, SX::densify(column(velocity)), velocities_);
  }
}

}  // namespace mechfmu
