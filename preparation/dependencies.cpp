// Finds dependencies by connected components (input_dependencies.hpp), once for the motion and once for each stage of
// the start. It takes everything that an importer knows, and everything that earlier stages find, as inputs.
#include "dependencies.hpp"

#include <algorithm>
#include <iterator>

#include "derivation/input_dependencies.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

SX column_of(const std::vector<StartEquation>& rows) {
  std::vector<SX> residuals{SX(0, 1)};
  for (const StartEquation& row : rows) residuals.push_back(row.residual);
  return SX::vertcat(residuals);
}

}  // namespace

Dependencies::Dependencies(const Derivation& d)
    : d_(d), s_(d.equations.symbols), knowns_(d.equations), nearest_(d, knowns_) {}

Dependence Dependencies::at_start() const {
  const Equations& e = d_.equations;
  KnownState state;
  state.positions = knowns_.of(e.position_guess, state);
  for (const Quaternion& quaternion : e.quaternions) {  // Quaternions are brought to length one.
    const auto first = state.positions.begin() + quaternion.position;
    KnownUnion all;
    for (auto one = first; one != first + 4; ++one) all.join(*one);
    std::fill(first, first + 4, all.known());
  }
  state.turns = found_turns(state);
  const SX g = column_of(e.start_guesses);
  if (!g.is_empty()) nearest_.meet(state, g, nearest_.along_velocities(g), e.position_fixed);
  state.turns = found_turns(state);
  const SX f = column_of(e.start_positions), r = column_of(e.start_velocities);
  const SX F = nearest_.along_velocities(f), R = SX::jacobian(r, s_.v);
  if (e.equilibrium) balance(state);
  else nearest_.assemble(state, f, F, e.position_fixed);
  state.turns = found_turns(state);
  state.velocities = knowns_.of(e.velocity_guess, state);
  nearest_.make_consistent(state, r, R, e.velocity_fixed);
  find_steady_states(state);
  const SX modes = what_chooses_modes();
  if (!e.contacts.empty()) nearest_.collide(state, modes);
  return motion(state, modes);
}

Dependence Dependencies::in_step() const {
  KnownState state = knowns_.states();
  if (SX::depends_on(SX::vertcat({violation(), d_.stages.c_t}), given_inputs())) {
    nearest_.assemble(state);
    nearest_.make_consistent(state);
  } else {
    add_tunable_parameters(state);
  }
  return motion(state, laws());
}

Dependence Dependencies::from_outside() const {
  const KnownState given = knowns_.states();
  KnownState fitting = given, corrected = given;
  nearest_.make_consistent(fitting);
  nearest_.assemble(corrected);
  Dependence result = motion(fitting, gaps_and_speeds() + laws());
  for (std::size_t j = 0; j < given.velocities.size(); ++j) {
    result.accelerations[j] = both(result.accelerations[j], both(fitting.velocities[j], given.velocities[j]));
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(d_.sizes.first_state()); ++i) {
    result.position_rates[i] = both(result.position_rates[i], corrected.positions[i]);
  }
  result.velocities = given.velocities;
  return result;
}

/// Adds tunable parameters that move the constraints: a change of them moves positions and velocities.
void Dependencies::add_tunable_parameters(KnownState& state) const {
  if (!SX::depends_on(SX::vertcat({violation(), d_.stages.C, d_.stages.c_t, d_.nonlinear(s_.all()).front()}),
                      s_.parameters))
    return;
  KnownState moved = state;
  nearest_.assemble(moved);
  nearest_.make_consistent(moved);
  const auto is_tunable = [this](int i) { return d_.equations.parameters[static_cast<std::size_t>(i)].tunable; };
  for (auto list : {&KnownState::positions, &KnownState::velocities}) {
    for (std::size_t i = 0; i < (state.*list).size(); ++i) {
      const std::vector<int>& parameters = (moved.*list)[i].parameters;
      std::copy_if(parameters.begin(), parameters.end(), std::back_inserter((state.*list)[i].parameters), is_tunable);
    }
  }
}

/// Returns an expression of all that the modes of contacts depend on where they are found anew.
SX Dependencies::what_chooses_modes() const {
  SX sum = 0;
  std::vector<ContactEquation> contacts = d_.equations.contacts;
  for (ContactEquation& contact : contacts) {
    contact.for_expressions([&sum](const SX& one) { sum += one; });
    if (contact.has_gap()) sum += SX::mtimes(nearest_.along_velocities(contact.gap), s_.v);
  }
  return sum;
}

/// Returns a column that depends, for each row that comes and goes, on what its law compares: at an event this chooses
/// whether the row holds.
SX Dependencies::laws() const {
  std::vector<SX> rows{SX(0, 1)};
  std::vector<ContactEquation> contacts = d_.equations.contacts;
  for (ContactEquation& contact : contacts) {
    SX sum = 0;
    contact.for_expressions([&sum](const SX& one) { sum += one; });
    rows.insert(rows.end(), contact.rows(), sum);
  }
  return SX::vertcat(rows);
}

/// Returns a column that depends, for each row that comes and goes, on its speed and on its gap: these lead back.
SX Dependencies::gaps_and_speeds() const {
  const SX gaps = d_.gaps(s_.all()).front(), speeds = d_.contact_speeds(s_.all()).front();
  std::vector<SX> rows{SX(0, 1)};
  casadi_int row = 0;
  for (std::size_t i = 0; i < d_.equations.contacts.size(); ++i) {
    for (std::size_t k = 0; k < d_.equations.contacts[i].rows(); ++k, ++row)
      rows.push_back(k == 0 ? speeds(row) + gaps(static_cast<casadi_int>(i)) : SX(speeds(row)));
  }
  return SX::vertcat(rows);
}

/// Returns dependencies of accelerations and reactions; those of contacts depend on further numbers: one for all rows
/// that come and go, or one for each.
Dependence Dependencies::motion(const KnownState& state, const SX& of_contacts) const {
  std::vector<SX> parts = d_.acceleration(s_.all());  // are h, γ, C_a, B
  const auto changing = static_cast<casadi_int>(d_.equations.changing.size());
  for (casadi_int i = 0; i < changing; ++i)
    parts[1](parts[1].numel() - changing + i) += of_contacts.is_scalar() ? of_contacts : SX(of_contacts(i));
  const SX C_a(d_.C_a, parts[2]);
  const SX B = d_.character.ideal ? SX(C_a.T()) : SX(d_.B, parts[3]);
  const SX M(d_.M, d_.mass);
  const DependencySets found = dependency_sets(nearest_.equations(), M, C_a, B, parts[0], parts[1]);
  const std::vector<Known> sets = knowns_.translate(found.sets, state);
  const std::vector<Known> outputs = each_of(found.outputs, sets);
  return {state.positions,
          rates(state, outputs),
          state.velocities,
          each_of(found.accelerations, sets),
          each_of(found.multipliers, sets),
          outputs};
}

/// Returns dependencies of q̇ = A(q) v: a quaternion's rates depend on all of it. Rates of states are outputs.
std::vector<Known> Dependencies::rates(const KnownState& state, const std::vector<Known>& outputs) const {
  std::vector<Known> result;
  for (const std::vector<casadi_int>& velocities : nearest_.velocities_of()) {
    KnownUnion all;
    for (const casadi_int j : velocities) all.join(state.velocities[static_cast<std::size_t>(j)]);
    result.push_back(all.known());
  }
  for (const Quaternion& quaternion : d_.equations.quaternions) {
    KnownUnion all;
    for (int c = 0; c < 4; ++c) all.join(state.positions[static_cast<std::size_t>(quaternion.position + c)]);
    for (int c = 0; c < 4; ++c) {
      Known& rate = result[static_cast<std::size_t>(quaternion.position + c)];
      rate = both(rate, all.known());
    }
  }
  std::size_t next = static_cast<std::size_t>(d_.sizes.first_state());
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (d_.equations.outputs[i].group == state_rate_outputs) result[next++] = outputs[i];
  return result;
}

/// Moves positions to where forces balance: everything acts on all of them.
void Dependencies::balance(KnownState& state) const {
  KnownUnion all;
  all.join({true, {}, {}});
  for (int i = 0; i < d_.equations.given_inputs(); ++i) {
    if (i != d_.equations.input_time) all.join({false, {i}, {}});
  }
  for (int i = 0; i < d_.sizes.parameters; ++i) all.join(knowns_.of_parameter(i));
  std::fill_n(state.positions.begin(), d_.sizes.first_state(), all.known());
}

/// Lets states start where their rates are zero: each depends on what the rates of all of them do.
void Dependencies::find_steady_states(KnownState& state) const {
  const std::vector<StateEquation>& states = d_.equations.states;
  const std::vector<Known> rates = knowns_.of(d_.equations.state_rates(), state);
  const auto first = static_cast<std::size_t>(d_.sizes.first_state());
  KnownUnion all;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (!states[i].steady) continue;
    all.join(rates[i]);
    all.join(state.positions[first + i]);
    if (d_.equations.is_late(state_rate_outputs)) all.join({true, {}, {}, {}, {}, true});
  }
  for (std::size_t i = 0; i < states.size(); ++i)
    if (states[i].steady) state.positions[first + i] = all.known();
}

/// Returns dependencies of turns, which bring an angle next to its guess.
std::vector<Known> Dependencies::found_turns(const KnownState& state) const {
  std::vector<Known> result;
  for (const AngleEquation& angle : d_.equations.angles) {
    KnownUnion all;
    for (const Known& part : knowns_.of(SX::vertcat({angle.raw, angle.guess}), state)) all.join(part);
    result.push_back(all.known());
  }
  return result;
}

}  // namespace mechfmu
