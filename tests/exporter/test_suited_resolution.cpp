// Tests which resolution the exporter chooses if the file does not name one.
#include <catch2/catch.hpp>

#include <string>

#include "explanation/explain.hpp"
#include "fmu_src/mechanism/families.hpp"
#include "tests/reading/folder.hpp"

using namespace mechfmu;

namespace {

/// Masses on springs; `further` follows.
Prepared masses(int count, const std::string& further = "") {
  std::string text = R"toml([mechanism]
name = "Masses"
[parameters]
m = { value = 1, unit = "kg" }
k = { value = 1, unit = "N/m" }
[coordinates]
)toml",
              energy, potential;
  for (int i = 1; i <= count; ++i) {
    const std::string x = "x" + std::to_string(i);
    text += x + " = { unit = \"m\", start = 0 }\n";
    energy += (i > 1 ? " + m*der(" : "m*der(") + x + ")^2/2";
    potential += (i > 1 ? " + k*" : "k*") + x + "^2/2";
  }
  text += "[dynamics]\nkinetic_energy = \"" + energy + "\"\npotential_energy = \"" + potential + "\"\n" + further;
  const Folder folder;
  return prepare(folder.write("mechanism.toml", text), [](const char*) {});
}

std::string chosen(const Prepared& prepared) {
  CHECK(tangent_bases[prepared.settings.tangent_basis] == prepared.description.solver.tangent_basis);
  return prepared.description.solver.tangent_basis;
}

}  // namespace

TEST_CASE("without constraints and with two velocities there is only M to factor", "[suited]") {
  CHECK(chosen(masses(1)) == "partitioned");
  CHECK(chosen(masses(2)) == "null_space_block");
  CHECK(explain(masses(2)).find("null_space_block, chosen as the mechanism has no constraints") != std::string::npos);
}

TEST_CASE("nominal sizes are told with what they were taken from") {
  const auto told = [](const std::string& coordinates, const std::string& wanted) {
    const Folder folder;
    const std::string file =
        folder.write("mechanism.toml",
                     "[mechanism]\nname = \"M\"\n[parameters]\nm = { value = 1, unit = \"kg\" }\n"
                     "J = { value = 1, unit = \"kg.m2\" }\n[coordinates]\n" +
                         coordinates +
                         "[dynamics]\nkinetic_energy = \"m*der(x)^2/2 + J*der(a)^2/2\"\n[solver]\nstop_time = 4\n");
    const std::string text = explain(prepare(file, [](const char*) {}));
    const std::size_t table = text.find("\nNominal sizes");
    INFO(text);
    REQUIRE(table != std::string::npos);
    CHECK(text.find(wanted, table) != std::string::npos);
  };
  const std::string angle = "a = { unit = \"deg\", start = 3 }\n";
  told(angle + "x = { unit = \"mm\", start = -20 }\n",
       "  x           20    mm    5      mm/s   the largest start of this unit\n");
  told(angle + "x = { unit = \"mm\", start = -20 }\n",
       "  a           57.3  deg   14.32  deg/s  1 rad, as of any angle\n");
  told(angle + "x = { unit = \"m\", nominal = 3, rate_nominal = 7 }\n",
       "  x           3     m     7      m/s    'nominal' of the file\n");
  told(angle + "x = { unit = \"m\" }\n", "nothing in the file tells it: 1 in SI units; 'nominal' would\n");
}

TEST_CASE("so are those of unknowns") {
  const auto told = [](const std::string& unknown, const std::string& wanted) {
    const Folder folder;
    const std::string file =
        folder.write("mechanism.toml",
                     "[mechanism]\nname = \"M\"\n[parameters]\nm = { value = 1, unit = \"kg\" }\n"
                     "c = { value = 1, unit = \"kg/s\" }\n[coordinates]\nx = { unit = \"m\", start = 0.2 }\n"
                     "[unknowns]\np = { " +
                         unknown + " }\n[dynamics]\nkinetic_energy = \"m*der(x)^2/2\"\n[solver]\nstop_time = 4\n");
    const std::string text = explain(prepare(file, [](const char*) {}));
    INFO(text);
    CHECK((text.find("\nNominal sizes of unknowns") != std::string::npos) == !wanted.empty());
    CHECK(text.find(wanted) != std::string::npos);
  };
  const std::string force = "unit = \"kN\", equation = \"p - c*der(x)\"";
  told(force, "  p        1     kN    nothing in the file tells it: 1 in its unit; 'nominal' would\n");
  told(force + ", start = 5", "  p        5     kN    its start\n");
  told(force + ", start = 5, nominal = 3", "  p        3     kN    'nominal' of the file\n");
  told("unit = \"mm\", equation = \"p - x\"",
       "  p        200   mm    the mechanism's length, mass or force, and stop_time\n");
  CHECK(explain(masses(3)).find("unknowns") == std::string::npos);
}

TEST_CASE("with constraints a basis is chosen", "[suited]") {
  CHECK(chosen(masses(5, "[constraints.tie]\nposition = \"x1 - x2\"\n")) == "partitioned");
}

TEST_CASE("a body that rolls freely has no basis that would turn twice as fast", "[suited]") {
  const Folder folder;
  const auto disk = [&](const std::string& further) {
    const std::string text = R"toml([mechanism]
name = "Rolling"
dimension = "spatial"
gravity = [0, 0, -9.81]
[bodies.disk]
mass = 1
inertia = [0.02, 0.04, 0.02]
[bodies.disk.points]
rim = [0, 0, 0.1]
[joints.contact]
type = "rolling"
parent = "ground"
child = "disk"
radius = 0.3
axis = [0, 1, 0]
x = { start = 0, fixed = true }
)toml";
    return prepare(folder.write("rolling.toml", text + further), [](const char*) {});
  };
  const Prepared free = disk("");
  CHECK(chosen(free) == "null_space_block");
  CHECK(free.basis_reason.find("constraints of velocities") != std::string::npos);
  CHECK(chosen(disk("[constraints.upright]\nvelocity = \"contact.angular_velocity.x\"\n"
                    "[constraints.straight]\nvelocity = \"contact.angular_velocity.z\"\n")) == "partitioned");
  CHECK(
      chosen(disk("[joints.rope]\ntype = \"distance\"\nparent = \"ground\"\nchild = \"disk.rim\"\nlength = 0.35\n")) ==
      "partitioned");
}

TEST_CASE("the file decides where it does", "[suited]") {
  const Prepared prepared = masses(5, "[solver]\ntangent_basis = \"qr\"\n");
  CHECK(chosen(prepared) == "qr");
  CHECK(prepared.basis_reason.empty());
  CHECK(explain(prepared).find("chosen as") == std::string::npos);
  CHECK(chosen(masses(5, "[solver]\ntangent_basis = \"partitioned\"\n")) == "partitioned");
}
