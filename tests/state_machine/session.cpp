// Has what sessions of both standards share.
#include "session.hpp"

#include <cmath>

namespace mechfmu::importer {

namespace {

/// Returns the length of one step of a run.
double default_step(const Fmu& fmu) { return fmu.description.stop_time / 1000; }

}  // namespace

int Session::enter() { return enter(0, 0, std::nan("")); }

int Session::step() { return step(time, default_step(fmu)); }

int Session::begin() {
  const bool exchange = options.kind == Kind::model_exchange;
  int status = exit();
  if (status == ok && (exchange || options.event_mode)) status = update_discrete_states();
  if (status == ok && exchange) status = enter_continuous_time_mode();
  if (status == ok && !exchange && options.event_mode) status = enter_step_mode();
  return status;
}

int Session::advance(double h) { return options.kind == Kind::model_exchange ? integrate(h) : step(time, h); }

int Session::advance() { return advance(default_step(fmu)); }

int Session::integrate(double h) {
  const std::size_t count = fmu.description.states.size();
  std::vector<double> start(count), place, rates(count), sum(count);
  int status = get_states(start.data(), count);
  place = start;
  const double part[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
  for (int stage = 0; stage < 4 && status == ok; ++stage) {
    for (std::size_t i = 0; i < count; ++i) place[i] = start[i] + part[stage] * h * rates[i];
    status = set_time(time + part[stage] * h);
    if (status == ok) status = set_states(place.data(), count);
    if (status == ok) status = get_state_derivatives(rates.data(), count);
    for (std::size_t i = 0; i < count; ++i) sum[i] += weight[stage] * rates[i];
  }
  for (std::size_t i = 0; i < count; ++i) place[i] = start[i] + h / 6 * sum[i];
  if (status == ok) status = set_states(place.data(), count);
  if (status == ok) status = complete_step(fmu.description.has_impacts() ? &asks_for_event : nullptr);
  if (status == ok) time += h;
  return status;
}

std::string Session::log() const {
  std::string result;
  for (const Message& message : messages) result += message.category + ": " + message.text + "\n";
  return result;
}

std::unique_ptr<Session> make_session(const Fmu& fmu, Options options) {
  return fmu.description.fmi3 ? make_session3(fmu, std::move(options)) : make_session2(fmu, std::move(options));
}

std::unique_ptr<Session> make_session(const Subject& subject, Options options) {
  options.kind = subject.kind;
  return make_session(subject.fmu, std::move(options));
}

}  // namespace mechfmu::importer
