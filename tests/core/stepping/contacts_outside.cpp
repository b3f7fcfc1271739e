// Tests rows that come and go, and conditions in formulas, in motions that are integrated from outside, as in model
// exchange: an importer of its own integrates by the classical method of order 4, finds where indicators change their
// sign, and lets rows and branches change there. Compared with closed forms and with steps of the simulation itself.
#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include "../../outside_integration.hpp"
#include "../contact_motions.hpp"
#include "../mechanisms.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

constexpr double g = 9.81;

/// Makes a simulation of its own and integrates it from outside.
struct OwnSimulation {
  OwnSimulation(const Loaded& given, double tolerance)
      : loaded(given), simulation(loaded.simulation([&] {
          Settings settings = loaded.settings;
          settings.tolerance = tolerance;
          return settings;
        }())) {
    REQUIRE(simulation->integrate_outside());
    assemble(*simulation);
  }
  Loaded loaded;
  std::unique_ptr<StandaloneSimulation> simulation;
};

class Importer : private OwnSimulation, public OutsideIntegration {
 public:
  explicit Importer(const Loaded& given, double tolerance = 1e-10)
      : OwnSimulation(given, tolerance), OutsideIntegration(*simulation, loaded.sizes()) {}

  Simulation& operator*() { return *simulation; }
  Simulation* operator->() { return simulation.get(); }
};

std::string ball(const std::string& contact, const std::string& x_rate = "0.5", const std::string& more = "") {
  return R"toml(
[mechanism]
name = "Ball"
[coordinates]
x = { unit = "m", rate_start = )toml" +
         x_rate + R"toml( }
y = { unit = "m", start = 1 }
[dynamics]
kinetic_energy = "2*(der(x)^2 + der(y)^2)/2"
potential_energy = "2*9.81*y"
)toml" + more +
         "[contacts.floor]\ngap = \"y\"\n" + contact;
}

}  // namespace

TEST_CASE("an importer lets a ball bounce and come to rest", "[contacts][outside]") {
  const double fall = std::sqrt(2 / g), speed = std::sqrt(2 * g);
  Importer one(Loaded::text(ball("restitution = 0.5\n")));
  one.run(fall + 0.3, 0.01);
  CHECK(one->positions()[1] == Approx(speed / 2 * 0.3 - g / 2 * 0.09).epsilon(1e-11));
  CHECK(one->impulse(0) == Approx(1.5 * 2 * speed).epsilon(1e-12));
  CHECK(one->events() == 1);
  CHECK(one->contact_state(0) == 0);
  one.run(3 * fall + 1e-3, 0.01);
  CHECK(one->contact_state(0) == 2);
  CHECK(one->impulse(0) == Approx(2 * speed * 1.5 * 2).epsilon(1e-4));
  CHECK(one->multipliers()[0] == Approx(2 * g).epsilon(1e-9));
  CHECK(one.events < 40);
  const int events = one.events;
  one.run(20, 0.1);
  CHECK(one.events == events);
  CHECK(one->positions()[0] == Approx(10).epsilon(1e-12));
  CHECK(std::fabs(one->positions()[1]) < 1e-12);
}

TEST_CASE("an importer that finds events only when its steps end loses an order, and sinks nowhere",
          "[contacts][outside]") {
  std::vector<double> errors;
  const double fall = std::sqrt(2 / g), speed = std::sqrt(2 * g);
  for (const double h : {1e-2, 1e-3}) {
    Importer one(Loaded::text(ball("restitution = 0.5\n")));
    one.run(fall + 0.3, h, false);
    errors.push_back(std::fabs(one->positions()[1] - (speed / 2 * 0.3 - g / 2 * 0.09)));
    one.run(3, h, false);
    CHECK(one->contact_state(0) == 2);
    CHECK(one->positions()[1] > -1e-9);
  }
  CHECK(errors[0] < 0.1);
  CHECK(errors[1] < 0.01);
}

TEST_CASE("an importer reflects the four-bar at a stop as steps of the simulation do", "[contacts][outside]") {
  const Loaded loaded = Loaded::text(four_bar_with_stop());
  const int crank = loaded.index("A.angle");
  std::vector<double> errors;
  for (const double h : {4e-3, 2e-3}) {
    Importer one(loaded);
    one.run(5, h);
    CHECK(one->events() == 3);
    CHECK(one.events == 3);
    CHECK(one->impulse(0) == Approx(139.8).epsilon(2e-3));
    errors.push_back(std::fabs(one->positions()[crank] - four_bar_at_5_s));
  }
  CHECK(errors[0] < 1e-5);
  CHECK(errors[1] < errors[0] / 8);  // The order is 4 across events.
}

TEST_CASE("an importer sees a block stick and slip on a belt", "[contacts][outside]") {
  const BlockOnBelt belt;
  Importer one(Loaded::text(belt.text()));
  CHECK(one->contact_state(0) == 2);
  one.run(belt.t_slip - 1e-9, 2e-3);
  CHECK(one->contact_state(0) == 2);
  one.run(belt.t_slip + 1e-9, 2e-3);
  CHECK(one->contact_state(0) == 1);
  const double t = 0.2;
  one.run(belt.t_slip + t, 2e-3);
  CHECK(one->positions()[0] == Approx(belt.x(t)).epsilon(1e-8));
  one.run(belt.t_slip + t + 3 * belt.period, 2e-3);
  CHECK(one->positions()[0] == Approx(belt.x(t)).epsilon(1e-7));
  CHECK(one->events() == 7);
}

TEST_CASE("an importer sees a puck stop on a table in space", "[contacts][outside]") {
  const double way = 25 / (2 * 0.25 * g);
  for (const bool located : {true, false}) {
    INFO(located);
    Importer one(Loaded::text(puck_on_table()));
    one.run(4, 0.01, located);
    const double error = located ? 1e-9 : 1e-3;
    CHECK(one->contact_state(0) == 2);
    CHECK(one->positions()[0] == Approx(way * 0.6).epsilon(error));
    CHECK(one->positions()[1] == Approx(way * 0.8).epsilon(error));
    CHECK(one->velocities()[0] == 0);
  }
}

TEST_CASE("rows that hold lead an importer's states back", "[contacts][outside]") {
  // A bead rests on a slope that is curved, held by friction; its states are moved off the rows.
  const std::string bead = R"toml(
[mechanism]
name = "Bead"
[parameters]
c = { value = 1, unit = "1/m" }
[coordinates]
x = { unit = "m", start = 0.1 }
y = { unit = "m", start = 0.01 }
[dynamics]
kinetic_energy = "2*(der(x)^2 + der(y)^2)/2"
potential_energy = "2*9.81*y"
[contacts.bowl]
gap = "y - c*x^2"
slip = "der(x) + 2*c*x*der(y)"
friction = 0.5
)toml";
  Importer one(Loaded::text(bead));
  REQUIRE(one->contact_state(0) == 2);
  const double q[] = {0.1, 0.01 + 1e-4}, v[] = {1e-3, -1e-3};
  one->place(q, v);
  one.take_states();
  one.run(2, 1e-2);
  CHECK(one->contact_state(0) == 2);
  const double x = one->positions()[0], y = one->positions()[1];
  CHECK(std::fabs(y - x * x) < 1e-12);
  CHECK(std::fabs(one->velocities()[0]) < 1e-12);
  CHECK(x == Approx(0.1).margin(1e-3));
}

TEST_CASE("states of an importer go back across events with equal bits", "[contacts][outside]") {
  for (const char* contact : {"restitution = 0.6\nslip = \"der(x)\"\nfriction = 0.1\n", "restitution = 0.3\n"}) {
    const Loaded loaded = Loaded::text(ball(contact));
    Importer one(loaded), other(loaded);
    std::vector<std::vector<double>> states;
    for (int i = 0; i < 40; ++i) {
      states.push_back(copy_state(*one));
      one.run(0.05 * (i + 1), 0.01);
    }
    CHECK(one->events() > 3);
    for (int i = 39; i >= 0; --i) {
      other->restore(states[static_cast<std::size_t>(i)].data());
      other.take_states();
      other.run(0.05 * (i + 1), 0.01);
      CHECK(same_state(*other, i == 39 ? copy_state(*one) : states[static_cast<std::size_t>(i) + 1]));
    }
  }
}

// --- Conditions in formulas ------------------------------------------------------------------------------------------

namespace {

/// Returns a mass of 2 kg that a force moves along x.
std::string mass(const std::string& force, const std::string& coordinate, const std::string& more = "") {
  return R"toml(
[mechanism]
name = "Mass"
[parameters]
k = { value = 50, unit = "N/m" }
c = { value = 0.5, unit = "kg/m" }
F = { value = 3, unit = "N" }
length = { value = 1, unit = "m" }
[coordinates]
x = )toml" +
         coordinate + R"toml(
[dynamics]
kinetic_energy = "2*der(x)^2/2"
[dynamics.forces]
x = ")toml" +
         force + "\"\n" + more;
}

}  // namespace

TEST_CASE("an importer keeps its order across conditions", "[switches][outside]") {
  const double halves = std::numbers::pi * (std::sqrt(2. / 50) + std::sqrt(2. / 200));
  for (const char* force : {"-if(x > 0*length, k, 4*k)*x", "-k*x - 3*min(k*x, 0*F)", "-2.5*k*x + 1.5*k*abs(x)"}) {
    INFO(force);
    const Loaded loaded = Loaded::text(mass(force, "{ unit = \"m\", start = 0.1 }"));
    std::vector<double> errors;
    for (const double h : {0.02, 0.01}) {
      Importer one(loaded);
      one.run(5 * halves, h);
      CHECK(one.events == 10);
      CHECK(one->events() == 10);
      errors.push_back(std::fabs(one->positions()[0] - 0.1) + std::fabs(one->velocities()[0]));
    }
    CHECK(errors[0] < 1e-3);
    CHECK(errors[1] < errors[0] / 12);
  }
}

TEST_CASE("an importer counts whole parts one after the other, up and down", "[switches][outside]") {
  // The force falls by 1 N with each tenth of a metre, so that the acceleration is constant between these.
  const Loaded loaded =
      Loaded::text(mass("F - (x/(0.1*length) - mod(x/(0.1*length), 1))*F/3", "{ unit = \"m\", start = 0.05 }"));
  Importer one(loaded), other(loaded);
  one.run(3, 0.05);
  other.run(3, 0.001);
  CHECK(one.events > 10);
  CHECK(one.events == other.events);
  CHECK(one->positions()[0] == Approx(other->positions()[0]).epsilon(1e-9));
  // The work of the force is 3 N times the way, less 1 N times the way behind each tenth.
  const double x = one->positions()[0], v = one->velocities()[0];
  const auto potential = [](double at) {
    double work = 3 * at;
    for (int i = 1; i <= 20; ++i) work -= std::fmax(at - 0.1 * i, 0);
    return work;
  };
  CHECK(v * v == Approx(potential(x) - potential(0.05)).epsilon(1e-9));
}

TEST_CASE("a ball that an importer lets bounce in air sees its drag turn with the impact",
          "[switches][contacts][outside]") {
  const double limit = std::sqrt(2 * g / 0.5), fall = std::acosh(std::exp(g / (limit * limit))) * limit / g,
               rebound = 0.8 * limit * std::tanh(g * fall / limit), angle = std::atan(rebound / limit), later = 0.2;
  Importer one(Loaded::text(mass("-2*9.81 - c*abs(der(x))*der(x)", "{ unit = \"m\", start = 1 }",
                                 "[contacts.floor]\ngap = \"x\"\nrestitution = 0.8\n")));
  one.run(fall + later, 1e-3);
  CHECK(one.events == 2);  // The start at rest has no sign, which comes with the first motion.
  CHECK(one->velocities()[0] == Approx(limit * std::tan(angle - g * later / limit)).epsilon(1e-9));
}

TEST_CASE("a sign at rest stays zero for an importer until something moves", "[switches][outside]") {
  const Loaded loaded = Loaded::text(
      mass("push*F - F*sign(der(x))/2", "{ unit = \"m\", start = 0 }", "[inputs]\npush = { unit = \"1\" }\n"));
  Importer one(loaded);
  one.run(1, 0.1);
  CHECK(one->positions()[0] == 0);
  CHECK(one.events == 0);
  one->set_input(0, 1);
  one.meet();
  one.run(2, 0.1);
  CHECK(one->velocities()[0] == Approx(1.5 / 2).epsilon(1e-9));
  CHECK(one->positions()[0] == Approx(1.5 / 4).epsilon(1e-9));
}

TEST_CASE("a condition of an input changes its branch where the importer sets the input", "[switches][outside]") {
  const Loaded loaded =
      Loaded::text(mass("if(push > 0.5, F, -F)", "{ unit = \"m\", start = 0 }", "[inputs]\npush = { unit = \"1\" }\n"));
  Importer one(loaded);
  one.run(1, 0.1);
  CHECK(one->velocities()[0] == Approx(-1.5).epsilon(1e-12));
  one->set_input(0, 1);
  CHECK(one->is_at_event());
  CHECK(one->velocity_rates()[0] == Approx(-1.5));  // A branch holds until the event.
  one.meet();
  CHECK(one->velocity_rates()[0] == Approx(1.5));
  one.run(2, 0.1);
  CHECK(std::fabs(one->velocities()[0]) < 1e-12);
}

TEST_CASE("states of an importer go back across conditions with equal bits", "[switches][outside]") {
  const Loaded loaded = Loaded::text(mass("-if(x > 0*length, k, 4*k)*x", "{ unit = \"m\", start = 0.1 }"));
  Importer one(loaded), other(loaded);
  std::vector<std::vector<double>> states;
  for (int i = 0; i < 20; ++i) {
    states.push_back(copy_state(*one));
    one.run(0.1 * (i + 1), 0.01);
  }
  CHECK(one->events() > 3);
  for (int i = 19; i >= 0; --i) {
    other->restore(states[static_cast<std::size_t>(i)].data());
    other.take_states();
    other.run(0.1 * (i + 1), 0.01);
    CHECK(same_state(*other, i == 19 ? copy_state(*one) : states[static_cast<std::size_t>(i) + 1]));
  }
}

TEST_CASE("branches that lead back to each other are an error for an importer, too", "[switches][outside]") {
  const Loaded loaded = Loaded::text(mass("F/2 - F*sign(der(x))", "{ unit = \"m\", start = 0, rate_start = 0.1 }"));
  Settings settings = loaded.settings;
  const auto simulation = loaded.simulation(settings);
  REQUIRE(simulation->integrate_outside());
  assemble(*simulation);
  bool failed = false;
  double v = 1e-6;
  for (int i = 0; i < 5000 && !failed; ++i) {
    const double q[] = {0.01}, rate[] = {v = -v};
    simulation->place(q, rate);
    if (simulation->is_at_event()) failed = !simulation->meet_event();
  }
  REQUIRE(failed);
  CHECK_THAT(std::string(simulation->message().text), Catch::Contains("a condition of"));
}
