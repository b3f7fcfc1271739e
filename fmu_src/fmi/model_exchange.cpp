// An instance for model exchange: time and continuous states come from the importer, which integrates them.
#include "model_exchange.hpp"

#include <algorithm>
#include <utility>

#include "linear/finite.hpp"

namespace mechfmu {

namespace {

/// Returns the nominal size of a position; a component of a quaternion has 1.
double nominal_of_position(const Mechanism& mechanism, int i) {
  int before = 0;
  for (int k = 0; k < mechanism.sizes.quaternions && mechanism.quaternions[k].position <= i; ++k, ++before) {
    if (i < mechanism.quaternions[k].position + 4) return 1;
  }
  return mechanism.nominal[i - before];
}

}  // namespace

ModelExchange::ModelExchange(Arena&& memory, Standard standard, const InstanceModel& model, const char* name,
                             const Log& log, const Wishes& wishes)
    : Derivatives(std::move(memory), standard, model, name, log, wishes),
      states_(memory_, wishes.model_exchange ? model.variables.count : 0),
      indicators_(memory_, wishes.model_exchange ? model.variables.count : 0) {
  if (wishes.model_exchange && simulation_.ok()) list_states();
}

void ModelExchange::list_states() {
  for (const Source source : {Source::position, Source::velocity}) {
    for (int row = 0; row < variables_.count; ++row) {
      if (variables_.rows[row].source == source) states_[state_count_++] = row;
    }
  }
  for (int row = 0; row < variables_.count; ++row) {
    if (variables_.rows[row].source == Source::indicator) indicators_[indicator_count_++] = row;
  }
}

Status ModelExchange::check_states(const void* values, std::size_t count) {
  if (count != static_cast<std::size_t>(state_count_)) {
    return fail("there are %d continuous states, not %zu", state_count_, count);
  }
  return values != nullptr || count == 0 ? Status::ok : fail("the array is NULL");
}

/// Refuses times before the last event, and before the last completed step but one.
Status ModelExchange::set_time(double time) {
  if (!is_finite(time)) return fail("the time %.12g is not a number", time);
  if (time < earliest_time_ - clock_tolerance(earliest_time_, completed_time_ - earliest_time_)) {
    return fail(
        "the time %.12g s lies before %.12g s: but for saved states, an instance goes back no further than to "
        "the last event or to the last completed step but one",
        time, earliest_time_);
  }
  simulation_.move_to(time);
  return Status::ok;
}

Status ModelExchange::set_states(const double* states, std::size_t count) {
  if (const Status status = check_states(states, count); status != Status::ok) return status;
  for (int i = 0; i < state_count_; ++i) {
    const VariableRow& row = variables_.rows[states_[i]];
    if (!is_finite(states[i])) return fail("%s cannot be %g", row.name, states[i]);
    move(row, states[i]);
  }
  take_place();
  return Status::ok;
}

Status ModelExchange::get_states(double* states, std::size_t count) {
  if (const Status status = check_states(states, count); status != Status::ok) return status;
  for (int i = 0; i < state_count_; ++i) {
    if (!read(variables_.rows[states_[i]], states[i])) return Status::error;
  }
  return Status::ok;
}

Status ModelExchange::get_state_derivatives(double* derivatives, std::size_t count) {
  if (const Status status = check_states(derivatives, count); status != Status::ok) return status;
  if (!computed_values_exist()) return Status::error;
  const double* rates = simulation_.position_rates();
  const double* accelerations = simulation_.velocity_rates();
  bool exist = rates != nullptr && accelerations != nullptr;
  for (int i = 0; i < state_count_ && exist; ++i) {
    const VariableRow& row = variables_.rows[states_[i]];
    derivatives[i] = (row.source == Source::position ? rates : accelerations)[row.index] / row.factor;
    exist = is_finite(derivatives[i]);
  }
  simulation_.count_evaluation();
  if (exist) return Status::ok;
  return refrain("there are no derivatives at %.12g s: %s", last_time(),
                 rates == nullptr || accelerations == nullptr ? simulation_.message().text
                                                              : "one of them is not a number");
}

/// Returns the sizes that the tolerance of co-simulation is relative to.
Status ModelExchange::get_nominals(double* nominals, std::size_t count) {
  if (const Status status = check_states(nominals, count); status != Status::ok) return status;
  const Mechanism& mechanism = simulation_.mechanism();
  for (int i = 0; i < state_count_; ++i) {
    const VariableRow& row = variables_.rows[states_[i]];
    const double size =
        row.source == Source::position ? nominal_of_position(mechanism, row.index) : mechanism.rate_nominal[row.index];
    nominals[i] = size / row.factor;
  }
  return Status::ok;
}

Status ModelExchange::get_event_indicators(double* indicators, std::size_t count) {
  if (count != static_cast<std::size_t>(indicator_count_)) {
    return fail("there are %d event indicators, not %zu", indicator_count_, count);
  }
  if (count == 0) return Status::ok;
  if (indicators == nullptr) return fail("the array is NULL");
  if (!computed_values_exist()) return Status::error;
  const double* found = simulation_.indicators();
  if (found == nullptr)
    return refrain("there are no event indicators at %.12g s: %s", last_time(), simulation_.message().text);
  for (int i = 0; i < indicator_count_; ++i) indicators[i] = found[variables_.rows[indicators_[i]].index];
  return Status::ok;
}

Status ModelExchange::complete_integrator_step(bool& event) {
  event = false;
  if (!computed_values_exist()) return Status::error;
  earliest_time_ = completed_time_;
  completed_time_ = simulation_.time();
  if (simulation_.complete_step()) {
    event = simulation_.is_at_event();
    return Status::ok;
  }
  return fail("the step to %.12g s cannot be completed: %s", last_time(), simulation_.message().text);
}

Status ModelExchange::enter_event_mode() {
  earliest_time_ = completed_time_ = simulation_.time();
  return Status::ok;
}

Status ModelExchange::update_discrete_states(bool& states_changed) {
  states_changed = false;
  if (!wishes_.model_exchange && !simulation_.waits_at_event()) return Status::ok;
  if (!event_is_met()) return Status::error;
  states_changed = states_jumped_;
  states_jumped_ = false;
  return Status::ok;
}

Status ModelExchange::enter_continuous_time() {
  if (!event_is_met()) return Status::error;
  states_jumped_ = false;
  return Status::ok;
}

}  // namespace mechfmu
