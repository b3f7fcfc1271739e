// Tests every tier of the solver alone: what one misses, another would find, so that the solver does not show it.
#include <catch2/catch.hpp>

#include "fmu_src/linear/tolerances.hpp"
#include "problems.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;
using contacts::Found;

namespace {

constexpr contacts::Sizes sizes{16, 48, 64};

/// Returns how far laws are broken where a search ended, without units.
double broken_at(const contacts::Search& search) {
  return search.problem.open_law(search.x.data(), search.w.data()) / search.problem.size(search.x.data());
}

}  // namespace

TEST_CASE("contacts: the path alone solves impacts of all kinds", "[contacts]") {
  Arena memory;
  contacts::Search search(memory, sizes);
  contacts::Path path(memory, sizes);
  constexpr int levels = sizeof softness / sizeof softness[0];
  int second = 0;
  for (const int d : {1, 2}) {
    for (const Kind kind : kinds) {
      for (int number = 0; number < 150; ++number) {
        RandomRows random(
            31000000 + static_cast<std::uint64_t>(number * 100 + 10 * d) + static_cast<std::uint64_t>(kind));
        // A third has capacities and locks, too.
        const int contacts = random.contacts(8);
        const Rows rows = number % 3 == 0 ? random.mixed(contacts, d) : random.impact(kind, contacts, d);
        search.equations.reset_work();
        REQUIRE(search.problem.take(rows.problem()));
        // Modes may be others without the softness: then the next one is taken, as the solver does.
        Found found = Found::nothing;
        for (search.level = 0; search.level < levels && found != Found::solution; ++search.level) {
          search.problem.soften(softness[search.level]);
          found = path.find(search);
          second += search.level == 1 ? 1 : 0;
        }
        search.problem.soften(0);
        INFO(name_of(kind) << " " << number << ", " << d << " tangential rows");
        CHECK(found == Found::solution);
        CHECK(broken_at(search) <= law_tolerance);
      }
    }
  }
  // The first softness does nearly always.
  CHECK(second < 24);
}

TEST_CASE("contacts: smoothed laws alone solve most impacts in few steps", "[contacts]") {
  Arena memory;
  contacts::Search search(memory, sizes);
  contacts::Smoothed smoothed(memory, sizes);
  for (const int d : {1, 2}) {
    int failed = 0, work = 0;
    constexpr int count = 400;
    for (int number = 0; number < count; ++number) {
      RandomRows random(32000000 + static_cast<std::uint64_t>(number * 10 + d));
      const int contacts = random.contacts(8);
      const Rows rows = number % 2 == 0 ? random.mixed(contacts, d) : random.impact(Kind::full, contacts, d);
      REQUIRE(search.problem.take(rows.problem()));
      search.problem.soften(softness[0]);
      search.equations.reset_work();
      failed += smoothed.find(search) == Found::solution ? 0 : 1;
      work += search.equations.work();
    }
    INFO(d << " tangential rows: " << failed << " failed, " << static_cast<double>(work) / count << " factorisations");
    CHECK(failed <= count / 50);
    CHECK(work < 30 * count);
  }
}

TEST_CASE("contacts: trying all modes finds what is there", "[contacts]") {
  Arena memory;
  contacts::Search search(memory, sizes);
  int none = 0, some = 0;
  for (int number = 0; number < 1000; ++number) {
    RandomRows random(33000000 + static_cast<std::uint64_t>(number));
    const Rows rows =
        number % 2 == 0 ? random.mixed(1 + random.below(4), 1) : random.sliding(1 + random.below(4), 10, false);
    bool singular = false;
    const std::vector<VectorXd> all = all_solutions(rows, singular);
    if (singular) continue;
    REQUIRE(search.problem.take(rows.problem()));
    INFO(number);
    CHECK(contacts::combinations(search.problem) > 0);
    CHECK(contacts::enumerate(search) == (all.empty() ? Found::none : Found::solution));
    ++(all.empty() ? none : some);
  }
  CHECK(none > 20);
  CHECK(some > 100);
}
