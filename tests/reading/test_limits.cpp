// Tests numbers of forces that physics bounds, for every force of the list.
#include <catch2/catch.hpp>

#include "elements/forces/force_type.hpp"
#include "modelDescription/reading/read.hpp"
#include "reading.hpp"

using namespace mechfmu;

namespace {

/// A pendulum with a force of this type, whose numbers are all 1 but that of one key.
std::string with_force(const ForceType& type, const std::string& key, const std::string& number) {
  std::string text = R"([mechanism]
name = "Limits"
dimension = "planar"
[bodies.bob]
mass = 1
inertia = 1
points.P = [1, 0]
[joints.A]
type = "revolute"
parent = "ground"
child = "bob"
[forces.f]
type = ")" + std::string(type.name) +
                     "\"\n";
  switch (type.acts) {
    case Acts::at_point: text += "at = \"bob.P\"\n"; break;
    case Acts::on_body: text += "on = \"bob\"\n"; break;
    case Acts::along_line: text += "from = \"ground\"\nto = \"bob.P\"\n"; break;
    case Acts::on_coordinate: text += "coordinate = \"A.angle\"\n"; break;
  }
  if (type.has_value) text += type.acts == Acts::at_point ? "value = [1, 1]\n" : "value = 1\n";
  const std::string left_out = key == "static" ? "stick_speed" : "static";  // Friction has one of them.
  for (const NumberKey& each : type.numbers)
    if (each.name != left_out)
      text += std::string(each.name) + " = " + (each.name == key ? number : each.vector ? "[1, 1]" : "1") + "\n";
  return text;
}

}  // namespace

TEST_CASE("numbers of forces are refused beyond what physics allows", "[limits]") {
  int limited = 0;
  for (const ForceType& type : force_types()) {
    CHECK(messages_of(read_mechanism_text(with_force(type, "", ""), "test.toml")).empty());
    for (const NumberKey& key : type.numbers) {
      if (key.vector) continue;
      INFO("force " << type.name << ", key " << key.name);
      const auto said = [&](const char* number) {
        return messages_of(read_mechanism_text(with_force(type, key.name, number), "test.toml"));
      };
      const bool negative = key.bound == Bound::none, zero = key.bound != Bound::positive;
      CHECK(said("-1").empty() == negative);
      CHECK(said("0").empty() == zero);
      if (negative) continue;
      ++limited;
      CHECK_THAT(said("-1").front(), Catch::Contains("'" + std::string(key.name) + "' of the force 'f' is"));
    }
  }
  CHECK(limited > 0);
}
