// Tests calls between communication points, FMI 3: the callback after internal steps, inputs set in it, early return.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cfenv>
#include <limits>

#include "instances.hpp"

using namespace mechfmu;

namespace {

const std::vector<unsigned> all = {push, x, y, x_rate, x_acceleration, tension, steps};

/// Prepares RK4 in steps of 0.1 s.
void start_in_tenths(Client3& client) {
  REQUIRE(client.set_item(method, item(integration_methods, "rk4")) == 0);
  REQUIRE(client.set(step_size, 0.1) == 0);
  start(client);
}

}  // namespace

TEST_CASE("the callback comes after every internal step and sees its end", "[between]") {
  BetweenClient client(all);
  std::vector<double> times;
  client.messages.between = [&](Between& b) {
    times.push_back(b.time);
    CHECK(value(client, steps) == static_cast<double>(times.size()));
    CHECK(std::hypot(value(client, x), value(client, y)) == Approx(1).epsilon(1e-12));
    // It returns m l ω² − m g y / l.
    const double speed = value(client, x_rate) / -value(client, y);
    CHECK(value(client, tension) == Approx(2 * (speed * speed - 9.81 * value(client, y))).epsilon(1e-7));
    CHECK(b.inputs_wanted == (b.time < 0.7));
    CHECK(b.may_return);
  };
  start(client);
  CHECK(times.empty());
  REQUIRE(client.step(0, 0.7) == 0);
  REQUIRE(times.size() > 3);
  CHECK(std::is_sorted(times.begin(), times.end()));
  CHECK(times.back() == 0.7);
  CHECK_FALSE(client.returned_early);
}

TEST_CASE("looking between communication points changes nothing", "[between]") {
  BetweenClient looked(all);
  looked.messages.between = [&](Between&) {
    for (const unsigned vr : all) value(looked, vr);
  };
  Client3 alone;
  for (Client3* client : {static_cast<Client3*>(&looked), &alone}) {
    start(*client);
    for (int i = 0; i < 10; ++i) REQUIRE(client->step(i * 0.2, 0.2) == 0);
  }
  CHECK(everything(looked) == everything(alone));
}

TEST_CASE("the callback runs in the host's arithmetic, the step in the standard's", "[between]") {
  BetweenClient looked(all);
  Client3 alone;
  for (Client3* client : {static_cast<Client3*>(&looked), &alone}) start(*client);
  REQUIRE(alone.step(0, 0.5) == 0);
  looked.messages.between = [&](Between&) {
    CHECK(std::fegetround() == FE_UPWARD);
    value(looked, tension);
    CHECK(std::fegetround() == FE_UPWARD);
    std::fesetround(FE_DOWNWARD);
    std::fesetround(FE_UPWARD);
  };
  std::fesetround(FE_UPWARD);
  const int status = looked.step(0, 0.5);
  CHECK(std::fegetround() == FE_UPWARD);
  std::fesetround(FE_TONEAREST);
  REQUIRE(status == 0);
  CHECK(everything(looked) == everything(alone));
}

TEST_CASE("inputs set between communication points hold from there on", "[between]") {
  BetweenClient between(all);
  Client3 stepped;
  const auto at = [](double t) { return 3 * std::sin(5 * t); };
  between.messages.between = [&](Between& b) {
    if (!b.inputs_wanted) return;
    const double before = value(between, x_acceleration);
    REQUIRE(between.set(push, at(b.time)) == 0);
    CHECK(value(between, push) == at(b.time));
    CHECK(value(between, x_acceleration) == before);  // It is still the step that ended.
  };
  start_in_tenths(between);
  start_in_tenths(stepped);
  REQUIRE(between.step(0, 1) == 0);
  for (int i = 0; i < 10; ++i) {
    REQUIRE(stepped.set(push, i == 0 ? 0 : at(value(stepped, time_))) == 0);
    REQUIRE(stepped.step(i * 0.1, i == 9 ? 1 - 0.9 : 0.1) == 0);
  }
  CHECK(value(between, x) == Approx(value(stepped, x)).epsilon(1e-14));
  CHECK(value(between, x_acceleration) == Approx(value(stepped, x_acceleration)).epsilon(1e-13));
  CHECK(value(between, push) == value(stepped, push));
  CHECK(value(between, steps) == 10);
}

TEST_CASE("the importer can end a step, at once or at a time", "[between]") {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  struct Case {
    double wanted, reached;
  };
  for (const bool fixed : {true, false}) {
    for (const Case& c : {Case{0, 0.3}, Case{0.3, 0.3}, Case{-inf, 0.3}, Case{nan, 0.3}, Case{0.34, 0.34},
                          Case{0.77, 0.77}, Case{1, 1}, Case{inf, 1}}) {
      BetweenClient client({});
      bool asked = false;
      double reached = 0;
      client.messages.between = [&](Between& b) {
        if (!asked && b.time >= 0.3 * (1 - 1e-12)) {
          asked = b.early = true;
          b.end = c.wanted;
          reached = b.time;
        }
      };
      if (fixed) start_in_tenths(client);
      else start(client);
      REQUIRE(client.step(0, 1) == 0);
      REQUIRE(asked);
      if (c.reached == 0.3) CHECK(client.last_time == reached);
      else CHECK(client.last_time == std::max(c.reached, reached));
      CHECK(client.returned_early == (client.last_time < 1));
      CHECK(value(client, time_) == client.last_time);
      if (client.last_time == 1) continue;
      const double t = client.last_time;
      REQUIRE(client.step(t, 1 - t) == 0);
      CHECK_FALSE(client.returned_early);
      CHECK(std::hypot(value(client, x), value(client, y)) == Approx(1).epsilon(1e-12));
    }
  }
}

TEST_CASE("no early return where it is not allowed", "[between]") {
  BetweenClient client({}, false);
  client.messages.between = [](Between& b) {
    CHECK_FALSE(b.may_return);
    b.early = true;
  };
  start(client);
  REQUIRE(client.step(0, 1) == 0);
  CHECK_FALSE(client.returned_early);
  CHECK(client.last_time == 1);
}

TEST_CASE("only what was registered, inputs where they are wanted, and only functions for it", "[between]") {
  using Call = std::function<void(BetweenClient&, const Between&)>;
  fmi3FMUState state = nullptr;
  double ignored;
  const std::vector<std::pair<const char*, Call>> wrong = {
      {"requiredIntermediateVariables", [&](BetweenClient& c, const Between&) { c.get(violation, ignored); }},
      {"requiredIntermediateVariables", [&](BetweenClient& c, const Between&) { c.set(mass, 1); }},
      {"only inputs", [&](BetweenClient& c, const Between&) { c.set(length, 1100); }},
      {"an output", [&](BetweenClient& c, const Between&) { c.set(x, 0); }},
      {"intermediateVariableSetRequested",
       [&](BetweenClient& c, const Between& b) {
         if (!b.inputs_wanted) c.set(push, 1);
       }},
      {"in intermediate update mode", [&](BetweenClient& c, const Between&) { c.step(0.3, 0.1); }},
      {"in intermediate update mode", [&](BetweenClient& c, const Between&) { c.reset(); }},
      {"in intermediate update mode", [&](BetweenClient& c, const Between&) { c.terminate(); }},
      {"in intermediate update mode", [&](BetweenClient& c, const Between&) { c.save(&state); }},
      {"in intermediate update mode", [&](BetweenClient& c, const Between&) { fmi3FreeInstance(c.instance); }},
      {"in intermediate update mode", [](BetweenClient& c, const Between&) { fmi3EnterConfigurationMode(c.instance); }},
  };
  for (const auto& [message, call] : wrong) {
    std::vector<unsigned> variables = all;
    variables.push_back(length);
    BetweenClient client(variables);
    start(client);
    REQUIRE(client.step(0, 0.3) == 0);
    const double before = value(client, x), load = value(client, tension);
    client.messages.between = [&, &call = call](Between& b) { call(client, b); };
    CHECK(client.step(0.3, 0.5) == Client3::error);
    CHECK(said(client, message));
    CHECK(said(client, "callback failed"));
    CHECK(value(client, x) == before);  // This is the last good state.
    CHECK(value(client, tension) == load);
    client.messages.between = nullptr;
    REQUIRE(client.reset() == 0);
    start(client);
    CHECK(client.step(0, 0.3) == 0);
  }
}

TEST_CASE("a step that fails after inputs were set in it leaves the state before it", "[between]") {
  BetweenClient client(all);
  client.messages.between = [&](Between& b) {
    if (b.inputs_wanted) client.set(push, 1e299);
  };
  start(client);
  const double load = value(client, tension);
  CHECK(client.step(0, 1) == Client3::error);
  CHECK(value(client, x) == 0.6);
  CHECK(value(client, time_) == 0);
  CHECK(value(client, tension) == load);
}

TEST_CASE("variables that do not exist cannot be registered", "[between]") {
  const unsigned unknown = 4000000000u;
  const auto nothing = [](fmi3InstanceEnvironment, double, bool, bool, bool, bool, bool*, double*) {};
  const auto make = [&](const unsigned* variables) {
    return fmi3InstantiateCoSimulation("a", pendulum_token, nullptr, false, false, false, false, variables, 1, nullptr,
                                       nullptr, nothing);
  };
  CHECK(make(&unknown) == nullptr);
  CHECK(make(nullptr) == nullptr);
}
