// Tests that the suites of random mechanisms and of driven joints know every joint, force and coupling: the numbers
// that a member needs there (a weight, numbers, axes) are kept by hand, and compared here with the families' lists.
#include <catch2/catch.hpp>

#include "random_members.hpp"

namespace mechfmu::testing {

TEST_CASE("random mechanisms have every joint, force and coupling", "[members]") {
  for (const bool spatial : {false, true}) {
    for (const std::string& member :
         check_until_all_occurred(spatial, [](unsigned, const RandomMechanism& m) { return members_of(m); })) {
      INFO((spatial ? "In space" : "In the plane"));
      INFO(
          "A joint wants a line in planar_habits or spatial_habits of tests/mechanics/random_bodies.hpp, with weights "
          "for the tree and for loops, and what it needs of axes and numbers in geometry() there.");
      INFO(
          "A force is made, with each of its keys, in add_force() of tests/mechanics/random.cpp; check_energy() of "
          "tests/mechanics/properties.cpp says what energy it stores, if it does.");
      INFO(
          "A coupling is made in couple() of tests/mechanics/random.cpp and written in write_coupling() of "
          "tests/mechanics/random_text.cpp; apply() of tests/mechanics/free_body.cpp says what it does to bodies. One that "
          "comes and goes is made in tests/mechanics/random_changing.cpp, and judged in changing_laws.cpp beside it.");
      INFO("A shape gets its numbers and its place in shape_upper() or place_lower() of random_changing.cpp.");
      FAIL_CHECK("no random mechanism has the " << member);
    }
  }
}

TEST_CASE("few random mechanisms have every joint, force and coupling", "[members]") {
  for (const bool spatial : {false, true}) {
    const std::vector<unsigned> seeds = seeds_of_few(spatial);
    Members found;
    for (const unsigned seed : seeds) found.merge(members_of(random_mechanism(spatial, seed)));
    CHECK(found == all_members(spatial));
    CHECK(seeds.size() <= 20);
  }
}

}  // namespace mechfmu::testing
