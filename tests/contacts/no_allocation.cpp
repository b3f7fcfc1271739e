// Tests that a solver allocates nothing once it has been made, by replacing malloc.
#include <catch2/catch.hpp>

#include <cstddef>

#include "fmu_src/contacts/accelerations.hpp"
#include "problems.hpp"

namespace {
bool counting = false;
int allocations = 0;
}  // namespace

// AddressSanitizer has a malloc of its own; it sees in this test who goes beyond the given memory.
#if !defined(__SANITIZE_ADDRESS__) && defined(__GLIBC__)
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  allocations += counting ? 1 : 0;
  return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) {
  allocations += counting ? 1 : 0;
  return __libc_calloc(number, size);
}
void* realloc(void* block, std::size_t size) {
  allocations += counting ? 1 : 0;
  return __libc_realloc(block, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  allocations += counting ? 1 : 0;
  return __libc_memalign(alignment, size);
}
}
#endif

using namespace mechfmu;
using namespace mechfmu::testing;

TEST_CASE("contacts: nothing is allocated once a solver has been made", "[contacts]") {
  RandomRows random(20);
  // Memory for exactly these sizes: who goes beyond them is seen under AddressSanitizer.
  for (const int contacts : {1, 2, 3, 4, 8, 16, 24}) {
    for (const int d : {1, 2}) {
      for (const Kind kind : kinds) {
        const Rows rows = random.impact(kind, contacts, d), mixed = random.mixed(contacts, d);
        const VectorXd restitution = VectorXd::Constant(contacts, 0.5);
        OwnSolver own(rows.sizes()), other(mixed.sizes());
        contacts::Accelerations accelerations(own.memory, rows.sizes(), own.solver);
        REQUIRE(own.memory.ok());
        allocations = 0;
        counting = true;
        own.solver.solve(rows.problem(), nullptr);
        own.impact.solve(rows.problem(), restitution.data(), own.solver.modes());
        accelerations.solve(rows.problem(), nullptr, own.solver.modes());
        other.solver.solve(mixed.problem(), nullptr);
        counting = false;
        CHECK(allocations == 0);
      }
    }
  }
#if !defined(__SANITIZE_ADDRESS__) && defined(__GLIBC__)
  // The count works.
  counting = true;
  delete new VectorXd(100);
  counting = false;
  CHECK(allocations > 0);
#endif
}
