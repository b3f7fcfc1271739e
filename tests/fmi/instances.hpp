// Holds what the tests of instances share: the pendulum's variables and how to read them.
#pragma once

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include "client.hpp"

namespace mechfmu {

inline const unsigned time_ = reference("time"), mass = reference("mass"), length = reference("length"),
                      weight = reference("weight"), push = reference("push"), x_start = reference("x_start"),
                      x_rate_start = reference("x_rate_start"), y_start = reference("y_start"), x = reference("x"),
                      y = reference("y"), x_rate = reference("der(x)"), x_velocity = reference("x_rate"),
                      y_velocity = reference("y_rate"), x_acceleration = reference("der(x,2)"),
                      angle = reference("angle"), root = reference("root"), tension = reference("tension"),
                      tolerance = reference("solver.tolerance"), step_size = reference("solver.step"),
                      method = reference("solver.method"), steps = reference("solver.steps"),
                      violation = reference("solver.position_violation");

/// The number of a member of a family's list, as an enumeration counts it.
inline int item(const MemberNames& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  REQUIRE(found != names.end());
  return item_of_index(static_cast<int>(found - names.begin()));
}

template <class Client>
double value(Client& client, unsigned vr) {
  double result = std::nan("");
  const int status = client.get(vr, result);
  INFO(client.messages.all());
  REQUIRE(status == Client::ok);
  return result;
}

/// Prepares an instance for steps from time 0.
template <class Client>
void start(Client& client) {
  REQUIRE(client.enter() == Client::ok);
  REQUIRE(client.exit() == Client::ok);
}

/// Returns what a run shows, bit by bit.
template <class Client>
std::vector<double> everything(Client& client) {
  std::vector<double> result;
  for (unsigned vr :
       {time_, mass, length, weight, push, x, y, x_rate, x_acceleration, angle, tension, steps, violation}) {
    result.push_back(value(client, vr));
  }
  return result;
}

template <class Client>
bool said(const Client& client, const char* what) {
  return client.messages.all().find(what) != std::string::npos;
}

}  // namespace mechfmu
