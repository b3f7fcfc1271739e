// Tests that steps allocate nothing: it counts with every basis under every method and drift correction, by replacing
// malloc.
#include <catch2/catch.hpp>

#include <atomic>
#include <cstddef>

#include "equations/equations.hpp"
#include "tests/core/mechanisms.hpp"
#include "tests/core/support.hpp"

// AddressSanitizer has a malloc of its own.
#if !defined(__SANITIZE_ADDRESS__) && defined(__GLIBC__)

namespace {

std::atomic<bool> counting{false};
std::atomic<int> allocations{0};
std::atomic<int> left{-1};  // allocations that still succeed while counting; −1: all do

/// Counts an allocation; false: there is no memory for it.
bool count() {
  if (!counting.load(std::memory_order_relaxed)) return true;
  allocations.fetch_add(1, std::memory_order_relaxed);
  return left.load(std::memory_order_relaxed) < 0 || left.fetch_sub(1, std::memory_order_relaxed) > 0;
}

}  // namespace

// glibc's own functions under the names that it keeps for replacements like these.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) { return count() ? __libc_malloc(size) : nullptr; }
void* calloc(std::size_t number, std::size_t size) { return count() ? __libc_calloc(number, size) : nullptr; }
void* realloc(void* block, std::size_t size) { return count() ? __libc_realloc(block, size) : nullptr; }
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return count() ? __libc_memalign(alignment, size) : nullptr;
}
}

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

/// Returns a pendulum on redundant pins with friction and a torsional spring; an input moves the pins.
Loaded everything_at_once() {
  return Loaded::text(R"toml(
[mechanism]
name = "Everything"
[parameters]
m = { value = 1, unit = "kg" }
g = { value = 9.81, unit = "m/s2" }
l = { value = 1, unit = "m" }
[inputs]
u = { unit = "m" }
set_at = { unit = "s" }
[coordinates]
x = { unit = "m", start = 0.6 }
y = { unit = "m", start = -0.8 }
s = { unit = "m", rate_start = 0.3 }
[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2 + der(s)^2)/2"
potential_energy = "m*g*y"
[constraints.rod]
position = "((x - s)^2 + y^2 - l^2)/(2*l)"
[constraints.again]
position = "(x - s)^2/l + y^2/l - l"
[constraints.pin]
position = "s"
)toml",
                      [](Equations& e) {
                        using casadi::SX;
                        e.symbols.turns = SX::sym("turns", 1);
                        e.symbols.loads = SX::sym("loads", 1);
                        const SX x = e.symbols.q(0) - e.symbols.q(2), y = e.symbols.q(1);
                        e.angles = {{"angle", SX::atan2(y, x), SX(20)}};
                        e.loads = {{"pins", {}, SX::norm_2(e.symbols.multipliers)}};
                        const SX rate = e.symbols.v(1) * x - e.symbols.v(0) * y;
                        const SX torque = -0.1 * (e.angles[0].raw + 2 * M_PI * e.symbols.turns(0)) -
                                          0.01 * e.symbols.loads(0) * SX::tanh(rate);
                        e.forces = torque * SX::vertcat({-y, x, SX(0)});
                        e.constraints[2].residual -= e.symbols.inputs(0) * (1 + e.symbols.time - e.symbols.inputs(1));
                        e.input_time = 1;
                      });
}

}  // namespace

TEST_CASE("the counter sees malloc and new", "[allocation]") {
  allocations = 0;
  counting = true;
  double* volatile block = new double[3];
  void* volatile other = std::malloc(8);
  counting = false;
  CHECK(allocations == 2);
  delete[] block;
  std::free(other);
}

TEST_CASE("advance allocates nothing", "[allocation]") {
  mechfmu::testing::Shape shape;
  shape.coordinates = 5;
  shape.position_rows = 2;
  shape.velocity_rows = 1;
  shape.redundant = true;
  const std::pair<const char*, Loaded> mechanisms[] = {
      {"guided_pendulum", Loaded::model("guided_pendulum")},
      {"driven_pendulum", Loaded::model("driven_pendulum")},
      {"arm_on_path", Loaded::model("arm_on_path")},
      {"redundant, nonholonomic", Loaded::text(random_mechanism(5, shape))},
      {"turns, loads, driven by an input", everything_at_once()},
      {"rounded data",
       Loaded::text(bar_pendulum("[constraints.again]\nposition = \"(x^2 + y^2 - 1.00000001*L^2)/(2*L)\"\n"))},
      {"an unknown everywhere", Loaded::text(unknown_everywhere(false))},
  };
  for (const auto& [name, loaded] : mechanisms) {
    for (const char* basis_name : tangent_bases) {
      if (!serves(basis(basis_name), loaded)) continue;
      for (const char* method_name : integration_methods) {
        for (const char* drift_name : drift_corrections) {
          if (!takes_drift(basis(basis_name), drift_name)) continue;
          INFO(name << ", " << basis_name << ", " << method_name << ", " << drift_name);
          Settings settings = loaded.settings;
          settings.tangent_basis = basis(basis_name);
          settings.method = method(method_name);
          settings.drift_correction = drift(drift_name);
          settings.tolerance = 1e-6;
          const auto simulation = loaded.simulation(settings);
          assemble(*simulation);
          allocations = 0;
          counting = true;
          const bool first = simulation->advance(0.05);
          if (loaded.sizes().inputs > loaded.sizes().turning) simulation->set_input(0, loaded.inputs()[0] + 0.1);
          const bool second = simulation->advance(0.1);
          counting = false;
          INFO(simulation->message().text);
          CHECK((first && second));
          CHECK(allocations == 0);
        }
      }
    }
  }
}

TEST_CASE("a large mechanism allocates nothing while it steps, nor when its pivots are ordered anew", "[allocation]") {
  const Loaded loaded = Loaded::text(four_bar_windows(20));
  const auto simulation = loaded.simulation();
  assemble(*simulation);
  allocations = 0;
  counting = true;
  const bool done = simulation->advance(1.5);  // It goes through the singular position.
  const bool known = simulation->multipliers() != nullptr;
  counting = false;
  INFO(simulation->message().text);
  CHECK((done && known));
  CHECK(allocations == 0);
}

TEST_CASE("a simulation lies in two blocks of memory", "[allocation]") {
  for (const char* model : {"four_bar", "guided_pendulum", "stewart_platform"}) {
    INFO(model);
    const Loaded loaded = Loaded::model(model);
    allocations = 0;
    counting = true;
    { const StandaloneSimulation simulation(loaded.table(), loaded.settings, make_run_time_stepper); }
    counting = false;
    CHECK(allocations <= (std::string(model) == "stewart_platform" ? 6 : 2));
  }
}

TEST_CASE("where memory is short a simulation says so and touches none", "[allocation]") {
  const Loaded mechanisms[] = {Loaded::model("four_bar"), Loaded::model("arm_on_path"), Loaded::model("hanging_chain"),
                               everything_at_once()};
  int short_of_memory = 0;
  for (const Loaded& loaded : mechanisms) {
    for (const char* basis_name : tangent_bases) {
      if (!serves(basis(basis_name), loaded)) continue;
      Settings settings = loaded.settings;
      settings.tangent_basis = basis(basis_name);
      // Blocks of other sizes end at other arrays, and so memory does.
      for (std::size_t first_block = 64; first_block < 4096; first_block += 704) {
        bool fits = false;
        for (int granted = 0; !fits; ++granted) {
          bool of_stepper = false, of_simulation = false;
          left = granted;
          counting = true;
          {
            Arena stepper(first_block), rest(first_block);
            make_run_time_stepper(stepper, loaded.table(), settings);
            of_stepper = stepper.ok();
            const Simulation simulation(rest, loaded.table(), settings, make_run_time_stepper);
            of_simulation = simulation.ok();
          }
          counting = false;
          fits = of_stepper && of_simulation;
          short_of_memory += !fits;
          REQUIRE(granted < 100);
        }
        left = -1;
      }
    }
  }
  CHECK(short_of_memory > 1000);
}

#endif
