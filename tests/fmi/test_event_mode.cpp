// Tests event mode of FMI 3: values set there hold at once, without a step.
#include <catch2/catch.hpp>

#include "instances.hpp"

using namespace mechfmu;

namespace {

/// Brings an instance into step mode at time 0.
void start_with_events(EventClient& client) {
  start(client);  // It ends in event mode.
  REQUIRE(client.update() == 0);
  REQUIRE(client.enter_steps() == 0);
}

/// Brings an instance to the end of a step, in event mode.
void stop_at(EventClient& client, double t) {
  start_with_events(client);
  REQUIRE(client.step(0, t) == 0);
  REQUIRE(client.enter_events() == 0);
}

/// Returns tangential speed times length, u of the pendulum up to √m.
double turning(EventClient& client) {
  return value(client, x) * value(client, reference("der(y)")) - value(client, y) * value(client, x_rate);
}

}  // namespace

TEST_CASE("a changed input is taken in by event mode, without a step", "[events]") {
  EventClient client;
  stop_at(client, 0.3);
  const double before = value(client, x_acceleration), place = value(client, x), load = value(client, tension);
  REQUIRE(client.set(push, 5) == 0);
  // m ẍ = push + 2 x λ: the rod takes its part along (x, y), the rest accelerates.
  const double sine = place, expected = before + 5 / 2.0 * (1 - sine * sine);
  CHECK(value(client, x_acceleration) == Approx(expected).epsilon(1e-12));
  CHECK(value(client, tension) == Approx(load + 5 * sine).epsilon(1e-12));
  CHECK(value(client, x) == place);
  CHECK(value(client, time_) == 0.3);
  REQUIRE(client.set(push, 0) == 0);
  CHECK(value(client, x_acceleration) == before);
  CHECK(value(client, tension) == load);
  REQUIRE(client.update() == 0);
  REQUIRE(client.enter_steps() == 0);
  CHECK(client.step(0.3, 0.1) == 0);
}

TEST_CASE("in event mode a tunable parameter moves the position, and the velocity stays", "[events]") {
  EventClient client;
  stop_at(client, 0.3);
  const double speed = turning(client), direction = value(client, angle), height = value(client, y);
  const auto square = [&] {
    return std::pow(value(client, x_rate), 2) + std::pow(value(client, reference("der(y)")), 2);
  };
  const double before = square();
  REQUIRE(client.set(length, 1100) == 0);
  CHECK(std::hypot(value(client, x), value(client, y)) == Approx(1.1).epsilon(1e-13));
  CHECK(value(client, angle) == Approx(direction).epsilon(1e-13));  // It is pulled out along the rod.
  CHECK(value(client, violation) < 1e-14);
  CHECK(square() == Approx(before).epsilon(1e-12));                // The kinetic energy stays.
  CHECK(turning(client) == Approx(1.1 * speed).epsilon(1e-12));    // The angular momentum changes.
  CHECK(value(client, y) == Approx(1.1 * height).epsilon(1e-12));  // So does the potential energy.
  CHECK(value(client, time_) == 0.3);
}

TEST_CASE("sets in event mode and sets before the step give the same bits", "[events]") {
  EventClient in_events, in_steps;
  for (EventClient* client : {&in_events, &in_steps}) stop_at(*client, 0.3);
  REQUIRE(in_events.set(length, 1100) == 0);
  REQUIRE(in_events.set(push, 2) == 0);
  everything(in_events);
  for (EventClient* client : {&in_events, &in_steps}) REQUIRE(client->enter_steps() == 0);
  REQUIRE(in_steps.set(length, 1100) == 0);
  REQUIRE(in_steps.set(push, 2) == 0);
  for (EventClient* client : {&in_events, &in_steps}) REQUIRE(client->step(0.3, 0.4) == 0);
  CHECK(everything(in_events) == everything(in_steps));
}

TEST_CASE("event mode without events changes nothing", "[events]") {
  EventClient with;
  Client3 without;
  start_with_events(with);
  start(without);
  for (int i = 0; i < 10; ++i) {
    REQUIRE(with.step(i * 0.1, 0.1) == 0);
    REQUIRE(without.step(i * 0.1, 0.1) == 0);
    REQUIRE(with.enter_events() == 0);
    REQUIRE(with.update() == 0);
    REQUIRE(with.enter_steps() == 0);
  }
  CHECK(everything(with) == everything(without));
}

TEST_CASE("what was set in step mode holds as soon as event mode is looked at", "[events]") {
  EventClient client;
  start_with_events(client);
  REQUIRE(client.step(0, 0.3) == 0);
  const double before = value(client, x_acceleration);
  REQUIRE(client.set(push, 5) == 0);
  CHECK(value(client, x_acceleration) == before);
  REQUIRE(client.enter_events() == 0);
  CHECK(value(client, x_acceleration) > before + 1);
}

TEST_CASE("values that cannot be used are an error where they are taken in, and the last good state stays",
          "[events]") {
  const auto spoiled = [](EventClient& client, auto&& call) {
    stop_at(client, 0.3);
    const double place = value(client, x), load = value(client, tension);
    REQUIRE(client.set(length, 0) == 0);
    CHECK(call() == EventClient::error);
    CHECK(said(client, "new parameters cannot be used"));
    CHECK(value(client, x) == place);
    CHECK(value(client, tension) == load);
    CHECK(value(client, length) == 0);  // as it was set
  };
  EventClient looking, leaving;
  double ignored;
  spoiled(looking, [&] { return looking.get(x, ignored); });
  spoiled(leaving, [&] { return leaving.enter_steps(); });
}

TEST_CASE("a state saved in event mode goes on there, taken in or not", "[events]") {
  EventClient client;
  stop_at(client, 0.3);
  REQUIRE(client.set(length, 1100) == 0);
  fmi3FMUState waiting = nullptr, taken = nullptr;
  REQUIRE(client.save(&waiting) == 0);
  const auto rest = [&](EventClient& c) {
    std::vector<double> all = everything(c);
    REQUIRE(c.enter_steps() == 0);
    REQUIRE(c.step(0.3, 0.5) == 0);
    for (const double number : everything(c)) all.push_back(number);
    return all;
  };
  everything(client);
  REQUIRE(client.save(&taken) == 0);
  const std::vector<double> first = rest(client);
  for (fmi3FMUState state : {waiting, taken}) {
    EventClient other;
    REQUIRE(other.restore(state) == 0);
    CHECK(rest(other) == first);
  }
  Client3 without;
  CHECK(without.restore(taken) == Client3::error);
  CHECK(said(without, "eventModeUsed"));
  client.discard(&waiting);
  client.discard(&taken);
}

TEST_CASE("without eventModeUsed there is no event mode", "[events]") {
  for (const auto call : {fmi3EnterEventMode, fmi3EnterStepMode}) {
    Client3 client;
    start(client);
    CHECK(call(client.instance) == fmi3Error);
    CHECK(said(client, "eventModeUsed = false"));
  }
}
