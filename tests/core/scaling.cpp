// The same mechanism in other units of length, mass and time takes the same steps; where the units differ by powers of
// two, with the same bits.
#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <string>

#include "exporter/assemble_mechanism.hpp"
#include "modelDescription/read.hpp"
#include "support.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;
using casadi::SX;

namespace {

/// How much larger numbers become: by units of length, mass and time.
struct Units {
  double length = 1, mass = 1, time = 1;
  double of(const Dimension& d) const {
    return std::pow(mass, d.exponents[0]) * std::pow(length, d.exponents[1]) * std::pow(time, d.exponents[2]);
  }
  double energy() const { return mass * length * length / (time * time); }
};

/// A mechanism's equations with numbers of other units: E(t, q, v, …) in the old ones, of which each symbol is a new one
/// divided. Parameters and inputs keep their old units.
class OtherUnits {
 public:
  OtherUnits(const Equations& equations, const Units& units) : e_(equations), units_(units) {
    const Symbols& s = e_.symbols;
    std::size_t next = 0, i = 0;
    while (i < e_.positions.size()) {
      const bool turned = next < e_.quaternions.size() && e_.quaternions[next].position == static_cast<int>(i);
      const double scale = turned ? 1 : units.of(e_.positions[i].unit.dimension);
      for (int c = 0; c < (turned ? 4 : 1); ++c) of_positions_.push_back(scale);
      for (int c = 0; c < (turned ? 3 : 1); ++c) of_velocities_.push_back(scale);
      i += turned ? 4 : 1;
      next += turned;
    }
    const SX position = SX(of_positions_), velocity = SX(of_velocities_) / units.time;
    old_ = {s.time, s.q, s.v, s.acceleration, s.multipliers};
    std::vector<SX> of_multipliers;
    for (const ConstraintEquation& row : e_.constraints)
      of_multipliers.push_back(row.realised_by ? 1 : units.energy() / units.length);
    new_ = {s.time / units.time, s.q / position, s.v / velocity, s.acceleration / (velocity / units.time),
            of_multipliers.empty() ? s.multipliers : s.multipliers / SX::vertcat(of_multipliers)};
  }

  Equations equations() const {
    Equations e = e_;
    const Units& u = units_;
    const SX on_velocities = u.energy() / SX(of_velocities_);
    e.kinetic_energy = of(e.kinetic_energy) * u.energy();
    e.forces = of(e.forces) * on_velocities;
    if (e.mass_matrix) {
      const SX sizes = SX(of_velocities_) / u.time;
      e.mass_matrix = of(*e.mass_matrix) * u.energy() / SX::mtimes(sizes, sizes.T());
    }
    if (e.inertia_forces) e.inertia_forces = of(*e.inertia_forces) * on_velocities;
    if (e.potential_energy) e.potential_energy = of(*e.potential_energy) * u.energy();
    for (ConstraintEquation& row : e.constraints) {
      row.residual = of(row.residual) * u.length / std::pow(u.time, static_cast<int>(row.level));
      if (row.realised_by) row.realised_by = of(*row.realised_by) * on_velocities;
    }
    for (auto* rows : {&e.start_positions, &e.start_velocities, &e.start_guesses})
      for (StartEquation& row : *rows) row.residual = of(row.residual);
    for (AngleEquation& angle : e.angles) angle.raw = of(angle.raw);
    for (BranchCondition& branch : e.branches) branch.value = of(branch.value);
    for (LoadEquation& load : e.loads) load.value = of(load.value);
    for (OutputEquation& output : e.outputs) output.value = of(output.value);
    e.position_guess = e.position_guess * SX(of_positions_);
    e.velocity_guess = e.velocity_guess * SX(of_velocities_) / u.time;
    for (std::size_t j = 0; j < e.nominal.size(); ++j) {
      e.nominal[j] *= of_velocities_[j];
      e.rate_nominal[j] *= of_velocities_[j] / u.time;
    }
    e.duration *= u.time;
    return e;
  }

  double of_position(std::size_t i) const { return of_positions_[i]; }
  double of_velocity(std::size_t j) const { return of_velocities_[j] / units_.time; }

 private:
  SX of(const SX& expression) const { return SX::substitute(std::vector<SX>{expression}, old_, new_)[0]; }

  const Equations& e_;
  const Units units_;
  std::vector<double> of_positions_, of_velocities_;
  std::vector<SX> old_, new_;
};

Equations equations_of_model(const std::string& name) {
  const ReadResult read = read_mechanism(std::string(MECHFMU_SOURCE_DIR) + "/models/" + name + "/mechanism.toml");
  REQUIRE(read.description.has_value());
  Diagnostics diagnostics;
  return *assemble_mechanism(*read.description, diagnostics);
}

struct Consistent {
  std::vector<double> q, v;
};

Consistent start_of(const Loaded& loaded) {
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  const double *q = simulation->positions(), *v = simulation->velocities();
  return {{q, q + loaded.sizes().positions}, {v, v + loaded.sizes().velocities}};
}

struct Run {
  std::vector<double> q, v;  ///< in the old units
  double steps, rejected, evaluations;
};

/// From there, which fits the constraints; a start may be nearer to them by other roundings.
Run motion(Equations equations, const Consistent& start, const Units& units, const Settings& settings, double end) {
  equations.position_guess = SX(start.q);
  equations.velocity_guess = SX(start.v);
  const OtherUnits other(equations, units);
  const Loaded loaded = Loaded::equations(other.equations());
  const auto simulation = loaded.simulation(settings);
  assemble(*simulation);
  advance(*simulation, end * units.time);
  Run result{{}, {}, simulation->steps(), simulation->rejected_steps(), simulation->evaluations()};
  for (std::size_t i = 0; i < equations.positions.size(); ++i)
    result.q.push_back(simulation->positions()[i] / other.of_position(i));
  for (std::size_t j = 0; j < equations.velocities.size(); ++j)
    result.v.push_back(simulation->velocities()[j] / other.of_velocity(j));
  return result;
}

double largest_difference(const Run& a, const Run& b, const Equations& e) {
  double largest = 0;
  for (std::size_t j = 0; j < a.v.size(); ++j)
    largest = std::fmax(largest, std::fabs(a.v[j] - b.v[j]) / (e.rate_nominal[j] + std::fabs(b.v[j])));
  if (a.q.size() != a.v.size()) return largest;
  for (std::size_t i = 0; i < a.q.size(); ++i)
    largest = std::fmax(largest, std::fabs(a.q[i] - b.q[i]) / (e.nominal[i] + std::fabs(b.q[i])));
  return largest;
}

const char* const scaled_models[] = {"four_bar_equations", "cart_pole", "four_bar", "spatial_four_bar", "driven_pendulum",
                                     "guided_pendulum", "knife_edge", "gyroscope", "double_wishbone", "three_motor_robot"};

/// A mass on a spring, amplitude and lengths of this size.
std::string oscillator(const std::string& size, const std::string& further = "") {
  return "[mechanism]\nname = \"Oscillator\"\n[parameters]\nm = { value = 1, unit = \"kg\" }\n"
         "k = { value = 100, unit = \"N/m\" }\n[coordinates]\nx = { unit = \"m\", start = " + size + further + " }\n"
         "[dynamics]\nkinetic_energy = \"m*der(x)^2/2\"\npotential_energy = \"k*x^2/2\"\n[solver]\nstop_time = 5\n";
}

double relative_error(const Loaded& loaded, double amplitude) {
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  advance(*simulation, 5);
  return std::fabs(simulation->positions()[0] / amplitude - std::cos(50.0));
}

}  // namespace

TEST_CASE("a vibration of any size is as exact as one of a metre", "[scaling]") {
  const double of_a_metre = relative_error(Loaded::text(oscillator("1")), 1);
  CHECK(of_a_metre < 1e-5);
  for (const char* size : {"1e-6", "1e-9", "1e6"})
    CHECK(relative_error(Loaded::text(oscillator(size)), std::stod(size)) == Approx(of_a_metre).epsilon(1e-3));
  // Beside something large it needs a nominal size of its own.
  const std::string large = "\n[coordinates.y]\nunit = \"m\"\nstart = 1\n";
  const std::string both = oscillator("1e-9") + large, with_nominal = oscillator("1e-9", ", nominal = 1e-9") + large;
  const auto with_mass = [](std::string text) {
    return text.replace(text.find("der(x)^2/2"), 10, "der(x)^2/2 + m*der(y)^2/2");
  };
  CHECK(relative_error(Loaded::text(with_mass(both)), 1e-9) > 1);
  CHECK(relative_error(Loaded::text(with_mass(with_nominal)), 1e-9) == Approx(of_a_metre).epsilon(1e-3));
}

TEST_CASE("nominal sizes come from the file, from the mechanism's length, from starts", "[scaling]") {
  const auto sizes = [](const std::string& toml) {
    const Loaded loaded = Loaded::text(toml);
    const Mechanism& m = loaded.table();
    return std::array<std::vector<double>, 2>{std::vector<double>(m.nominal, m.nominal + m.sizes.velocities),
                                              std::vector<double>(m.rate_nominal, m.rate_nominal + m.sizes.velocities)};
  };
  using Sizes = std::array<std::vector<double>, 2>;
  CHECK(sizes(oscillator("-0.03")) == Sizes{std::vector<double>{0.03}, std::vector<double>{0.03 / 5}});
  CHECK(sizes(oscillator("0")) == Sizes{std::vector<double>{1}, std::vector<double>{0.2}});
  CHECK(sizes(oscillator("3", ", nominal = 7")) == Sizes{std::vector<double>{7}, std::vector<double>{7.0 / 5}});
  CHECK(sizes(oscillator("3", ", rate_nominal = 30")) == Sizes{std::vector<double>{3}, std::vector<double>{30}});
  const std::string bodies = R"toml(
[mechanism]
name = "Sliding"
dimension = "planar"
[bodies.slide]
mass = 1
points.P = [30, 0]
[bodies.bar]
mass = 1
inertia = 1
center_of_mass = [0, -40]
[joints.A]
type = "prismatic"
parent = "ground"
child = "slide"
position = { start = 1000 }
[joints.B]
type = "revolute"
parent = "slide.P"
child = "bar"
[solver]
stop_time = 4
)toml";
  CHECK(sizes(bodies) == Sizes{std::vector<double>{50, 1}, std::vector<double>{12.5, 0.25}});
}

TEST_CASE("scaled by powers of two a mechanism takes the same steps and gives the same bits", "[scaling]") {
  for (const char* name : scaled_models) {
    const Loaded model = Loaded::model(name);
    const Equations equations = equations_of_model(name);
    const Consistent start = start_of(model);
    const double end = model.stop_time / 4;
    const Run here = motion(equations, start, {}, model.settings, end);
    CHECK(here.steps > 3);
    for (const Units& units : {Units{0x1p-30, 1, 1}, Units{0x1p20, 1, 1}, Units{1, 0x1p-50, 1}, Units{1, 0x1p40, 1},
                               Units{1, 1, 0x1p-20}, Units{1, 1, 0x1p10}, Units{0x1p-30, 0x1p-50, 0x1p-20}}) {
      INFO(name << ", length " << units.length << ", mass " << units.mass << ", time " << units.time);
      const Run there = motion(equations, start, units, model.settings, end);
      CHECK(there.steps == here.steps);
      CHECK(there.rejected == here.rejected);
      CHECK(there.evaluations == here.evaluations);
      CHECK(there.q == here.q);
      CHECK(there.v == here.v);
    }
    for (const Units& units : {Units{1e-9, 1e-15, 1e-6}, Units{1e6, 1e12, 1e3}}) {
      INFO(name << ", length " << units.length << ", mass " << units.mass << ", time " << units.time);
      const Run there = motion(equations, start, units, model.settings, end);
      CHECK(there.steps == here.steps);
      CHECK(largest_difference(there, here, equations) < 1e-10);
    }
  }
}
