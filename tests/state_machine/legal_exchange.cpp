// Makes legal calls of model exchange, and of event mode, which co-simulation has too.
#include <algorithm>
#include <cmath>

#include "legal_run.hpp"

namespace mechfmu::importer {
namespace {

/// Is true if values are equal up to the rounding of a unit's conversion, there and back.
bool equal(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::abs(a[i] - b[i]) > 4e-16 * std::abs(a[i])) return false;
  }
  return true;
}

}  // namespace

std::vector<double> LegalRun::states() {
  std::vector<double> values(fmu_.description.states.size(), std::nan(""));
  expect(session_->get_states(values.data(), values.size()), "get states");
  for (const double value : values) check(std::isfinite(value), "a state that is no number");
  digest(values.data(), sizeof(double) * values.size());
  return values;
}

std::vector<double> LegalRun::state_derivatives() {
  std::vector<double> values(fmu_.description.states.size(), std::nan(""));
  expect(session_->get_state_derivatives(values.data(), values.size()), "get derivatives");
  for (const double value : values) check(std::isfinite(value), "a derivative that is no number");
  digest(values.data(), sizeof(double) * values.size());
  return values;
}

void LegalRun::set_states(const std::vector<double>& values) {
  expect(session_->set_states(values.data(), values.size()), "set states");
  model_->computed.clear();
}

void LegalRun::set_time(double time) {
  expect(session_->set_time(time), "set time");
  model_->time = time;
  model_->computed.clear();
}

/// Makes a step of the classical Runge-Kutta method.
void LegalRun::integrate() {
  const double stop = fmu_.description.stop_time;
  if (model_->time > stop) return saved_.empty() ? reset() : restore();
  const double h = stop * std::pow(10, number(-5, has_impacts_ ? -2 : -3.5));
  session_->time = model_->time;
  expect(session_->advance(h), "integrate");
  model_->time += h;
  model_->computed.clear();
  model_->earliest = model_->completed;
  model_->completed = model_->time;
  if (session_->asks_for_event) enter_event_mode();
}

/// Other times and states, and back: values depend on nothing but time, states and what was set.
void LegalRun::look_elsewhere() {
  const double time = model_->time;
  const std::vector<double> here = states();
  set_states(here);  // States that the FMU has set itself are rounded by the conversion of their units now, too.
  const std::vector<double> rates = state_derivatives();
  set_time(chance(0.5) ? number(model_->earliest, time) : time + number(0, 1e-3));
  std::vector<double> there = here;
  for (double& value : there) value += number(-1e-4, 1e-4);
  if (chance(0.7)) {
    set_states(there);
    check(equal(states(), there), "states are not what was set");
  } else {  // It reads one of them as a variable.
    const std::size_t i = std::uniform_int_distribution<std::size_t>(0, there.size() - 1)(random_);
    expect(session_->set(fmu_.description.states[i], there[i]), "set a state");
    there = here;
    there[i] = states()[i];
    check(equal(states(), there), "states are not what was set");
  }
  state_derivatives();
  read_something();
  set_time(time);
  set_states(here);
  check(states() == here, "states are not what they were");
  check(state_derivatives() == rates, "derivatives are not what they were");
}

void LegalRun::enter_event_mode() {
  expect(session_->enter_event_mode(), "enter event mode");
  model_->computed.clear();  // This takes in the values set.
  model_->state = 'V';
  model_->earliest = model_->completed = model_->time;
  if (subject_.exchange()) model_->states = states();
  model_->set_in_event = false;
}

/// Says whether the states have jumped, once.
void LegalRun::update_discrete_states() {
  bool jumped = true;
  expect(session_->update_discrete_states(&jumped), "update");
  if (has_impacts_) model_->computed.clear();  // An impact changes what is computed.
  if (!subject_.exchange()) return;
  const std::vector<double> now = states();
  check(jumped || now == model_->states, "states have jumped, but the importer is not told");
  check(!jumped || model_->set_in_event || has_impacts_,
        "the importer is told that states have jumped, but nothing was set");
  model_->states = now;
  model_->set_in_event = false;
  // FMI 2 lets event mode be entered from event mode.
  if (!fmu_.description.fmi3 && chance(0.1)) enter_event_mode();
}

}  // namespace mechfmu::importer
