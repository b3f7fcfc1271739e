// Saved states and reset, in FMI 2 and FMI 3 alike.
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
  CHECK(client.step(7, 1) == TestType::error);  // after an error
  REQUIRE(client.restore(state) == 0);
  CHECK(run(client) == first);

  TestType other;  // never initialised
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
  REQUIRE(third.save(&state) == 0);  // used again
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

TEMPLATE_LIST_TEST_CASE("reset makes an instance as good as new", "", BothStandards) {
  TestType fresh, used;
  REQUIRE(used.set(length, 700) == 0);
  REQUIRE(used.set(x_start, 0.1) == 0);
  REQUIRE(used.set_text(method, "rk4") == 0);
  REQUIRE(used.enter(2, 3, 1e-5) == 0);
  REQUIRE(used.exit() == 0);
  REQUIRE(used.set(push, 3) == 0);
  REQUIRE(used.step(2, 1) == 0);
  REQUIRE(used.reset() == 0);
  for (TestType* client : {&fresh, &used}) {
    start(*client);
    REQUIRE(client->step(0, 5) == 0);
  }
  CHECK(everything(used) == everything(fresh));
}
