// Tests how an instance behaves, in FMI 2 and FMI 3: values, initialization, steps, messages.
#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include "instances.hpp"

using namespace mechfmu;

TEMPLATE_LIST_TEST_CASE("what is set is read back bit by bit", "", BothStandards) {
  TestType client;
  REQUIRE(client.set(length, 1234.567890123456789) == 0);
  REQUIRE(client.enter() == 0);
  CHECK(value(client, length) == 1234.567890123456789);  // It is 1.234… m inside.
  REQUIRE(client.set(length, 1000.1) == 0);
  CHECK(value(client, length) == 1000.1);
  REQUIRE(client.exit() == 0);
  CHECK(value(client, length) == 1000.1);
}

TEMPLATE_LIST_TEST_CASE("the start is assembled when it is first looked at", "", BothStandards) {
  TestType client;
  REQUIRE(client.enter(3) == 0);
  CHECK(value(client, x) == 0.6);
  CHECK(value(client, y) == Approx(-0.8).epsilon(1e-14));  // The guess is −1.
  CHECK(value(client, angle) == Approx(std::atan2(0.6, 0.8) * 180 / M_PI).epsilon(1e-13));
  CHECK(value(client, tension) == Approx(2 * 9.81 * 0.8).epsilon(1e-12));
  CHECK(value(client, x_acceleration) == Approx(-9.81 * 0.8 * 0.6).epsilon(1e-12));
  CHECK(value(client, weight) == 2 * 9.81);
  CHECK(value(client, time_) == 3);
  // A get after a set uses the new values.
  REQUIRE(client.set(x_start, 0) == 0);
  REQUIRE(client.set(mass, 3) == 0);
  CHECK(value(client, y) == Approx(-1).epsilon(1e-14));
  CHECK(value(client, weight) == Approx(3 * 9.81));
  REQUIRE(client.set(push, 6) == 0);
  CHECK(value(client, x_acceleration) == Approx(2).epsilon(1e-12));
  REQUIRE(client.set(length, 500) == 0);
  CHECK(value(client, y) == Approx(-0.5).epsilon(1e-14));
  CHECK(client.messages.texts.empty());
}

namespace {

/// Returns where y is assembled after it was set while instantiated, and y_start in one mode or the other.
template <class Client>
double assembled_y(std::optional<double> state, std::optional<double> before = {}, std::optional<double> after = {}) {
  Client client;
  if (before) REQUIRE(client.set(y_start, *before) == 0);
  if (state) REQUIRE(client.set(y, *state) == 0);
  REQUIRE(client.enter() == 0);
  if (after) REQUIRE(client.set(y_start, *after) == 0);
  CHECK(client.messages.texts.empty());
  return value(client, y);
}

using AllClients = std::tuple<Client2, Client3, ExchangeClient2, ExchangeClient3>;

}  // namespace

TEMPLATE_LIST_TEST_CASE("a start set on a state is the guess unless its start parameter is set too", "", AllClients) {
  const double below = assembled_y<TestType>({}), above = assembled_y<TestType>({}, 0.7);
  CHECK(above == Approx(0.8).epsilon(1e-14));
  CHECK(below == Approx(-0.8).epsilon(1e-14));
  CHECK(assembled_y<TestType>(0.7) == above);
  CHECK(assembled_y<TestType>(-0.8) == below);  // as modelDescription.xml says: nothing changes
  CHECK(assembled_y<TestType>(-0.8, 0.7) == above);
  CHECK(assembled_y<TestType>(-0.8, {}, 0.7) == above);
  CHECK(assembled_y<TestType>(0.7, -0.9) == assembled_y<TestType>({}, -0.9));
  CHECK(assembled_y<TestType>(0.7, {}, -0.9) == assembled_y<TestType>({}, -0.9));
}

TEMPLATE_LIST_TEST_CASE("a start set on a state that starts elsewhere is ignored and told", "", BothStandards) {
  for (const bool logging : {true, false}) {
    TestType client(logging);
    REQUIRE(client.set(x, 0.6) == 0);
    CHECK(client.messages.texts.empty());
    REQUIRE(client.set(x, 0.5) == 0);
    REQUIRE(client.messages.texts.size() == 1);
    CHECK(said(client, "logStatusWarning: "));
    CHECK(said(client, "x = 0.5 is ignored, since x_start says where it starts; set that"));
    REQUIRE(client.enter() == 0);
    CHECK(value(client, x) == 0.6);
    CHECK(value(client, x_start) == 0.6);
  }
}

TEMPLATE_LIST_TEST_CASE("starts are set on states while instantiated only", "", AllClients) {
  for (const unsigned state : {y, y_velocity}) {
    TestType client;
    REQUIRE(client.enter() == 0);
    CHECK(client.set(state, 0.5) == TestType::error);
    CHECK(said(client, state == y ? "set y_start" : "set y_rate_start"));
  }
}

TEMPLATE_LIST_TEST_CASE("what was set on a state is saved and forgotten by a reset", "", BothStandards) {
  TestType client, other;
  REQUIRE(client.set(y, 0.7) == 0);
  typename TestType::State saved = nullptr;
  REQUIRE(client.save(&saved) == 0);
  REQUIRE(other.restore(saved) == 0);
  start(other);
  CHECK(value(other, y) == Approx(0.8).epsilon(1e-14));
  REQUIRE(other.discard(&saved) == 0);
  REQUIRE(client.reset() == 0);
  start(client);
  CHECK(value(client, y) == Approx(-0.8).epsilon(1e-14));
}

TEMPLATE_LIST_TEST_CASE("the order of calls does not show", "", BothStandards) {
  TestType looked, silent;
  for (TestType* client : {&looked, &silent}) {
    REQUIRE(client->enter() == 0);
    if (client == &looked) everything(*client);
    REQUIRE(client->set(x_start, 0.3) == 0);
    if (client == &looked) everything(*client);
    REQUIRE(client->exit() == 0);
    for (int i = 0; i < 20; ++i) {
      REQUIRE(client->step(i * 0.05, 0.05) == 0);
      if (client == &looked) everything(*client);
    }
  }
  CHECK(everything(looked) == everything(silent));
}

TEMPLATE_LIST_TEST_CASE("in step mode a set waits for the next step", "", BothStandards) {
  TestType client;
  start(client);
  REQUIRE(client.step(0, 0.1) == 0);
  const double before = value(client, x_acceleration);
  REQUIRE(client.set(push, 5) == 0);
  CHECK(value(client, push) == 5);
  CHECK(value(client, x_acceleration) == before);
  REQUIRE(client.step(0.1, 1e-6) == 0);
  CHECK(std::abs(value(client, x_acceleration) - before) > 1);
}

TEMPLATE_LIST_TEST_CASE("a tunable parameter takes effect at the next step", "", BothStandards) {
  TestType client;
  start(client);
  REQUIRE(client.step(0, 0.3) == 0);
  REQUIRE(client.set(length, 1100) == 0);
  CHECK(std::hypot(value(client, x), value(client, y)) == Approx(1).epsilon(1e-12));
  REQUIRE(client.step(0.3, 0.1) == 0);
  CHECK(std::hypot(value(client, x), value(client, y)) == Approx(1.1).epsilon(1e-12));
  CHECK(value(client, violation) < 1e-12);
}

TEMPLATE_LIST_TEST_CASE("a pendulum swings as it should", "", BothStandards) {
  TestType client;
  REQUIRE(client.set(x_start, std::sin(0.01)) == 0);
  REQUIRE(client.set(tolerance, 1e-11) == 0);
  start(client);
  const double period = 2 * M_PI * std::sqrt(1 / 9.81) * (1 + 0.01 * 0.01 / 16);
  REQUIRE(client.step(0, period) == 0);
  CHECK(value(client, angle) * M_PI / 180 == Approx(0.01).epsilon(1e-8));
}

TEMPLATE_LIST_TEST_CASE("steps land exactly, however long they are", "", BothStandards) {
  TestType client;
  start(client);
  double t = 0;
  for (const double h : {0.1, 1e-9, 0.37, 1e-13, 0.25, 1e-3}) {
    REQUIRE(client.step(t, h) == 0);
    CHECK(value(client, time_) == t + h);
    CHECK(t + h > t);
    t += h;
  }
  // An importer that multiplies instead of adding is a few last digits off; time follows it and does not creep.
  TestType other;
  start(other);
  for (int i = 0; i < 1000; ++i) REQUIRE(other.step(i * 1e-3, 1e-3) == 0);
  CHECK(value(other, time_) == 999 * 1e-3 + 1e-3);
}

TEMPLATE_LIST_TEST_CASE("a step with doubtful results returns Warning, whether logging is on or off", "",
                        BothStandards) {
  for (const bool logging : {true, false}) {
    TestType client(logging);
    REQUIRE(client.set_item(method, item(integration_methods, "rk4")) == 0);
    REQUIRE(client.set(step_size, 0.2) == 0);  // is a part of a period of 2 s
    start(client);
    typename TestType::State saved = nullptr;
    REQUIRE(client.save(&saved) == 0);
    CHECK(client.step(0, 0.2) == 1);
    REQUIRE(client.messages.texts.size() == 1);
    CHECK(client.messages.texts[0].find("logStatusWarning: ") == 0);
    CHECK(client.messages.texts[0].find("DoStep: At t = 0 s a step of 0.2 s is rough for '") != std::string::npos);
    CHECK(client.step(0.2, 0.2) == 0);  // It is told once.
    CHECK(client.messages.texts.size() == 1);
    REQUIRE(client.restore(saved) == 0);
    CHECK(client.step(0, 0.2) == 1);
    CHECK(client.messages.texts[0] == client.messages.texts[1]);
    REQUIRE(client.discard(&saved) == 0);
    TestType failing(logging);
    REQUIRE(failing.set_item(method, item(integration_methods, "rk4")) == 0);
    REQUIRE(failing.set(step_size, 1) == 0);
    start(failing);
    CHECK(failing.step(0, 1) == TestType::error);
    CHECK(failing.messages.all().find("a step of 1 s is too long for '") != std::string::npos);
  }
}

TEMPLATE_LIST_TEST_CASE("impossible steps are errors that say why", "", BothStandards) {
  struct Case {
    double time, h;
    const char* message;
  };
  const double inf = std::numeric_limits<double>::infinity();
  for (const Case& wrong : {Case{0, 0, "positive"}, Case{0, -0.1, "positive"}, Case{0, std::nan(""), "impossible"},
                            Case{inf, 0.1, "impossible"}, Case{0, inf, "impossible"}, Case{0.5, 0.1, "starts at"},
                            Case{0, 1.5, "stop time"}}) {
    TestType client;
    REQUIRE(client.enter(0, 1) == 0);
    REQUIRE(client.exit() == 0);
    CHECK(client.step(wrong.time, wrong.h) == TestType::error);
    CHECK(said(client, wrong.message));
    CHECK(value(client, x) == 0.6);  // the last good state can be looked at
    CHECK(client.step(0, 0.1) == TestType::error);
    REQUIRE(client.reset() == 0);
    start(client);
    CHECK(client.step(0, 0.1) == 0);
  }
  TestType client;  // rounding beyond the stop time is none
  REQUIRE(client.enter(0, 1) == 0);
  REQUIRE(client.exit() == 0);
  REQUIRE(client.step(0, 0.9) == 0);
  CHECK(client.step(0.9, 0.1 + 1e-10) == 0);
}

TEMPLATE_LIST_TEST_CASE("after a step that fails, everything computed is as it was before", "", BothStandards) {
  struct Case {
    unsigned vr;
    double value;
    const char* message;
  };
  for (const Case& wrong : {Case{push, 1e299, "failed"}, Case{length, 0, "new parameters cannot be used"}}) {
    TestType client;
    start(client);
    REQUIRE(client.step(0, 0.5) == 0);
    std::vector<double> before;
    for (unsigned vr : {time_, x, y, x_rate, x_acceleration, tension, angle}) before.push_back(value(client, vr));
    REQUIRE(client.set(wrong.vr, wrong.value) == 0);
    CHECK(client.step(0.5, 0.5) == TestType::error);
    INFO(client.messages.all());
    CHECK(said(client, wrong.message));
    std::vector<double> after;
    for (unsigned vr : {time_, x, y, x_rate, x_acceleration, tension, angle}) after.push_back(value(client, vr));
    CHECK(after == before);
  }
}

TEMPLATE_LIST_TEST_CASE("the importer's tolerance, the set-up's, the file's, in whatever order", "", BothStandards) {
  TestType file, setup, set_before, set_after;
  REQUIRE(set_before.set(tolerance, 1e-4) == 0);
  REQUIRE(file.enter() == 0);
  for (TestType* client : {&setup, &set_before, &set_after}) REQUIRE(client->enter(0, -1, 1e-6) == 0);
  REQUIRE(set_after.set(tolerance, 1e-4) == 0);
  CHECK(value(file, tolerance) == 1e-8);
  CHECK(value(setup, tolerance) == 1e-6);
  CHECK(value(set_before, tolerance) == 1e-4);
  CHECK(value(set_after, tolerance) == 1e-4);
  std::vector<double> taken;
  for (TestType* client : {&file, &setup, &set_before, &set_after}) {
    REQUIRE(client->exit() == 0);
    REQUIRE(client->step(0, 10) == 0);
    taken.push_back(value(*client, steps));
  }
  CHECK(taken[0] > taken[1]);
  CHECK(taken[1] > taken[2]);
  CHECK(taken[2] == taken[3]);
}

TEMPLATE_LIST_TEST_CASE("the method can be chosen until initialization ends", "", BothStandards) {
  TestType client;
  const int rk4 = item(integration_methods, "rk4");
  typename TestType::Item chosen = 0;
  REQUIRE(client.enter() == 0);
  REQUIRE(client.get_item(method, chosen) == 0);
  CHECK(chosen == item(integration_methods, "dopri5"));
  REQUIRE(client.set_item(method, rk4) == 0);
  REQUIRE(client.get_item(method, chosen) == 0);
  CHECK(chosen == rk4);
  REQUIRE(client.set(step_size, 0.01) == 0);
  REQUIRE(client.exit() == 0);
  REQUIRE(client.step(0, 1) == 0);
  CHECK(value(client, steps) == 100);
  CHECK(client.set_item(method, 1) == TestType::error);
  CHECK(said(client, "solver.method is fixed"));
  const int count = static_cast<int>(integration_methods.size());
  TestType last;
  CHECK(last.set_item(method, count) == 0);
  for (const int wrong : {-1, 0, count + 1, 2147483647}) {
    TestType other;
    CHECK(other.set_item(method, wrong) == TestType::error);
    CHECK(said(other, ("solver.method cannot be " + std::to_string(wrong)).c_str()));
    CHECK(said(other, "1 (dopri5), 2 (dop853), 3 (rk4), 4 (rodas)"));
  }
  TestType number;
  CHECK(number.set_item(mass, 1) == TestType::error);
  CHECK(said(number, "mass is of another type, real"));
}

TEMPLATE_LIST_TEST_CASE("what cannot be set is an error that says why", "", BothStandards) {
  struct Case {
    unsigned vr;
    double value;
    const char* message;
  };
  for (const Case& wrong :
       {Case{weight, 1, "calculated"}, Case{tension, 1, "output"}, Case{x_rate, 1, "cannot be set"},
        Case{time_, 1, "cannot be set"}, Case{mass, std::nan(""), "nan"}, Case{0, 1, "value reference 0"},
        Case{4000000000u, 1, "value reference"}, Case{method, 1, "another type"},
        Case{tolerance, -1e-9, "below its min, 0"}, Case{step_size, 0, "positive"}}) {
    TestType client;
    CHECK(client.set(wrong.vr, wrong.value) == TestType::error);
    INFO(client.messages.all());
    CHECK(said(client, wrong.message));
  }
  TestType client;
  start(client);
  CHECK(client.set(mass, 1) == TestType::error);
  CHECK(said(client, "mass is fixed"));
  CHECK(value(client, mass) == 2);
}

TEMPLATE_LIST_TEST_CASE("a value beyond its min or max is an error that names the bound, exactly at it is inside", "",
                        BothStandards) {
  struct Bound {
    unsigned vr;
    double at, beyond;
    const char* message;
  };
  const double just_above = std::nextafter(1e4, 2e4);
  for (const Bound& bound :
       {Bound{length, 0, -0.5, "length cannot be -0.5 mm: that is below its min, 0 mm"},
        Bound{length, 1e4, just_above, "length cannot be 10000.000000000002 mm: that is above its max, 10000 mm"},
        Bound{push, -1e6, -2e6, "push cannot be -2000000 N: that is below its min, -1000000 N"}}) {
    TestType client;
    INFO(bound.message);
    REQUIRE(client.set(bound.vr, bound.at) == 0);
    CHECK(client.set(bound.vr, bound.beyond) == TestType::error);
    CHECK(said(client, bound.message));
  }
  TestType running;
  start(running);
  REQUIRE(running.set(push, 1e9) == 0);
  CHECK(running.set(push, -1e6 - 1) == TestType::error);
  CHECK(said(running, "below its min"));
}

TEMPLATE_LIST_TEST_CASE("a calculated parameter that others lead beyond its bound is an error", "", BothStandards) {
  TestType client;
  REQUIRE(client.set(mass, 1000 / 9.81) == 0);  // It is 1000 N but for rounding.
  start(client);
  TestType heavy;
  REQUIRE(heavy.set(mass, 102) == 0);
  REQUIRE(heavy.enter() == 0);
  CHECK(heavy.exit() == TestType::error);
  CHECK(said(heavy, "weight cannot be 1000.62 N: that is above its max, 1000 N"));
}

TEMPLATE_LIST_TEST_CASE("a start that cannot be assembled is an error with a message, and can be repaired", "",
                        BothStandards) {
  TestType client;
  REQUIRE(client.set(x_start, 2) == 0);  // the rod is 1 m long and x is held
  REQUIRE(client.enter() == 0);
  double ignored;
  CHECK(client.get(y, ignored) == TestType::error);
  CHECK(said(client, "no consistent start"));
  CHECK(said(client, "rod"));
  CHECK(client.get(y, ignored) == TestType::error);
  REQUIRE(client.reset() == 0);
  start(client);
  CHECK(value(client, x) == 0.6);
}

TEMPLATE_LIST_TEST_CASE("never a NaN with OK", "", BothStandards) {
  TestType client;
  start(client);
  CHECK(value(client, root) == Approx(std::sqrt(0.5)));
  REQUIRE(client.step(0, 1) == 0);  // the mass is on the left
  REQUIRE(value(client, x) < 0.1);
  double ignored;
  CHECK(client.get(root, ignored) == TestType::error);
  CHECK(said(client, "root is not a number"));
}

TEST_CASE("both standards give the same bits") {
  Client2 two;
  Client3 three;
  start(two);
  start(three);
  for (int i = 0; i < 10; ++i) {
    REQUIRE(two.step(i * 0.3, 0.3) == 0);
    REQUIRE(three.step(i * 0.3, 0.3) == 0);
    CHECK(three.last_time == i * 0.3 + 0.3);
    CHECK_FALSE(three.returned_early);
  }
  CHECK(everything(two) == everything(three));
}

TEST_CASE("an instance needs the right token, a name and a kind that exists") {
  Messages messages;
  const auto log = [](fmi3InstanceEnvironment e, fmi3Status, fmi3String, fmi3String text) {
    static_cast<Messages*>(e)->texts.push_back(text);
  };
  const auto make = [&](const char* name, const char* token) {
    return fmi3InstantiateCoSimulation(name, token, nullptr, false, true, false, false, nullptr, 0, &messages, log,
                                       nullptr);
  };
  CHECK(make("a", "{other}") == nullptr);
  CHECK(make("a", nullptr) == nullptr);
  CHECK(make("", pendulum_token) == nullptr);
  CHECK(make(nullptr, pendulum_token) == nullptr);
  CHECK(messages.texts.size() == 4);
  CHECK(fmi2Instantiate("a", fmi2ModelExchange, "", nullptr, nullptr, 0, 0) == nullptr);
  CHECK(fmi3InstantiateModelExchange("a", "{other}", nullptr, false, true, nullptr, nullptr) == nullptr);
  CHECK(fmi2Instantiate("a", fmi2CoSimulation, "", nullptr, nullptr, 0, 0) == nullptr);
  fmi2Component mute = fmi2Instantiate("a", fmi2CoSimulation, pendulum_token, nullptr, nullptr, 0, 1);
  REQUIRE(mute != nullptr);
  CHECK(fmi2DoStep(mute, 0, 1, 1) == fmi2Error);  // nobody to tell
  fmi2FreeInstance(mute);
  fmi2FreeInstance(nullptr);
  fmi3FreeInstance(nullptr);
  CHECK(fmi2Reset(nullptr) == fmi2Error);
  CHECK(fmi3Reset(nullptr) == fmi3Error);
}

TEST_CASE("messages survive importers that print them as formats, and errors are told to those who ask for no log") {
  Client2 client;
  const char* category = "100%s #r1# %n";
  CHECK(fmi2SetDebugLogging(client.instance, fmi2True, 1, &category) == fmi2OK);
  REQUIRE(client.messages.texts.size() == 1);
  CHECK(client.messages.texts[0].find("logStatusWarning: fmi2SetDebugLogging: ") == 0);
  CHECK(said(client, "100%s ##r1## %n"));
  Client3 silent(false);
  CHECK(silent.step(0, 1) == fmi3Error);
  CHECK(silent.messages.texts.size() == 1);
}

TEST_CASE("an unknown log category is told and ignored, and the others count") {
  Client3 client(false);
  const char* categories[] = {"logEverything", nullptr, "logStatusWarning"};
  CHECK(fmi3SetDebugLogging(client.instance, true, 3, categories) == fmi3OK);
  REQUIRE(client.messages.texts.size() == 1);
  CHECK(said(client, "no log category \"logEverything\" \"NULL\", which is ignored; there are \"logStatusError\""));
  CHECK(client.enter(0, -1, 0.5) == fmi3OK);
  CHECK(client.exit() == fmi3OK);
  CHECK(said(client, "the tolerance 0.5 that the importer gave holds"));  // as warnings are on
}

TEMPLATE_LIST_TEST_CASE("a tolerance of 0 is none: it is told and ignored", "", BothStandards) {
  TestType setup, own;
  if constexpr (std::is_same_v<TestType, Client2>) {
    REQUIRE(fmi2SetupExperiment(setup.instance, fmi2True, 0, 0, fmi2False, 0) == fmi2OK);
    REQUIRE(fmi2EnterInitializationMode(setup.instance) == fmi2OK);
  } else {
    REQUIRE(fmi3EnterInitializationMode(setup.instance, true, 0, 0, false, 0) == fmi3OK);
  }
  CHECK(said(setup, "a tolerance of 0 is ignored"));
  REQUIRE(own.set(tolerance, 0) == 0);
  CHECK(said(own, "solver.tolerance = 0 is ignored"));
  REQUIRE(own.enter(0, -1, 1e-6) == 0);
  CHECK(value(setup, tolerance) == 1e-8);
  CHECK(value(own, tolerance) == 1e-6);
  for (TestType* client : {&setup, &own}) {
    REQUIRE(client->exit() == 0);
    REQUIRE(client->step(0, 1) == 0);
  }
}

TEMPLATE_LIST_TEST_CASE("a tolerance of the importer's that is much coarser than the file's is told once", "",
                        BothStandards) {
  const auto told = [](double given, double set) {
    TestType client;
    if (set > 0) REQUIRE(client.set(tolerance, set) == 0);
    REQUIRE(client.enter(0, -1, given) == 0);
    REQUIRE(client.exit() == 0);
    REQUIRE(client.step(0, 1) == 0);
    REQUIRE(client.messages.texts.size() <= 1);
    return client.messages.texts.empty() ? std::string() : client.messages.texts[0];
  };
  CHECK(told(1e-4, 0).find("logStatusWarning: ") == 0);
  CHECK(told(1e-4, 0).find("the tolerance 0.0001 that the importer gave holds, and the model's own, 1e-08") !=
        std::string::npos);
  CHECK(told(1e-6, 0).empty());  // It fits 100 times.
  CHECK(told(1e-4, 1e-4).empty());
  CHECK(told(1e-4, 1e-9).empty());
}

TEMPLATE_LIST_TEST_CASE("a coordinate that hardly moves beside its tolerance is told once at the end of a run", "",
                        BothStandards) {
  const auto told = [](double amplitude, double end) {
    TestType client;
    REQUIRE(client.set(x_start, amplitude) == 0);
    start(client);
    REQUIRE(client.step(0, end) == 0);
    CHECK(client.messages.texts.empty());
    REQUIRE(client.terminate() == 0);
    REQUIRE(client.messages.texts.size() <= 1);
    return client.messages.texts.empty() ? std::string() : client.messages.texts[0];
  };
  const std::string text = told(1e-6, 1);  // to and fro by 2e-6 of 1, of which the tolerance is 1e-8
  CHECK(text.find("logStatusWarning: ") == 0);
  CHECK(
      text.find(
          "Terminate: In this run some coordinates moved by less than 1000 times the tolerance 1e-08 of their nominal "
          "sizes: 'x' by ") != std::string::npos);
  CHECK(text.find("'y'") == std::string::npos);
  CHECK(told(1e-6, 0.1).empty());  // too short to say
  CHECK(told(0.1, 1).empty());
  CHECK(told(0, 1).empty());
}

TEST_CASE("FMI 2 answers questions about the last step") {
  Client2 client;
  REQUIRE(fmi2EnterInitializationMode(client.instance) == fmi2Error);  // set-up comes first
  REQUIRE(client.reset() == 0);
  start(client);
  REQUIRE(client.step(0, 0.25) == 0);
  double last = 0;
  CHECK(fmi2GetRealStatus(client.instance, fmi2LastSuccessfulTime, &last) == fmi2OK);
  CHECK(last == 0.25);
  fmi2Boolean ended = fmi2True;
  CHECK(fmi2GetBooleanStatus(client.instance, fmi2Terminated, &ended) == fmi2OK);
  CHECK(ended == fmi2False);
  fmi2Status status;
  CHECK(fmi2GetStatus(client.instance, fmi2DoStepStatus, &status) == fmi2Discard);
  CHECK(client.step(0.25, 0.25) == 0);
}

TEST_CASE("FMI 3 checks array lengths and shows starts before initialization") {
  Client3 client;
  const unsigned references[] = {x, y};
  double values[] = {0, 0, 0};
  CHECK(value(client, x) == 0.6);
  CHECK(value(client, y) == -0.8);  // as the exporter assembled it: nothing is computed yet
  REQUIRE(client.set(y_start, -0.9) == 0);
  CHECK(value(client, y) == -0.8);
  REQUIRE(client.set(y, 0.7) == 0);
  CHECK(value(client, y) == 0.7);
  CHECK(value(client, y_start) == -0.9);
  CHECK(fmi3GetFloat64(client.instance, references, 2, values, 3) == fmi3Error);
}

TEST_CASE("an array of FMI 3 has the reference of its first component, in FMI 2 all are scalars") {
  const unsigned first = reference("turned.x"), second = reference("turned.y");
  Client2 two;
  Client3 three;
  start(two);
  start(three);
  REQUIRE(two.step(0, 0.3) == 0);
  REQUIRE(three.step(0, 0.3) == 0);
  const double px = 2 * value(two, x_rate), py = 2 * value(two, reference("der(y)"));
  CHECK(value(two, first) == py);
  CHECK(value(two, second) == -px);
  const unsigned references[] = {x, first, y};
  double values[5] = {};
  REQUIRE(fmi3GetFloat64(three.instance, references, 3, values, 4) == fmi3OK);
  CHECK(std::vector<double>(values, values + 5) == std::vector<double>{value(two, x), py, -px, value(two, y), 0});
  int orders[] = {1, 1, 1};
  REQUIRE(fmi3GetOutputDerivatives(three.instance, references, 3, orders, values, 4) == fmi3OK);
  CHECK(values[0] == px / 2);
  CHECK(values[2] == Approx(-2 * value(three, x_acceleration)).epsilon(1e-14));
  CHECK(values[3] == py / 2);
  // Gravity and tension give m ÿ = −m g + 2 y λ.
  CHECK(values[1] ==
        Approx(-2 * 9.81 + 2 * value(three, y) * value(three, reference("constraint.rod.multiplier"))).epsilon(1e-14));
  CHECK(fmi3GetFloat64(three.instance, references, 3, values, 3) == fmi3Error);
  CHECK(said(three, "3 variables need 4 values, not 3"));
  Client3 other;
  start(other);
  CHECK(other.get(second, values[0]) == fmi3Error);
  CHECK(said(other, "no variable with value reference"));
}
