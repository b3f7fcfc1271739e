// The principle of virtual power, by differentiation.
#include "virtual_power.hpp"

#include <algorithm>
#include <string>

#include "exporter/columns.hpp"
#include "rotations.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

/// Σ weights · ∂rates/∂velocities
SX covector(const SX& rates, const SX& velocities, const SX& weights) {
  if (rates.is_empty() || velocities.is_empty()) return SX::zeros(velocities.numel());
  return SX::densify(SX::jtimes(rates, velocities, weights, true));
}

/// ω × Iω in space.
SX gyroscopic(const SX& inertia, const SX& omega) {
  return omega.numel() == 3 ? cross_product(omega, SX::mtimes(inertia, omega)) : SX(0);
}

}  // namespace

VirtualPower::VirtualPower(const Kinematics& kinematics, std::vector<MassProperties> masses, const SX& gravity)
    : kinematics_(kinematics), motions_(*kinematics.motions), masses_(std::move(masses)), gravity_(gravity) {}

void VirtualPower::act(const SX& effort, const SX& rate) {
  efforts_.push_back(SX::densify(effort));
  rates_.push_back(SX::densify(rate));
}

void VirtualPower::choose_mass_matrix(BodyEquations& result) const {
  result.mass_matrix = mass_matrix_by_body_jacobians(kinematics_, masses_);
  if (kinematics_.absolute) return;
  const SX composite = mass_matrix_by_composite_inertias(kinematics_, masses_);
  const casadi_int by_jacobians = operations_of(result.mass_matrix, kinematics_.symbols);
  const casadi_int by_composites = operations_of(composite, kinematics_.symbols);
  const bool better = by_composites < by_jacobians;
  if (better) result.mass_matrix = composite;
  const char *jacobians = "body Jacobians", *composites = "composite inertias";
  result.masses = std::string("Mass matrix by ") + (better ? composites : jacobians) + ": " +
                  std::to_string(std::min(by_composites, by_jacobians)) + " operations with its rate, " +
                  std::to_string(std::max(by_composites, by_jacobians)) + " by " + (better ? jacobians : composites) +
                  "\n";
}

BodyEquations VirtualPower::equations() const {
  const Symbols& s = kinematics_.symbols;
  const casadi_int n = s.v.numel();
  BodyEquations result{{}, SX::zeros(n), SX::zeros(n), 0, motions_.real(stored_), ""};
  choose_mass_matrix(result);
  const Places positions(s.q), velocities(s.v);
  const auto rate_at_fixed_velocities = [&](const SX& expression) {
    return SX::densify(positions.slope(expression, s.q_rate));
  };
  for (std::size_t i = 1; i < masses_.size(); ++i) {
    const auto& [mass, inertia] = masses_[i];
    const MovingBody& body = kinematics_.bodies[i];
    if (!is_nothing(mass)) {
      const std::vector<SX> real = motions_.real({body.velocity, body.center});
      const SX& velocity = real[0];
      const SX J = velocities.jacobian(velocity);
      result.inertia_forces -= mass * SX::mtimes(J.T(), rate_at_fixed_velocities(velocity));
      result.forces += mass * SX::mtimes(J.T(), gravity_);
      result.kinetic_energy += mass * SX::dot(velocity, velocity) / 2;
      result.potential_energy -= mass * SX::dot(gravity_, real[1]);
    }
    if (!is_nothing(inertia)) {
      const SX omega = motions_.real(body.angular_velocity);
      const SX J = velocities.jacobian(omega);
      result.inertia_forces -= SX::mtimes(
          J.T(), SX::mtimes(inertia, rate_at_fixed_velocities(omega)) + gyroscopic(inertia, omega));
      result.kinetic_energy += SX::dot(omega, SX::mtimes(inertia, omega)) / 2;
    }
  }
  const std::vector<SX> real = motions_.real({SX::vertcat(rates_), SX::vertcat(efforts_)});
  result.forces = SX::densify(result.forces + covector(real[0], s.v, real[1]));
  result.inertia_forces = SX::densify(result.inertia_forces);
  return result;
}

VirtualPower::Transmitted VirtualPower::transmitted(
    const std::vector<ConstraintPower>& constraints, const std::vector<std::pair<SX, SX>>& further_efforts) const {
  const Moving &openings = motions_.openings, &readings = motions_.readings;
  // Inertia less gravity, on every body beyond.
  std::vector<SX> rates{SX(0, 1)}, weights{SX(0, 1)};
  for (std::size_t i = 1; i < masses_.size(); ++i) {
    const auto& [mass, inertia] = masses_[i];
    const MovingBody& body = kinematics_.bodies[i];
    if (!is_nothing(mass)) {
      rates.push_back(body.velocity);
      weights.push_back(mass * (motions_.rate(motions_.real(body.velocity)) - gravity_));
    }
    if (!is_nothing(inertia)) {
      const SX omega = motions_.real(body.angular_velocity);
      rates.push_back(body.angular_velocity);
      weights.push_back(SX::mtimes(inertia, motions_.rate(omega)) + gyroscopic(inertia, omega));
    }
  }
  SX of_openings = covector(SX::vertcat(rates), openings.rate, SX::vertcat(weights));
  SX of_readings = SX::zeros(readings.at.numel());
  const auto add_effort = [&](const SX& rate, const SX& effort) {
    of_openings -= covector(rate, openings.rate, effort);
    of_readings += covector(rate, readings.rate, effort);
  };
  add_effort(SX::vertcat(rates_), SX::vertcat(efforts_));
  for (const auto& [effort, rate] : further_efforts) add_effort(rate, effort);
  const auto add_constraints = [&](Level level, const SX& opening, const SX& reading) {
    std::vector<SX> residuals{SX(0, 1)}, multipliers{SX(0, 1)};
    for (const ConstraintPower& constraint : constraints) {
      if (constraint.level != level) continue;
      residuals.push_back(constraint.residual);
      multipliers.push_back(constraint.multiplier);
    }
    of_openings -= covector(SX::vertcat(residuals), opening, SX::vertcat(multipliers));
    of_readings += covector(SX::vertcat(residuals), reading, SX::vertcat(multipliers));
  };
  add_constraints(Level::position, openings.at, readings.at);
  add_constraints(Level::velocity, openings.rate, readings.rate);
  add_constraints(Level::acceleration, openings.acceleration, readings.acceleration);
  const std::vector<SX> real = motions_.real({of_openings, of_readings});
  return {real[0], real[1]};
}

}  // namespace mechfmu
