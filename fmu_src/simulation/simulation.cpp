// Moves one mechanism: start, steps, and changes in between.
#include "simulation.hpp"

#include <cmath>
#include <utility>

#include "constraints/choice.hpp"
#include "linear/dense.hpp"
#include "linear/tolerances.hpp"
#include "mechanism/conditions.hpp"
#include "mechanism/families.hpp"
#include "mechanism/position_rates.hpp"
#include "mechanism/telling.hpp"
#include "mechanism/whole_turns.hpp"
#include "reactions/response.hpp"
#include "stepping/changes.hpp"
#include "stepping/member_facts.hpp"

namespace mechfmu {

namespace {

bool same_stepper(const Settings& a, const Settings& b) {
  return a.method == b.method && a.tangent_basis == b.tangent_basis && a.drift_correction == b.drift_correction;
}

}  // namespace

Simulation::Simulation(Arena& arena, const Mechanism& m, const Settings& settings, StepperFactory factory)
    : Slopes(arena, m), make_stepper_(factory), initial_(settings), stepper_(factory(stepper_memory_, m, settings)),
      stepper_settings_(settings), projection_(arena, m), unwrapping_(arena, m), saved_(arena, state_.size()),
      condition_values_(arena, 2 * m.condition_count), indicators_(arena, m.sizes.indicators()) {
  if (m.input_driven()) make_fitting();
  if (arena.ok()) state_.set_settings(settings);
}

bool Simulation::use(const Settings& settings) {
  if (!same_stepper(settings, stepper_settings_)) {
    Arena memory(Arena::of_instance);
    Stepper* other = make_stepper_(memory, mechanism_, settings);
    if (!memory.ok()) return message_.fail("Out of memory while changing the solution method.");
    stepper_memory_ = std::move(memory);
    stepper_ = other;
    stepper_settings_ = settings;
  }
  state_.set_settings(settings);
  stepper_->forget();
  return true;
}

void Simulation::set_parameter(int index, double value) {
  state_.parameters[index] = value;
  state_.clear_sides();
  stale();
  stepper_->forget();
}

void Simulation::begin_course() {
  *state_.course_order = *state_.input_order;
  *state_.course_begin = *state_.time;
  dense::copy(mechanism_.sizes.inputs, state_.inputs, state_.course_values);
}

/// Ends the inputs' course: their derivatives hold for one step.
void Simulation::end_course() {
  *state_.course_order = *state_.input_order = 0;
  dense::fill(mechanism_.sizes.inputs * most_input_derivatives, 0, state_.input_derivatives);
}

/// Sets the loads with which the search for them begins.
void Simulation::start_loads() {
  if (mechanism_.sizes.loads == 0) return;
  Point p;
  p.parameters = state_.parameters;
  p.context = mechanism_.context;
  mechanism_.load_starts(p, state_.loads);
}

bool Simulation::assemble(double time) {
  dense::copy(state_.size(), state_.data(), saved_.data());
  stale();
  message_.clear_warnings();
  *state_.time = time;
  *state_.steps = *state_.rejected_steps = *state_.evaluations = *state_.basis_switches = *state_.uncorrected = 0;
  *state_.assembled = *state_.rounded = 0;
  dense::fill(static_cast<int>(Warning::count), 0, state_.warned);
  state_.open_contacts();
  state_.clear_sides();
  if (mechanism_.input_time >= 0) state_.inputs[mechanism_.input_time] = time;
  parameters();
  start_turns();
  start_loads();
  stepper_->forget();
  start_.accept_gaps(settings().closure_tolerance);
  const int chosen = settings().tangent_basis;
  const char* needing_regular_M = needs_regular_M(chosen) ? tangent_bases[chosen] : nullptr;
  return refuse(
      check_ideal() && check_drift() && check_partitioning() && conditions_hold(Condition::before_assembly) &&
      start_.solve(time, state_.parameters, state_.inputs, state_.q, state_.v, message_) &&
      (unwrapping_.start(at_state(), state_.angles), true) && check_ranks() &&
      start_.check_mass(time, state_.parameters, state_.inputs, state_.q, needing_regular_M, message_) &&
      find_steady_states() && (notice_rounding(), stepper_->start(state_, message_)) &&
      (moved(), find_accelerations()) && check_finite() && conditions_hold(Condition::assembled) &&
      check_agreement(time) &&
      agreement_.hold_accelerations(here(), accelerations_.rows(), accelerations_.find_open(),
                                    accelerations_.acceleration(), settings().closure_tolerance, message_) &&
      raise_indicators() && (*state_.assembled = 1, state_.begin_range(), true));
}

/// Passes over coordinates that are prescribed, or stand still but for rounding. It does not warn after a short run, in
/// which nothing moves far.
void Simulation::warn_of_small_ranges(double start_time) {
  constexpr double few_tolerances = 1e3, short_run = 0.5;  // short_run: part of the file's experiment
  constexpr int most_named = 4;
  const RunTimeModel model(mechanism_);
  const Settings set = settings();
  if (has_fixed_step(set.method) || outside_ != nullptr || *state_.time - start_time < short_run * mechanism_.duration)
    return;
  int found = 0;
  const auto judge = [&](int i, double nominal) {
    const double range = state_.highest[i] - state_.lowest[i];
    const bool stands = !(range > standing * (nominal + std::fabs(state_.q[i])));
    if (stands || range >= few_tolerances * set.tolerance * nominal) return;
    Message sizes;
    tell_difference(mechanism_, Told::positions, i, range, sizes);
    sizes.add(", of a nominal size of ");
    tell_difference(mechanism_, Told::positions, i, nominal, sizes);
    if (found == 0)
      message_.warn(
          "In this run some coordinates moved by less than 1000 times the tolerance %g of their nominal sizes:",
          set.tolerance);
    if (++found <= most_named) message_.warn("'%s' by %s;", mechanism_.position_names[i], sizes.text);
  };
  const double* nominal = mechanism_.nominal;
  for_positions(model, [&](int i, int j) { judge(i, nominal[j]); }, [](int, int) {});
  for_states(model, [&](int i, int k) { judge(i, nominal[k]); });
  if (found > most_named) message_.warn("and %d more;", found - most_named);
  if (found > 0)
    message_.warn("where such a motion matters, give the coordinate a 'nominal' of about what it moves by.");
}

/// Gives whole turns to angles whose guesses lie turns away from zero.
void Simulation::start_turns() {
  dense::fill(mechanism_.sizes.turning, 0, state_.turns);
  if (outside_ != nullptr) return;
  const double* guesses = position_guesses();
  for (int i = 0; i < mechanism_.sizes.turning; ++i) state_.turns[i] = turns_of(guesses[mechanism_.turning[i]]);
}

/// Keeps the new state, or puts the saved one back.
bool Simulation::refuse(bool done) {
  if (!done) {
    dense::copy(state_.size(), saved_.data(), state_.data());
    stale();
    stepper_->forget();
    message_.clear_warnings();
  }
  return done;
}

bool Simulation::conditions_hold(Condition::When when, bool changing_only) {
  if (mechanism_.condition_count == 0) return true;
  return mechfmu::conditions_hold(mechanism_, at_state(), when, changing_only, condition_values_.data(), message_);
}

/// Judges the conditions that time, inputs or positions decide. Returns true if they hold.
bool Simulation::changing_conditions_hold() {
  return conditions_hold(Condition::before_assembly, true) && conditions_hold(Condition::assembled, true);
}

/// Checks that constraints are ideal if the solver needs this.
bool Simulation::check_ideal() {
  const int chosen = settings().tangent_basis;
  if (mechanism_.character.ideal_without_contacts || !needs_ideal_constraints(chosen)) return true;
  int row = 0;
  while (row + 1 < mechanism_.sizes.all_rows() && !mechanism_.realised[row]) ++row;
  return message_.fail(
      "tangent_basis '%s' needs ideal constraints, and the reaction of '%s' acts in another direction. "
      "Choose tangent_basis = \"partitioned\", or \"kkt\".",
      tangent_bases[chosen], mechanism_.constraint_names[row]);
}

/// Checks that the drift correction acts on rows that have accelerations of their own. (Baumgarte's acts on these.)
bool Simulation::check_drift() {
  const bool by_accelerations = static_cast<Drift>(settings().drift_correction) == Drift::baumgarte;
  if (!by_accelerations || outside_ != nullptr || count_free_rows(mechanism_) == 0) return true;
  return message_.fail(
      "drift_correction 'baumgarte' corrects accelerations, and some servo constraints here are kept by others that they "
      "hide, not by accelerations of their own. Choose drift_correction = \"projection\".");
}

/// Checks that dependent coordinates follow from independent ones by themselves, if they are to be found so.
bool Simulation::check_partitioning() {
  const Settings set = settings();
  if (!integrates_independent(set.tangent_basis) || outside_ != nullptr) return true;
  const char* name = tangent_bases[set.tangent_basis];
  const Sizes& s = mechanism_.sizes;
  if (s.velocity_rows > 0 || s.nonlinear_rows > 0) {
    return message_.fail(
        "tangent_basis '%s' finds dependent coordinates from independent ones, and '%s' restricts velocities: no "
        "coordinates follow from it. Choose tangent_basis = \"partitioned\".",
        name, mechanism_.constraint_names[s.velocity_rows > 0 ? s.position_rows : s.rows()]);
  }
  const auto drift = static_cast<Drift>(set.drift_correction);
  if (drift == Drift::projection && !corrects_each_step(set.drift_interval, set.drift_bound)) {
    return message_.fail(
        "tangent_basis '%s' closes the constraints in every evaluation, and leaves no drift that could wait for "
        "drift_interval or drift_bound. Set drift_interval = 1 and drift_bound = 0, or choose another tangent_basis.",
        name);
  }
  if (drift != Drift::integral && drift != Drift::baumgarte) return true;
  return message_.fail(
      "tangent_basis '%s' closes the constraints in every evaluation, and leaves no drift for drift_correction '%s' to "
      "correct. Choose drift_correction = \"projection\".",
      name, drift_corrections[set.drift_correction]);
}

/// Compares ranks with those of the export, when the degrees of freedom were fixed.
bool Simulation::check_ranks() {
  const Sizes& s = mechanism_.sizes;
  start_.accept_gaps(settings().closure_tolerance);
  const auto expected = [&](const ConsistentStart::Ranks& ranks) {
    return ranks.all == s.rank && ranks.position == s.position_rank;
  };
  const auto name_rows = [&](bool redundant) {
    RowList named;
    for (int i = 0; i < s.rows(); ++i) {
      if (start_.redundant(i) == redundant) named.add(i);
    }
    named.tell(mechanism_, message_);
  };
  const ConsistentStart::Ranks here = start_.ranks(*state_.time, state_.parameters, state_.inputs, state_.q);
  if (expected(here)) return true;
  if (here.all > s.rank && settings().closure_tolerance > 0 &&
      expected(start_.strong_ranks(*state_.time, state_.parameters, state_.inputs, state_.q))) {
    *state_.rounded = 1;
    return true;
  }
  const ConsistentStart::Ranks generic = start_.generic_ranks(*state_.time, state_.parameters, state_.inputs, state_.q);
  if (expected(generic)) {
    start_.ranks(*state_.time, state_.parameters, state_.inputs, state_.q);
    message_.fail("The position is singular at t = %.9g s: there the others imply the ", *state_.time);
    name_rows(true);
    message_.add(", and more than one motion is possible. Start a little away from it, on the side that is meant.");
    return false;
  }
  message_.fail("With these values the mechanism has %d degrees of freedom; it was exported with %d. ",
                s.velocities - generic.all, s.degrees_of_freedom());
  message_.add(generic.all < s.rank ? "Others now imply the " : "These are independent now: the ");
  name_rows(generic.all < s.rank);
  message_.add(". Change the values, or export the mechanism again with them.");
  return false;
}

/// Checks that the motion starts with numbers only.
bool Simulation::check_finite() {
  const double *acceleration = accelerations_.acceleration(), *multipliers = accelerations_.multipliers();
  for (int i = 0; i < mechanism_.sizes.velocities; ++i) {
    if (!is_finite(acceleration[i])) {
      return message_.fail(
          "The rate of '%s' is not a number at t = %.9g s: a force, an energy or a constraint has no "
          "value there. Look for a division by zero, or for a root or logarithm of a negative number, "
          "or start elsewhere.",
          mechanism_.velocity_names[i], *state_.time);
    }
  }
  const Sizes& s = mechanism_.sizes;
  const double* of_states = s.states() > 0 ? outputs(state_rate_group) : nullptr;
  for (int i = 0; i < s.states(); ++i) {
    if (of_states != nullptr && is_finite(of_states[i])) continue;
    return message_.fail(
        "The rate of '%s' is not a number at t = %.9g s. Look for a division by zero, or for a root or logarithm of a "
        "negative number, or start elsewhere.",
        mechanism_.position_names[s.first_state() + i], *state_.time);
  }
  for (int i = 0; i < mechanism_.sizes.all_rows(); ++i) {
    if (!is_finite(multipliers[i])) {
      return message_.fail("The multiplier of '%s' is not a number at t = %.9g s.", mechanism_.constraint_names[i],
                           *state_.time);
    }
  }
  for (int i = 0; i < mechanism_.sizes.loads; ++i) {
    if (!is_finite(accelerations_.loads()[i])) {
      const bool unknown = i >= mechanism_.sizes.loads - mechanism_.sizes.unknowns;
      return message_.fail("The %s '%s' is not a number at t = %.9g s.", unknown ? "unknown" : "load of",
                           mechanism_.load_names[i], *state_.time);
    }
  }
  return true;
}

/// Returns true if data turn out to be rounded at the state, which was just closed.
bool Simulation::notice_rounding() {
  if (!agreement_.compares(Drift::projection)) return false;
  const Point p = at_state();
  mechanism_.position(p, M_.data(), C_.data(), c_t_.data());
  return agreement_.notice_rounding(p, C_.data(), state_);
}

/// Checks that constraints which depend on others agree with them at the state; `since` is when they last agreed.
bool Simulation::check_agreement(double since) {
  const Drift drift = outside_ != nullptr ? Drift::integral : static_cast<Drift>(settings().drift_correction);
  if (!agreement_.compares(drift)) return true;
  const Point p = at_state();
  dense::fill(mechanism_.sizes.rows(), 0, c_t_.data());
  mechanism_.position(p, M_.data(), C_.data(), c_t_.data());
  return agreement_.hold(p, C_.data(), c_t_.data(), drift, since, state_, message_);
}

bool Simulation::advance(double end, StepWatcher* watcher) {
  /// Forgets computed values before the watcher looks, since they are out of date.
  struct Forwarding final : StepWatcher {
    Forwarding(Simulation& moving, StepWatcher* looking) : simulation(moving), watcher(looking) {}
    bool accepted(double& end, Message& message) override {
      simulation.moved();
      return watcher->accepted(end, message);
    }
    bool stops_at_events() const override { return watcher->stops_at_events(); }
    Simulation& simulation;
    StepWatcher* watcher;
  } forwarding(*this, watcher);
  parameters();
  const bool inputs_change = mechanism_.input_time >= 0 || inputs_vary();
  if (inputs_change) dense::copy(state_.size(), state_.data(), saved_.data());
  bool done = changing_conditions_hold() && adopt_inputs();
  if (inputs_vary()) begin_course();
  done = done && stepper_->advance(state_, end, watcher == nullptr ? nullptr : &forwarding, message_);
  if (inputs_change && !done) return refuse(false);
  if (!done) message_.clear_warnings();
  if (inputs_vary()) end_course();
  moved();
  return done;
}

bool Simulation::adopt_parameters() {
  dense::copy(state_.size(), state_.data(), saved_.data());
  stale();
  stepper_->forget();
  const bool done =
      refuse(conditions_hold(Condition::before_assembly) && project() && (!notice_rounding() || project()) &&
             check_ranks() && conditions_hold(Condition::assembled) && stepper_->start(state_, message_) &&
             check_agreement(*state_.time) && (moved(), raise_indicators()));
  moved();
  return done;
}

bool Simulation::adopt_inputs() {
  if (mechanism_.input_time < 0) return true;
  state_.inputs[mechanism_.input_time] = *state_.time;
  moved();
  if (!mechanism_.input_driven()) return true;
  stepper_->forget();
  const double step = *state_.step;
  const bool done =
      project() && stepper_->start(state_, message_) && check_agreement(*state_.time) && (moved(), raise_indicators());
  moved();
  *state_.step = step;
  return done;
}

bool Simulation::meet_event() {
  if (mechanism_.sizes.indicators() == 0) return true;
  parameters();
  if (outside_ != nullptr) return meet_event_outside();
  if (mechanism_.sizes.contacts == 0) return true;
  dense::copy(state_.size(), state_.data(), saved_.data());
  const bool done = refuse(stepper_->meet_event(state_, message_));
  moved();
  return done;
}

const double* Simulation::indicators() {
  const Sizes& s = mechanism_.sizes;
  if (known_.indicators || s.indicators() == 0) return indicators_.data();
  if (!find_accelerations()) return nullptr;
  stepper_->changes()->indicate(here_with_loads(), state_, accelerations_.multipliers() + s.lasting_rows(),
                                indicators_.data());
  for (int i = 0; i < s.indicators(); ++i) {
    if (is_finite(indicators_[i])) continue;
    const int of_contacts = 2 * s.contacts;
    message_.fail("An indicator of %s is not a number at t = %.9g s.",
                  i < of_contacts ? mechanism_.contact_names[i / 2] : mechanism_.switch_names[i - of_contacts],
                  *state_.time);
    return nullptr;
  }
  known_.indicators = true;
  return indicators_.data();
}

/// Moves q onto the position constraints.
bool Simulation::project() {
  const Point p = at_state();
  projection_.share_rows(*state_.rounded != 0);
  projection_.accept_gap(state_.get_settings().closure_tolerance);
  if (!projection_.correct(p, state_.q, message_)) return false;
  unwrapping_.follow(p, state_.angles);
  return true;
}

void Simulation::restore(const double* state) {
  dense::copy(state_.size(), state, state_.data());
  stale();
  const Settings settings = state_.get_settings();
  if (!same_stepper(settings, stepper_settings_)) use(settings);
  stepper_->forget();
}

void Simulation::reset() {
  dense::fill(state_.size(), 0, state_.data());
  stale();
  use(initial_);
}

}  // namespace mechfmu
