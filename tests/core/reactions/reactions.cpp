// Tests accelerations and multipliers against an independent solution of [M −B; C_a 0][v̇; λ] = [h; −γ].
#include <catch2/catch.hpp>

#include <cmath>
#include <random>

#include "fmu_src/reactions/accelerations.hpp"
#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"
#include "tests/peers.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

struct Solution {
  VectorXd acceleration, multipliers;
};

Solution by_full_pivoting(const Evaluation& e) {
  const int n = static_cast<int>(e.M.rows()), rows = static_cast<int>(e.C_a.rows());
  MatrixXd A = MatrixXd::Zero(n + rows, n + rows);
  A.topLeftCorner(n, n) = e.M;
  A.topRightCorner(n, rows) = -e.B;
  A.bottomLeftCorner(rows, n) = e.C_a;
  VectorXd b(n + rows);
  b << e.h, -e.gamma;
  const VectorXd x = solution_of(A, b);
  REQUIRE((A * x - b).norm() < 1e-8 * (1 + b.norm()));
  return {x.head(n), x.tail(rows)};
}

Solution by_core(const Loaded& loaded, const Evaluation& e, double t, const VectorXd& q, const VectorXd& v) {
  Arena memory;
  Accelerations accelerations(memory, loaded.table());
  REQUIRE(memory.ok());
  std::vector<double> work(loaded.sizes().work + 1);
  Point p;
  p.time = t;
  p.q = q.data();
  p.v = v.data();
  p.parameters = loaded.parameters().data();
  p.inputs = loaded.inputs().data();
  p.work = work.data();
  p.context = loaded.table().context;
  loaded.table().prepare(p);
  Message message;
  const bool solved = accelerations.solve(p, e.M_values.data(), nullptr, message);
  INFO(message.text);
  REQUIRE(solved);
  accelerations.spread_multipliers();
  return {VectorXd::Map(accelerations.acceleration(), loaded.sizes().velocities),
          VectorXd::Map(accelerations.multipliers(), loaded.sizes().all_rows())};
}

double error(const VectorXd& a, const VectorXd& b) {
  return a.size() ? (a - b).cwiseAbs().maxCoeff() / (1 + b.cwiseAbs().maxCoeff()) : 0;
}

/// Compares random states (q, v) around the start with the independent solution.
void compare(const Loaded& loaded, double spread, double tolerance = 1e-10) {
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 20; ++trial) {
    VectorXd q = positions(*simulation), v(loaded.sizes().velocities);
    for (double& value : q) value += spread * uniform(random);
    for (double& value : v) value = uniform(random);
    const double t = uniform(random);
    const Evaluation e(loaded, t, q, v);
    const Solution wanted = by_full_pivoting(e), found = by_core(loaded, e, t, q, v);
    CHECK(error(found.acceleration, wanted.acceleration) < tolerance);
    CHECK(error(e.B * found.multipliers, e.B * wanted.multipliers) < tolerance);
    if (loaded.sizes().all_rows() == 0) continue;
    if (null_space(e.B).cols() == 0) CHECK(error(found.multipliers, wanted.multipliers) < tolerance);
    else CHECK((null_space(e.B).transpose() * found.multipliers).norm() < 1e-10 * (1 + found.multipliers.norm()));
  }
}

bool says(const Simulation& simulation, const std::string& part) {
  return std::string(simulation.message().text).find(part) != std::string::npos;
}

const char* const two_carts = R"toml(
[mechanism]
name = "TwoCarts"
[parameters]
m = { value = 1, unit = "kg" }
M = { value = 3, unit = "kg" }
k = { value = 50, unit = "N/m" }
L = { value = 1, unit = "m" }
w = { value = 2, unit = "rad/s" }
[coordinates]
s = { unit = "m", start = 0.1 }
x = { unit = "m", start = 1.2 }
[dynamics]
kinetic_energy = "M*der(s)^2/2 + m*der(x)^2/2"
potential_energy = "k*(x - s - L)^2/2"
)toml";

}  // namespace

TEST_CASE("ideal constraints of every level", "[reactions]") {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    Shape shape;
    shape.coordinates = 6;
    shape.position_rows = seed % 4;
    shape.velocity_rows = seed % 3;
    shape.rheonomic = seed % 2;
    const std::string text = random_mechanism(seed, shape);
    INFO("seed " << seed);
    compare(Loaded::text(text), 0.2);
    compare(Loaded::text(text + "[constraints.a]\nacceleration = \"der(der(q4)) - 0.5*der(der(q5))*cos(q1) + "
                                "der(q1)*der(q2)\"\n"),
            0.2);
    // This is redundant at acceleration level alone.
    compare(Loaded::text(text + "[constraints.a]\nacceleration = \"der(der(q4)) - der(der(q5))\"\n"
                                "[constraints.b]\nacceleration = \"2*der(der(q4)) - 2*der(der(q5))\"\n"),
            0.2);
  }
}

TEST_CASE("servo and non-ideal constraints: B ≠ Cᵀ", "[reactions]") {
  for (unsigned seed = 11; seed <= 15; ++seed) {
    Shape shape;
    shape.coordinates = 6;
    shape.position_rows = 2;
    shape.velocity_rows = 1;
    std::string text = random_mechanism(seed, shape);
    INFO("seed " << seed);
    SECTION("held by a control " + std::to_string(seed)) {
      text.insert(text.find("[constraints.p1]"), "realised_by = { q0 = 1, q3 = 0.4 }\n");
      compare(Loaded::text(text), 0.1, 1e-8);
    }
    SECTION("with friction in proportion to the reaction " + std::to_string(seed)) {
      text += "realised_by = { q1 = \"1 + 0.1*sign(der(q1))\", q2 = \"cos(q1)\", q5 = -0.7 }\n";
      compare(Loaded::text(text), 0.1, 1e-8);
    }
    SECTION("together with constraints on accelerations " + std::to_string(seed)) {
      text += "[constraints.a]\nacceleration = \"der(der(q4)) - 0.5*der(der(q5))\"\nrealised_by = { q4 = 1 }\n";
      compare(Loaded::text(text), 0.1, 1e-8);
    }
  }
}

TEST_CASE("the models along their motion", "[reactions]") {
  for (const std::string& name : models_of_equations()) {
    const Loaded loaded = Loaded::model(name);
    if (loaded.sizes().loads > 0) continue;  // forces are not those of t, q and v alone: unknowns.cpp
    const auto simulation = loaded.simulation();
    assemble(*simulation);
    for (int i = 0; i <= 10; ++i) {
      advance(*simulation, loaded.stop_time * i / 10);
      INFO(name << ", t = " << simulation->time());
      const Evaluation e = evaluate(loaded, *simulation);
      if (e.C_a.rows() > loaded.sizes().rank) continue;  // The next test has those that are not regular.
      const Solution wanted = by_full_pivoting(e);
      CHECK(error(VectorXd::Map(simulation->accelerations(), wanted.acceleration.size()), wanted.acceleration) < 1e-9);
      CHECK(error(VectorXd::Map(simulation->multipliers(), wanted.multipliers.size()), wanted.multipliers) < 1e-9);
    }
  }
}

TEST_CASE("multipliers of redundant loops beside contacts that rub are of least norm", "[reactions]") {
  // At the start many entries of the loops are rounding.
  const Loaded loaded = Loaded::model("walking_linkage");
  const int lasting = loaded.sizes().lasting_rows();
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  for (const double time : {0.0, 0.1, 0.35}) {
    if (time > 0) advance(*simulation, time);
    const VectorXd q = positions(*simulation), v = velocities(*simulation);
    const Evaluation e(loaded, time, q, v);
    const VectorXd lambda = by_core(loaded, e, time, q, v).multipliers;
    const MatrixXd idle = null_space(e.B.leftCols(lasting));
    CAPTURE(time);
    CHECK(idle.cols() == 2);
    CHECK((idle.transpose() * lambda.head(lasting)).norm() < 1e-10 * (1 + lambda.norm()));
  }
}

TEST_CASE("redundant servo rows: accelerations, Bλ, and λ of least norm", "[reactions]") {
  const Loaded loaded = Loaded::model("circling_vehicle");
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  for (int i = 0; i <= 10; ++i) {
    advance(*simulation, 2.0 * i);
    const Evaluation e = evaluate(loaded, *simulation);
    const VectorXd a = VectorXd::Map(simulation->accelerations(), 4);
    const VectorXd lambda = VectorXd::Map(simulation->multipliers(), 4);
    CHECK((e.M * a - e.h - e.B * lambda).norm() < 1e-9 * (1 + e.h.norm()));
    CHECK((e.C_a * a + e.gamma).cwiseAbs().maxCoeff() < 1e-9 * (1 + e.gamma.cwiseAbs().maxCoeff()));
    CHECK((null_space(e.B).transpose() * lambda).norm() < 1e-9 * (1 + lambda.norm()));
  }
}

TEST_CASE("a servo constraint that its control cannot realise is an error", "[reactions]") {
  // The payload is to follow a path, but at t = 0 the force acts on the cart behind the spring alone: C M⁻¹ B = 0
  // there. (servo_rows.cpp has controls that never act on the payload.)
  const std::string path = "[constraints.path]\nposition = \"x - 1.2*L - 0.1*L*sin(w*time)\"\n";
  const Loaded behind = Loaded::text(two_carts + path + "realised_by = { s = 1, x = \"sin(w*time)\" }\n");
  const auto refused = behind.simulation();
  CHECK_FALSE(refused->assemble(0));
  INFO(refused->message().text);
  CHECK(says(*refused, "that is to realise 'path' cannot do so at t = 0 s"));
  // The force on the payload itself can.
  const Loaded direct = Loaded::text(two_carts + path + "realised_by = { x = 1 }\n");
  const auto simulation = direct.simulation();
  assemble(*simulation);
  advance(*simulation, 1);
  const double t = simulation->time(), x = simulation->positions()[1], s = simulation->positions()[0];
  CHECK(x == Approx(1.2 + 0.1 * std::sin(2 * t)).epsilon(1e-13));
  CHECK(simulation->multipliers()[0] == Approx(-0.4 * std::sin(2 * t) + 50 * (x - s - 1)).epsilon(1e-12));
}

TEST_CASE("two constraints realised by the same control are an error", "[reactions]") {
  const std::string both =
      "[constraints.a]\nposition = \"x - 1.2*L\"\nrealised_by = { x = 1 }\n"
      "[constraints.b]\nposition = \"s - 0.1*L\"\nrealised_by = { x = 2 }\n";
  const Loaded loaded = Loaded::text(two_carts + both);
  const auto simulation = loaded.simulation();
  CHECK_FALSE(simulation->assemble(0));
  CHECK(says(*simulation, "two constraints are realised by the same control"));
}

namespace {

/// Painlevé's rod slides with one end on rough ground: C M⁻¹ B = 1/m + l²/J cos θ (cos θ − μ sin θ) changes sign.
std::string sliding_rod(double friction, double angle) {
  return R"toml(
[mechanism]
name = "Rod"
[parameters]
m = { value = 1, unit = "kg" }
l = { value = 1, unit = "m" }
J = { value = "m*l^2/3", unit = "kg.m2" }
g = { value = 9.81, unit = "m/s2" }
mu = { value = )toml" +
         std::to_string(friction) + R"toml( }
[coordinates]
x = { unit = "m", start = 0, fixed = true, rate_start = 2, rate_fixed = true }
y = { unit = "m", start = 0.5 }
th = { unit = "rad", start = )toml" +
         std::to_string(angle) + R"toml(, fixed = true }
[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2)/2 + J*der(th)^2/2"
potential_energy = "m*g*y"
[constraints.contact]
position = "y - l*sin(th)"
realised_by = { x = "-mu", y = 1, th = "-l*cos(th) + mu*l*sin(th)" }
)toml";
}

}  // namespace

TEST_CASE("jamming: a friction force that makes the equations singular", "[reactions]") {
  // 1/m + l²/J cos θ (cos θ − μ sin θ) = 0 with J = m l²/3: μ = (1 + 3 cos²θ)/(3 sin θ cos θ), here at θ = π/4.
  const double angle = 0.785398, critical = 5.0 / 3;
  const Loaded less = Loaded::text(sliding_rod(critical - 0.2, angle));
  const auto below = less.simulation();
  assemble(*below);
  const double lambda = below->multipliers()[0];
  CHECK(lambda > 0);
  const double s = std::sin(angle), c = std::cos(angle), mu = critical - 0.2;
  CHECK(lambda == Approx(9.81 / (1 + 3 * c * (c - mu * s))).epsilon(1e-5));
  const Loaded more = Loaded::text(sliding_rod(critical + 0.2, angle));
  const auto above = more.simulation();
  assemble(*above);
  CHECK(above->multipliers()[0] < 0);
  const Loaded jammed = Loaded::text(sliding_rod(1, angle));
  const auto simulation = jammed.simulation();
  assemble(*simulation);
  advance(*simulation, 0.01);
  const double exact = (1 + 3 * c * c) / (3 * s * c);
  simulation->set_parameter(jammed.parameter("mu"), exact);
  CHECK_FALSE(simulation->assemble(0));
  INFO(simulation->message().text);
  CHECK(says(*simulation, "The control (or friction) that is to realise 'contact' cannot do so"));
  CHECK(simulation->time() == 0.01);
}

TEST_CASE("heavy and light bodies: inertias differ by any factor", "[reactions]") {
  const auto accelerations = [](const std::string& toml) -> std::vector<double> {
    const Loaded loaded = Loaded::text("[mechanism]\nname = \"Heavy\"\n" + toml);
    const auto simulation = loaded.simulation();
    assemble(*simulation);
    const double* found = simulation->accelerations();
    INFO(simulation->message().text);
    REQUIRE(found != nullptr);
    const std::vector<double> values(found, found + simulation->mechanism().sizes.velocities);
    advance(*simulation, 0.1);
    return values;
  };
  const auto number = [](const std::string& name, const std::string& value, const std::string& unit) {
    return name + " = { value = " + value + ", unit = \"" + unit + "\" }\n";
  };
  const auto planar_body = [&](const std::string& mass, const std::string& inertia) {
    return "[parameters]\n" + number("m", mass, "kg") + number("J", inertia, "kg.m2") +
           "[coordinates]\nx = { unit = \"m\" }\ny = { unit = \"m\" }\nphi = { unit = \"rad\" }\n"
           "[dynamics]\nkinetic_energy = \"m*(der(x)^2 + der(y)^2)/2 + J*der(phi)^2/2\"\n"
           "[dynamics.forces]\nx = " +
           mass + "\nphi = " + inertia + "\n";
  };
  for (const char* mass : {"5e7", "1e-12"}) {
    for (const char* inertia : {"3e10", "1e30", "1e-20"}) {
      INFO(mass << " kg, " << inertia << " kg.m2");
      const std::vector<double> found = accelerations(planar_body(mass, inertia));
      CHECK(found[0] == Approx(1).epsilon(1e-14));
      CHECK(found[2] == Approx(1).epsilon(1e-14));
    }
  }
  const std::string carried =  // a light mass on a heavy one, whose inertias are coupled
      "[parameters]\n" + number("M", "1e9", "kg") + number("m", "1e-9", "kg") +
      "[coordinates]\nx = { unit = \"m\" }\ns = { unit = \"m\" }\n[dynamics]\n"
      "kinetic_energy = \"M*der(x)^2/2 + m*(der(x) + der(s))^2/2\"\n[dynamics.forces]\nx = 1e9\n";
  const std::vector<double> found = accelerations(carried);
  CHECK(found[0] == Approx(1).epsilon(1e-14));
  CHECK(found[1] == Approx(-1).epsilon(1e-14));
}

TEST_CASE("a control moves a heavy body, and a light one beside it follows its force", "[reactions]") {
  const Loaded loaded = Loaded::text(R"toml(
[mechanism]
name = "Moved"
[parameters]
m = { value = 1e12, unit = "kg" }
[coordinates]
x = { unit = "m" }
y = { unit = "m" }
z = { unit = "m" }
[dynamics]
kinetic_energy = "m*der(x)^2/2 + m*der(y)^2/20 + 1e-21*m*der(z)^2/2"
[dynamics.forces]
z = 1e-9
[constraints.driven]
acceleration = "der(der(y)) - 3"
realised_by = { y = 1 }
)toml");
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  REQUIRE(simulation->accelerations() != nullptr);
  CHECK(simulation->accelerations()[0] == 0);
  CHECK(simulation->accelerations()[1] == Approx(3).epsilon(1e-14));
  CHECK(simulation->accelerations()[2] == Approx(1).epsilon(1e-14));
  CHECK(simulation->multipliers()[0] == Approx(3e11).epsilon(1e-14));
}

TEST_CASE("many heavy pairs", "[reactions]") {
  for (const char* mass : {"1e15", "1", "1e-15"}) {
    std::string coordinates = "[coordinates]\n", energy, forces = "[dynamics.forces]\n", constraints;
    const int count = 24;  // so that the system has 72 unknowns
    for (int i = 0; i < count; ++i) {
      const std::string x = "x" + std::to_string(i), y = "y" + std::to_string(i);
      coordinates += x + " = { unit = \"m\" }\n" + y + " = { unit = \"m\" }\n";
      energy += (i ? " + m*" : "m*") + ("(der(" + x + ")^2 + der(" + y + ")^2)/2");
      forces += x + " = \"" + std::to_string(i) + "*" + mass + "\"\n";
      constraints += "[constraints.c" + std::to_string(i) + "]\nposition = \"" + x + " - 2*" + y + "\"\n";
    }
    const Loaded loaded = Loaded::text(
        "[mechanism]\nname = \"Pairs\"\n[parameters]\nm = { value = " + std::string(mass) + ", unit = \"kg\" }\n" +
        coordinates + "[dynamics]\nkinetic_energy = \"" + energy + "\"\n" + forces + constraints);
    const auto simulation = loaded.simulation();
    assemble(*simulation);
    INFO(mass);
    REQUIRE(simulation->accelerations() != nullptr);
    for (int i = 0; i < count; ++i) {  // 1.25 m x'' = F
      CHECK(simulation->accelerations()[2 * i] == Approx(i / 1.25).epsilon(1e-13));
      CHECK(simulation->accelerations()[2 * i + 1] == Approx(i / 2.5).epsilon(1e-13));
      CHECK(simulation->multipliers()[i] == Approx(-0.2 * i * std::stod(mass)).epsilon(1e-13));
    }
  }
}

TEST_CASE("accelerations and reactions do not depend on the tangent basis", "[reactions]") {
  for (const std::string& name : models_of_equations()) {
    const Loaded loaded = Loaded::model(name);
    const auto start = loaded.simulation();
    assemble(*start);
    const Evaluation at_start = evaluate(loaded, *start);
    std::vector<std::pair<int, VectorXd>> found;
    for (int b = 0; b < resolution_count; ++b) {
      if (!serves(b, loaded) || !serves(b, at_start)) continue;
      Settings settings = loaded.settings;
      settings.tangent_basis = b;
      settings.method = method("dop853");
      settings.tolerance = 1e-12;
      const auto simulation = loaded.simulation(settings);
      assemble(*simulation);
      advance(*simulation, loaded.stop_time / 10);
      const Evaluation e = evaluate(loaded, *simulation);
      VectorXd both(2 * loaded.sizes().velocities);
      both << VectorXd::Map(simulation->accelerations(), loaded.sizes().velocities),
          e.B * VectorXd::Map(simulation->multipliers(), loaded.sizes().all_rows());
      found.emplace_back(b, both);
    }
    INFO(name);
    for (const auto& [b, of_member] : found) {
      INFO(tangent_bases[b]);
      CHECK(error(of_member, found[0].second) < 1e-8);
    }
  }
}
