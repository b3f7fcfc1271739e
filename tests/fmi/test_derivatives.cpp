// Tests derivatives by time: of outputs, in FMI 2 and FMI 3, and of inputs, in FMI 2.
#include <catch2/catch.hpp>

#include "instances.hpp"

using namespace mechfmu;

namespace {

template <class Client>
double derivative(Client& client, unsigned vr, int order) {
  double result = std::nan("");
  const int status = client.get_derivative(vr, order, result);
  INFO(client.messages.all());
  REQUIRE(status == Client::ok);
  return result;
}

int set_derivative(Client2& client, int order, double value) {
  return fmi2SetRealInputDerivatives(client.instance, &push, 1, &order, &value);
}

/// x after a second under push = 3 sin 4t, told in `count` steps with derivatives up to `order`.
double pushed_by_sine(int count, int order) {
  Client2 client;
  REQUIRE(client.set(tolerance, 1e-12) == 0);
  start(client);
  for (int i = 0; i < count; ++i) {
    const double t = static_cast<double>(i) / count;
    REQUIRE(client.set(push, 3 * std::sin(4 * t)) == 0);
    if (order >= 1) REQUIRE(set_derivative(client, 1, 12 * std::cos(4 * t)) == 0);
    if (order >= 2) REQUIRE(set_derivative(client, 2, -48 * std::sin(4 * t)) == 0);
    if (order >= 3) REQUIRE(set_derivative(client, 3, -192 * std::cos(4 * t)) == 0);
    REQUIRE(client.step(t, 1.0 / count) == 0);
  }
  return value(client, x);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("coordinates have derivatives to order two, others the first and what is a variable", "",
                        BothStandards) {
  TestType client;
  start(client);
  REQUIRE(client.step(0, 0.3) == 0);
  CHECK(derivative(client, x, 1) == value(client, x_rate));
  CHECK(derivative(client, x, 2) == value(client, x_acceleration));
  CHECK(derivative(client, y, 1) == value(client, reference("der(y)")));
  // x ẍ + y ÿ + ẋ² + ẏ² = 0
  const double vx = derivative(client, x, 1), vy = derivative(client, y, 1);
  CHECK(value(client, x) * derivative(client, x, 2) + value(client, y) * derivative(client, y, 2) ==
        Approx(-vx * vx - vy * vy).epsilon(1e-12));
  // Degrees a second, although its variable is in rad/s.
  CHECK(derivative(client, angle, 1) == Approx(value(client, reference("der(angle)")) * 180 / M_PI).epsilon(1e-15));
  // The rod turns as a pendulum: ω̇ = −(g/l) sin φ, and T = m (l ω² + g cos φ).
  const double l = 1, mass = 2, g = 9.81;
  const double phi = value(client, angle) * M_PI / 180, omega = value(client, reference("der(angle)"));
  const double spin = -g / l * std::sin(phi);
  CHECK(derivative(client, angle, 2) == Approx(spin * 180 / M_PI).epsilon(1e-12));
  CHECK(value(client, tension) == Approx(mass * (l * omega * omega + g * std::cos(phi))).epsilon(1e-12));
  CHECK(derivative(client, tension, 1) ==
        Approx(mass * (2 * l * omega * spin - g * std::sin(phi) * omega)).epsilon(1e-12));
  CHECK(derivative(client, tension, 2) == 0);  // There is none.
}

TEMPLATE_LIST_TEST_CASE("derivatives of outputs belong to the end of the last step", "", BothStandards) {
  TestType client;
  start(client);
  REQUIRE(client.step(0, 0.3) == 0);
  const double before = derivative(client, x, 2);
  REQUIRE(client.set(push, 5) == 0);
  CHECK(derivative(client, x, 2) == before);
  REQUIRE(client.terminate() == 0);
  CHECK(derivative(client, x, 2) == before);
}

TEMPLATE_LIST_TEST_CASE("derivatives that cannot exist are errors", "", BothStandards) {
  struct Case {
    unsigned vr;
    int order;
    const char* message;
  };
  for (const Case& wrong :
       {Case{x, 0, "orders are 1 to 2"}, Case{x, 3, "orders are 1 to 2"}, Case{x, -1, "orders are 1 to 2"},
        Case{x_rate, 1, "not an output"}, Case{push, 1, "not an output"}, Case{method, 1, "another type"},
        Case{1000, 1, "value reference"}}) {
    TestType client;
    start(client);
    double ignored;
    CHECK(client.get_derivative(wrong.vr, wrong.order, ignored) == TestType::error);
    CHECK(said(client, wrong.message));
  }
}

TEST_CASE("a sine input told at communication points converges with one order more than derivatives given") {
  const double exact = pushed_by_sine(1024, 3);
  for (int order = 0; order <= 3; ++order) {
    INFO("derivatives up to order " << order);
    const double coarse = std::abs(pushed_by_sine(48, order) - exact);
    const double fine = std::abs(pushed_by_sine(96, order) - exact);
    CHECK(std::log2(coarse / fine) == Approx(order + 1).margin(0.1));
  }
}

TEST_CASE("derivatives of an input hold for one step, and computed values belong to its end") {
  Client2 client;
  start(client);
  REQUIRE(client.set(push, 1) == 0);
  REQUIRE(set_derivative(client, 1, 10) == 0);
  REQUIRE(client.step(0, 0.5) == 0);
  CHECK(value(client, push) == 1);  // as it was set
  const auto force = [&] {          // push from m ẍ = push + 2 x λ and the rod's pull
    return 2 * value(client, x_acceleration) + value(client, tension) * value(client, x);
  };
  CHECK(force() == Approx(6).epsilon(1e-10));
  REQUIRE(client.step(0.5, 0.25) == 0);
  CHECK(force() == Approx(1).epsilon(1e-10));
}

TEST_CASE("derivatives of inputs are part of the state") {
  Client2 client;
  start(client);
  REQUIRE(client.step(0, 0.1) == 0);
  REQUIRE(client.set(push, 1) == 0);
  REQUIRE(set_derivative(client, 2, 10) == 0);
  fmi2FMUstate state = nullptr;
  REQUIRE(client.save(&state) == 0);
  const auto run = [](Client2& c) {
    REQUIRE(c.step(0.1, 0.5) == 0);
    std::vector<double> all = everything(c);
    REQUIRE(c.step(0.6, 0.5) == 0);
    for (const double number : everything(c)) all.push_back(number);
    return all;
  };
  const std::vector<double> first = run(client);
  REQUIRE(client.restore(state) == 0);
  CHECK(run(client) == first);
  Client2 other;
  REQUIRE(other.restore(state) == 0);
  CHECK(run(other) == first);
  REQUIRE(client.reset() == 0);  // The reset forgets them.
  REQUIRE(client.discard(&state) == 0);
  Client2 fresh;
  for (Client2* c : {&client, &fresh}) {
    start(*c);
    REQUIRE(c->step(0, 0.1) == 0);
  }
  CHECK(run(client) == run(fresh));
}

TEST_CASE("derivatives given before initialization ends serve the first step") {
  Client2 early, late;
  REQUIRE(set_derivative(early, 1, 5) == 0);
  start(early);
  start(late);
  REQUIRE(set_derivative(late, 1, 5) == 0);
  for (Client2* c : {&early, &late}) REQUIRE(c->step(0, 0.5) == 0);
  CHECK(everything(early) == everything(late));
}

TEST_CASE("derivatives that inputs cannot have are errors") {
  struct Case {
    unsigned vr;
    int order;
    double value;
    const char* message;
  };
  for (const Case& wrong :
       {Case{push, 0, 1, "orders are 1 to 3"}, Case{push, 4, 1, "orders are 1 to 3"}, Case{x, 1, 1, "not an input"},
        Case{length, 1, 1, "not an input"}, Case{push, 1, std::nan(""), "cannot be nan"}}) {
    Client2 client;
    start(client);
    CHECK(fmi2SetRealInputDerivatives(client.instance, &wrong.vr, 1, &wrong.order, &wrong.value) == fmi2Error);
    CHECK(said(client, wrong.message));
  }
}

TEST_CASE("a step that fails under derivatives of inputs leaves the state before it") {
  Client2 client;
  start(client);
  REQUIRE(client.step(0, 0.1) == 0);
  const double place = value(client, x), load = value(client, tension);
  REQUIRE(set_derivative(client, 3, 1e299) == 0);
  CHECK(client.step(0.1, 1) == fmi2Error);
  CHECK(value(client, x) == place);
  CHECK(value(client, tension) == load);
}

TEMPLATE_LIST_TEST_CASE("directional derivatives are by time, inputs, parameters and states, and asking harms nobody",
                        "", BothStandards) {
  constexpr int discard = 2;
  TestType client;
  REQUIRE(client.enter() == 0);
  double slope = std::nan("");
  const auto by = [&](unsigned known, double seed = 1) { return client.directional(tension, {known}, {seed}, slope); };
  for (const unsigned known : {time_, push, length, mass, x_start}) CHECK(by(known) == 0);
  CHECK(by(x) == discard);
  CHECK(said(client, "no derivatives by x in initialization mode"));
  REQUIRE(client.exit() == 0);
  REQUIRE(client.step(0, 0.3) == 0);
  for (const unsigned known : {time_, push, length, mass, x, y, x_velocity, y_velocity}) {
    CHECK(by(known) == 0);
    CHECK(std::isfinite(slope));
    CHECK(by(known, 0) == 0);
    CHECK(slope == 0);
  }
  CHECK(by(x_start) == 0);
  CHECK(slope == 0);  // the start is long past
  for (const unsigned known : {tolerance, weight, angle}) CHECK(by(known) == discard);
  CHECK(client.directional(mass, {push}, {1}, slope) == discard);
  CHECK(said(client, "mass is set, not computed"));
  CHECK(client.step(0.3, 0.3) == 0);
}

TEMPLATE_LIST_TEST_CASE("derivatives by states, time and parameters while running are those of the pendulum", "",
                        BothStandards) {
  TestType client;
  start(client);
  REQUIRE(client.step(0, 0.3) == 0);
  const double l = 1, m = 2, g = 9.81;
  const double phi = value(client, angle) * M_PI / 180, omega = value(client, reference("der(angle)"));
  const double c = std::cos(phi), s = std::sin(phi);
  double slope = 0;
  // The slopes of T = m (l ω² + g cos φ) along φ and along ω follow.
  REQUIRE(client.directional(tension, {x, y, x_velocity, y_velocity}, {l * c, l * s, -l * omega * s, l * omega * c},
                             slope) == 0);
  CHECK(slope == Approx(-m * g * s).epsilon(1e-10));
  REQUIRE(client.directional(tension, {x_velocity, y_velocity}, {l * c, l * s}, slope) == 0);
  CHECK(slope == Approx(2 * m * l * omega).epsilon(1e-10));
  // A longer rod moves the mass outwards, and its velocity v stays: T = m (v² / l + g cos φ); per mm.
  REQUIRE(client.directional(tension, {length}, {1}, slope) == 0);
  CHECK(slope == Approx(-1e-3 * m * omega * omega).epsilon(1e-10));
  REQUIRE(client.directional(x, {length}, {1}, slope) == 0);
  CHECK(slope == Approx(1e-3 * s).epsilon(1e-10));
  REQUIRE(client.directional(weight, {mass}, {1}, slope) == 0);
  CHECK(slope == Approx(g));
  REQUIRE(client.directional(tension, {time_}, {1}, slope) == 0);
  CHECK(slope == 0);
  REQUIRE(client.directional(x, {x, push}, {3, 1}, slope) == 0);
  CHECK(slope == 3);  // It is a state.
}
