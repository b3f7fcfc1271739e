// Applies the principle of virtual power by differentiation.
#include "virtual_power.hpp"

#include <algorithm>
#include <sstream>
#include <string>

#include "elements/rotations.hpp"
#include "equations/columns.hpp"
#include "equations/sharing.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

/// Returns Σ weights · ∂rates/∂velocities.
SX covector(const SX& rates, const SX& velocities, const SX& weights) {
  if (rates.is_empty() || velocities.is_empty()) return SX::zeros(velocities.numel());
  return SX::densify(SX::jtimes(rates, velocities, weights, true));
}

/// Returns ω × Iω in space, and 0 in the plane.
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

SX VirtualPower::inertial_rates() const {
  std::vector<SX> rates{SX(0, 1)};
  for (std::size_t i = 1; i < masses_.size(); ++i) {
    if (!is_nothing(masses_[i].mass)) rates.push_back(kinematics_.bodies[i].v_GM);
    if (!is_nothing(masses_[i].inertia)) rates.push_back(kinematics_.bodies[i].w_GB_B);
  }
  return SX::vertcat(rates);
}

SX VirtualPower::resistance(const SX& rates, const SX& accelerations, const SX& gravity) const {
  std::vector<SX> result{SX(0, 1)};
  casadi_int row = 0;
  const auto next = [&](casadi_int count) {
    row += count;
    return casadi::Slice(row - count, row);
  };
  const casadi_int space = kinematics_.space(), turns = kinematics_.openings_of_a_joint() - space;
  for (std::size_t i = 1; i < masses_.size(); ++i) {
    const auto& [mass, inertia] = masses_[i];
    if (!is_nothing(mass)) result.push_back(mass * (accelerations(next(space)) - gravity));
    if (!is_nothing(inertia)) {
      const casadi::Slice rows = next(turns);
      result.push_back(SX::mtimes(inertia, accelerations(rows)) + gyroscopic(inertia, rates(rows)));
    }
  }
  return SX::densify(SX::vertcat(result));
}

/// Is true if a branch is so long that Jacobians of all bodies always take more operations than sums inward (measured:
/// they cross at 5 joints in the plane, at 7 in space). Making them takes time that grows with the third power.
bool VirtualPower::has_long_branches() const {
  constexpr int long_branch = 10;
  const std::vector<Branch>& branches = kinematics_.tree().branches;
  return std::any_of(branches.begin(), branches.end(), [](const Branch& each) { return each.depth > long_branch; });
}

namespace {

/// Tells the author both of two ways that give the same, first the one taken.
std::string comparison(const char* what, const char* taken, casadi_int operations, const char* other,
                       casadi_int others) {
  std::ostringstream text;
  text << what << " by " << taken << ": " << operations << " operations, " << others << " by " << other << "\n";
  return text.str();
}

constexpr const char *by_jacobians = "body Jacobians", *by_composites = "composite inertias", *by_sums = "sums inward";

}  // namespace

void VirtualPower::choose_mass_matrix(BodyEquations& result) const {
  if (has_long_branches()) {
    result.mass_matrix = mass_matrix_by_composite_inertias(kinematics_, masses_);
    result.masses =
        "Mass matrix by composite inertias, forces of inertia and gravity by sums inward: branches are long\n";
    return;
  }
  result.mass_matrix = mass_matrix_by_body_jacobians(kinematics_, masses_);
  if (kinematics_.absolute) return;
  const SX composite = mass_matrix_by_composite_inertias(kinematics_, masses_);
  const casadi_int jacobians = operations_of(result.mass_matrix, kinematics_.symbols);
  const casadi_int composites = operations_of(composite, kinematics_.symbols);
  const char* const what = "Mass matrix and its rate";
  if (composites < jacobians) {
    result.mass_matrix = composite;
    result.masses = comparison(what, by_composites, composites, by_jacobians, jacobians);
  } else {
    result.masses = comparison(what, by_jacobians, jacobians, by_composites, composites);
  }
}

/// Adds forces of inertia at v̇ = 0 and of gravity: −Σ J_vᵀ m J̇_v v + J_ωᵀ (I J̇_ω v + ω × I ω) and Σ J_vᵀ m g. They
/// come either from the Jacobians, which the mass matrix may have already, or from reverse differentiation of all
/// bodies' rates at once. This goes from the outermost bodies inward and sums up at each joint, as the recursion of
/// Newton and Euler does: operations grow with the number of bodies.
void VirtualPower::choose_inertia_forces(BodyEquations& result) const {
  const Symbols& s = kinematics_.symbols;
  const SX rates = motions_.real(inertial_rates());
  const SX at_rest = SX::zeros(rates.numel()), nowhere = SX::zeros(kinematics_.space());
  const SX inertia = resistance(rates, SX::densify(Places(s.q).slope(rates, s.q_rate)), nowhere);
  const SX weight = resistance(SX::zeros(rates.numel()), at_rest, gravity_);
  add_energies(result, rates);
  result.inertia_forces = -covector(rates, s.v, inertia);
  result.forces = -covector(rates, s.v, weight);
  if (has_long_branches()) return;
  const SX J = Places(s.v).jacobian(rates);
  const SX inertia_by_jacobians = SX::densify(-SX::mtimes(J.T(), inertia));
  const SX weight_by_jacobians = SX::densify(-SX::mtimes(J.T(), weight));
  const auto operations = [&](const SX& inertia_forces, const SX& forces) {
    return operations_of(s.all(), {nonzeros(result.mass_matrix), inertia_forces, forces});
  };
  const casadi_int sums = operations(result.inertia_forces, result.forces);
  const casadi_int jacobians = operations(inertia_by_jacobians, weight_by_jacobians);
  const char* const what = "With forces of inertia and gravity";
  if (sums < jacobians) {
    result.masses += comparison(what, by_sums, sums, by_jacobians, jacobians);
    return;
  }
  result.masses += comparison(what, by_jacobians, jacobians, by_sums, sums);
  result.inertia_forces = inertia_by_jacobians;
  result.forces = weight_by_jacobians;
}

void VirtualPower::add_energies(BodyEquations& result, const SX& rates) const {
  result.kinetic_energy =
      SX::dot(rates, resistance(SX::zeros(rates.numel()), rates, SX::zeros(kinematics_.space()))) / 2;
  result.potential_energy = motions_.real(stored_);
  std::vector<SX> centers{SX(0, 1)};
  for (const MovingBody& body : kinematics_.bodies) centers.push_back(body.p_GM);
  const SX real_centers = motions_.real(SX::vertcat(centers));
  for (std::size_t i = 1; i < masses_.size(); ++i) {
    const auto first = static_cast<casadi_int>(i) * kinematics_.space();
    const SX center = real_centers(casadi::Slice(first, first + kinematics_.space()));
    result.potential_energy -= masses_[i].mass * SX::dot(gravity_, center);
  }
}

BodyEquations VirtualPower::equations() const {
  BodyEquations result;
  choose_mass_matrix(result);
  choose_inertia_forces(result);
  const std::vector<SX> real = motions_.real({SX::vertcat(rates_), SX::vertcat(efforts_)});
  result.forces = SX::densify(result.forces + covector(real[0], kinematics_.symbols.v, real[1]));
  return result;
}

VirtualPower::Transmitted VirtualPower::transmitted(const std::vector<ConstraintPower>& constraints,
                                                    const std::vector<std::pair<SX, SX>>& further_efforts) const {
  const Moving &openings = motions_.openings, &readings = motions_.readings;
  // It is inertia less gravity, on every body beyond.
  const SX rates = inertial_rates(), real_rates = motions_.real(rates);
  SX of_openings = covector(rates, openings.rate, resistance(real_rates, motions_.rate(real_rates), gravity_));
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
