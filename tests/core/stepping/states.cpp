// Tests states of the file beside a motion: circuits, motors, pressures. Motions are compared with closed forms and
// with balances of energy and momentum.
#include <catch2/catch.hpp>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <complex>
#include <numbers>

#include "fmu_src/constraints/tangent_bases/any_basis.hpp"
#include "fmu_src/stepping/tangent_motion.hpp"
#include "tests/core/evaluation.hpp"
#include "tests/core/mechanisms.hpp"
#include "tests/core/methods.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

/// Returns a mass of 2 kg on x, with parameters, forces and states as text.
std::string mass(const std::string& states, const std::string& force = "0", const std::string& parameters = "",
                 const std::string& start = "", const std::string& energy = "m*der(x)^2/2") {
  return R"toml(
[mechanism]
name = "Mass"
[parameters]
m = { value = 2, unit = "kg" }
)toml" + parameters +
         R"toml(
[coordinates]
x = { unit = "m" )toml" +
         start + " }\n[dynamics]\nkinetic_energy = \"" + energy + "\"\n[dynamics.forces]\nx = \"" + force + "\"\n" +
         states;
}

/// Has a current in a coil of one henry behind two ohms.
std::string circuit(const std::string& volts, const std::string& more) {
  return mass("[states.current]\nunit = \"A\"\nrate = \"(U - R*current)/L\"\n" + more, "0",
              "U = { value = " + volts +
                  ", unit = \"V\" }\nR = { value = 2, unit = \"Ohm\" }\nL = { value = 1, unit = \"H\" }\n");
}

double state(const Loaded& loaded, const Simulation& simulation, const std::string& name) {
  return simulation.positions()[loaded.index(name)];
}

/// Is a motor that drives an inertia: J ω̇ = k i − c ω, L i̇ = U − R i − k ω.
struct Motor {
  static constexpr double R = 0.5, L = 0.25, k = 1.5, J = 0.4, c = 0.3, U = 12;
  static std::string text() {
    return R"toml(
[mechanism]
name = "Motor"
dimension = "planar"
[parameters]
R = { value = 0.5, unit = "Ohm" }
L = { value = 0.25, unit = "H" }
k = { value = 1.5, unit = "V.s" }
c = { value = 0.3, unit = "N.m.s/rad" }
[inputs]
voltage = { unit = "V", start = 12 }
[states.current]
unit = "mA"
start = 4000
rate = "(voltage - R*current - k*der(A.angle))/L"
[bodies.rotor]
mass = 1
inertia = 0.4
[joints.A]
type = "revolute"
parent = "ground"
child = "rotor"
[forces.motor]
type = "joint_force"
coordinate = "A.angle"
value = "k*current - c*der(A.angle)"
)toml";
  }
  /// Returns the current and the speed at time t, from 4 A and rest.
  static Eigen::Vector2d exact(double t) {
    Eigen::Matrix2d A;
    A << -R / L, -k / L, k / J, -c / J;
    const Eigen::EigenSolver<Eigen::Matrix2d> modes(A);
    const Eigen::Vector2d rest = -A.inverse() * Eigen::Vector2d(U / L, 0);
    const Eigen::Vector2cd part = modes.eigenvectors().inverse() * (Eigen::Vector2d(4, 0) - rest);
    const Eigen::Vector2cd grown = part.cwiseProduct((modes.eigenvalues() * t).array().exp().matrix());
    return (modes.eigenvectors() * grown).real() + rest;
  }
};

/// Couples a state and an oscillation both ways: ẍ = −x s exp(x − 1), ṡ = −s ẋ keep s exp(x − 1) at 1, and x at cos t.
std::string coupled_oscillation() {
  return mass("[states.s]\nstart = 1\nrate = \"-s*der(x)/a\"\n", "-m*x*s*exp(x/a - 1)/T^2",
              "a = { value = 1, unit = \"m\" }\nT = { value = 1, unit = \"s\" }\n", ", start = 1, fixed = true");
}

/// Sees a motion as a method does, in steps of any length.
struct SteppedMotion {
  using Motion = TangentMotion<RunTimeModel, AnyBasis>;
  Motion& motion;
  Motion::Directions& directions;
  double& evaluations;
  bool rate(double t, const double* y, double* dy) const { return motion.rate(t, y, dy); }
  bool linearise(double t, const double* y, const double* slope, double* J, double* f_t) const {
    return motion.linearise(t, y, slope, J, f_t, directions, evaluations);
  }
  const double* sizes() const { return motion.sizes(); }
};

/// Returns the largest error of x and s of the coupled oscillation at the ends of equal steps to the time 3.
template <class Method>
double error_of_equal_steps(const Loaded& loaded, int steps) {
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  Arena memory;
  State state(memory, loaded.sizes());
  std::copy_n(simulation->state(), simulation->state_size(), state.data());
  SteppedMotion::Motion motion(memory, loaded.table(), RunTimeModel(loaded.table()), Drift::projection,
                               loaded.settings.tangent_basis);
  SteppedMotion::Motion::Directions directions(memory, motion);
  typename Method::template Step<-1> method(memory, motion.length());
  Message message;
  REQUIRE(motion.begin(state, message));
  double evaluations = 0;
  const SteppedMotion equations{motion, directions, evaluations};
  VectorXd y(motion.length()), y1(motion.length());
  motion.pack(state, y.data());
  const double h = 3. / steps;
  double largest = 0;
  for (int i = 0; i < steps; ++i) {
    REQUIRE(motion.rate(i * h, y.data(), method.first_slope()));
    REQUIRE(method.linearise(equations, i * h, y.data()));
    REQUIRE(method.step(equations, i * h, y.data(), h, y1.data()));
    y.swap(y1);
    const double x = std::cos((i + 1) * h);
    dense::raise(largest, std::fabs(y[loaded.index("x")] - x));
    dense::raise(largest, std::fabs(y[loaded.index("s")] - std::exp(1 - x)));
  }
  return largest;
}

}  // namespace

TEST_CASE("a current rises behind a coil as it should", "[states]") {
  const Loaded loaded = Loaded::text(circuit("6", ""));
  CHECK(loaded.sizes().states() == 1);
  CHECK(loaded.sizes().positions == 2);
  for (const MethodFacts& method_facts : adaptive_methods()) {
    INFO(method_facts.name);
    Settings settings = loaded.settings;
    settings.method = method(method_facts.name);
    settings.tolerance = 1e-10;
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    CHECK(simulation->position_rates()[1] == 6);
    for (const double t : {0.1, 0.7, 2.5}) {
      advance(*simulation, t);
      const double exact = 3 * (1 - std::exp(-2 * t));
      CHECK(std::fabs(state(loaded, *simulation, "current") - exact) < 1e-8);
      CHECK(simulation->position_rates()[1] == Approx(6 - 2 * exact).epsilon(1e-8));
      CHECK(loaded.output(*simulation, "der(current)") == simulation->position_rates()[1]);
      CHECK(simulation->positions()[0] == 0);  // The mass is at rest.
    }
  }
}

TEST_CASE("a motor turns an inertia with every method and resolution", "[states]") {
  const Loaded loaded = Loaded::text(Motor::text());
  for (const MethodFacts& method_facts : all_methods()) {
    for (int b = 0; b < resolution_count; ++b) {
      INFO(method_facts.name << ", " << tangent_bases[b]);
      Settings settings = loaded.settings;
      settings.method = method(method_facts.name);
      settings.tangent_basis = b;
      settings.tolerance = 1e-10;
      settings.step = 1e-3;
      const auto simulation = loaded.simulation(settings);
      assemble(*simulation);
      for (const double t : {0.25, 1.}) {
        advance(*simulation, t);
        const Eigen::Vector2d exact = Motor::exact(t);
        CHECK(std::fabs(state(loaded, *simulation, "current") - exact[0]) < 2e-8);
        CHECK(std::fabs(simulation->velocities()[0] - exact[1]) < 2e-8);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("methods keep their orders with states", "[states]", Methods) {
  INFO(TestType::name);
  const Loaded loaded = Loaded::text(coupled_oscillation());
  std::vector<double> log_h, log_error;
  for (int steps = TestType::order == 8 ? 9 : 40; log_h.size() < 4; steps = steps * 3 / 2) {
    const double error = error_of_equal_steps<TestType>(loaded, steps);
    UNSCOPED_INFO(steps << " steps: " << error);
    CHECK(error > 1e-13);
    log_h.push_back(-std::log(steps));
    log_error.push_back(std::log(error));
  }
  CHECK(regression_slope(log_h, log_error) == Approx(TestType::order).margin(0.5));
}

TEST_CASE("a motor drives a closed loop, and no energy is lost", "[states]") {
  const Loaded loaded = Loaded::text(driven_four_bar());
  CHECK(loaded.sizes().states() == 3);
  CHECK(loaded.sizes().rank > 0);
  double current = 0, angle = 0;
  const auto unaccounted = [&](Simulation& simulation) {
    const double i = state(loaded, simulation, "current");
    return loaded.output(simulation, "energy.total") + 0.05 * i * i / 2 + state(loaded, simulation, "heat") -
           state(loaded, simulation, "supplied");
  };
  for (const MethodFacts& method_facts : adaptive_methods()) {
    for (int b = 0; b < resolution_count; ++b) {
      for (const char* drift_name : {"projection", "integral"}) {
        if (!takes_drift(b, drift_name)) continue;
        INFO(method_facts.name << ", " << tangent_bases[b] << ", " << drift_name);
        Settings settings = loaded.settings;
        settings.method = method(method_facts.name);
        settings.tangent_basis = b;
        settings.drift_correction = drift(drift_name);
        settings.tolerance = 1e-9;
        const auto simulation = loaded.simulation(settings);
        assemble(*simulation);
        CHECK(state(loaded, *simulation, "current") == 0.5);
        const double energy = unaccounted(*simulation);
        advance(*simulation, 0.5);
        CHECK(std::fabs(unaccounted(*simulation) - energy) < 1e-6);
        if (angle == 0) {
          current = state(loaded, *simulation, "current");
          angle = state(loaded, *simulation, "A.angle");
          CHECK(std::fabs(current - 0.5) > 0.1);
        }
        CHECK(state(loaded, *simulation, "current") == Approx(current).epsilon(1e-6));
        CHECK(state(loaded, *simulation, "A.angle") == Approx(angle).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("the tolerance is relative to the nominal size of a state", "[states]") {
  const auto run = [](const std::string& volts, const std::string& more, double& error) {
    const Loaded loaded = Loaded::text(circuit(volts, more));
    Settings settings = loaded.settings;
    settings.method = method("dopri5");
    settings.tolerance = 1e-7;
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    advance(*simulation, 4);
    const double exact = std::stod(volts) / 2 * (1 - std::exp(-8.));
    error = std::fabs(state(loaded, *simulation, "current") / exact - 1);
    return simulation->evaluations();
  };
  double own = 0, scaled = 0, unscaled = 0;
  const double evaluations = run("2", "nominal = 1", own);
  CHECK(run("9.5367431640625e-07", "nominal = 4.76837158203125e-07", scaled) == evaluations);  // 2⁻²⁰ V
  CHECK(run("9.5367431640625e-07", "nominal = 1", unscaled) < evaluations / 2);
  CHECK(own < 1e-6);
  CHECK(scaled == Approx(own).margin(1e-15));
  CHECK(unscaled > 1e-4);
}

TEST_CASE("a stiff state follows what drives it, with exact derivatives", "[states]") {
  // A pressure follows a fast motion within nanoseconds: its rate is a small difference of large numbers.
  const double stiffness = 1e9;
  const Loaded loaded = Loaded::text(mass(
      "[states.p]\nstart = 1\nrate = \"(x - p*a)*k\"\n", "-m*x/T^2",
      "a = { value = 1, unit = \"m\" }\nT = { value = 1, unit = \"s\" }\nk = { value = 1e9, unit = \"1/(m.s)\" }\n",
      ", start = 1, fixed = true"));
  Settings settings = loaded.settings;
  settings.method = method("rodas");
  settings.tolerance = 1e-8;
  const auto simulation = loaded.simulation(settings);
  assemble(*simulation);
  advance(*simulation, 3);
  CHECK(std::fabs(state(loaded, *simulation, "x") - std::cos(3)) < 1e-6);
  CHECK(std::fabs(state(loaded, *simulation, "p") - std::cos(3)) < 1e-6);
  CHECK(simulation->evaluations() < 3000);

  Arena memory;
  State here(memory, loaded.sizes());
  std::copy_n(simulation->state(), simulation->state_size(), here.data());
  TangentMotion<RunTimeModel, AnyBasis> motion(memory, loaded.table(), RunTimeModel(loaded.table()), Drift::projection,
                                               settings.tangent_basis);
  TangentMotion<RunTimeModel, AnyBasis>::Directions directions(memory, motion);
  Message message;
  REQUIRE(motion.begin(here, message));
  VectorXd y(3), slope(3), f_t(3);
  MatrixXd J(3, 3);
  double evaluations = 0;
  motion.pack(here, y.data());
  REQUIRE(motion.rate_at_state(3, y.data(), slope.data()));
  REQUIRE(motion.linearise(3, y.data(), slope.data(), J.data(), f_t.data(), directions, evaluations));
  CHECK(J(1, 0) == Approx(stiffness).epsilon(1e-14));
  CHECK(J(1, 1) == Approx(-stiffness).epsilon(1e-14));
  CHECK(J(1, 2) == 0);
}

TEST_CASE("a mass that grows keeps its momentum", "[states]") {
  // d(m v)/dt = 0 with a mass that is a state; in the form for several degrees of freedom, and for one.
  const Loaded loaded = Loaded::text(
      mass("[states.load]\nunit = \"kg\"\nstart = 1\nrate = \"flow\"\n", "0", "flow = { value = 3, unit = \"kg/s\" }\n",
           ", rate_start = 4, rate_fixed = true", "(m + load)*der(x)^2/2"));
  CHECK(!loaded.table().character.short_form);
  for (int b = 0; b < resolution_count; ++b) {
    INFO(tangent_bases[b]);
    Settings settings = loaded.settings;
    settings.tangent_basis = b;
    settings.tolerance = 1e-11;
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    advance(*simulation, 2);
    CHECK(state(loaded, *simulation, "load") == Approx(7).epsilon(1e-12));
    CHECK(simulation->velocities()[0] == Approx(12. / 9).epsilon(1e-9));
    CHECK(state(loaded, *simulation, "x") == Approx(4 * std::log(3.)).epsilon(1e-9));
  }
}

TEST_CASE("the rate of a state may contain unknowns", "[states]") {
  // The unknown F is the force on the mass; the state sums its impulse.
  const Loaded loaded = Loaded::text(
      mass("[states.impulse]\nunit = \"N.s\"\nrate = \"F\"\n[unknowns.F]\nunit = \"N\"\n"
           "equation = \"F - m*der(der(x))\"\n",
           "-d*der(x) - c*x", "c = { value = 7, unit = \"N/m\" }\nd = { value = 1, unit = \"N.s/m\" }\n",
           ", start = 0.4, fixed = true, rate_start = 1, rate_fixed = true"));
  for (const MethodFacts& method_facts : adaptive_methods()) {
    for (int b = 0; b < resolution_count; ++b) {
      INFO(method_facts.name << ", " << tangent_bases[b]);
      Settings settings = loaded.settings;
      settings.method = method(method_facts.name);
      settings.tangent_basis = b;
      settings.tolerance = 1e-10;
      const auto simulation = loaded.simulation(settings);
      assemble(*simulation);
      advance(*simulation, 1.5);
      CHECK(std::fabs(state(loaded, *simulation, "impulse") - 2 * (simulation->velocities()[0] - 1)) < 1e-8);
      CHECK(std::fabs(simulation->velocities()[0] - 1) > 0.5);
      CHECK(loaded.output(*simulation, "der(impulse)") == Approx(2 * simulation->accelerations()[0]).epsilon(1e-12));
    }
  }
}

TEST_CASE("a relief valve opens exactly at its pressure", "[states]") {
  // The pressure rises by 4 Pa/s; above 3 Pa the valve lets out 2/s of what is above, or at once 3 Pa/s.
  const auto vessel = [](const std::string& valve) {
    return Loaded::text(mass("[states.p]\nunit = \"Pa\"\nrate = \"inflow - " + valve + "\"\n", "0",
                             "inflow = { value = 4, unit = \"Pa/s\" }\nout = { value = 3, unit = \"Pa/s\" }\n"
                             "crack = { value = 3, unit = \"Pa\" }\nT = { value = 0.5, unit = \"s\" }\n"));
  };
  const Loaded bend = vessel("max(p - crack, 0)/T"), jump = vessel("if(p > crack, out, 0)");
  for (const MethodFacts& method_facts : adaptive_methods()) {
    INFO(method_facts.name);
    Settings settings = bend.settings;
    settings.method = method(method_facts.name);
    settings.tolerance = 1e-9;
    const auto bent = bend.simulation(settings), jumped = jump.simulation(settings);
    for (Simulation* simulation : {bent.get(), jumped.get()}) {
      assemble(*simulation);
      advance(*simulation, 2);
      CHECK(simulation->events() == 1);
    }
    CHECK(state(bend, *bent, "p") == Approx(3 + 2 * (1 - std::exp(-2 * 1.25))).epsilon(1e-8));
    CHECK(state(jump, *jumped, "p") == Approx(3 + 1.25).epsilon(1e-12));
  }
}

TEST_CASE("conditions follow rates that jump", "[states]") {
  // At 1 s p turns back, and with its rate the force jumps.
  const Loaded loaded = Loaded::text(mass("[states.p]\nrate = \"if(time < T, 2, -1)/T\"\n", "if(T*der(p) > 0, F, 5*F)",
                                          "T = { value = 1, unit = \"s\" }\nF = { value = 2, unit = \"N\" }\n"));
  CHECK(loaded.sizes().switches == 2);
  for (const MethodFacts& method_facts : adaptive_methods()) {
    INFO(method_facts.name);
    Settings settings = loaded.settings;
    settings.method = method(method_facts.name);
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    advance(*simulation, 3);
    CHECK(simulation->events() == 1);
    CHECK(state(loaded, *simulation, "p") == Approx(0).margin(1e-12));
    CHECK(simulation->velocities()[0] == Approx(11).epsilon(1e-12));
  }
}

TEST_CASE("a brake follows a pressure that is a state", "[states]") {
  // The capacity rises as 3 (1 − exp(−t/T)); the wheel slips until it stands.
  const Loaded loaded = Loaded::text(R"toml(
[mechanism]
name = "Braked"
dimension = "planar"
[parameters]
T = { value = 0.5, unit = "s" }
most = { value = 3, unit = "N.m" }
[states.brake]
unit = "N.m"
rate = "(most - brake)/T"
[bodies.wheel]
mass = 1
inertia = 0.4
[joints.A]
type = "revolute"
parent = "ground"
child = "wheel"
angle = { rate_start = 5, rate_fixed = true }
[couplings.pads]
type = "clutch"
first = "A.angle"
second = "ground"
capacity = "brake"
)toml");
  // 0.4 (ω − 5) = −3 (t − T (1 − exp(−t/T))) has its zero at `stop`.
  double stop = 1;
  for (int i = 0; i < 50; ++i)
    stop -= (stop - 0.5 * (1 - std::exp(-stop / 0.5)) - 2. / 3) / (1 - std::exp(-stop / 0.5));
  for (const MethodFacts& method_facts : adaptive_methods()) {
    INFO(method_facts.name);
    Settings settings = loaded.settings;
    settings.method = method(method_facts.name);
    settings.tolerance = 1e-10;
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    advance(*simulation, stop - 1e-6);
    CHECK(simulation->contact_state(0) == 1);
    CHECK(simulation->velocities()[0] > 0);
    advance(*simulation, stop + 1e-6);
    CHECK(simulation->contact_state(0) == 2);
    CHECK(std::fabs(simulation->velocities()[0]) < 1e-14);
    const double turned = 5 * stop - 7.5 * (stop * stop / 2 - 0.5 * (stop - 0.5 * (1 - std::exp(-stop / 0.5))));
    CHECK(state(loaded, *simulation, "A.angle") == Approx(turned).epsilon(1e-8));
  }
}

TEST_CASE("states are part of what is saved", "[states]") {
  const Loaded motor = Loaded::text(Motor::text()), loop = Loaded::text(driven_four_bar());
  for (const Loaded& loaded : {motor, loop}) {
    for (const MethodFacts& method_facts : all_methods())
      check_reads_and_rollback(loaded, method_facts.name.c_str(), [&](Simulation& simulation) {
        return simulation.position_rates()[loaded.index("current")] + loaded.output(simulation, "energy.total");
      });
  }
}

TEST_CASE("states start steady, also where their rates are not linear", "[states]") {
  // Flows through two throttles in a row: (U − p)³ = p³ + q and q = p²/4 with a pressure that turns.
  const Loaded loaded = Loaded::text(
      mass("[states]\np = { start = \"steady\", guess = 2, rate = \"((U - p)^3 - p^3 - q)/T\" }\n"
           "q = { start = \"steady\", rate = \"(p^2/4 - q)/T + der(x)/a\" }\nr = { start = 7, rate = \"p/T\" }\n",
           "0", "U = 4\nT = { value = 1, unit = \"s\" }\na = { value = 1, unit = \"m\" }\n",
           ", rate_start = 0.5, rate_fixed = true"));
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  const double p = state(loaded, *simulation, "p"), q = state(loaded, *simulation, "q");
  CHECK(std::pow(4 - p, 3) == Approx(p * p * p + q).epsilon(1e-12));
  CHECK(q == Approx(p * p / 4 + 0.5).epsilon(1e-12));
  CHECK(state(loaded, *simulation, "r") == 7);
  const double* rates = simulation->position_rates();
  CHECK(std::fabs(rates[loaded.index("p")]) < 1e-12);
  CHECK(rates[loaded.index("r")] == Approx(p));

  // Its derivative by U is that of differences.
  const int U = loaded.parameter("U");
  std::vector<double> direction(static_cast<std::size_t>(loaded.sizes().parameters), 0);
  direction[static_cast<std::size_t>(U)] = 1;
  REQUIRE(simulation->differentiate_start(0, direction.data(), nullptr) == ConsistentStart::Derivative::found);
  const double found = simulation->position_slopes()[loaded.index("p")];
  CHECK(simulation->position_slopes()[loaded.index("r")] == 0);
  CHECK(simulation->rate_slopes()[loaded.index("r")] == Approx(found));
  double beside[2];
  for (int i = 0; i < 2; ++i) {
    simulation->set_parameter(U, i == 0 ? 4 - 1e-4 : 4 + 1e-4);
    assemble(*simulation);
    beside[i] = state(loaded, *simulation, "p");
  }
  CHECK(found == Approx((beside[1] - beside[0]) / 2e-4).epsilon(1e-7));
}

TEST_CASE("a start that is not steady anywhere is an error", "[states]") {
  const Loaded loaded = Loaded::text(
      mass("[states]\np = { start = \"steady\", rate = \"(1 + p^2)/T\" }\n", "0", "T = { value = 1, unit = \"s\" }\n"));
  const auto simulation = loaded.simulation();
  CHECK(!simulation->assemble(0));
  INFO(simulation->message().text);
  CHECK(std::string(simulation->message().text).find("No steady start was found for 'p'") == 0);
}

TEST_CASE("states are reset where a condition becomes true", "[states]") {
  // A saw: s rises with 2/s, and falls to 0.25 at 1. A counter follows each fall.
  const Loaded loaded =
      Loaded::text(mass("[states]\ns = { rate = \"2/T\", reset = { when = \"s > 1\", value = 0.25 } }\n"
                        "falls = { rate = \"0/T\", reset = { when = \"s >= 1\", value = \"falls + 1\" } }\n",
                        "0", "T = { value = 1, unit = \"s\" }\n"));
  CHECK(loaded.sizes().resets == 2);
  for (const MethodFacts& method_facts : adaptive_methods()) {
    for (const int parts : {1, 7, 8}) {  // Some communication steps end at a fall.
      INFO(method_facts.name << ", " << parts);
      Settings settings = loaded.settings;
      settings.method = method(method_facts.name);
      const auto simulation = loaded.simulation(settings);
      assemble(*simulation);
      const double end = 0.5 + 3 * 0.375 + 0.1;
      for (int i = 1; i <= parts; ++i) advance(*simulation, end * i / parts);
      CHECK(state(loaded, *simulation, "s") == Approx(0.45).epsilon(1e-11));
      CHECK(state(loaded, *simulation, "falls") == 4);
    }
  }
  check_reads_and_rollback(loaded, "dopri5", [&](Simulation& simulation) { return state(loaded, simulation, "s"); });
}

TEST_CASE("an input resets a state", "[states]") {
  const Loaded loaded = Loaded::text(
      mass("[inputs]\nbutton = {}\n[states]\ns = { rate = \"1/T\", reset = { when = \"button > 0.5\", value = 0 } }\n",
           "0", "T = { value = 1, unit = \"s\" }\n"));
  for (const MethodFacts& method_facts : all_methods()) {
    INFO(method_facts.name);
    Settings settings = loaded.settings;
    settings.method = method(method_facts.name);
    const auto simulation = loaded.simulation(settings);
    assemble(*simulation);
    advance(*simulation, 2);
    CHECK(state(loaded, *simulation, "s") == Approx(2));
    simulation->set_input(0, 1);
    advance(*simulation, 3);
    CHECK(state(loaded, *simulation, "s") == Approx(1));
    simulation->set_input(0, 0);
    advance(*simulation, 4);
    simulation->set_input(0, 1);
    advance(*simulation, 4.5);
    CHECK(state(loaded, *simulation, "s") == Approx(0.5));
  }
}
