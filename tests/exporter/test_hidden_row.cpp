// Tests the position constraint that velocity constraints hide: the vehicle as Phong 2002 prints it, with the row that
// the message shows, pasted or added, against the model in which somebody wrote the row by hand.
#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "explanation/explain.hpp"
#include "preparation/pipeline.hpp"
#include "tests/reading/folder.hpp"

namespace mechfmu::test {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream stream(path);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// Removes the text from one mark to another.
std::string without(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t first = text.find(from), end = text.find(to);
  REQUIRE(first < end);
  REQUIRE(end != std::string::npos);
  return text.substr(0, first) + text.substr(end);
}

const std::filesystem::path model =
    std::filesystem::path(MECHFMU_SOURCE_DIR) / "models" / "circling_vehicle" / "mechanism.toml";

/// Returns the vehicle with all three constraints as velocities, and without the row of tangency. It starts on the
/// circle.
std::string as_printed() {
  std::string text = without(content(model), "[constraints.tangency]", "# Both servo constraints");
  text = replaced(text, "position = \"(x^2 + (y - R)^2)/R^2 - 1\"", "velocity = \"x*der(x) + (y - R)*der(y)\"");
  text = without(text, "[outputs.steering_moment]", "[outputs.speed]");
  return replaced(text, "start = 1, ", "start = \"R - sqrt(R^2 - 64)\", fixed = true, ");
}

Prepared prepared(const std::string& text) {
  const Folder folder;
  return prepare(folder.write("mechanism.toml", text), [](const char*) {});
}

std::string complaint_about(const std::string& text) {
  try {
    prepared(text);
  } catch (const MechanismErrors& errors) {
    return errors.what();
  }
  return "";
}

std::string between(const std::string& text, const std::string& first, const std::string& last) {
  const std::size_t begin = text.find(first);
  REQUIRE(begin != std::string::npos);
  const std::size_t end = text.find(last, begin + first.size());
  REQUIRE(end != std::string::npos);
  return text.substr(begin + first.size(), end - begin - first.size());
}

double output(const Prepared& p, const std::string& name) {
  const std::vector<OutputEquation>& outputs = p.derivation.equations.outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i].shown.name == name) return p.start.outputs[i];
  FAIL("no output " + name);
  return 0;
}

void check_like_by_hand(const Prepared& found) {
  const Prepared expected = prepare(model, [](const char*) {});
  CHECK(found.facts.degrees_of_freedom == expected.facts.degrees_of_freedom);
  CHECK(found.derivation.sizes.position_rows == 1);
  for (std::size_t i = 0; i < 4; ++i) {
    INFO(i);
    CHECK(found.start.q[i] == Approx(expected.start.q[i]).epsilon(1e-12));
    CHECK(found.start.v[i] == Approx(expected.start.v[i]).epsilon(1e-11));
    CHECK(found.start.acceleration[i] == Approx(expected.start.acceleration[i]).epsilon(1e-10));
  }
  CHECK(output(found, "theta.reaction") == Approx(output(expected, "theta.reaction")).epsilon(1e-10));
}

}  // namespace

TEST_CASE("the message about the printed vehicle shows a row that completes it") {
  const std::string text = as_printed(), complaint = complaint_about(text);
  INFO(complaint);
  CHECK(complaint.find("'rear_axle', 'front_axle' and 'circle' together leave 'x', 'y' and 'phi' no motion") !=
        std::string::npos);
  CHECK(complaint.find("write [mechanism] hidden = \"add\", or a constraint with position = ") != std::string::npos);
  const std::string position = between(complaint, "position = \"", "\""),
                    realised_by = between(complaint, "realised_by = ", " }");
  check_like_by_hand(prepared(
      text + "\n[constraints.pasted]\nposition = \"" + position + "\"\nrealised_by = " + realised_by + " }\n"));
}

TEST_CASE("hidden = \"add\" adds this row") {
  const Prepared found = prepared(replaced(as_printed(), "[mechanism]", "[mechanism]\nhidden = \"add\""));
  check_like_by_hand(found);
  CHECK(found.derivation.equations.constraints.front().name == "hidden");
  const std::string explained = explain(found);
  INFO(explained);
  CHECK(explained.find(
            "\nHidden constraints, as the program has found them\n  hidden  0 = 2*a*x*cos(phi)*cos(theta) +") !=
        std::string::npos);
  CHECK(found.start.immobile.by_velocities.any() == false);
}

TEST_CASE("hidden = \"add\" changes nothing where nothing is hidden") {
  const std::string text = content(model);
  const Prepared with = prepared(replaced(text, "[mechanism]", "[mechanism]\nhidden = \"add\"")),
                 without_key = prepared(text);
  CHECK(with.start.q == without_key.start.q);
  CHECK(with.derivation.sizes.position_rows == without_key.derivation.sizes.position_rows);
}

}  // namespace mechfmu::test
