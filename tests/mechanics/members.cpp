// Tests that the suites of random mechanisms and of driven joints know every joint, force and coupling: the numbers
// that a member needs there (a weight, numbers, axes) are kept by hand, and compared here with the families' lists.
#include <catch2/catch.hpp>

#include <map>
#include <string>

#include "elements/couplings/coupling_type.hpp"
#include "elements/forces/force_type.hpp"
#include "elements/joints/joint_type.hpp"
#include "random.hpp"

namespace mechfmu::testing {
namespace {

/// How often what was generated over the seeds of the properties' suite.
struct Generated {
  explicit Generated(bool spatial) {
    for (unsigned seed = 0; seed < seeds_of_properties; ++seed) {
      const RandomMechanism m = random_mechanism(spatial, seed);
      for (const RandomJoint& joint : m.joints) ++(joint.closes ? closing : tree)[joint.type];
      for (const RandomForce& force : m.forces) {
        ++forces[force.type];
        for (const auto& [key, number] : force.numbers) ++keys[force.type + "." + key];
        for (const auto& [key, vector] : force.vectors) ++keys[force.type + "." + key];
      }
      for (const RandomCoupling& coupling : m.couplings) ++couplings[coupling.type];
    }
  }
  std::map<std::string, int> tree, closing, forces, keys, couplings;
};

}  // namespace

TEST_CASE("random mechanisms have every joint in the tree and in loops", "[members]") {
  for (const bool spatial : {false, true}) {
    Generated made(spatial);
    for (const JointType& type : joint_types()) {
      const JointForm* form = spatial ? type.spatial : type.planar;
      if (form == nullptr) continue;
      INFO(
          "joint " << type.name << ": give it a line in " << (spatial ? "spatial" : "planar")
                   << "_habits of tests/mechanics/random_bodies.hpp, with weights for the tree and for loops, and what "
                      "it needs of axes and numbers in geometry() there");
      if (form->move != nullptr) CHECK(made.tree[type.name] > 0);
      CHECK(made.closing[type.name] > 0);
    }
  }
}

TEST_CASE("random mechanisms have every force with each of its numbers", "[members]") {
  for (const bool spatial : {false, true}) {
    Generated made(spatial);
    for (const ForceType& type : force_types()) {
      INFO("force " << type.name
                    << ": make it in add_force() of tests/mechanics/random.cpp, and say in check_energy() of "
                       "tests/mechanics/properties.cpp what energy it stores, if it does");
      CHECK(made.forces[type.name] > 0);
      if (made.forces[type.name] == 0) continue;
      for (const NumberKey& key : type.numbers) {
        INFO("its key " << key.name << " is never given: give it there");
        CHECK(made.keys[type.name + std::string(".") + key.name] > 0);
      }
    }
  }
}

TEST_CASE("random mechanisms have every coupling", "[members]") {
  for (const bool spatial : {false, true}) {
    Generated made(spatial);
    for (const CouplingType& type : coupling_types()) {
      INFO("coupling " << type.name
                       << ": make it in couple() of tests/mechanics/random.cpp, write it in write_coupling() of "
                          "tests/mechanics/random_text.cpp, and say what it does to bodies in apply() of "
                          "tests/mechanics/free_body.cpp");
      CHECK(made.couplings[type.name] > 0);
    }
  }
}

}  // namespace mechfmu::testing
