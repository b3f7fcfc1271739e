// Tests time: steps of all lengths, clocks that do not drift apart, the end, in FMI 2 and FMI 3.
#include <catch2/catch.hpp>

#include <limits>

#include "instances.hpp"

using namespace mechfmu;

namespace {

/// Returns ½ v² + g y, which the pendulum keeps.
template <class Client>
double energy(Client& client) {
  const double vx = value(client, x_rate), vy = value(client, reference("der(y)"));
  return (vx * vx + vy * vy) / 2 + 9.81 * value(client, y);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("a million small steps: time is the importer's, and the motion that of one step", "",
                        BothStandards) {
  constexpr int count = 1000000;
  constexpr double h = 1e-4;
  TestType added, multiplied, whole;
  for (TestType* client : {&added, &multiplied, &whole}) {
    REQUIRE(client->set(tolerance, 1e-9) == 0);
    start(*client);
  }
  const double before = energy(added);
  bool done = true, same = true;
  double t = 0, shown = 0;
  for (int i = 0; i < count; ++i) {
    done &= added.step(t, h) == 0 && multiplied.step(i * h, h) == 0;
    t += h;
    done &= added.get(time_, shown) == 0;
    same &= shown == t;
    done &= multiplied.get(time_, shown) == 0;
    same &= shown == i * h + h;
  }
  CHECK(done);
  CHECK(same);
  CHECK(std::abs(t - 100) > 1e-12);  // sums of 1e-4 are not round
  REQUIRE(whole.step(0, 100) == 0);
  CHECK(value(whole, time_) == 100);
  CHECK(value(added, x) == Approx(value(whole, x)).margin(1e-5));
  CHECK(value(multiplied, x) == Approx(value(whole, x)).margin(1e-5));
  CHECK(energy(added) == Approx(before).epsilon(1e-7));
}

TEMPLATE_LIST_TEST_CASE("steps of all lengths follow each other, to the roundings of the clock", "", BothStandards) {
  for (const double start_time : {0.0, -3.0, 1e6}) {
    TestType client;
    REQUIRE(client.enter(start_time, start_time - 1) == 0);
    REQUIRE(client.exit() == 0);
    double t = start_time;
    for (const double h : {1e-3, 1.0, 1e-12, 1e-7, 0.3, 1e-17, 1e-300, 2.5, 5e-324, 1e-5}) {
      const int status = client.step(t, h);
      INFO(client.messages.all());
      REQUIRE(status == 0);
      t = t + h;  // a step lost in rounding leads nowhere, but is a step
      CHECK(value(client, time_) == t);
    }
    CHECK(std::hypot(value(client, x), value(client, y)) == Approx(1).epsilon(1e-12));
  }
}

TEMPLATE_LIST_TEST_CASE("short steps leave the integrator's step as it is", "", BothStandards) {
  TestType chopped, whole;
  for (TestType* client : {&chopped, &whole}) start(*client);
  REQUIRE(whole.step(0, 5) == 0);
  double t = 0;
  for (const double h : {1.0, 1e-9, 1.0, 1e-9, 1.0, 1e-9, 1.0}) {
    REQUIRE(chopped.step(t, h) == 0);
    t += h;
  }
  REQUIRE(chopped.step(t, 5 - t) == 0);
  CHECK(value(chopped, steps) < value(whole, steps) + 2 * 8);
}

TEMPLATE_LIST_TEST_CASE("the stop time can be reached however it is summed up, and not be passed", "", BothStandards) {
  for (const double h : {0.1, 0.3, 1e-3}) {
    TestType client;
    REQUIRE(client.enter(0, 3) == 0);
    REQUIRE(client.exit() == 0);
    double t = 0;
    const int count = static_cast<int>(std::lround(3 / h));
    for (int i = 0; i < count; ++i, t += h) REQUIRE(client.step(t, h) == 0);
    CHECK(value(client, time_) == Approx(3).epsilon(1e-12));
    CHECK(client.step(t, 0.01) == TestType::error);
    CHECK(said(client, "stop time"));
  }
  TestType free;  // no stop time, no end
  start(free);
  CHECK(free.step(0, 1000) == 0);
}

TEMPLATE_LIST_TEST_CASE("a clock that is off by more than rounding is an error", "", BothStandards) {
  struct Case {
    double off;
    bool allowed;
  };
  for (const Case& c :
       {Case{1e-13, true}, Case{-1e-13, true}, Case{0.05, false}, Case{-0.05, false}, Case{0.1, false}}) {
    TestType client;
    start(client);
    REQUIRE(client.step(0, 0.5) == 0);
    CHECK((client.step(0.5 + c.off, 0.1) == 0) == c.allowed);
    if (c.allowed) CHECK(value(client, time_) == 0.5 + c.off + 0.1);
  }
}
