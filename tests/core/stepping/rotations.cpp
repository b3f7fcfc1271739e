// Tests rotations as unit quaternions: closed forms, conserved quantities, constraints through the orientation, starts.
#include "tests/rotations.hpp"

#include <Eigen/Geometry>
#include <catch2/catch.hpp>
#include <cmath>

#include "derivation/derive.hpp"
#include "derivation/program/interpret.hpp"
#include "fmu_src/mechanism/position_rates.hpp"
#include "fmu_src/start/start.hpp"
#include "tests/core/evaluation.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;
using casadi::SX;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using test::SpatialBody;

namespace {

Quaterniond orientation(const Simulation& simulation) {
  const double* q = simulation.positions() + 1;
  return {q[0], q[1], q[2], q[3]};
}

Vector3d place(const Simulation& simulation) {
  const double* q = simulation.positions();
  return {q[0], q[5], q[6]};
}

/// Starts of a body at rest or in motion.
std::vector<double> at(const Vector3d& x, const Quaterniond& p) {
  return {x[0], p.w(), p.x(), p.y(), p.z(), x[1], x[2]};
}
std::vector<double> moving(const Vector3d& v, const Vector3d& omega) {
  return {v[0], omega[0], omega[1], omega[2], v[1], v[2]};
}

Settings precise(const Loaded& loaded, double tolerance = 1e-12) {
  Settings settings = loaded.settings;
  settings.method = method("dop853");
  settings.tolerance = tolerance;
  return settings;
}

const Quaterniond tilted(Eigen::AngleAxisd(0.7, Vector3d(1, 2, -0.5).normalized()));

/// A body pinned at its point s, turned by p, with an angular velocity in its frame: mass centre and velocity follow.
Loaded pendulum(const Vector3d& s, const std::vector<double>& inertia, const Quaterniond& p, const Vector3d& omega) {
  SpatialBody body(2, inertia, 9.81);
  body.pin({s[0], s[1], s[2]});
  return Loaded::equations(body.equations(at(-(p * s), p), moving(-(p * omega.cross(s)), omega)));
}

}  // namespace

TEST_CASE("moves, differences and rates of rotations agree with each other", "[rotations]") {
  const Quaternion one{1, 1};
  Mechanism mechanism;
  mechanism.sizes.positions = 7;
  mechanism.sizes.velocities = 6;
  mechanism.sizes.quaternions = 1;
  mechanism.quaternions = &one;
  const std::vector<double> nominal(6, 1);
  mechanism.nominal = nominal.data();
  const RunTimeModel model(mechanism);
  const std::vector<double> q = at({0.3, -1, 2}, tilted);
  const std::vector<double> delta = {0.1, 0.02, -0.03, 0.05, -0.2, 0.4};
  std::vector<double> there = q, d(6), slope(6), rate(7);
  move(model, delta.data(), there.data());
  difference(model, there.data(), q.data(), d.data());
  const double angle = Vector3d(0.02, -0.03, 0.05).norm();
  for (int j = 0; j < 6; ++j) {
    const bool turned = j >= 1 && j <= 3;
    // A move turns by 2 atan(Δ/2), a difference is 2 sin(angle/2).
    CHECK(d[j] == Approx(turned ? delta[j] / std::sqrt(1 + angle * angle / 4) : delta[j]).epsilon(1e-14));
  }
  CHECK(std::fabs(dense::dot(4, &there[1], &there[1]) - 1) < 4e-16);
  // The other quaternion of the same orientation is no distance away.
  std::vector<double> other = q;
  for (int c = 1; c < 5; ++c) other[c] = -other[c];
  difference(model, other.data(), q.data(), d.data());
  for (int j = 0; j < 6; ++j) CHECK(std::fabs(d[j]) < 1e-16);
  // q̇ = A v, and the derivative of a difference, by small moves.
  const double h = 1e-6;
  rates(model, q.data(), delta.data(), rate.data());
  const std::vector<double> x = {0.5, -1, 2, 0.3, 1, -2};
  pull_back(model, there.data(), q.data(), x.data(), slope.data());
  for (int j = 0; j < 6; ++j) {
    std::vector<double> unit(6, 0.0), forth(6), back(6);
    double along = 0;
    for (const double sign : {1.0, -1.0}) {
      unit[j] = sign * h;
      std::vector<double> moved = there;
      move(model, unit.data(), moved.data());
      difference(model, moved.data(), q.data(), sign > 0 ? forth.data() : back.data());
    }
    for (int i = 0; i < 6; ++i) along += x[i] * (forth[i] - back[i]) / (2 * h);
    CHECK(slope[j] == Approx(along).margin(1e-9));
  }
  std::vector<double> small(delta), moved = q;
  for (double& part : small) part *= h;
  move(model, small.data(), moved.data());
  for (int i = 0; i < 7; ++i) CHECK((moved[i] - q[i]) / h == Approx(rate[i]).margin(1e-6));
  CHECK(position_of(model, 0) == 0);
  CHECK(position_of(model, 3) == 1);
  CHECK(position_of(model, 5) == 6);
  CHECK(scale_of(model, q.data(), 2) == 2);
  CHECK(scale_of(model, q.data(), 5) == 3);
}

TEST_CASE("a free body keeps energy and angular momentum in space, and its quaternion length one", "[rotations]") {
  SpatialBody body(1.5, {0.2, 0.5, 0.3}, 0);
  // It spins about the intermediate axis and turns over again and again.
  const Loaded loaded = Loaded::equations(body.equations(at({0, 0, 0}, tilted), moving({1, 0, -2}, {0.01, 3, 0.02})));
  CHECK(loaded.sizes().degrees_of_freedom() == 6);
  for (const char* name : tangent_bases) {
    INFO(name);
    Settings settings = precise(loaded);
    settings.tangent_basis = basis(name);
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    std::vector<double> before(simulation->outputs(0), simulation->outputs(0) + 4);
    double farthest = 1;
    for (int i = 1; i <= 200; ++i) {
      advance(*simulation, 0.5 * i);
      farthest = std::fmin(farthest, orientation(*simulation).dot(tilted));
      REQUIRE(std::fabs(orientation(*simulation).norm() - 1) < 5e-16);
    }
    CHECK(farthest < 0);
    for (int i = 0; i < 4; ++i) CHECK(simulation->outputs(0)[i] == Approx(before[i]).margin(1e-8));
    CHECK((place(*simulation) - Vector3d(100, 0, -200)).norm() < 1e-9);
  }
}

TEST_CASE("a heavy top precesses steadily", "[rotations]") {
  // The body is pinned at distance l below its mass centre, with its axis at θ from the vertical. With the angular
  // velocity Ω of precession and ω₃ about its own axis, I₃ ω₃ Ω − (I₁ + m l²) Ω² cos θ = m g l.
  const double m = 2, l = 0.3, I1 = 0.05, I3 = 0.04, g = 9.81, theta = 0.6, precession = 1.7;
  const double about_pin = I1 + m * l * l;
  const double spin = (m * g * l + about_pin * precession * precession * std::cos(theta)) / (I3 * precession);
  const Quaterniond start(Eigen::AngleAxisd(theta, Vector3d::UnitY()));  // the axis towards x
  const Vector3d omega =
      start.inverse() * Vector3d(0, 0, precession) + Vector3d(0, 0, spin - precession * std::cos(theta));
  const Loaded loaded = pendulum({0, 0, -l}, {I1, I1, I3}, start, omega);
  CHECK(loaded.sizes().degrees_of_freedom() == 3);
  for (const char* drift_correction : drift_corrections) {
    INFO(drift_correction);
    Settings settings = precise(loaded);
    settings.drift_correction = drift(drift_correction);
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    for (int i = 1; i <= 10; ++i) {
      const double t = 0.3 * i;
      advance(*simulation, t);
      const Vector3d axis = orientation(*simulation) * Vector3d::UnitZ();
      const Vector3d expected(std::sin(theta) * std::cos(precession * t), std::sin(theta) * std::sin(precession * t),
                              std::cos(theta));
      CHECK((axis - expected).norm() < 1e-9);
      CHECK((place(*simulation) - l * expected).norm() < 1e-9);
      CHECK(std::fabs(orientation(*simulation).norm() - 1) < 5e-16);
      if (settings.drift_correction == drift("projection")) CHECK(simulation->position_violation() < 5e-16);
      CHECK(simulation->velocity_violation() < 1e-9);
    }
  }
}

TEST_CASE("a hinge through the quaternion swings as the pendulum in its angle", "[rotations]") {
  // Turned so that the hinge's axis, the body's z, lies along x of the ground: angle θ from hanging down obeys
  // (I₃ + m l²) θ̈ = −m g l sin θ.
  const double m = 2, l = 0.4, I3 = 0.06, g = 9.81;
  SpatialBody body(m, {0.1, 0.2, I3}, g);
  body.pin({0, l, 0});
  const SX axis = SX::mtimes(body.R, SX(std::vector<double>{0, 0, 1}));
  body.constrain("axis_y", axis(1));
  body.constrain("axis_z", axis(2));
  const double angle = 1.1, rate = 2;
  const auto turned = [](double theta) {  // turns z to x, x to y, y to z; then about x
    return Quaterniond(Eigen::AngleAxisd(theta, Vector3d::UnitX())) * Quaterniond(0.5, 0.5, 0.5, 0.5);
  };
  const Quaterniond start = turned(angle);
  const Loaded loaded =
      Loaded::equations(body.equations(at(-(start * Vector3d(0, l, 0)), start), moving({0, 0, 0}, {0, 0, rate})));
  CHECK(loaded.sizes().degrees_of_freedom() == 1);
  CHECK(loaded.table().character.short_form);
  const Loaded long_form = loaded.long_form();
  const auto simulation = loaded.simulation(precise(loaded)), longer = long_form.simulation(precise(loaded));
  assemble(*simulation);
  assemble(*longer);
  // The start velocity is the one nearest to the guess in the metric of M.
  const double found = simulation->velocities()[3], about_pin = I3 + m * l * l;
  CHECK(found == Approx(I3 * rate / about_pin).epsilon(1e-12));
  double theta = angle, theta_rate = found;
  const int steps = 20000;
  const double h = 2.0 / steps;
  const auto acceleration = [&](double a) { return -m * g * l * std::sin(a) / about_pin; };
  for (int i = 0; i < steps; ++i) {
    const double k1 = theta_rate, a1 = acceleration(theta), k2 = theta_rate + h / 2 * a1,
                 a2 = acceleration(theta + h / 2 * k1), k3 = theta_rate + h / 2 * a2,
                 a3 = acceleration(theta + h / 2 * k2), k4 = theta_rate + h * a3, a4 = acceleration(theta + h * k3);
    theta += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    theta_rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  advance(*simulation, 2);
  advance(*longer, 2);
  for (const Simulation* one : {simulation.get(), longer.get()}) {
    CHECK(std::fabs(orientation(*one).dot(turned(theta))) == Approx(1).epsilon(1e-14));
    CHECK((place(*one) + turned(theta) * Vector3d(0, l, 0)).norm() < 1e-9);
    CHECK(one->velocities()[3] == Approx(theta_rate).epsilon(1e-9));
  }
}

TEST_CASE("the start of rotations: nearest to the guess, whatever the quaternion's length and sign",
          "[rotations][start]") {
  const Vector3d s(0.1, -0.2, 0.5);
  SpatialBody body(2, {0.2, 0.5, 0.3}, 9.81);
  body.pin({s[0], s[1], s[2]});
  const Vector3d x_guess(0.4, 0.1, 0.3);
  const Loaded loaded = Loaded::equations(body.equations(at(x_guess, tilted), moving({0, 0, 0}, {0, 0, 0})));
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  const Quaterniond found = orientation(*simulation);
  CHECK((place(*simulation) + found * s).norm() < 1e-15);
  const Vector3d inertia(0.2, 0.5, 0.3);
  const auto distance = [&](const Quaterniond& p) {
    const Quaterniond between = tilted.inverse() * p;
    const Vector3d turned = 2 * between.vec();
    return 2 * (-(p * s) - x_guess).squaredNorm() + turned.dot(inertia.cwiseProduct(turned));
  };
  for (const Vector3d& direction : {Vector3d(1, 0, 0), Vector3d(0, 1, 0), Vector3d(0, 0, 1), Vector3d(1, -2, 0.4)}) {
    const auto beside = [&](double angle) {
      return distance(found * Quaterniond(Eigen::AngleAxisd(angle, direction.normalized())));
    };
    CHECK(beside(1e-3) > distance(found));
    CHECK(beside(-1e-3) > distance(found));
    CHECK(std::fabs(beside(1e-4) - beside(-1e-4)) / 2e-4 < 1e-7);  // The distance is stationary.
  }
  for (const double factor : {3.0, -1.0, -0.2}) {
    for (int c = 0; c < 4; ++c) {
      const std::string name = std::string("orientation.") + "wxyz"[c] + "_start";
      simulation->set_parameter(loaded.parameter(name), factor * loaded.parameters()[loaded.parameter(name)]);
    }
    assemble(*simulation);
    CHECK(std::fabs(orientation(*simulation).dot(found)) == Approx(1).epsilon(1e-14));
    for (int c = 0; c < 4; ++c) {
      const std::string name = std::string("orientation.") + "wxyz"[c] + "_start";
      simulation->set_parameter(loaded.parameter(name), loaded.parameters()[loaded.parameter(name)]);
    }
  }
  for (const char c : {'w', 'x', 'y', 'z'})
    simulation->set_parameter(loaded.parameter(std::string("orientation.") + c + "_start"), 0);
  CHECK_FALSE(simulation->assemble(0));
  CHECK(std::string(simulation->message().text).find("is no rotation: its quaternion is zero") != std::string::npos);
}

TEST_CASE("a fixed orientation and a fixed position hold exactly", "[rotations][start]") {
  SpatialBody body(2, {0.2, 0.5, 0.3}, 9.81);
  body.pin({0, 0, 0.5});
  body.further().position_fixed = {false, true, true, true, false, false};
  const Equations equations = body.equations(at({0, 0, 0}, tilted), moving({0, 0, 0}, {0, 0, 0}));
  const Loaded loaded = Loaded::equations(equations);
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  CHECK((orientation(*simulation).coeffs() - tilted.coeffs()).norm() < 2e-16);
  CHECK((place(*simulation) + tilted * Vector3d(0, 0, 0.5)).norm() < 1e-15);
  SECTION("too much of it is told by name") {
    Equations over = equations;
    over.position_fixed = {true, true, true, true, false, false};
    const auto failing = [&] {
      Diagnostics diagnostics;
      Derivation derivation = *derive(over, diagnostics);
      const InterpretedMechanism interpreted(derivation);
      Arena memory;
      ConsistentStart start(memory, interpreted.table());
      std::vector<double> q(7);
      Message message;
      CHECK_FALSE(start.solve_positions(0, over.parameter_values.data(), over.input_values.data(), q.data(), message));
      return std::string(message.text);
    };
    const std::string text = failing();
    INFO(text);
    CHECK(text.find("'pin_x'") != std::string::npos);
    CHECK(text.find("over-determine it: 'x' (start 0, reached 0), 'orientation' (turned by 0 deg") !=
          std::string::npos);
  }
}

TEST_CASE("values that are no coordinates may be fixed at the start", "[rotations][start]") {
  const Vector3d s(0, 0, 0.5);
  SpatialBody body(2, {0.2, 0.5, 0.3}, 9.81);
  body.pin({0, 0, 0.5});
  // The height of a point of the body, and how fast it rises.
  const SX arm(std::vector<double>{0.3, 0.1, -0.2});
  const SX height = (body.position + SX::mtimes(body.R, arm))(2);
  const SX rise = SX::jtimes(height, body.further().symbols.q, body.further().symbols.q_rate);
  const SX wanted = body.parameter("height_start", -0.6), wanted_rise = body.parameter("rise_start", 0.25);
  body.further().start_positions.push_back({"height", {}, height - wanted});
  body.further().start_velocities.push_back({"der(height)", {}, rise - wanted_rise});
  const Equations equations = body.equations(at({0, 0, 0}, tilted), moving({0, 0, 0}, {0, 0, 1}));
  const Loaded loaded = Loaded::equations(equations);
  CHECK(loaded.sizes().degrees_of_freedom() == 3);  // they hold at the start only
  const auto simulation = loaded.simulation(precise(loaded));
  const auto check = [&](double expected, double expected_rise) {
    assemble(*simulation);
    const Quaterniond p = orientation(*simulation);
    const Vector3d a(0.3, 0.1, -0.2), omega = Vector3d::Map(simulation->velocities() + 1);
    CHECK((place(*simulation) + p * a)[2] == Approx(expected).epsilon(1e-13));
    CHECK((place(*simulation) + p * s).norm() < 1e-15);
    const Vector3d velocity(simulation->velocities()[0], simulation->velocities()[4], simulation->velocities()[5]);
    CHECK((velocity + p * omega.cross(a))[2] == Approx(expected_rise).epsilon(1e-12));
    CHECK(simulation->velocity_violation() < 1e-15);
  };
  check(-0.6, 0.25);
  simulation->set_parameter(loaded.parameter("height_start"), -0.3);
  simulation->set_parameter(loaded.parameter("rise_start"), -2);
  check(-0.3, -2);
  const double before = simulation->outputs(0)[3];
  advance(*simulation, 0.5);
  CHECK(simulation->outputs(0)[3] == Approx(before).epsilon(1e-8));

  simulation->set_parameter(loaded.parameter("height_start"), 2);  // This is out of reach.
  CHECK_FALSE(simulation->assemble(0));
  const std::string text = simulation->message().text;
  INFO(text);
  CHECK(text.find("the fixed start value of 'height' is missed by") != std::string::npos);
  CHECK(text.find("The fixed start of 'height' cannot be reached: the nearest is 1.23189 less") != std::string::npos);

  Equations twice = equations;
  twice.start_positions.push_back({"height again", {}, height - wanted + 0.1});
  Diagnostics diagnostics;
  const Derivation derivation = *derive(twice, diagnostics);
  const InterpretedMechanism interpreted(derivation);
  Arena memory;
  ConsistentStart start(memory, interpreted.table());
  std::vector<double> q(7);
  Message message;
  CHECK_FALSE(start.solve_positions(0, twice.parameter_values.data(), twice.input_values.data(), q.data(), message));
  INFO(message.text);
  CHECK(std::string(message.text).find("over-determine it: 'height' (missed by ") != std::string::npos);
}
