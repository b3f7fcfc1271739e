// Tests conditions in formulas of the motion: steps end where a branch changes, so that methods keep their order across
// it. Motions are compared with closed forms, and with the balance of energy.
#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include "../mechanisms.hpp"
#include "../methods.hpp"
#include "equations/equations.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

constexpr double pi = std::numbers::pi;

/// Returns a mass of 2 kg under a force along x.
std::string mass(const std::string& force, const std::string& start = "start = 0.1", const std::string& more = "") {
  return R"toml(
[mechanism]
name = "Mass"
[parameters]
m = { value = 2, unit = "kg" }
k = { value = 50, unit = "N/m" }
F = { value = 3, unit = "N" }
length = { value = 1, unit = "m" }
s = { value = 1, unit = "s" }
v = { value = 1, unit = "m/s" }
[coordinates]
x = { unit = "m", )toml" +
         start + R"toml( }
[dynamics]
kinetic_energy = "m*der(x)^2/2"
[dynamics.forces]
x = ")toml" +
         force + "\"\n" + more;
}

struct End {
  double x, rate, evaluations, events;
};

End moved(const Loaded& loaded, const char* method_name, double tolerance, double end, int parts = 1) {
  Settings settings = loaded.settings;
  settings.method = method(method_name);
  settings.tolerance = tolerance;
  const auto simulation = loaded.simulation(settings);
  assemble(*simulation);
  for (int i = 1; i <= parts; ++i) advance(*simulation, end * i / parts);
  return {simulation->positions()[0], simulation->velocities()[0], simulation->evaluations(),
          double(simulation->events())};
}

const char* const error_controlled[] = {"dopri5", "dop853", "rodas"};

}  // namespace

TEST_CASE("a spring of two stiffnesses swings as its halves do, however the formula says it", "[switches]") {
  // Half a swing takes π √(m/k) on one side and π √(m/4k) on the other one.
  const double halves = pi * (std::sqrt(2. / 50) + std::sqrt(2. / 200));
  for (const char* force : {"-if(x > 0*length, k, 4*k)*x", "-k*x - 3*min(k*x, 0*F)", "-2.5*k*x + 1.5*k*abs(x)",
                            "-(2.5 - 1.5*sign(x))*k*x", "-k*(x + 3*x*(1 - if(0*length <= x, 1, 0)))"}) {
    const Loaded loaded = Loaded::text(mass(force));
    INFO(force);
    REQUIRE(loaded.sizes().switches == 1);
    for (const char* name : error_controlled) {
      const double tolerance = std::string(name) == "rodas" ? 1e-9 : 1e-12;
      const End end = moved(loaded, name, tolerance, 10 * halves);
      INFO(name);
      CHECK(std::fabs(end.x - 0.1) < 1e4 * tolerance * 0.1);
      CHECK(std::fabs(end.rate) < 1e5 * tolerance);
      CHECK(end.events == 20);
    }
  }
}

TEST_CASE("forces that jump in time and place are followed exactly", "[switches]") {
  const double m = 2, F = 3;
  for (const char* name : error_controlled) {
    INFO(name);
    {
      const Loaded loaded = Loaded::text(mass("if(time < 0.37*s, 0*F, F)", "start = 0"));
      const End end = moved(loaded, name, 1e-10, 2);
      CHECK(end.x == Approx(F / m / 2 * 1.63 * 1.63).epsilon(1e-12));
      CHECK(end.events == 1);
      CHECK(end.evaluations < 150);
    }
    {  // A saw of 0.3 s: between its teeth the force is linear in time.
      const Loaded loaded = Loaded::text(mass("F/s*mod(time, 0.3*s)", "start = 0"));
      double x = 0, v = 0;
      const auto ramp = [&](double h) {
        x += v * h + F / m * h * h * h / 6;
        v += F / m * h * h / 2;
      };
      for (int i = 0; i < 6; ++i) ramp(0.3);
      ramp(0.2);
      const End end = moved(loaded, name, 1e-10, 2);
      CHECK(end.x == Approx(x).epsilon(1e-9));
      CHECK(end.rate == Approx(v).epsilon(1e-9));
      CHECK(end.events == 6);
    }
    {  // The table ends at 0.5 m, and its slope with it.
      const Loaded loaded = Loaded::text(mass("-F*grip(x/length)", "start = 0, rate_start = 1",
                                              "[functions]\ngrip = { table = [[0, 0], [0.5, 1]] }\n"));
      const double w = std::sqrt(F / 0.5 / m), t = std::asin(0.5 * w) / w, rate = std::cos(w * t), left = 0.9 - t;
      const End end = moved(loaded, name, 1e-10, 0.9);
      CHECK(end.x == Approx(0.5 + rate * left - F / m / 2 * left * left).epsilon(1e-9));
    }
  }
}

TEST_CASE("a stiff stop keeps the energy", "[switches]") {
  const Loaded loaded = Loaded::text(mass("-1e8*max(k*(x - 0.2*length), 0*F)", "start = 0, rate_start = 1"));
  for (const char* name : {"dopri5", "dop853"}) {
    INFO(name);
    const End end = moved(loaded, name, 1e-8, 1);
    CHECK(end.rate == Approx(-1).epsilon(1e-6));
    CHECK(end.events == 2);
  }
}

TEST_CASE("methods keep their order across conditions", "[switches]") {
  const Loaded loaded = Loaded::text(mass("-if(x > 0*length, k, 4*k)*(x + x^3/length^2)"));
  for (const char* name : error_controlled) {
    INFO(name);
    const double exact = moved(loaded, "dop853", 1e-13, 3).x;
    const double coarse = std::fabs(moved(loaded, name, 1e-6, 3).x - exact),
                 fine = std::fabs(moved(loaded, name, 1e-9, 3).x - exact);
    CHECK(fine < coarse / 100);
    CHECK(fine < 1e-7);
  }
}

TEST_CASE("a condition that holds for a moment within a step is not missed", "[switches]") {
  // A stone rises to 1 m; above 0.9999 m a wind blows.
  const Loaded loaded =
      Loaded::text(mass("-F + if(x > 0.9999*length, 1000*F, 0*F)", "start = 0, rate_start = 1.7320508075688772"));
  for (const char* name : {"dopri5", "dop853"}) {
    INFO(name);
    const End end = moved(loaded, name, 1e-6, 2);
    CHECK(end.x > 2);
    CHECK(end.events >= 1);
  }
}

TEST_CASE("branches that lead back to each other are an error that names them", "[switches]") {
  const Loaded loaded = Loaded::text(mass("-F*sign(der(x))", "start = 0, rate_start = 1"));
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  CHECK(simulation->advance(0.5));
  CHECK_FALSE(simulation->advance(1));
  CHECK_THAT(std::string(simulation->message().text),
             Catch::Contains("conditions in formulas change more than 1000 times") &&
                 Catch::Contains("a condition of der(x)"));
  // At rest nothing moves, and nothing changes.
  const Loaded still = Loaded::text(mass("-F*sign(der(x))", "start = 0.3"));
  CHECK(moved(still, "dop853", 1e-8, 5).x == 0.3);
}

TEST_CASE("conditions of inputs act at once, and leave nothing between steps", "[switches]") {
  const Loaded loaded = Loaded::text(mass("if(u > 0.5, F, -F)", "start = 0", "[inputs]\nu = { start = 0 }\n"));
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  CHECK(simulation->accelerations()[0] == -1.5);
  advance(*simulation, 1);
  CHECK(simulation->positions()[0] == Approx(-0.75).epsilon(1e-12));
  simulation->set_input(0, 1);
  CHECK(simulation->accelerations()[0] == 1.5);
  advance(*simulation, 2);
  CHECK(simulation->positions()[0] == Approx(-1.5).epsilon(1e-12));
  CHECK(simulation->velocities()[0] == Approx(0).margin(1e-12));
  const Loaded wavy = Loaded::text(mass("if(x > 0*length, -k*x, F)"));
  // Communication points may be anywhere, also at events.
  const double quarter = pi / 2 * std::sqrt(2. / 50);
  const End one = moved(wavy, "dop853", 1e-10, 8 * quarter), many = moved(wavy, "dop853", 1e-10, 8 * quarter, 8);
  CHECK(one.x == Approx(many.x).epsilon(1e-8));
}

TEST_CASE("pieces of a table that meet smoothly are no switches", "[switches]") {
  const std::string table = "[functions]\ngrip = { table = [[-1, 0], [-0.5, 1], [0, 3], [0.5, 1], [1, 0]]";
  CHECK(Loaded::text(mass("-F*grip(x/length)", "start = 0.1", table + ", beyond = \"line\" }\n")).sizes().switches ==
        0);
  CHECK(Loaded::text(mass("-F*grip(x/length)", "start = 0.1", table + " }\n")).sizes().switches == 2);
  CHECK(Loaded::text(mass("-F*grip(x/length)", "start = 0.1",
                          "[functions]\ngrip = { table = [[0, 0], [0.5, 1], [1, 3]], period = 2 }\n"))
            .sizes()
            .switches == 0);
}

TEST_CASE("conditions stand beside contacts", "[switches][contacts]") {
  // A mass falls freely to 1 m, then through honey, and lands; the floor then carries what the wind adds.
  const Loaded loaded =
      Loaded::text(mass("-9.81*F*2/3 + if(time > 3*s, -F, 0*F) - if(x < 1*length, 8*F/v, 0*F/v)*der(x)", "start = 2",
                        "[contacts.floor]\ngap = \"x\"\nrestitution = 0\n"));
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  advance(*simulation, 2.9);
  CHECK(simulation->positions()[0] == 0);
  CHECK(simulation->multipliers()[0] == Approx(2 * 9.81).epsilon(1e-13));
  advance(*simulation, 3.1);
  CHECK(simulation->multipliers()[0] == Approx(2 * 9.81 + 3).epsilon(1e-13));
  // They are the honey, the floor and the wind.
  CHECK(simulation->events() == 3);
}

TEST_CASE("a ball bounces in air: its drag turns with the impact", "[switches][contacts]") {
  // With v∞² = m g/c it falls by v = v∞ tanh(g t/v∞), and rises by v = v∞ tan(atan(v0/v∞) − g t/v∞).
  const double g = 9.81, m = 2, c = 0.5, limit = std::sqrt(m * g / c), height = 1;
  const double fall = std::acosh(std::exp(g * height / (limit * limit))) * limit / g,
               rebound = 0.8 * limit * std::tanh(g * fall / limit), angle = std::atan(rebound / limit);
  const Loaded loaded = Loaded::text(R"toml(
[mechanism]
name = "Ball"
[parameters]
c = { value = 0.5, unit = "kg/m" }
[coordinates]
y = { unit = "m", start = 1 }
[dynamics]
kinetic_energy = "2*der(y)^2/2"
potential_energy = "2*9.81*y"
[dynamics.forces]
y = "-c*abs(der(y))*der(y)"
[contacts.floor]
gap = "y"
restitution = 0.8
)toml");
  REQUIRE(loaded.sizes().switches == 1);
  for (const char* name : error_controlled) {
    INFO(name);
    const double later = 0.2, tolerance = std::string(name) == "rodas" ? 1e-8 : 1e-11;
    const End end = moved(loaded, name, tolerance, fall + later);
    CHECK(end.rate == Approx(limit * std::tan(angle - g * later / limit)).epsilon(100 * tolerance));
    CHECK(end.x == Approx(limit * limit / g * std::log(std::cos(angle - g * later / limit) / std::cos(angle)))
                       .epsilon(100 * tolerance));
    CHECK(end.events == 1);
  }
}
