// Tests that contacts are read in repeats and in parts like other sections.
#include "folder.hpp"
#include "reading.hpp"

#include "modelDescription/formulas/expression.hpp"

using namespace mechfmu;

TEST_CASE("contacts may be repeated, and belong to parts", "[contacts]") {
  const Folder folder;
  folder.write("foot.toml", R"toml(
[parameters]
size = 0.1
[contacts.heel]
gap = "y - size"
slip = ["der(x)", "size*der(y)"]
friction = "size"
[repeat.toes]
with = { i = "1..2" }
[repeat.toes.contacts."toe_{i}"]
gap = "y + {i}*size"
restitution = "{i}/4"
)toml");
  folder.write("whole.toml", R"toml(
[mechanism]
name = "Walker"
[coordinates]
x = {}
y = {}
[dynamics]
kinetic_energy = "der(x)^2/2 + der(y)^2/2"
[parts.left]
file = "foot.toml"
prefix = "left_"
)toml");
  const Description d = description_of(read_mechanism(folder.path("whole.toml")));
  REQUIRE(d.contacts.size() == 3);
  const Contact& heel = named(d.contacts, "left_heel");
  CHECK(to_text(heel.gap) == "y - left_size");
  REQUIRE(heel.slips.size() == 2);
  CHECK(to_text(heel.slips[1]) == "left_size*der(y)");
  CHECK(to_text(heel.friction) == "left_size");
  CHECK_FALSE(heel.static_friction);
  CHECK(evaluate(heel.restitution) == 0);
  CHECK(to_text(named(d.contacts, "left_toe_2").gap) == "y + 2*left_size");
  CHECK(evaluate(named(d.contacts, "left_toe_2").restitution) == 0.5);
}
