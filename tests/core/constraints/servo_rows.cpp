// Tests servo constraints that their controls cannot realise directly (Blajer and Kołodziejczyk 2004; Seifried and
// Blajer 2013): against inverse dynamics by hand, with all resolutions that serve them; hidden rows of positions and of
// velocities, several rounds, several rows of one group, degrees of freedom beside them; and what no control realises.
#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include "derivation/derive.hpp"
#include "modelDescription/reading/read.hpp"
#include "preparation/compose_mechanism.hpp"
#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

/// Holds what the crane's inverse dynamics give in 40 digits.
struct CraneAt {
  double time, s, l, theta, force, winch;
};
constexpr CraneAt crane_at[] = {{2, 1.155762375, 3.591482208, -0.120445676, 132.793565095, -1074.101691317},
                                {4, 4.072645183, 1.448847021, 0.140661618, -137.221064762, -906.081566539}};

/// Returns an arm that a motor turns through a spring and a damper, whose torque is `law` of `wound`, `slip` = ψ̇ − φ̇.
std::string flexible_arm(const std::string& law, const std::string& more = "") {
  return R"toml(
[mechanism]
name = "Arm"
[parameters]
J = { value = 1.2, unit = "kg.m2" }
J_m = { value = 0.3, unit = "kg.m2" }
c = { value = 20, unit = "N.m" }
T = { value = 1, unit = "s" }
w = { value = 1.5, unit = "rad/s" }
[inputs]
push = { unit = "N.m" }
[coordinates]
phi = { unit = "rad", start = 0 }
psi = { unit = "rad", start = 0.4, fixed = true }
[definitions]
wound = "psi - phi"
slip = "T*(der(psi) - der(phi))"
path = "0.6*(1 - cos(w*time))"
torque = ")toml" +
         law + R"toml("
[dynamics]
kinetic_energy = "J*der(phi)^2/2 + J_m*der(psi)^2/2"
[dynamics.forces]
phi = "torque"
psi = "-torque"
[constraints.follow]
position = "phi - path"
realised_by = { psi = 1 }
)toml" + more;
}
double path(double t, int order) {
  const double w = 1.5, wave = -0.6 * std::pow(w, order) * std::cos(w * t + order * std::numbers::pi / 2);
  return order == 0 ? 0.6 + wave : wave;
}

/// Returns a crane in space whose payload follows a path in three coordinates: R has the rank 1, since only the rope
/// acts on the payload.
std::string crane_in_space() {
  return R"toml(
[mechanism]
name = "CraneInSpace"
[parameters]
m_x = { value = 12, unit = "kg" }
m_y = { value = 20, unit = "kg" }
m_w = { value = 8, unit = "kg" }
m_p = { value = 100, unit = "kg" }
g = { value = 9.81, unit = "m/s2" }
w = { value = 1, unit = "rad/s" }
a = { value = 1, unit = "m" }
[coordinates]
s_x = { unit = "m" }
s_y = { unit = "m" }
l = { unit = "m", start = 4 }
alpha = { unit = "rad" }
beta = { unit = "rad" }
[definitions]
x = "s_x + l*sin(alpha)*cos(beta)"
y = "s_y + l*sin(beta)"
z = "-l*cos(alpha)*cos(beta)"
[dynamics]
kinetic_energy = """m_x*der(s_x)^2/2 + m_y*der(s_y)^2/2 + m_w*der(l)^2/2
                    + m_p*(der(x)^2 + der(y)^2 + der(z)^2)/2"""
potential_energy = "m_p*g*z"
[constraints.path_x]
position = "x - 0.8*a*sin(w*time)"
realised_by = { s_x = 1 }
[constraints.path_y]
position = "y - 0.5*a*cos(1.3*w*time)"
realised_by = { s_y = 1 }
[constraints.path_z]
position = "z + 4*a - 0.3*a*sin(0.7*w*time)"
realised_by = { l = 1 }
)toml";
}

/// Returns cranes in planes of their own, whose paths x_i and z_i are prescribed as sums: constraint j is
/// Σ_i weight_ij (path i). So the cranes move as each does alone, while R is one group of the rank `count` with
/// 2 count rows.
std::string cranes_by_sums(int count) {
  std::string coordinates, definitions, kinetic = "0", potential = "0", constraints;
  for (int i = 0; i < count; ++i) {
    const std::string k = std::to_string(i);
    coordinates +=
        "s" + k + " = { unit = \"m\" }\nl" + k + " = { unit = \"m\", start = 4 }\nt" + k + " = { unit = \"rad\" }\n";
    definitions += "x" + k + " = \"s" + k + " + l" + k + "*sin(t" + k + ") - path_x(" + k + ", w*time)\"\nz" + k +
                   " = \"-l" + k + "*cos(t" + k + ")\"\n";
    kinetic += " + (m_t*der(s" + k + ")^2 + m_w*der(l" + k + ")^2 + m_p*((der(s" + k + ") + der(l" + k + ")*sin(t" + k +
               ") + l" + k + "*cos(t" + k + ")*der(t" + k + "))^2 + der(z" + k + ")^2))/2";
    potential += " + m_p*g*z" + k;
  }
  for (int j = 0; j < 2 * count; ++j) {
    std::string sum = "0*a";
    for (int i = 0; i < 2 * count; ++i) {
      // The diagonal is larger than the rest of a row, so that the sums say what each is.
      const int weight = i == j ? 3 * count : (i * i + 3 * j + i * j) % 4 - 1;
      const std::string k = std::to_string(i / 2);
      sum +=
          " + (" + std::to_string(weight) + ")*" + (i % 2 == 0 ? "x" + k : "(z" + k + " - path_z(" + k + ", w*time))");
    }
    const std::string k = std::to_string(j / 2);
    constraints += "[constraints.sum" + std::to_string(j) + "]\nposition = \"" + sum + "\"\nrealised_by = { " +
                   (j % 2 == 0 ? "s" : "l") + k + " = 1 }\n";
  }
  return R"toml(
[mechanism]
name = "Cranes"
[parameters]
m_t = { value = 10, unit = "kg" }
m_w = { value = 8, unit = "kg" }
m_p = { value = 100, unit = "kg" }
g = { value = 9.81, unit = "m/s2" }
w = { value = 1, unit = "rad/s" }
a = { value = 1, unit = "m" }
[functions.path_x]
of = ["i", "p"]
value = "0.8*a*sin((1 + i/10)*p)"
[functions.path_z]
of = ["i", "p"]
value = "-4*a + 0.3*a*sin((0.7 + i/10)*p)"
[coordinates]
)toml" + coordinates +
         "[definitions]\n" + definitions + "[dynamics]\nkinetic_energy = \"" + kinetic + "\"\npotential_energy = \"" +
         potential + "\"\n" + constraints;
}

/// Holds a sine, c + a sin(w t + p), and its derivatives.
struct Sine {
  double c, a, w, p;
  double operator()(double t, int order) const {
    return (order == 0 ? c : 0) + a * std::pow(w, order) * std::sin(w * t + p + order * std::numbers::pi / 2);
  }
};

/// Returns how far a payload hangs beside its trolley: the rope pulls along p̈ + g, and hangs z deep.
double beside(const Sine& across, const Sine& up, double t) { return up(t, 0) * across(t, 2) / (up(t, 2) + 9.81); }

std::vector<std::string> complaints_about(const std::string& toml) {
  const ReadResult read = read_mechanism_text(toml, "test.toml");
  REQUIRE(read.description);
  Diagnostics diagnostics;
  if (const auto equations = compose_mechanism(*read.description, diagnostics)) derive(*equations, diagnostics);
  std::vector<std::string> result;
  for (const Diagnostic& one : diagnostics.sorted()) result.push_back(one.problem);
  return result;
}

}  // namespace

TEST_CASE("the payload's path decides the crane's motion and controls", "[servo_rows]") {
  const Loaded loaded = Loaded::model("crane_on_path");
  CHECK(loaded.sizes().position_rows == 3);
  CHECK(loaded.sizes().rank == 3);
  const auto check = [&](const char* basis_name, const char* method_name, const char* drift_name, double bound) {
    Settings settings = loaded.settings;
    settings.tangent_basis = basis(basis_name);
    settings.method = method(method_name);
    settings.drift_correction = drift(drift_name);
    settings.step = 2e-3;
    const auto simulation = loaded.simulation(settings);
    simulation->set_parameter(loaded.parameter("theta_start"), 0.2);  // The path says where to begin.
    simulation->set_parameter(loaded.parameter("s_start"), -0.3);
    assemble(*simulation);
    for (const CraneAt& at : crane_at) {
      advance(*simulation, at.time);
      INFO(basis_name << ", " << method_name << ", " << drift_name << ", t = " << at.time);
      CHECK(simulation->positions()[0] == Approx(at.s).margin(bound));
      CHECK(simulation->positions()[1] == Approx(at.l).margin(bound));
      CHECK(simulation->positions()[2] == Approx(at.theta).margin(bound));
      CHECK(simulation->multipliers()[0] == Approx(at.force).margin(1000 * bound));
      CHECK(simulation->multipliers()[1] == Approx(at.winch).margin(1000 * bound));
    }
  };
  for (int b = 0; b < resolution_count; ++b) {
    if (serves(b, loaded)) check(tangent_bases[b], "dopri5", "projection", 2e-9);
  }
  for (const char* one : integration_methods) check("partitioned", one, "projection", 2e-9);
  for (const char* solver : {"partitioned", "kkt"}) {
    check(solver, "dop853", "integral", 1e-6);
    check(solver, "dop853", "none", 1e-6);
  }
  Settings settings = loaded.settings;
  settings.drift_correction = drift("baumgarte");
  const auto refused = loaded.simulation(settings);
  CHECK_FALSE(refused->assemble(0));
  CHECK(std::string(refused->message().text).find("'baumgarte' corrects accelerations") != std::string::npos);
}

TEST_CASE("a free mass on the trolley keeps its degree of freedom", "[servo_rows]") {
  const std::string model = replaced(
      replaced(replaced(text_of_model("crane_on_path"), "[functions.progress]",
                        "u = { unit = \"m\", start = 0.1, rate_start = 0.2, fixed = true, rate_fixed = true }\n"
                        "[parameters.c_u]\nvalue = 30\nunit = \"N/m\"\n[parameters.m_u]\nvalue = 2\nunit = \"kg\"\n"
                        "[functions.progress]"),
               "m_t*der(s)^2/2", "m_t*der(s)^2/2 + m_u*der(u)^2/2"),
      "\"m_p*g*z\"", "\"m_p*g*z + c_u*(u - s)^2/2\"");
  const Loaded loaded = Loaded::text(model), crane = Loaded::model("crane_on_path");
  CHECK(loaded.sizes().degrees_of_freedom() == 1);
  // u'' = −(c/m) (u − s(t)), with s(t) from the crane alone.
  const auto alone = crane.simulation();
  assemble(*alone);
  const int steps = 600;
  const double end = 3, h = end / steps;
  std::vector<double> s{alone->positions()[0]};
  for (int i = 1; i <= 2 * steps; ++i) {
    advance(*alone, i * h / 2);
    s.push_back(alone->positions()[0]);
  }
  double u = 0.1, v = 0.2;
  for (int i = 0; i < steps; ++i) {
    const auto rate = [&](double at, int half) { return -15 * (at - s[static_cast<std::size_t>(2 * i + half)]); };
    const double v1 = rate(u, 0), u1 = v, v2 = rate(u + h / 2 * u1, 1), u2 = v + h / 2 * v1,
                 v3 = rate(u + h / 2 * u2, 1), u3 = v + h / 2 * v2, v4 = rate(u + h * u3, 2), u4 = v + h * v3;
    u += h / 6 * (u1 + 2 * u2 + 2 * u3 + u4);
    v += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
  }
  for (const char* solver : {"partitioned", "gram_schmidt", "svd", "kkt"}) {
    Settings settings = loaded.settings;
    settings.tangent_basis = basis(solver);
    settings.tolerance = 1e-11;
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    advance(*simulation, end);
    INFO(solver);
    CHECK(simulation->positions()[loaded.index("u")] == Approx(u).epsilon(1e-8));
    CHECK(simulation->velocities()[loaded.index("u")] == Approx(v).epsilon(1e-8));
    CHECK(simulation->positions()[loaded.index("s")] == Approx(alone->positions()[0]).epsilon(1e-9));
    CHECK(simulation->position_violation() < 1e-13);
    CHECK(simulation->velocity_violation() < 1e-12);
  }
}

TEST_CASE("a spring hides a position, a damper a velocity, linear or not", "[servo_rows]") {
  const std::string unfixed = replaced(flexible_arm("c*wound"), "start = 0.4, fixed = true", "start = 0.4");
  const Loaded spring = Loaded::text(unfixed), damped = Loaded::text(flexible_arm("c*wound + 2*c*slip/5")),
               cubic = Loaded::text(flexible_arm("c*wound + c*(slip + slip^3/2)"));
  CHECK(spring.sizes().position_rows == 2);
  CHECK(damped.sizes().velocity_rows == 1);
  CHECK(cubic.sizes().nonlinear_rows == 1);
  const double J = 1.2, J_m = 0.3, c = 20;
  const auto at_spring = spring.simulation();
  assemble(*at_spring);
  advance(*at_spring, 1.3);
  CHECK(at_spring->positions()[1] == Approx(path(1.3, 0) + J / c * path(1.3, 2)).epsilon(1e-9));
  CHECK(at_spring->multipliers()[0] ==
        Approx(J_m * (path(1.3, 2) + J / c * path(1.3, 4)) + J * path(1.3, 2)).epsilon(1e-8));
  // With a damper the torque J φ̈ tells ψ̇: one equation of first order for ψ.
  const auto integrated = [&](const auto& slip_of, double end) {
    double psi = 0.4;
    const int steps = 4000;
    const double h = end / steps;
    const auto rate = [&](double t, double at) { return path(t, 1) + slip_of(J * path(t, 2) - c * (at - path(t, 0))); };
    for (int i = 0; i < steps; ++i) {
      const double t = i * h, k1 = rate(t, psi), k2 = rate(t + h / 2, psi + h / 2 * k1),
                   k3 = rate(t + h / 2, psi + h / 2 * k2), k4 = rate(t + h, psi + h * k3);
      psi += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return psi;
  };
  const auto linear = [&](double torque) { return torque / (0.4 * c); };
  const auto root = [&](double torque) {
    double low = -50, high = 50;
    for (int i = 0; i < 100; ++i) {
      const double middle = (low + high) / 2;
      (c * (middle + middle * middle * middle / 2) > torque ? high : low) = middle;
    }
    return low;
  };
  for (const char* solver : {"partitioned", "putd", "kkt"}) {
    for (const bool is_cubic : {false, true}) {
      const Loaded& loaded = is_cubic ? cubic : damped;
      Settings settings = loaded.settings;
      settings.tangent_basis = basis(solver);
      settings.tolerance = 1e-10;
      const auto simulation = loaded.simulation(settings);
      assemble(*simulation);
      advance(*simulation, 1.3);
      INFO(solver << ", " << is_cubic);
      CHECK(simulation->positions()[0] == Approx(path(1.3, 0)).epsilon(1e-12));
      CHECK(simulation->positions()[1] ==
            Approx(is_cubic ? integrated(root, 1.3) : integrated(linear, 1.3)).epsilon(1e-8));
      CHECK(simulation->velocity_violation() < 1e-12);
    }
  }
}

TEST_CASE("two springs in line take two rounds", "[servo_rows]") {
  const Loaded loaded = Loaded::text(R"toml(
[mechanism]
name = "Chain"
[parameters]
J = { value = 1.5, unit = "kg.m2" }
c = { value = 20, unit = "N.m" }
w = { value = 1.5, unit = "rad/s" }
[coordinates]
a = { unit = "rad" }
b = { unit = "rad" }
d = { unit = "rad" }
[dynamics]
kinetic_energy = "J*(der(a)^2 + der(b)^2 + der(d)^2)/2"
potential_energy = "c*((b - a)^2 + (d - b)^2)/2"
[constraints.follow]
position = "a - 0.6*(1 - cos(w*time))"
realised_by = { d = 1 }
)toml");
  CHECK(loaded.sizes().position_rows == 3);
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  advance(*simulation, 0.9);
  // With y = J/c: b = a + y a'', d = 2 b − a + y b'', and the torque is J d'' + c (d − b).
  const double y = 1.5 / 20, t = 0.9;
  const auto b = [&](int order) { return path(t, order) + y * path(t, order + 2); };
  const auto d = [&](int order) { return 2 * b(order) - path(t, order) + y * b(order + 2); };
  CHECK(simulation->positions()[1] == Approx(b(0)).epsilon(1e-10));
  CHECK(simulation->positions()[2] == Approx(d(0)).epsilon(1e-10));
  CHECK(simulation->multipliers()[0] == Approx(1.5 * d(2) + 20 * (d(0) - b(0))).epsilon(1e-8));
}

TEST_CASE("a crane in space hides two rows behind three, which one rope realises", "[servo_rows]") {
  const Loaded loaded = Loaded::text(crane_in_space());
  CHECK(loaded.sizes().position_rows == 5);
  CHECK(loaded.sizes().degrees_of_freedom() == 0);
  const Sine x{0, 0.8, 1, 0}, y{0, 0.5, 1.3, std::numbers::pi / 2}, z{-4, 0.3, 0.7, 0};
  for (int b = 0; b < resolution_count; ++b) {
    if (!serves(b, loaded)) continue;
    Settings settings = loaded.settings;
    settings.tangent_basis = b;
    settings.tolerance = 1e-10;
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    for (const double t : {0.0, 0.6, 1.7}) {
      advance(*simulation, t);
      INFO(tangent_bases[b] << ", t = " << t);
      const double s_x = x(t, 0) - beside(x, z, t), s_y = y(t, 0) - beside(y, z, t);
      CHECK(simulation->positions()[0] == Approx(s_x).margin(1e-9));
      CHECK(simulation->positions()[1] == Approx(s_y).margin(1e-9));
      CHECK(simulation->positions()[2] == Approx(std::hypot(x(t, 0) - s_x, y(t, 0) - s_y, z(t, 0))).epsilon(1e-9));
      // The trolley carries the rope's force across, which accelerates the payload; its own acceleration is taken from
      // differences.
      const auto trolley = [&](const Sine& across, double at) { return across(at, 0) - beside(across, z, at); };
      const auto second = [&](const Sine& across) {
        const double h = 1e-2;
        return (-trolley(across, t - 2 * h) + 16 * trolley(across, t - h) - 30 * trolley(across, t) +
                16 * trolley(across, t + h) - trolley(across, t + 2 * h)) /
               (12 * h * h);
      };
      CHECK(simulation->multipliers()[0] == Approx(12 * second(x) + 100 * x(t, 2)).epsilon(1e-6));
      CHECK(simulation->multipliers()[1] == Approx(20 * second(y) + 100 * y(t, 2)).epsilon(1e-6));
    }
  }
}

TEST_CASE("paths that are prescribed as sums hide as many rows as there are ropes", "[servo_rows]") {
  // Six cranes exceed the rank whose hidden rows are determinants.
  for (const int count : {2, 3, 6}) {
    const Loaded loaded = Loaded::text(cranes_by_sums(count));
    CHECK(loaded.sizes().position_rows == 3 * count);
    const auto simulation = loaded.simulation();
    assemble(*simulation);
    const double t = count == 6 ? 0.3 : 1.1;
    advance(*simulation, t);
    for (int i = 0; i < count; ++i) {
      INFO(count << " cranes, crane " << i);
      const Sine x{0, 0.8, 1 + i / 10., 0}, z{-4, 0.3, 0.7 + i / 10., 0};
      const double s = x(t, 0) - beside(x, z, t);
      CHECK(simulation->positions()[3 * i] == Approx(s).margin(1e-8));
      CHECK(simulation->positions()[3 * i + 1] == Approx(std::hypot(x(t, 0) - s, z(t, 0))).epsilon(1e-8));
    }
  }
}

TEST_CASE("what no control realises is an error of the file", "[servo_rows]") {
  using Texts = std::vector<std::string>;
  CHECK(complaints_about(flexible_arm("0*c*wound")) ==
        Texts{"no control realises 'follow': however often they are differentiated, no control acts on a combination "
              "of them"});
  CHECK(
      complaints_about(flexible_arm("c*wound + push")) ==
      Texts{"the controls of 'follow' act only through derivatives of what contains the input 'push', which has none"});
  CHECK(complaints_about(flexible_arm("c*wound")).empty());
  // The angle that drives 'turn' is prescribed already, and its own control acts elsewhere.
  CHECK(complaints_about(R"toml(
[mechanism]
name = "Prescribed"
[parameters]
J = { value = 1.2, unit = "kg.m2" }
c = { value = 20, unit = "N.m" }
w = { value = 1.5, unit = "rad/s" }
[coordinates]
phi = { unit = "rad" }
psi = { unit = "rad" }
chi = { unit = "rad" }
[dynamics]
kinetic_energy = "J*(der(phi)^2 + der(psi)^2 + der(chi)^2)/2"
[dynamics.forces]
psi = "c*phi"
[constraints.follow]
position = "phi - 0.6*(1 - cos(w*time))"
realised_by = { phi = 1 }
[constraints.turn]
position = "psi - 0.6*(1 - cos(w*time))"
realised_by = { chi = 1 }
)toml") == Texts{"no control realises 'turn': however often they are differentiated, no control acts on a "
                 "combination of them"});
}

TEST_CASE("states, and mechanisms that need no hidden row, stay as they are", "[servo_rows]") {
  const Loaded vehicle = Loaded::model("circling_vehicle"), arm = Loaded::model("arm_on_path");
  CHECK(vehicle.sizes().position_rows == 2);
  CHECK(arm.sizes().rows() == 2);
  for (const char* name : integration_methods) {
    check_reads_and_rollback(Loaded::text(flexible_arm("c*wound + c*(slip + slip^3/2)")), name, [](Simulation& s) {
      return s.multipliers()[0];
    });
  }
}
