// Tests a right file: what the description then holds.
#include <catch2/catch.hpp>

#include <algorithm>
#include <numbers>

#include "modelDescription/formulas/expression.hpp"
#include "modelDescription/formulas/units.hpp"
#include "modelDescription/reading/read.hpp"

using namespace mechfmu;

namespace {

Description read(const std::string& text) {
  const ReadResult result = read_mechanism_text(text, "f.toml");
  for (const Diagnostic& diagnostic : result.diagnostics) UNSCOPED_INFO(to_text(diagnostic));
  REQUIRE(result.description);
  return *result.description;
}

/// Returns messages for a small mechanism with further lines.
std::vector<std::string> errors(const std::string& more) {
  std::vector<std::string> texts;
  const std::string text =
      "[mechanism]\nname = \"A\"\n[coordinates]\nx = { unit = \"m\" }\nphi = { unit = \"rad\" }\n" + more;
  for (const Diagnostic& diagnostic : read_mechanism_text(text, "f.toml").diagnostics)
    texts.push_back(to_text(diagnostic));
  return texts;
}

const std::string small = R"toml(
[mechanism]
name = "Slider"
[coordinates]
x = { unit = "m" }
phi = { unit = "rad" }
[dynamics]
mass_matrix = [[1, 0], [0, 1]]
)toml";

template <class Item>
const Item& named(const std::vector<Item>& items, const std::string& name) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.name == name; });
  REQUIRE(found != items.end());
  return *found;
}

}  // namespace

TEST_CASE("a whole file is read", "[reading]") {
  const Description d = read(R"toml(
[mechanism]
name = "GuidedPendulum"
description = "a pendulum in a guide"

[parameters]
J = { value = "m*rho^2/12", unit = "kg.m^2", description = "inertia" }
m = { value = 2, unit = "kg", min = 0 }
rho = { value = 500, unit = "mm", tunable = true, min = "1/10", max = 600 }
ratio = 3
half = "ratio/2"
g = { value = 9.81, unit = "m/s2" }

[inputs]
push = { unit = "kN", start = 2, max = "5*1000" }

[coordinates]
x = { unit = "mm", start = 20, rate_start = 5, fixed = true }
y = { unit = "m", start = "rho/2" }
phi = { unit = "deg", start = 90, rate_start = "pi", rate_fixed = true }

[definitions]
height = "rho*sin(phi)"
arm = { value = "m*rho", description = "first moment" }

[functions]
bump = { of = ["u"], value = "m*max(0, u)" }
lift = { table = [[0, 0], [0.5, 0.004], [1, 0]], period = "2*pi" }
stop = { table = [[0, 0], [1, 2]], beyond = "line" }

[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2)/2 + J*der(phi)^2/2"
potential_energy = "m*g*y*stop(y)"

[dynamics.forces]
x = "push"

[constraints.guide]
position = "y - height"
[constraints.cam]
velocity = "der(x) - der(height)"
realised_by = { phi = "rho", x = 1 }
[constraints.ramp]
acceleration = "der(der(phi)) - 1"

[outputs]
climb = "der(height)"
load = { value = "constraint.guide.multiplier", unit = "kN" }
twice = "2*load"

[solver]
method = "dop853"
tolerance = 1e-10
stop_time = 2.5
)toml");
  CHECK(d.name == "GuidedPendulum");
  CHECK(d.description == "a pendulum in a guide");
  CHECK(d.place.line == 2);

  REQUIRE(d.parameters.size() == 6);
  CHECK(d.parameters[0].name == "J");
  CHECK(d.parameters[0].place.line == 7);
  CHECK(d.parameters[0].calculated);
  CHECK(d.parameters[0].tunable);
  CHECK_FALSE(d.parameters[1].tunable);
  CHECK(d.parameters[1].minimum == 0);
  CHECK(d.parameters[2].value.written == 500);
  CHECK(evaluate(d.parameters[2].value.expression) == 0.5);
  CHECK(d.parameters[2].minimum == Approx(100));
  CHECK(d.parameters[2].maximum == 600);
  CHECK_FALSE(d.parameters[2].calculated);
  CHECK(d.calculation_order == std::vector<int>{0, 4});

  CHECK(d.inputs[0].start == 2);
  CHECK(d.inputs[0].maximum == Approx(5));

  const Coordinate& x = d.coordinates[0];
  CHECK(x.start.fixed);
  CHECK_FALSE(x.rate_start.fixed);
  CHECK(x.start.value.written == 20);
  CHECK(evaluate(x.start.value.expression) == Approx(0.02));
  CHECK(evaluate(x.rate_start.value.expression) == Approx(0.005));
  CHECK(x.rate_unit.text == "mm/s");
  CHECK(x.acceleration_unit.text == "mm/s2");
  CHECK(d.coordinates[1].start.calculated);
  CHECK(d.coordinates[1].rate_start.value.written == 0);
  CHECK(evaluate(d.coordinates[2].start.value.expression) == Approx(std::numbers::pi / 2));
  CHECK(evaluate(d.coordinates[2].rate_start.value.expression) == Approx(std::numbers::pi));
  CHECK_FALSE(d.coordinates[2].rate_start.value.written);

  CHECK(readable(named(d.definitions, "height").dimension) == "m");
  CHECK(readable(named(d.definitions, "arm").dimension) == "kg.m");
  CHECK(named(d.functions, "bump").arguments == std::vector<std::string>{"u"});
  CHECK(named(d.functions, "lift").table.size() == 3);
  CHECK(evaluate(named(d.functions, "lift").period.value()) == Approx(2 * std::numbers::pi));
  CHECK(named(d.functions, "stop").beyond == Function::Beyond::line);

  CHECK(named(d.constraints, "guide").multiplier_unit.text == "N");
  CHECK(named(d.constraints, "guide").dimension == known_unit("m").dimension);
  CHECK(named(d.constraints, "cam").level == Level::velocity);
  CHECK(named(d.constraints, "cam").realised_by.size() == 2);
  CHECK(named(d.constraints, "cam").multiplier_unit.text == "N");
  CHECK(named(d.constraints, "ramp").multiplier_unit.text == "N.m");

  CHECK(d.outputs[0].unit.text == "m/s");
  CHECK(d.outputs[1].unit.text == "kN");
  CHECK(d.outputs[2].unit.text == "N");

  CHECK(d.solver.method == "dop853");
  CHECK(d.solver.tolerance == 1e-10);
  CHECK(d.solver.stop_time == 2.5);
  CHECK(d.solver.tangent_basis == "partitioned");

  std::vector<std::string> units;
  for (const Unit& unit : d.units) units.push_back(unit.text);
  for (const char* text : {"s", "J", "kg.m^2", "kg", "mm", "kN", "mm/s", "mm/s2", "N", "m", "m/s", "m/s2", "deg",
                           "deg/s", "deg/s2", "N.m"})
    CHECK(std::count(units.begin(), units.end(), text) == 1);
}

TEST_CASE("calculated parameters follow what they need, through definitions and functions", "[reading]") {
  const Description d = read(small + R"toml(
[parameters]
a = "b + c"
b = "twice(c)"
c = "sum/2"
d = 4
e = { value = 1, tunable = true }
[definitions]
sum = "d + e"
[functions]
twice = { of = ["u"], value = "2*u*d" }
)toml");
  CHECK(d.calculation_order == std::vector<int>{2, 1, 0});
  for (const char* name : {"a", "b", "c"}) {
    CHECK(named(d.parameters, name).calculated);
    CHECK(named(d.parameters, name).tunable);
  }
  CHECK_FALSE(named(d.parameters, "d").calculated);
  CHECK_FALSE(named(d.parameters, "d").tunable);
}

TEST_CASE("units of multipliers follow from power", "[reading]") {
  // λ times the constraint's coefficient of a velocity is the force on that coordinate.
  const Description d = read(small + R"toml(
[constraints.length]
position = "x"
[constraints.angle]
position = "phi"
[constraints.area]
position = "x^2"
[constraints.speed]
velocity = "der(x)"
[constraints.acceleration_of_x]
acceleration = "der(der(x))"
[constraints.power_like]
velocity = "x*der(x)"
[constraints.servo]
position = "x"
realised_by = { phi = 1 }
[constraints.scaled_servo]
position = "x"
realised_by = { phi = "x" }
)toml");
  const std::pair<const char*, const char*> wanted[] = {
      {"length", "N"},       {"angle", "N.m"}, {"area", "N/m"},      {"speed", "N"}, {"acceleration_of_x", "N"},
      {"power_like", "N/m"}, {"servo", "N.m"}, {"scaled_servo", "N"}};
  for (const auto& [name, unit] : wanted) CHECK(named(d.constraints, name).multiplier_unit.text == unit);
}

TEST_CASE("dimensions that agree pass", "[reading]") {
  const Description d = read(small + R"toml(
[parameters]
k = { value = 1, unit = "N/m" }
m = { value = 1, unit = "kg" }
l = { value = 1, unit = "m" }
n = 3
[outputs]
bare = { value = 3, unit = "N" }
zero = { value = "0", unit = "N.m" }
product = { value = "2*3*pi*l", unit = "m" }
frequency = { value = "sqrt(k/m)", unit = "rad/s" }
angle = { value = "atan2(x, l)", unit = "rad" }
power = { value = "x^1.5*x^0.5", unit = "m2" }
plain_power = { value = "(x/l)^n", unit = "1" }
number_power = "2^n"
choice = { value = "if(time > 1, 0, k*x)", unit = "N" }
limited = { value = "max(0, k*x, 5)", unit = "N" }
wrapped = { value = "mod(phi, 2*pi)", unit = "deg" }
direction = { value = "sign(der(x))*k*l", unit = "N" }
sum = { value = "x + 1", unit = "mm" }
factor = { value = "12*sin(2*time) + 30 - 2*der(phi)", unit = "N.m" }
divisor = { value = "exp(-time/0.3)*l", unit = "m" }
squared = { value = "(2*time)^2*l + sqrt(3*time)*l", unit = "m" }
preferred = "2*der(x)"
periodic = { value = "sin(2*pi*time*sqrt(k/m))", unit = "" }
)toml");
  CHECK(named(d.outputs, "preferred").unit.text == "m/s");
}

TEST_CASE("dimensions that disagree are told", "[reading]") {
  const std::string dynamics = "[dynamics]\nmass_matrix = [[1, 0], [0, 1]]\n[outputs]\n";
  const char* wrong[] = {
      "y = \"x + phi\"",           "y = \"x - time\"",      "y = \"exp(x)\"",      "y = \"log(time)\"",
      "y = \"tanh(x)\"",           "y = \"min(x, phi)\"",   "y = \"mod(x, phi)\"", "y = \"atan2(x, phi)\"",
      "y = \"if(x < phi, 0, 0)\"", "y = \"2^x\"",           "y = \"x^phi\"",       "y = \"sqrt(x) + x\"",
      "y = \"der(x) + x\"",        "y = \"-x + phi\"",      "y = \"sin(time)\"",   "y = \"x*phi + time\"",
      "y = \"sin(pi*x) + x\"",     "y = \"2*x + phi + x\"", "y = \"x^2 + x*phi\""};
  for (const char* line : wrong) {
    INFO(line);
    CHECK(errors(dynamics + line).size() == 1);
  }
}

TEST_CASE("columns inside texts are right for every kind of quotes", "[reading]") {
  const std::string dynamics = "[dynamics]\nmass_matrix = [[1, 0], [0, 1]]\n[outputs]\n";
  const std::pair<const char*, const char*> rows[] = {
      {"y = \"x + zz\"", "f.toml:9:10:"},
      {"y = 'x + zz'", "f.toml:9:10:"},
      {"  y  =   'zz'", "f.toml:9:11:"},
      {"y = \"x\\t+ zz\"", "f.toml:9:11:"},
      {"y = \"\\u0078 + zz\"", "f.toml:9:15:"},
      {"y = \"\"\"x + zz\"\"\"", "f.toml:9:12:"},
      {"y = \"\"\"\nx\n + zz\"\"\"", "f.toml:11:4:"},
      {"y = '''\nx +\n zz'''", "f.toml:11:2:"},
      {"y = \"\"\"x \\\n   + zz\"\"\"", "f.toml:10:6:"},
      {"y = { value = \"x + zz\", description = \"ü\" }", "f.toml:9:20:"},
      {"y = { description = \"ü\", value = \"x + zz\" }", "f.toml:9:39:"},
  };
  for (const auto& [line, start] : rows) {
    const std::vector<std::string> found = errors(dynamics + line);
    INFO(line);
    REQUIRE(found.size() == 1);
    INFO(found[0]);
    CHECK(found[0].starts_with(start));
  }
}

TEST_CASE("one mistake makes one message", "[reading]") {
  CHECK(errors("[parameters]\nk = { value = 1, unit = \"Nm\" }\n[dynamics]\nmass_matrix = [[1, 0], [0, 1]]\n"
               "[dynamics.forces]\nx = \"k*x\"\nphi = \"k*phi + 3*k\"\n")
            .size() == 1);
  CHECK(errors("[dynamics]\nmass_matrix = [[1, 0], [0, 1]]\n[definitions]\na = \"b +\"\nc = \"2*a\"\n"
               "[outputs]\ny = \"c + a + x\"\n")
            .size() == 1);
  CHECK(errors("[dynamics]\nmass_matrix = [[1, 0], [0, 1]]\n[definitions]\na = \"x + phi\"\nc = \"2*a + der(a)\"\n"
               "[outputs]\ny = \"c + a + x\"\n")
            .size() == 1);
}

TEST_CASE("a file that is not there is an error", "[reading]") {
  const ReadResult result = read_mechanism("no such file.toml");
  CHECK_FALSE(result.description);
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(to_text(result.diagnostics[0]) ==
        "no such file.toml:1:1: the file cannot be read; check its name and its permissions");
}

TEST_CASE("reading the same text twice gives the same messages", "[reading]") {
  const std::string wrong = "[parameters]\na = 'b'\nb = 'a'\n[inputs]\nc = 3\n";
  const ReadResult first = read_mechanism_text(wrong, "f.toml"), second = read_mechanism_text(wrong, "f.toml");
  CHECK(first.diagnostics == second.diagnostics);
  CHECK(first.diagnostics.size() > 3);
}
