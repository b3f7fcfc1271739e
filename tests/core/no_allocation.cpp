// Steps allocate nothing: every basis under every method and drift correction, counted by replacing malloc.
#include <catch2/catch.hpp>

#include <atomic>
#include <cstddef>

#include "mechanisms.hpp"
#include "support.hpp"

namespace {

std::atomic<bool> counting{false};
std::atomic<int> allocations{0};

void count() {
  if (counting.load(std::memory_order_relaxed)) allocations.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

// glibc's own functions under the names that it keeps for replacements like these.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  count();
  return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) {
  count();
  return __libc_calloc(number, size);
}
void* realloc(void* block, std::size_t size) {
  count();
  return __libc_realloc(block, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  count();
  return __libc_memalign(alignment, size);
}
}

using namespace mechfmu;
using namespace mechfmu::testing;

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
  Shape shape;
  shape.coordinates = 5;
  shape.position_rows = 2;
  shape.velocity_rows = 1;
  shape.redundant = true;
  const std::pair<const char*, Loaded> mechanisms[] = {
      {"guided_pendulum", Loaded::model("guided_pendulum")},
      {"driven_pendulum", Loaded::model("driven_pendulum")},
      {"arm_on_path", Loaded::model("arm_on_path")},
      {"redundant, nonholonomic", Loaded::text(random_mechanism(5, shape))},
  };
  for (const auto& [name, loaded] : mechanisms) {
    for (const char* basis_name : tangent_bases) {
      for (const char* method_name : integration_methods) {
        for (const char* drift_name : drift_corrections) {
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
          if (loaded.sizes().inputs > 0) simulation->set_input(0, loaded.inputs()[0] + 0.1);
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
