// Derivatives of outputs by time, in FMI 2 and FMI 3 alike.
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

}  // namespace

TEMPLATE_LIST_TEST_CASE("coordinates have derivatives to order two, others what is a variable", "", BothStandards) {
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
  CHECK(derivative(client, angle, 2) == 0);
  CHECK(derivative(client, tension, 1) == 0);
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
  for (const Case& wrong : {Case{x, 0, "orders are 1 to 2"}, Case{x, 3, "orders are 1 to 2"},
                            Case{x, -1, "orders are 1 to 2"}, Case{x_rate, 1, "not an output"},
                            Case{push, 1, "not an output"}, Case{method, 1, "another type"},
                            Case{1000, 1, "value reference"}}) {
    TestType client;
    start(client);
    double ignored;
    CHECK(client.get_derivative(wrong.vr, wrong.order, ignored) == TestType::error);
    CHECK(said(client, wrong.message));
  }
}
