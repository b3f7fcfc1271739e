// Tests that nothing is allocated after an instance is initialized: this program counts calls of the C library's
// allocator.
#include <catch2/catch.hpp>

#include <cstdlib>

#include "client.hpp"

#if !defined(__SANITIZE_ADDRESS__) && defined(__GLIBC__)

namespace {
long allocations = 0;
}

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);

void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  ++allocations;
  return __libc_realloc(memory, size);
}
}

using namespace mechfmu;

TEMPLATE_LIST_TEST_CASE("steps, gets and sets allocate nothing", "", BothStandards) {
  TestType client;
  REQUIRE(client.enter() == 0);
  REQUIRE(client.exit() == 0);
  const unsigned push = reference("push"), tension = reference("tension"), method = reference("solver.method");
  REQUIRE(allocations > 0);
  bool done = true;
  double number;
  typename TestType::Item item;
  const long before = allocations;
  for (int i = 0; i < 100; ++i) {
    done &= client.set(push, i % 3) == 0;
    done &= client.step(i * 0.1, 0.1) == 0;
    done &= client.get(tension, number) == 0 && client.get_item(method, item) == 0;
  }
  const long after = allocations;
  CHECK(done);
  CHECK(after == before);
}

TEMPLATE_LIST_TEST_CASE("a changed tunable parameter is taken over without allocation", "", BothStandards) {
  TestType client;
  REQUIRE(client.enter() == 0);
  REQUIRE(client.exit() == 0);
  const unsigned length = reference("length");
  bool done = true;
  const long before = allocations;
  for (int i = 0; i < 10; ++i) done &= client.set(length, 1010 + i) == 0 && client.step(i * 0.1, 0.1) == 0;
  const long after = allocations;
  CHECK(done);
  CHECK(after == before);
}

TEST_CASE("between communication points nothing is allocated") {
  const unsigned push = reference("push"), tension = reference("tension");
  BetweenClient client({push, tension});
  bool done = true;
  client.messages.between = [&](Between& b) {
    double number;
    done &= client.get(tension, number) == 0;
    if (b.inputs_wanted) done &= client.set(push, 1) == 0;
    b.early = b.time > 0.5;
    b.end = b.time;
  };
  REQUIRE(client.enter() == 0);
  REQUIRE(client.exit() == 0);
  const long before = allocations;
  done &= client.step(0, 1) == 0;
  const long after = allocations;
  CHECK(done);
  CHECK(client.returned_early);
  CHECK(after == before);
}

TEST_CASE("derivatives of steps and of model exchange allocate nothing") {
  const unsigned knowns[] = {reference("push")}, unknowns[] = {reference("tension"), reference("der(x,2)")};
  const double seed[] = {1, 2};
  double derivatives[2];
  const auto count = [&](auto& client) {
    const long before = allocations;
    const bool done =
        fmi3GetDirectionalDerivative(client.instance, unknowns, 2, knowns, 1, seed, 1, derivatives, 2) == 0 &&
        fmi3GetAdjointDerivative(client.instance, unknowns, 2, knowns, 1, seed, 2, derivatives, 1) == 0;
    const long after = allocations;
    CHECK(done);
    CHECK(after == before);
  };
  Client3 stepped;
  REQUIRE(stepped.enter() == 0);
  REQUIRE(stepped.exit() == 0);
  count(stepped);
  ExchangeClient3 exchange;
  REQUIRE(exchange.enter() == 0);
  REQUIRE(exchange.exit() == 0);
  bool jumped;
  REQUIRE(exchange.update(jumped) == 0);
  REQUIRE(exchange.enter_continuous() == 0);
  count(exchange);
}

#endif
