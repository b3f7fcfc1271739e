// Tests saved states and reset, in FMI 2 and FMI 3.
#include <catch2/catch.hpp>

#include "instances.hpp"

using namespace mechfmu;

TEMPLATE_LIST_TEST_CASE("rolled back and repeated, a step gives the same bits", "", BothStandards) {
  TestType client;
  start(client);
  REQUIRE(client.step(0, 0.37) == 0);
  REQUIRE(client.set(push, 1.5) == 0);  // staged when the state is saved
  typename TestType::State state = nullptr;
  REQUIRE(client.save(&state) == 0);
  const auto run = [&](TestType& c) {
    REQUIRE(c.step(0.37, 0.5) == 0);
    REQUIRE(c.set(length, 1050) == 0);
    REQUIRE(c.step(0.87, 0.5) == 0);
    return everything(c);
  };
  const std::vector<double> first = run(client);
  REQUIRE(client.restore(state) == 0);
  CHECK(value(client, push) == 1.5);
  CHECK(value(client, length) == 1000);
  CHECK(run(client) == first);
  CHECK(client.step(7, 1) == TestType::error);  // This follows an error.
  REQUIRE(client.restore(state) == 0);
  CHECK(run(client) == first);

  TestType other;  // is never initialised
  REQUIRE(other.restore(state) == 0);
  CHECK(run(other) == first);

  std::size_t size = 0;
  REQUIRE(client.size(state, size) == 0);
  std::vector<char> bytes(size);
  REQUIRE(client.serialize(state, bytes) == 0);
  REQUIRE(client.discard(&state) == 0);
  CHECK(state == nullptr);
  REQUIRE(client.discard(&state) == 0);
  TestType third;
  REQUIRE(third.deserialize(bytes, &state) == 0);
  REQUIRE(third.restore(state) == 0);
  CHECK(run(third) == first);
  REQUIRE(third.save(&state) == 0);  // It is used again.
  REQUIRE(third.discard(&state) == 0);
}

TEMPLATE_LIST_TEST_CASE("damaged states are recognised", "", BothStandards) {
  TestType client;
  typename TestType::State state = nullptr;
  REQUIRE(client.save(&state) == 0);
  std::size_t size = 0;
  REQUIRE(client.size(state, size) == 0);
  std::vector<char> bytes(size);
  REQUIRE(client.serialize(state, bytes) == 0);
  for (std::size_t i = 0; i < size; ++i) {
    std::vector<char> altered = bytes;
    altered[i] = static_cast<char>(altered[i] ^ 0x10);
    TestType other;
    typename TestType::State copy = nullptr;
    REQUIRE(other.deserialize(altered, &copy) == TestType::error);
    REQUIRE(copy == nullptr);
    REQUIRE(other.messages.texts.size() == 1);
  }
  TestType other;
  bytes.pop_back();
  typename TestType::State copy = nullptr;
  CHECK(other.deserialize(bytes, &copy) == TestType::error);
  CHECK(other.restore(nullptr) == TestType::error);
  client.discard(&state);
}

namespace {

/// Returns what a fresh instance shows after two seconds.
template <class Client>
std::vector<double> run_from_new(Client& client) {
  if constexpr (std::is_same_v<Client, EventClient>) {
    REQUIRE(client.enter() == 0);
    REQUIRE(client.exit() == 0);
    REQUIRE(client.enter_steps() == 0);
  } else {
    start(client);
  }
  for (int i = 0; i < 4; ++i) REQUIRE(client.step(i * 0.5, 0.5) == 0);
  return everything(client);
}

/// Brings an instance, all settings of which have been changed, into one state after the other.
template <class Client>
void check_reset() {
  Client fresh;
  const std::vector<double> expected = run_from_new(fresh);
  for (const char* where :
       {"instantiated", "initialization", "failed start", "running", "staged", "after an error", "terminated"}) {
    INFO(where);
    const std::string state = where;
    Client used;
    REQUIRE(used.set(length, 700) == 0);
    REQUIRE(used.set(x_start, state == "failed start" ? 7 : 0.1) == 0);
    REQUIRE(used.set(tolerance, 1e-4) == 0);
    REQUIRE(used.set(push, 2) == 0);
    REQUIRE(used.set_item(method, item(integration_methods, "rk4")) == 0);
    double ignored;
    if (state != "instantiated") REQUIRE(used.enter(2, 3, 1e-5) == 0);
    if (state == "failed start") REQUIRE(used.get(y, ignored) == Client::error);
    const bool runs = state != "instantiated" && state != "initialization" && state != "failed start";
    if (runs) {
      REQUIRE(used.exit() == 0);
      if constexpr (std::is_same_v<Client, EventClient>) REQUIRE(used.enter_steps() == 0);
      REQUIRE(used.step(2, 0.7) == 0);
    }
    if (state == "staged") REQUIRE(used.set(push, 3) == 0);
    if (state == "after an error") REQUIRE(used.step(9, 1) == Client::error);
    if (state == "terminated") REQUIRE(used.terminate() == 0);
    REQUIRE(used.reset() == 0);
    CHECK(run_from_new(used) == expected);
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("reset from every state makes an instance as good as new", "", BothStandards) {
  check_reset<TestType>();
}

TEST_CASE("reset keeps to the use of event mode, and leads out of it", "[events]") {
  check_reset<EventClient>();
  EventClient fresh, used;
  start(used);
  REQUIRE(used.set(length, 900) == 0);
  value(used, x);
  REQUIRE(used.reset() == 0);
  CHECK(run_from_new(used) == run_from_new(fresh));
}

TEMPLATE_LIST_TEST_CASE("a state from before a basis switch is restored behind it, from initialization too", "",
                        BothStandards) {
  const unsigned switches = reference("solver.basis_switches");
  TestType client;
  REQUIRE(client.set(x_rate_start, 6) == 0);  // goes over the top
  REQUIRE(client.enter() == 0);
  typename TestType::State initial = nullptr, before = nullptr;
  REQUIRE(client.save(&initial) == 0);  // It is not assembled yet.
  REQUIRE(client.exit() == 0);
  const auto run = [&](TestType& c, double from) {
    std::vector<double> shown;
    for (int i = 0; i < 8; ++i) {
      REQUIRE(c.step(from + i * 0.25, 0.25) == 0);
      shown.push_back(value(c, switches));
      for (const double number : everything(c)) shown.push_back(number);
    }
    return shown;
  };
  REQUIRE(client.step(0, 0.0625) == 0);
  REQUIRE(client.save(&before) == 0);
  REQUIRE(value(client, switches) == 0);
  const std::vector<double> first = run(client, 0.0625);
  REQUIRE(value(client, switches) > 3);
  REQUIRE(client.restore(before) == 0);
  CHECK(run(client, 0.0625) == first);
  TestType other, swinging;
  start(swinging);
  REQUIRE(swinging.step(0, 3) == 0);
  for (TestType* c : {&client, &other, &swinging}) {
    REQUIRE(c->restore(before) == 0);
    CHECK(run(*c, 0.0625) == first);
    REQUIRE(c->restore(initial) == 0);
    REQUIRE(c->exit() == 0);
    REQUIRE(c->step(0, 0.0625) == 0);
    CHECK(run(*c, 0.0625) == first);
  }
  client.discard(&initial);
  client.discard(&before);
}
