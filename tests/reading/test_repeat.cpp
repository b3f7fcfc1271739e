// Tests [repeat]: a file with it means the file with all copies written out.
#include <catch2/catch.hpp>

#include "modelDescription/formulas/expression.hpp"
#include "modelDescription/reading/expansion/expand_placeholders.hpp"
#include "reading.hpp"

using namespace mechfmu;

namespace {

Description read(const std::string& text, const std::vector<ParameterSetting>& settings = {}) {
  return description_of(read_mechanism_text(text, "f.toml", settings));
}

/// A chain of N masses on springs; `more` may repeat further things.
std::string chain(const std::string& with, const std::string& more = "") {
  return R"toml([mechanism]
name = "Chain"
[parameters]
N = 3
M = "2*N - 4"
k = { value = 2, unit = "N/m" }
width = { value = 50, unit = "cm" }
m = { value = 1, unit = "kg" }
[coordinates]
x_0 = { unit = "m" }
[dynamics]
kinetic_energy = "m*der(x_0)^2/2"
[dynamics.forces]
x_0 = "-k*x_0"
[repeat.masses]
with = )toml" +
         with + R"toml(
[repeat.masses.coordinates]
"x_{i}" = { unit = "mm", start = "{i}", description = "mass {i} of N" }
[repeat.masses.dynamics.forces]
"x_{i}" = "-k*(x_{i} - x_{i-1})*{2*i}/{i + i}"
)toml" + more;
}

}  // namespace

TEST_CASE("a repeat is what it would be written out", "[repeat]") {
  const Description d = read(chain("{ i = [1, 2] }"));
  REQUIRE(d.coordinates.size() == 3);
  CHECK(d.coordinates[1].name == "x_1");
  CHECK(d.coordinates[2].name == "x_2");
  CHECK(d.coordinates[2].description == "mass 2 of N");
  CHECK(d.coordinates[2].start.value.written == 2);  // It is a number in the declared unit and no formula.
  REQUIRE(d.dynamics.forces.size() == 3);
  CHECK(d.dynamics.forces[2].first == "x_2");
  CHECK(to_text(d.dynamics.forces[2].second) == "-k*(x_2 - x_1)*4/4");
}

TEST_CASE("places of what is repeated are in the template", "[repeat]") {
  const Description d = read(chain("{ i = [1, 2] }"));
  CHECK(d.coordinates[2].place.line == 18);
  CHECK(d.coordinates[2].place.within == "in repeat 'masses' with i = 2");
  // "x_{i}" = "-k*(x_{i} - x_{i-1})*{2*i}/{i + i}"
  const Expression& force = d.dynamics.forces[2].second;  // ((-k*(x_2 - x_1))*4)/4: the last / and what it divides
  CHECK(force.place.line == 20);
  CHECK(force.place.column == 38);
  CHECK(force.arguments[1].place.column == 39);
}

TEST_CASE("ranges count with parameters", "[repeat]") {
  const auto count = [](const std::string& range, const std::vector<ParameterSetting>& settings = {}) {
    return read(chain("{ i = \"" + range + "\" }"), settings).coordinates.size() - 1;
  };
  CHECK(count("1..3") == 3);
  CHECK(count("1..N") == 3);
  CHECK(count("1 .. N - 1") == 2);
  CHECK(count("1..M") == 2);        // takes its bound from another parameter
  CHECK(count("1..4*width") == 2);  // SI: 0.5 m
  CHECK(count("1..0") == 0);
  CHECK(count("N-2..N-2") == 1);
  CHECK(count("1..N", {{"N", "7"}}) == 7);
  CHECK(count("1..M", {{"N", "7"}}) == 10);
}

TEST_CASE("lists go together, with numbers and texts", "[repeat]") {
  const Description d = read(chain("{ i = [1, 2], s = [-1, 0.5], side = [\"left\", \"right\"] }", R"toml(
[repeat.masses.outputs]
"{side}_{i}" = "x_0*{s}^2 + x_{i}*{2*s}"
)toml"));
  REQUIRE(d.outputs.size() == 2);
  CHECK(d.outputs[0].name == "left_1");
  CHECK(to_text(d.outputs[0].value) == "x_0*(-1)^2 + x_1*-2");
  CHECK(d.outputs[1].name == "right_2");
  CHECK(to_text(d.outputs[1].value) == "x_0*0.5^2 + x_2*1");
}

TEST_CASE("repeats may stand in repeats", "[repeat]") {
  const Description d = read(chain("{ i = [1, 2] }", R"toml(
[repeat.masses.repeat.pairs]
with = { j = "1..{i}" }
[repeat.masses.repeat.pairs.outputs]
"d_{i}_{j}" = "x_{i} - x_{i-j}"
)toml"));
  REQUIRE(d.outputs.size() == 3);
  CHECK(d.outputs[0].name == "d_1_1");
  CHECK(d.outputs[2].name == "d_2_2");
  CHECK(to_text(d.outputs[2].value) == "x_2 - x_0");
}

TEST_CASE("tables of a repeat join the file's", "[repeat]") {
  const Description d = read(chain("{ i = [1, 2] }", "[repeat.masses.parameters.\"a_{i}\"]\nvalue = \"{i}\"\n") +
                             "[parameters.a_2]\nunit = \"m\"\n");
  REQUIRE(d.parameters.size() == 7);
  CHECK(named(d.parameters, "a_2").unit.text == "m");
  CHECK(named(d.parameters, "a_2").value.written == 2);
}

TEST_CASE("what is wrong in a repeat is said once, with the instance", "[repeat]") {
  const auto first_error = [](const std::string& text) {
    const std::vector<std::string> found = messages_of(read_mechanism_text(text, "f.toml"));
    REQUIRE(found.size() == 1);
    return found[0];
  };
  CHECK(first_error(chain("{ i = [1, 2] }", "[repeat.masses.outputs]\n\"y_{i}\" = \"x_{i} + y\"\n")) ==
        "f.toml:22:20: unknown name 'y' (in repeat 'masses' with i = 1); declare it, for example in [parameters]");
  // Only the second instance is at fault.
  CHECK(first_error(chain("{ i = [1, 2] }", "[repeat.masses.outputs]\n\"y_{i}\" = \"x_{i} + x_{1-i}\"\n")) ==
        "f.toml:22:20: unknown name 'x_' (in repeat 'masses' with i = 2); did you mean 'x_0'?");
}

TEST_CASE("whole numbers are inserted as such", "[repeat]") {
  CHECK(inserted_text(100000) == "100000");
  CHECK(inserted_text(-1) == "-1");
  CHECK(inserted_text(0.1) == "0.1");
  CHECK(inserted_text(2.5e-7) == "2.5e-07");
}
