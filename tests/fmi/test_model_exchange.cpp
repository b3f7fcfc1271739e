// Tests model exchange of both standards: the importer integrates, here by the classical method of order 4.
#include <catch2/catch.hpp>

#include <limits>

#include "instances.hpp"

using namespace mechfmu;

namespace {

using States = std::vector<double>;

/// Brings an instance into continuous-time mode at time 0.
template <class Client>
void start_exchange(Client& client) {
  start(client);  // It ends in event mode.
  bool jumped = true;
  REQUIRE(client.update(jumped) == 0);
  CHECK_FALSE(jumped);
  REQUIRE(client.enter_continuous() == 0);
}

template <class Client>
States states(Client& client) {
  States x(4);
  REQUIRE(client.get_states(x) == 0);
  return x;
}

template <class Client>
States rates_at(Client& client, double t, const States& x) {
  States rates(4);
  REQUIRE(client.set_time(t) == 0);
  REQUIRE(client.set_states(x) == 0);
  REQUIRE(client.get_rates(rates) == 0);
  return rates;
}

States moved(States x, double h, const States& rates) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += h * rates[i];
  return x;
}

template <class Client>
void integrate(Client& client, double from, double to, int steps) {
  const double h = (to - from) / steps;
  States x = states(client);
  for (int i = 0; i < steps; ++i) {
    const double t = from + i * h, end = i + 1 == steps ? to : t + h;
    const States a = rates_at(client, t, x), b = rates_at(client, t + h / 2, moved(x, h / 2, a)),
                 c = rates_at(client, t + h / 2, moved(x, h / 2, b)), d = rates_at(client, end, moved(x, h, c));
    x = moved(moved(moved(moved(x, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
    REQUIRE(client.set_states(x) == 0);
    REQUIRE(client.complete() == 0);
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("an importer that integrates sees the motion of co-simulation", "[exchange]", BothExchanges) {
  Client3 stepped;
  REQUIRE(stepped.set(tolerance, 1e-12) == 0);
  start(stepped);
  REQUIRE(stepped.step(0, 1) == 0);
  double errors[2];
  for (const int i : {0, 1}) {
    TestType client;
    start_exchange(client);
    integrate(client, 0, 1, 100 << i);
    errors[i] = std::hypot(value(client, x) - value(stepped, x), value(client, x_rate) - value(stepped, x_rate));
    CHECK(value(client, time_) == 1);
    CHECK(value(client, steps) == 100 << i);
    CHECK(value(client, tension) == Approx(value(stepped, tension)).epsilon(1e-5));
    CHECK(value(client, violation) < 1e-6);
  }
  CHECK(errors[0] < 1e-5);
  CHECK(errors[0] / errors[1] > 13);  // Order 4 gives 16.
}

TEMPLATE_LIST_TEST_CASE("derivatives are the variables that are called so", "[exchange]", BothExchanges) {
  TestType client;
  start_exchange(client);
  const States x_now = states(client), rates = rates_at(client, 0, x_now);
  CHECK(x_now == States{value(client, x), value(client, y), value(client, x_velocity), value(client, y_velocity)});
  CHECK(rates[0] == value(client, x_rate));
  CHECK(rates[2] == value(client, x_acceleration));
  States nominals(4);
  REQUIRE(client.get_nominals(nominals) == 0);
  CHECK(nominals == States{1, 1, 1, 1});
  CHECK(client.get_indicators(0) == 0);
}

TEMPLATE_LIST_TEST_CASE("a violation decays at the rate of the gain", "[exchange]", BothExchanges) {
  TestType client;
  start_exchange(client);
  States x_now = states(client);
  for (const int i : {0, 1}) x_now[i] *= 1 + 1e-4;
  REQUIRE(client.set_states(x_now) == 0);
  const double before = value(client, violation);
  CHECK(before == Approx(2e-4 * (0.36 + 0.64)).epsilon(1e-3));
  integrate(client, 0, 0.25, 500);
  CHECK(value(client, violation) == Approx(before * std::exp(-20 * 0.25)).epsilon(1e-3));  // ḟ = −20 f
}

TEMPLATE_LIST_TEST_CASE("of a velocity that does not fit only what fits has effects, and the rest decays", "[exchange]",
                        BothExchanges) {
  TestType fitting, away;
  const double speed = 2, excess = 0.1, s = 0.6,
               c = std::sqrt(1 - s * s);  // belong to (s, −c), along and across the rod
  for (TestType* client : {&fitting, &away}) {
    start_exchange(*client);
    States moving = states(*client);
    moving[2] = speed * c;
    moving[3] = speed * s;
    if (client == &away) {
      moving[2] += excess * s;
      moving[3] -= excess * c;
    }
    REQUIRE(client->set_states(moving) == 0);
  }
  CHECK(value(away, x_velocity) == Approx(speed * c + excess * s).epsilon(1e-14));
  for (const unsigned one : {x_rate, tension, angle})
    CHECK(value(away, one) == Approx(value(fitting, one)).epsilon(1e-13));
  CHECK(value(away, x_acceleration) == Approx(value(fitting, x_acceleration) - 20 * excess * s).epsilon(1e-13));
  for (TestType* client : {&fitting, &away}) integrate(*client, 0, 0.25, 250);
  CHECK(value(away, x) == Approx(value(fitting, x)).epsilon(1e-2));
  const double x_now = value(away, x), y_now = value(away, y);
  const double left = x_now * value(away, x_velocity) + y_now * value(away, y_velocity);
  CHECK(left == Approx(excess * std::exp(-20 * 0.25)).epsilon(0.1));
}

TEMPLATE_LIST_TEST_CASE("inputs hold at once in continuous-time mode, parameters are for events", "[exchange]",
                        BothExchanges) {
  TestType client;
  start_exchange(client);
  const States before = rates_at(client, 0, states(client));
  REQUIRE(client.set(push, 5) == 0);
  const States after = rates_at(client, 0, states(client));
  CHECK(after[2] == Approx(before[2] + 5 / 2.0 * (1 - 0.36)).epsilon(1e-12));
  CHECK(client.set(length, 1100) == TestType::error);
  CHECK(said(client, "event mode"));
}

TEMPLATE_LIST_TEST_CASE("a tunable parameter makes the states jump in event mode, which the importer is told once",
                        "[exchange]", BothExchanges) {
  TestType client;
  start_exchange(client);
  integrate(client, 0, 0.3, 30);
  bool jumped = true;
  REQUIRE(client.enter_events() == 0);
  REQUIRE(client.set(push, 1) == 0);
  REQUIRE(client.update(jumped) == 0);
  CHECK_FALSE(jumped);
  REQUIRE(client.set(length, 1100) == 0);
  CHECK(std::hypot(value(client, x), value(client, y)) == Approx(1.1).epsilon(1e-13));
  REQUIRE(client.update(jumped) == 0);
  CHECK(jumped);
  REQUIRE(client.update(jumped) == 0);
  CHECK_FALSE(jumped);
  const States x_now = states(client);
  REQUIRE(client.enter_continuous() == 0);
  CHECK(std::hypot(x_now[0], x_now[1]) == Approx(1.1).epsilon(1e-13));
  integrate(client, 0.3, 0.5, 20);
  CHECK(value(client, violation) < 1e-6);
}

TEMPLATE_LIST_TEST_CASE("a saved state of model exchange goes on with the same bits", "[exchange]", BothExchanges) {
  TestType client, other;
  start_exchange(client);
  integrate(client, 0, 0.3, 30);
  typename TestType::State state = nullptr;
  REQUIRE(client.save(&state) == 0);
  integrate(client, 0.3, 0.6, 30);
  const std::vector<double> expected = everything(client);
  for (TestType* again : {&client, &other}) {
    REQUIRE(again->restore(state) == 0);
    integrate(*again, 0.3, 0.6, 30);
    CHECK(everything(*again) == expected);
  }
  REQUIRE(client.reset() == 0);
  TestType fresh;
  for (TestType* one : {&client, &fresh}) {
    start_exchange(*one);
    integrate(*one, 0, 0.1, 10);
  }
  CHECK(everything(client) == everything(fresh));
  REQUIRE(client.discard(&state) == 0);
}

TEST_CASE("a state of co-simulation is not one of model exchange", "[exchange]") {
  Client2 stepped;
  start(stepped);
  fmi2FMUstate state = nullptr;
  REQUIRE(stepped.save(&state) == 0);
  ExchangeClient2 client;
  CHECK(client.restore(state) == fmi2Error);
  CHECK(said(client, "co-simulation"));
  stepped.discard(&state);
}

TEMPLATE_LIST_TEST_CASE("states that cannot be are refused", "[exchange]", BothExchanges) {
  const auto refused = [](const char* why, auto&& call) {
    TestType client;
    start_exchange(client);
    CHECK(call(client) == TestType::error);
    CHECK(said(client, why));
  };
  States three(3), none;
  refused("4 continuous states", [&](TestType& c) { return c.set_states(three); });
  refused("4 continuous states", [&](TestType& c) { return c.get_states(three); });
  refused("4 continuous states", [&](TestType& c) { return c.get_rates(none); });
  refused("4 continuous states", [&](TestType& c) { return c.get_nominals(three); });
  refused("0 event indicators, not 1", [&](TestType& c) { return c.get_indicators(1); });
  refused("cannot be", [&](TestType& c) { return c.set_states({0, std::nan(""), 0, 0}); });
  refused("not a number", [&](TestType& c) { return c.set_time(std::numeric_limits<double>::infinity()); });
}

TEMPLATE_LIST_TEST_CASE("time goes back to the last completed step but one or the last event, and by saved states",
                        "[exchange]", BothExchanges) {
  TestType client, other;
  start_exchange(client);
  integrate(client, 0, 0.1, 10);
  CHECK(client.set_time(0.2) == 0);
  CHECK(client.set_time(0.09) == 0);
  CHECK(client.set_time(0.1) == 0);
  typename TestType::State state = nullptr;
  REQUIRE(client.save(&state) == 0);
  integrate(client, 0.1, 0.2, 10);
  CHECK(client.set_time(0.18) == TestType::error);
  CHECK(said(client, "goes back no further"));
  for (TestType* again : {&client, &other}) {
    REQUIRE(again->restore(state) == 0);
    CHECK(again->set_time(0.09) == 0);
    CHECK(again->set_time(0.089) == TestType::error);
  }
  REQUIRE(client.restore(state) == 0);
  REQUIRE(client.enter_events() == 0);
  REQUIRE(client.enter_continuous() == 0);
  CHECK(client.set_time(0.1) == 0);
  CHECK(client.set_time(0.09) == TestType::error);
  REQUIRE(client.discard(&state) == 0);
}

TEMPLATE_LIST_TEST_CASE("a state that is set as a variable moves alone, in continuous-time mode", "[exchange]",
                        BothExchanges) {
  TestType client;
  start_exchange(client);
  States expected = states(client);
  expected[0] += 1e-3;
  REQUIRE(client.set(x, expected[0]) == 0);
  CHECK(states(client) == expected);
  expected[2] = 0.25;
  REQUIRE(client.set(x_velocity, 0.25) == 0);
  CHECK(states(client) == expected);
  REQUIRE(client.enter_events() == 0);
  CHECK(client.set(x, 0.6) == TestType::error);
  CHECK(said(client, "continuous-time mode"));
}

TEMPLATE_LIST_TEST_CASE("derivatives that do not exist are discarded, and the importer may try elsewhere", "[exchange]",
                        BothExchanges) {
  TestType client;
  start_exchange(client);
  const States good = states(client);
  States rates(4);
  REQUIRE(client.set_states({0, 1, 1e200, 0}) == 0);  // v² is no number
  client.messages.texts.clear();
  CHECK(client.get_rates(rates) == 2);
  REQUIRE(client.messages.texts.size() == 1);
  CHECK(client.messages.texts[0].find("logStatusDiscard: ") == 0);
  CHECK(said(client, "no derivatives"));
  CHECK(std::isfinite(rates_at(client, 0, good)[2]));
}
