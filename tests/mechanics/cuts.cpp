// Tests joints that the author wants cut, also if no other joint leads to the body. Then the body moves freely, and all
// variables keep their values.
#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "assembled.hpp"

namespace mechfmu::testing {
namespace {

/// Writes a chain of links in which the joints `cut` are cut.
std::string chain(bool spatial, int links, const std::vector<int>& cut) {
  std::string text = "[mechanism]\nname = \"Chain\"\ndimension = \"";
  text += spatial ? "spatial\"\ngravity = [0, 0, -9.81]\n" : "planar\"\ngravity = [0, -9.81]\n";
  for (int i = 1; i <= links; ++i) {
    const std::string link = "link_" + std::to_string(i),
                      before = i == 1 ? "ground" : "link_" + std::to_string(i - 1) + ".E";
    text += "[bodies." + link + "]\nmass = 2\n";
    text +=
        spatial
            ? "center_of_mass = [0.1, 0, -0.2]\ninertia = [0.02, 0.03, 0.04, 0.001, 0, 0]\npoints.E = [0, 0.1, -0.4]\n"
            : "center_of_mass = [0.1, -0.2]\ninertia = 0.02\npoints.E = [0.1, -0.4]\n";
    text += "[joints.J" + std::to_string(i) + "]\nparent = \"" + before + "\"\nchild = \"" + link + "\"\n";
    text += spatial && i % 2 == 0
                ? "type = \"universal\"\naxes = [[1, 0, 0], [0, 1, 0]]\nangle_1 = { start = 0.3, fixed = true }\n"
                  "angle_2 = { rate_start = 1, rate_fixed = true }\n"
                : "type = \"revolute\"\nangle = { start = 0.2, rate_start = 0.5, rate_fixed = true }\n";
    for (const int one : cut)
      if (one == i) text += "cut = true\n";
  }
  return text + "[outputs]\nend = { position = \"link_" + std::to_string(links) + ".E\" }\n";
}

}  // namespace

TEST_CASE("a cut that leaves a body without a way to the ground changes nothing that is shown", "[cuts]") {
  for (const bool spatial : {false, true}) {
    for (const auto& [links, cut] : {std::pair{3, std::vector{1}}, {3, {2}}, {3, {3}}, {3, {1, 2, 3}}, {11, {3}}}) {
      Assembled expected(chain(spatial, links, {})), found(chain(spatial, links, cut));
      CHECK(found.cut_joints().size() == cut.size());
      CHECK(found.degrees_of_freedom() == expected.degrees_of_freedom());
      for (Assembled* one : {&expected, &found}) {
        one->start();
        one->advance(0.2);
      }
      INFO(chain(spatial, links, cut));
      std::vector<std::string> names = {"end.x", "end.y", "energy.total"};
      for (int i = 1; i <= links; ++i) {
        const std::string joint = "J" + std::to_string(i);
        for (const char* name : {".reaction.force.x", ".reaction.force.y"}) names.push_back(joint + name);
        names.push_back(joint + (spatial && i % 2 == 0 ? ".angle_1" : ".angle"));
        names.push_back("der(" + names.back() + ")");
      }
      for (const std::string& name : names) {
        INFO(name);
        CHECK(found[name] == Approx(expected[name]).epsilon(1e-6).margin(1e-6));
      }
    }
  }
}

}  // namespace mechfmu::testing
