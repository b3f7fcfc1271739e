// Tests mechanisms in other units of length, mass and time: they take equal steps, and give equal bits if the units
// differ by powers of two.
#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <random>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "fmu_src/start/start.hpp"
#include "modelDescription/reading/read.hpp"
#include "preparation/compose_mechanism.hpp"
#include "preparation/surplus_motions.hpp"
#include "tests/core/mechanisms.hpp"
#include "tests/core/methods.hpp"
#include "tests/core/support.hpp"

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

/// A mechanism's equations with numbers of other units: E(t, q, v, …) in the old ones, of which each symbol is a new
/// one divided. Parameters and inputs keep their old units.
class OtherUnits {
 public:
  OtherUnits(const Equations& equations, const Units& units) : e_(equations), units_(units) {
    const Symbols& s = e_.symbols;
    std::size_t next = 0, i = 0;
    const std::size_t coordinates = e_.positions.size() - e_.states.size();
    while (i < coordinates) {
      const bool turned = next < e_.quaternions.size() && e_.quaternions[next].position == static_cast<int>(i);
      const double scale = turned ? 1 : units.of(e_.positions[i].unit.dimension);
      for (int c = 0; c < (turned ? 4 : 1); ++c) of_positions_.push_back(scale);
      for (int c = 0; c < (turned ? 3 : 1); ++c) of_velocities_.push_back(scale);
      i += turned ? 4 : 1;
      next += turned;
    }
    const SX position = SX(of_positions_);
    std::vector<SX> of_states;
    for (; i < e_.positions.size(); ++i) {
      of_positions_.push_back(units.of(e_.positions[i].unit.dimension));
      of_states.push_back(of_positions_.back());
    }
    const SX velocity = SX(of_velocities_) / units.time;
    std::vector<SX> of_multipliers, of_loads;
    for (const ConstraintEquation& row : e_.constraints)
      of_multipliers.push_back(row.realised_by ? 1 : units.energy() / (of_row(row) * power_of_time(row.level)));
    for (const LoadEquation& load : e_.loads) of_loads.push_back(units.of(load.unit.dimension));
    const auto divided = [](const SX& symbols, const std::vector<SX>& scales) {
      return scales.empty() ? symbols : symbols / SX::vertcat(scales);
    };
    old_ = {s.time, s.q, s.v, s.acceleration, s.multipliers, s.loads, s.states};
    new_ = {s.time / units.time,
            s.q / position,
            s.v / velocity,
            s.acceleration / (velocity / units.time),
            divided(s.multipliers, of_multipliers),
            divided(s.loads, of_loads),
            divided(s.states, of_states)};
    for (const ContactEquation& contact : e_.contacts) {
      std::vector<SX> forces, slides;
      for (std::size_t i = 0; i < contact.rows(); ++i) {
        const bool slips = i >= contact.rows() - contact.slips.size();
        forces.push_back(slips || contact.gap.is_empty() ? of_friction(contact) : of_force(contact));
        slides.push_back(slips && contact.slips.size() == 2 ? of_slip(contact) : 1);
      }
      if (forces.empty()) continue;
      old_.insert(old_.end(), {contact.multipliers, contact.slide});
      new_.insert(new_.end(), {divided(contact.multipliers, forces), divided(contact.slide, slides)});
    }
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
      row.residual = of(row.residual) * of_row(row);
      if (row.realised_by) row.realised_by = of(*row.realised_by) * on_velocities;
    }
    for (auto* rows : {&e.start_positions, &e.start_velocities, &e.start_guesses})
      for (StartEquation& row : *rows) row.residual = of(row.residual);
    for (AngleEquation& angle : e.angles) angle.raw = of(angle.raw);
    for (BranchCondition& branch : e.branches) branch.value = of(branch.value);
    for (ContactEquation& contact : e.contacts) {
      contact.for_expressions([this](SX& number) { number = of(number); });
      contact.gap *= u.of(contact.gap_unit.dimension);
      contact.normal_force *= of_force(contact);
      contact.speed *= of_slip(contact);
      contact.capacity *= of_friction(contact);
      for (SX& slip : contact.slips) slip *= of_slip(contact);
    }
    for (LoadEquation& load : e.loads) {
      const bool is_unknown = load.start.has_value();
      load.value = of(load.value) * u.of((is_unknown ? load.residual_unit : load.unit).dimension);
      load.nominal *= u.of(load.unit.dimension);
      if (is_unknown) load.start = *load.start * u.of(load.unit.dimension);
    }
    const std::size_t first_state = e.positions.size() - e.states.size();
    for (std::size_t i = 0; i < e.states.size(); ++i) e.states[i].nominal *= of_positions_[first_state + i];
    for (OutputEquation& output : e.outputs) {
      output.value = of(output.value);
      if (output.group != state_rate_outputs) continue;
      output.value *= of_positions_[first_state + static_cast<std::size_t>(output.index)] / u.time;
    }
    e.position_guess = e.position_guess * SX(of_positions_);
    e.velocity_guess = e.velocity_guess * SX(of_velocities_) / u.time;
    for (std::size_t j = 0; j < e.nominal.size(); ++j) {
      e.rate_nominal[j] *= of_velocities_[j] / u.time;
      e.nominal[j] *= of_velocities_[j];
    }
    e.duration *= u.time;
    e.nominal_force *= u.energy() / u.length;
    return e;
  }

  double of_position(std::size_t i) const { return of_positions_[i]; }
  double of_velocity(std::size_t j) const { return of_velocities_[j] / units_.time; }

 private:
  double of_row(const ConstraintEquation& row) const { return units_.of(row.unit.dimension); }
  double of_slip(const ContactEquation& contact) const { return units_.of(contact.slip_unit.dimension); }
  double of_force(const ContactEquation& contact) const {
    return units_.energy() / units_.of(contact.gap_unit.dimension);
  }
  double of_friction(const ContactEquation& contact) const {
    return units_.energy() / (units_.time * of_slip(contact));
  }
  double power_of_time(Level level) const { return std::pow(units_.time, static_cast<int>(level)); }
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
  return *compose_mechanism(*read.description, diagnostics);
}

struct Run {
  std::vector<double> q, v;  ///< have the old units
  double steps, rejected, evaluations, switches;
};

/// A mechanism in certain units, and what to do with it.
class Scaled {
 public:
  /// Its guesses are where `start` is, which fits the constraints; one that has to be searched may be nearer to them by
  /// other roundings.
  Scaled(Equations equations, const Simulation* start, const Units& units)
      : units_(units), equations_(at(std::move(equations), start)), other_(equations_, units),
        loaded_(Loaded::equations(other_.equations())) {}

  const Loaded& loaded() const { return loaded_; }

  Run run(Settings settings, double end) const {
    settings.step *= units_.time;
    settings.drift_gain_1 /= units_.time;
    settings.drift_gain_0 /= units_.time * units_.time;
    const auto simulation = loaded_.simulation(settings);
    assemble(*simulation);
    if (end > 0) advance(*simulation, end * units_.time);
    Run result{{},
               {},
               simulation->steps(),
               simulation->rejected_steps(),
               simulation->evaluations(),
               simulation->basis_switches()};
    for (std::size_t i = 0; i < equations_.positions.size(); ++i)
      result.q.push_back(simulation->positions()[i] / other_.of_position(i));
    for (std::size_t j = 0; j < equations_.velocities.size(); ++j)
      result.v.push_back(simulation->velocities()[j] / other_.of_velocity(j));
    return result;
  }

  /// Returns the message about fixed steps, and the number of steps at the end of a run.
  std::pair<std::string, double> told(double step, double end) const {
    Settings settings = loaded_.settings;
    settings.method = method("rk4");
    settings.step = step * units_.time;
    const auto simulation = loaded_.simulation(settings);
    assemble(*simulation);
    double taken = 0;
    for (; taken * step < end; ++taken)
      if (!simulation->advance((taken + 1) * settings.step)) break;
    return {std::string(simulation->message().warnings) + simulation->message().text, taken};
  }

  double largest_difference(const Run& a, const Run& b) const {
    const Equations& e = equations_;
    double largest = 0;
    for (std::size_t j = 0; j < a.v.size(); ++j)
      largest = std::fmax(largest, std::fabs(a.v[j] - b.v[j]) / (e.rate_nominal[j] + std::fabs(b.v[j])));
    if (a.q.size() != a.v.size()) return largest;
    for (std::size_t i = 0; i < a.q.size(); ++i)
      largest = std::fmax(largest, std::fabs(a.q[i] - b.q[i]) / (e.nominal[i] + std::fabs(b.q[i])));
    return largest;
  }

 private:
  static Equations at(Equations equations, const Simulation* start) {
    if (start == nullptr) return equations;
    const double *q = start->positions(), *v = start->velocities();
    equations.position_guess = SX(std::vector<double>(q, q + equations.positions.size()));
    equations.velocity_guess = SX(std::vector<double>(v, v + equations.velocities.size()));
    return equations;
  }

  Units units_;
  Equations equations_;
  OtherUnits other_;
  Loaded loaded_;
};

/// These units differ in length, mass or time alone, or in all together. An odd power of two of a mass would change
/// bits, since √M is in W_d.
const Units powers_of_two[] = {
    {0x1p-30, 1, 1},
    {0x1p20, 1, 1},
    {1, 0x1p-50, 1},
    {1, 0x1p40, 1},
    {1, 1, 0x1p-20},
    {1, 1, 0x1p10},
    {0x1p-30, 0x1p-50, 0x1p-20}};
const Units powers_of_ten[] = {{1e-9, 1e-15, 1e-6}, {1e6, 1e12, 1e3}};

std::string text_of(const Units& units) {
  std::ostringstream text;
  text << "length " << units.length << ", mass " << units.mass << ", time " << units.time;
  return text.str();
}

/// Checks these settings: steps and bits are equal in all units.
void check_scaled(const std::string& name, const Loaded& model, const Equations& equations,
                  const std::vector<std::pair<std::string, Settings>>& ways, double part) {
  const auto start = model.simulation();
  assemble(*start);
  const double end = model.stop_time * part;
  const Scaled here(equations, start.get(), {});
  std::vector<Run> runs;
  for (const auto& [way, settings] : ways) {
    INFO(name << ", " << way);
    runs.push_back(here.run(settings, end));
    CHECK(runs.back().steps > 2);
  }
  for (const Units& units : powers_of_two) {
    const Scaled there(equations, start.get(), units);
    for (std::size_t i = 0; i < ways.size(); ++i) {
      INFO(name << ", " << ways[i].first << ", " << text_of(units));
      const Run run = there.run(ways[i].second, end);
      CHECK(run.steps == runs[i].steps);
      CHECK(run.rejected == runs[i].rejected);
      CHECK(run.evaluations == runs[i].evaluations);
      CHECK(run.switches == runs[i].switches);
      CHECK(run.q == runs[i].q);
      CHECK(run.v == runs[i].v);
    }
  }
  for (const Units& units : powers_of_ten) {
    const Scaled there(equations, start.get(), units);
    for (std::size_t i = 0; i < ways.size(); ++i) {
      INFO(name << ", " << ways[i].first << ", " << text_of(units));
      const Run run = there.run(ways[i].second, end);
      // A differenced Jacobian differs by more than rounding, and with it each error estimate.
      const bool differenced = ways[i].second.method == method("rodas");
      CHECK(std::fabs(run.steps - runs[i].steps) <= (differenced ? 0.01 : 0) * runs[i].steps);
      CHECK(here.largest_difference(run, runs[i]) < (differenced ? ways[i].second.tolerance : 1e-10));
    }
  }
}

void check_scaled(const std::string& name, const std::vector<std::pair<std::string, Settings>>& ways, double part) {
  check_scaled(name, Loaded::model(name), equations_of_model(name), ways, part);
}

/// From the guesses that the equations have, the same start in all units.
void check_scaled_start(const Equations& equations, const Settings& settings) {
  const Scaled here(equations, nullptr, {});
  const Run found = here.run(settings, 0);
  for (const Units& units : powers_of_two) {
    INFO(text_of(units));
    const Run there = Scaled(equations, nullptr, units).run(settings, 0);
    CHECK(there.q == found.q);
    CHECK(there.v == found.v);
  }
  for (const Units& units : powers_of_ten) {
    INFO(text_of(units));
    const Scaled there(equations, nullptr, units);
    CHECK(here.largest_difference(there.run(settings, 0), found) < 1e-10);
  }
}

/// Writes a mass on a spring with amplitude and lengths of this size.
std::string oscillator(const std::string& size, const std::string& further = "") {
  return "[mechanism]\nname = \"Oscillator\"\n[parameters]\nm = { value = 1, unit = \"kg\" }\n"
         "k = { value = 100, unit = \"N/m\" }\n[coordinates]\nx = { unit = \"m\", start = " +
         size + further +
         " }\n"
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

TEST_CASE("an unknown's nominal size comes from the file, its start, the mechanism's sizes, its unit",
          "[scaling][unknowns]") {
  const auto size = [](const std::string& text) {
    const Loaded loaded = Loaded::text(text);
    REQUIRE(loaded.sizes().loads == 1);
    return loaded.table().load_nominal[0];
  };
  const auto beside = [](const std::string& mechanism, const std::string& unknown) {
    return mechanism + "\n[parameters.one]\nvalue = 1\n" + unknown;
  };
  const auto of_unit = [](const std::string& unit, const std::string& further = "") {
    return "[unknowns.p]\nunit = \"" + unit + "\"\nequation = \"p*(1 + one)\"\n" + further;
  };
  // They are 2 kg and 0.5 m in a field of 3 m/s2 for 10 s: 2*(3 + 0.5/100) N
  const std::string bodies = R"toml(
[mechanism]
name = "Pendulum"
dimension = "planar"
gravity = [0, -3]
[bodies.bar]
mass = 2
inertia = 1
center_of_mass = [0.5, 0]
[joints.A]
type = "revolute"
parent = "ground"
child = "bar"
[solver]
stop_time = 10
)toml";
  const double force = 2 * (3 + 0.5 / 100);
  for (const auto& [unit, wanted] : std::vector<std::pair<std::string, double>>{
           {"N", force},
           {"mN", force},
           {"N.m", force * 0.5},
           {"Pa", force / 0.25},
           {"W", force * 0.5 / 10},
           {"m/N", 0.5 / force},
           {"mm", 0.5},
           {"m/s", 0.05},
           {"m3/s", 0.0125},
           {"g", 2},
           {"kg.m2", 0.5},
           {"s", 10},
           {"rad", 1},
           {"deg", 1},
           {"1", 1},
           {"mK", 1e-3}}) {
    INFO(unit);
    CHECK(size(beside(bodies, of_unit(unit))) == Approx(wanted).epsilon(1e-12));
  }
  CHECK(size(beside(bodies, of_unit("mN", "start = -40\n"))) == Approx(0.04).epsilon(1e-12));
  CHECK(size(beside(bodies, of_unit("mN", "start = 40\nnominal = 7\n"))) == Approx(0.007).epsilon(1e-12));
  // Equations tell a length, if coordinates have one, but no mass and no force.
  CHECK(size(beside(oscillator("0.03"), of_unit("mm"))) == Approx(0.03).epsilon(1e-12));
  CHECK(size(beside(oscillator("0", ", nominal = 7"), of_unit("mm"))) == Approx(7).epsilon(1e-12));
  CHECK(size(beside(oscillator("0"), of_unit("mm"))) == Approx(1e-3).epsilon(1e-12));
  CHECK(size(beside(oscillator("0.03"), of_unit("kN"))) == 1000);
}

TEST_CASE("scaled by powers of two a mechanism takes the same steps and gives the same bits", "[scaling]") {
  // The models are planar and spatial, of equations and of bodies, with quaternions, driven, rolling, with friction,
  // over-constrained, stiff, large, with constraints of velocities.
  const auto name =
      GENERATE(as<std::string>{}, "four_bar_equations", "cart_pole", "four_bar", "spatial_four_bar", "driven_pendulum",
               "guided_pendulum", "knife_edge", "gyroscope", "double_wishbone", "three_motor_robot",
               "four_bar_in_space", "block_on_ramp", "flyball_governor", "circling_vehicle", "hanging_chain",
               "rolling_disk", "box_on_ramp", "brake", "stick_slip_belt");
  check_scaled(name, {{"as the file says", Loaded::model(name).settings}}, 0.25);
}

TEST_CASE("every way to resolve the constraints scales by powers of two", "[scaling]") {
  const auto name =
      GENERATE(as<std::string>{}, "guided_pendulum", "spatial_four_bar", "double_wishbone", "four_bar_in_space");
  const Loaded model = Loaded::model(name);
  std::vector<std::pair<std::string, Settings>> ways;
  const auto add = [&](const std::string& way) -> Settings& {
    ways.emplace_back(way, model.settings);
    return ways.back().second;
  };
  for (int b = 0; b < resolution_count; ++b) {
    if (serves(b, model)) add(tangent_bases[b]).tangent_basis = b;
  }
  for (const char* correction : drift_corrections) add(correction).drift_correction = drift(correction);
  for (const char* name_of_method : integration_methods) {
    Settings& settings = add(name_of_method);
    settings.method = method(name_of_method);
    settings.tolerance = 1e-6;
  }
  check_scaled(name, ways, 0.1);
}

TEST_CASE("unknowns that start at zero scale by powers of two", "[scaling][unknowns]") {
  // A valve's pressure drop, the give of a buffer and a slip: of a force per area, of a length, without a unit.
  const std::string cylinder = R"toml(
[mechanism]
name = "Cylinder"
[parameters]
m = { value = 3, unit = "kg" }
k = { value = 90, unit = "N/m" }
area = { value = 5, unit = "cm2" }
oil = { value = 2e-8, unit = "m3/(s.Pa)" }
jet = { value = 1e-15, unit = "m3/(s.Pa3)" }
rubber = { value = 200, unit = "N/m" }
thick = { value = 0.1, unit = "m" }
[inputs]
push = { unit = "N", start = 7 }
[coordinates]
x = { unit = "m", start = 0.2, rate_start = 0.1 }
[unknowns]
p = { unit = "Pa", equation = "oil*p + jet*p^3 - area*der(x)" }
dent = { unit = "mm", equation = "k*(x - dent) - rubber*dent*(1 + (dent/thick)^2)" }
slip = { equation = "slip + slip^3 - dent/thick + p*area/(k*thick)" }
[dynamics]
kinetic_energy = "m*der(x)^2/2"
[dynamics.forces]
x = "push*(1 - tanh(slip)/2) - k*(x - dent) - p*area"
)toml";
  const std::string block = R"toml(
[mechanism]
name = "Block"
dimension = "planar"
gravity = [0, -9.81]
[parameters]
oil = { value = 0.05, unit = "m/(s.N)" }
jet = { value = 1e-3, unit = "m/(s.N3)" }
[bodies.block]
mass = 2
[joints.A]
type = "prismatic"
parent = "ground"
child = "block"
position = { start = 0.2, rate_start = 1.5 }
[unknowns]
drag = { unit = "N", equation = "oil*drag + jet*drag^3 - der(A.position)" }
[forces.damper]
type = "joint_force"
coordinate = "A.position"
value = "-drag"
[forces.contact]
type = "friction"
coordinate = "A.position"
coulomb = 0.05
stick_speed = 0.01
)toml";
  for (const std::string& text : {cylinder, block}) {
    const Loaded model = Loaded::text(text);
    std::vector<std::pair<std::string, Settings>> ways;
    for (const char* name_of_method : integration_methods) {
      ways.emplace_back(name_of_method, model.settings);
      ways.back().second.method = method(name_of_method);
      ways.back().second.step = 0.01;
    }
    check_scaled("unknowns", model, equations_of(text), ways, 0.5);
  }
}

TEST_CASE("scaled by powers of two a start is found with the same bits", "[scaling][start]") {
  const std::string name = GENERATE(from_range(model_names()));
  INFO(name);
  check_scaled_start(equations_of_model(name), Loaded::model(name).settings);
}

TEST_CASE("so is a start far from its guesses", "[scaling][start]") {
  const auto name =
      GENERATE(as<std::string>{}, "slider_crank", "scissor_lift", "stewart_platform", "four_bar", "double_wishbone",
               "bricard", "delta_robot", "planetary_gear", "spatial_four_bar", "excavator_arm");
  INFO(name);
  std::mt19937 random(11);
  std::uniform_real_distribution<double> part(-0.3, 0.3);
  const Loaded model = Loaded::model(name);
  Equations equations = equations_of_model(name);
  std::vector<double> aside(equations.positions.size());
  const bool* fixed = model.table().position_fixed;
  for (std::size_t i = 0; i < aside.size(); ++i) {
    const bool stays = model.sizes().quaternions > 0 || (fixed != nullptr && fixed[i]);
    aside[i] = stays ? 0 : part(random) * equations.nominal[i];
  }
  equations.position_guess = equations.position_guess + SX(aside);
  check_scaled_start(equations, model.settings);
}

TEST_CASE("starts in equilibrium scale as others do", "[scaling][start][equilibrium]") {
  const std::string cart = R"toml(
[mechanism]
name = "Cart"
[parameters]
M = { value = 3, unit = "kg" }
m = { value = 2, unit = "kg" }
L = { value = 0.5, unit = "m" }
g = { value = 9.81, unit = "m/s2" }
k = { value = 400, unit = "N/m" }
c = { value = 30, unit = "N/m" }
[coordinates]
s = { unit = "m", start = 0.3 }
a = { unit = "rad", start = 2.1 }
x = { unit = "m", start = 0.2 }
[dynamics]
kinetic_energy = "M*der(s)^2/2 + m*(der(x)^2 + L^2*der(a)^2)/2"
potential_energy = "-m*g*L*cos(a) + k*s^2/2"
[constraints.guide]
position = "s + L*sin(a) - x"
)toml";
  const std::string pushed = "[dynamics.forces]\nx = \"20 - c*s\"\ns = \"c*x\"\n";  // These have no potential.
  for (const std::string& text : {cart, replaced(cart, "[constraints", pushed + "[constraints")}) {
    Equations equations = equations_of(text);
    equations.equilibrium = true;
    check_scaled_start(equations, Loaded::text(text).settings);
  }
}

TEST_CASE("starts of rounded loops scale as others do", "[scaling][start][rounded]") {
  const std::string text = tilted_four_bar("3e-7");
  check_scaled_start(equations_of(text), Loaded::text(text).settings);
}

TEST_CASE("starts at dead points scale as others do", "[scaling][start][dead]") {
  for (const char* further : {"", ", rate_start = 0, rate_fixed = true"}) {
    const std::string text = slider_cranks(1, "start = 0.4, rate_start = 10", "start = -0.3",
                                           "start = 0.32, fixed = true" + std::string(further));
    check_scaled_start(equations_of(text), Loaded::text(text).settings);
  }
}

TEST_CASE("large starts scale as small ones do", "[scaling][start][large]") {
  const std::string cranks =
      slider_cranks(40, "start = 0.5, rate_start = 10", "start = -0.6", "start = 0.3, fixed = true");
  for (const std::string& text : {four_bar_windows(60), cranks}) {
    Equations equations = equations_of(text);
    REQUIRE(equations.velocities.size() >= 120);
    std::vector<double> aside(equations.positions.size(), 0);
    for (std::size_t i = 0; i < aside.size(); i += 3) aside[i] = 0.3;
    equations.position_guess = equations.position_guess + SX(aside);
    check_scaled_start(equations, Loaded::text(text).settings);
  }
}

namespace {

/// Only one of three coordinates has inertia; beside it there is an arm.
const char* const without_inertia = R"toml(
[mechanism]
name = "Massless"
[parameters]
m = { value = 3, unit = "kg" }
J = { value = 0.2, unit = "kg.m2" }
L = { value = 0.5, unit = "m" }
k = { value = 40, unit = "N/m" }
c = { value = 5, unit = "N.m" }
[coordinates]
x = { unit = "m", start = 0.3, rate_start = 0.4 }
a = { unit = "rad", start = 0.8 }
y = { unit = "m", start = 0.7 }
b = { unit = "rad", start = 0.3, rate_start = 1 }
[dynamics]
kinetic_energy = "m*der(x)^2/2 + J*der(b)^2/2"
potential_energy = "k*x^2/2 + c*(b - a)^2/2"
[constraints.along]
position = "x - L*cos(a)"
[constraints.across]
position = "y - L*sin(a)"
)toml";

}  // namespace

TEST_CASE("a coordinate without inertia takes the same steps in all units", "[scaling]") {
  // There are a cam that only touches, and an arm whose inertia is smaller than a mass in some units only.
  check_scaled("cam_follower", {{"as the file says", Loaded::model("cam_follower").settings}}, 0.25);
  const Loaded model = Loaded::text(without_inertia);
  std::vector<std::pair<std::string, Settings>> ways;
  for (const char* resolution : {"partitioned", "qr", "svd", "local_frames", "kkt"}) {
    ways.emplace_back(resolution, model.settings);
    ways.back().second.tangent_basis = basis(resolution);
  }
  check_scaled("without inertia", model, equations_of(without_inertia), ways, 0.3);
}

TEST_CASE("a coordinate without inertia starts at the same place in all units", "[scaling][start]") {
  const Equations equations = equations_of(without_inertia);
  const auto start = [&](const Units& units, double* q, double* v) {
    const OtherUnits other(equations, units);
    const Loaded there = Loaded::equations(other.equations());
    Message message;
    Arena memory;
    CHECK(ConsistentStart(memory, there.table()).solve(0, there.parameters().data(), nullptr, q, v, message));
    for (int j = 0; j < 4; ++j) q[j] /= other.of_position(j), v[j] /= other.of_velocity(j);
  };
  double q[4], v[4], scaled_q[4], scaled_v[4];
  start({}, q, v);
  for (const Units& units : powers_of_two) {
    INFO(text_of(units));
    start(units, scaled_q, scaled_v);
    for (int j = 0; j < 4; ++j) CHECK(scaled_q[j] == q[j]);
    for (int j = 0; j < 4; ++j) CHECK(scaled_v[j] == v[j]);
  }
  for (const Units& units : powers_of_ten) {
    INFO(text_of(units));
    start(units, scaled_q, scaled_v);
    for (int j = 0; j < 4; ++j) CHECK(scaled_q[j] == Approx(q[j]).epsilon(1e-10));
    for (int j = 0; j < 4; ++j) CHECK(scaled_v[j] == Approx(v[j]).epsilon(1e-10));
  }
}

TEST_CASE("a row that nothing moves is open or closed by the size of others in all units", "[scaling][start]") {
  const std::string text = R"toml(
[mechanism]
name = "Apart"
[parameters]
m = { value = 1, unit = "kg" }
none = { value = 0 }
gap = { value = 0, unit = "m" }
[coordinates]
x = { unit = "m", start = 0.3 }
y = { unit = "m", start = 0.5 }
[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2)/2"
[constraints.together]
position = "x - y"
[constraints.apart]
position = "none*x - gap"
)toml";
  const Equations equations = equations_of(text);
  for (const Units& units : powers_of_two) {
    INFO(text_of(units));
    const Scaled there(equations, nullptr, units);
    Arena memory;
    ConsistentStart start(memory, there.loaded().table());
    std::vector<double> parameters = there.loaded().parameters();
    double q[2], v[2];
    Message message;
    CHECK(start.solve(0, parameters.data(), nullptr, q, v, message));
    parameters[there.loaded().parameter("gap")] = 1e-3;
    CHECK_FALSE(start.solve(0, parameters.data(), nullptr, q, v, message));
  }
}

TEST_CASE("motions of an angle and of a length in one freedom are told in all units", "[scaling]") {
  std::string text = text_of_model("slider_crank");
  text = replaced(text, "angle = { start = 0.5, fixed = true, rate_start = 0, rate_fixed = true }",
                  "angle = { motion = \"0.5*sin(1*time)\" }");
  text = replaced(text, "position = { start = 0.3 }", "position = { motion = \"0.3 + 0.01*time\" }");
  const Equations equations = equations_of(text);
  REQUIRE(equations.quaternions.empty());
  const std::vector<double> q = {0.5, -0.66, 0.3};
  REQUIRE(equations.positions.size() == q.size());
  for (const Units& units : {Units{}, powers_of_two[0], powers_of_two[1], powers_of_ten[0], powers_of_ten[1]}) {
    INFO(text_of(units));
    const OtherUnits other(equations, units);
    std::vector<double> there(q.size());
    for (std::size_t i = 0; i < q.size(); ++i) there[i] = q[i] * other.of_position(i);
    CHECK(surplus_motions(other.equations(), there).find("drive one freedom together") != std::string::npos);
  }
}

namespace {

/// Returns a text without its numbers.
std::string words_of(const std::string& text) {
  return std::regex_replace(text, std::regex("[0-9]+(\\.[0-9]+)?(e[-+][0-9]+)?"), "#");
}

}  // namespace

TEST_CASE("a fixed step that is too long is told at the same step and in the same words in all units", "[scaling]") {
  struct Case {
    const char* name;
    std::string text;
    double step, end;
    bool fails;
  };
  const auto oscillation = [](const char* stiffness) { return replaced(oscillator("1"), "value = 100", stiffness); };
  for (const Case& one :
       {Case{"an arm that nothing resolves", arm_on_spring({1e8}), 1e-3, 0.1, true},
        Case{"an arm", arm_on_spring({1e5}), 1e-3, 0.1, false},
        Case{"a damped arm", arm_on_spring({1e3, 1500}), 1e-3, 0.1, true},
        Case{"a mass that nothing resolves", oscillation("value = 1e8"), 1e-3, 0.1, true},
        Case{"a mass", oscillation("value = 1e6"), 1e-3, 0.1, false},
        Case{"a slider-crank", text_of_model("slider_crank"), 0.1, 1, false}}) {
    const Equations equations = equations_of(one.text);
    const Loaded loaded = Loaded::text(one.text);
    const auto start = loaded.simulation();
    assemble(*start);
    const auto [told, steps] = Scaled(equations, start.get(), {}).told(one.step, one.end);
    INFO(one.name << ": " << told);
    CHECK((told.find("is too long for '") != std::string::npos) == one.fails);
    CHECK((told.find("is rough for '") != std::string::npos) != one.fails);
    for (const Units& units : powers_of_two) {
      const auto [there, steps_there] = Scaled(equations, start.get(), units).told(one.step, one.end);
      INFO(text_of(units) << ": " << there);
      CHECK(words_of(there) == words_of(told));
      CHECK(steps_there == steps);
      if (units.time == 1) CHECK(there == told);
    }
  }
}

namespace {

/// Returns the message at the end of a run to `end`.
std::string told_of_ranges(const Loaded& loaded, double end, const char* with_method = "dopri5") {
  Settings settings = loaded.settings;
  settings.method = method(with_method);
  const auto simulation = loaded.simulation(settings);
  assemble(*simulation);
  advance(*simulation, end / 3);
  const std::vector<double> middle = copy_state(*simulation);
  advance(*simulation, end);
  simulation->restore(middle.data());  // ranges go back with the state
  advance(*simulation, end);
  simulation->clear_warnings();
  simulation->warn_of_small_ranges(0);
  return simulation->message().warnings;
}

/// Writes x in mm beside y, which moves by its size 1.
std::string small_beside_large(const std::string& amplitude, const std::string& further = "") {
  return "[mechanism]\nname = \"Two\"\n[parameters]\nm = { value = 1, unit = \"kg\" }\nk = { value = 100, unit = \"N/m\" }\n"
         "[coordinates]\nx = { unit = \"mm\", start = " +
         amplitude + further +
         " }\ny = { unit = \"m\", start = 1 }\n"
         "[dynamics]\nkinetic_energy = \"m*der(x)^2/2 + m*der(y)^2/2\"\npotential_energy = \"k*x^2/2 + k*y^2/2\"\n"
         "[solver]\nstop_time = 2\n";
}

}  // namespace

TEST_CASE("a coordinate that moves little beside its tolerance is told at the end of a run", "[scaling]") {
  const Loaded small = Loaded::text(small_beside_large("1e-4"));  // 2e-7 m to and fro, of 1 m, by 1e-8
  const std::string told = told_of_ranges(small, 2);
  CAPTURE(told);
  CHECK(told.find("tolerance 1e-08") != std::string::npos);
  CHECK(told.find("'x' by 0.0001999") != std::string::npos);
  CHECK(told.find("'y'") == std::string::npos);
  CHECK(told_of_ranges(small, 0.9).empty());             // a short run
  for (const MethodFacts& one : fixed_step_methods()) {  // They have no tolerance.
    INFO(one.name);
    CHECK(told_of_ranges(small, 2, one.name.c_str()).empty());
  }
  for (const MethodFacts& one : adaptive_methods()) {
    INFO(one.name);
    CHECK_FALSE(told_of_ranges(small, 2, one.name.c_str()).empty());
  }
  CHECK(told_of_ranges(Loaded::text(small_beside_large("0")), 2).empty());   // It stands still.
  CHECK(told_of_ranges(Loaded::text(small_beside_large("10")), 2).empty());  // It moves.
  CHECK(told_of_ranges(Loaded::text(small_beside_large("1e-4", ", nominal = 1e-4")), 2).empty());
}

TEST_CASE("no model is told to move little but one that nothing drives across", "[scaling]") {
  for (const std::string& name : model_names()) {
    INFO(name);
    const Loaded loaded = Loaded::model(name);
    const auto simulation = loaded.simulation();
    assemble(*simulation);
    advance(*simulation, loaded.stop_time * 0.6);
    simulation->clear_warnings();
    simulation->warn_of_small_ranges(0);
    const std::string told = simulation->message().warnings;
    // The platform's legs push equally, up to 2e-9 m; the walking machine's chassis does not turn, up to 3e-12 rad.
    CHECK(told.empty() != (name == "stewart_platform" || name == "walking_linkage"));
  }
}
