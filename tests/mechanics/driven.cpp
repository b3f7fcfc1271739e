// Tests everything that can be driven, in every way: by a function of time, by an input with its derivatives, by an
// input through a filter; in the plane and in space, in the tree, as a cut, with all joints cut.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "assembled.hpp"
#include "elements/joints/joint_type.hpp"

namespace mechfmu::testing {
namespace {

constexpr double start = 0.3, step = 0.05, filter = 0.3;

struct Driven {
  bool spatial;
  const char *joint, *coordinate;  ///< the joint's further keys, the key of what is driven
  bool angle;
};

const Driven driven[] = {
    {false, "type = \"revolute\"", "angle", true},
    {false, "type = \"prismatic\"", "position", false},
    {false, "type = \"free\"", "x", false},
    {false, "type = \"free\"", "y", false},
    {false, "type = \"free\"", "angle", true},
    {false, "type = \"point_on_line\"", "position", false},
    {false, "type = \"point_on_line\"", "angle", true},
    {false, "type = \"rolling\"\nradius = 0.2", "position", false},
    {false, "type = \"rolling\"\nradius = 0.2", "angle", true},
    {false, "type = \"distance\"", "length", false},
    {true, "type = \"revolute\"", "angle", true},
    {true, "type = \"prismatic\"", "position", false},
    {true, "type = \"cylindrical\"", "angle", true},
    {true, "type = \"cylindrical\"", "position", false},
    {true, "type = \"screw\"\nlead = 0.1", "angle", true},
    {true, "type = \"universal\"\naxes = [[1, 0, 0], [0, 1, 0]]", "angle_1", true},
    {true, "type = \"universal\"\naxes = [[1, 0, 0], [0, 1, 0]]", "angle_2", true},
    {true, "type = \"planar\"", "x", false},
    {true, "type = \"planar\"", "y", false},
    {true, "type = \"planar\"", "angle", true},
    {true, "type = \"free\"", "x", false},
    {true, "type = \"free\"", "y", false},
    {true, "type = \"free\"", "z", false},
    {true, "type = \"point_on_line\"", "position", false},
    {true, "type = \"point_on_plane\"", "x", false},
    {true, "type = \"point_on_plane\"", "y", false},
    {true, "type = \"rolling\"\nradius = 0.2\naxis = [0, 1, 0]", "x", false},  // its y is held by the rolling already
    {true, "type = \"distance\"", "length", false},
};

enum class By { time, input, filter };
enum class Form { tree, cut, absolute };

std::string text_of(const Driven& one, By by, Form form) {
  const std::string unit = one.angle ? "rad" : "m", rate = unit + "/s", acceleration = unit + "/s2";
  const std::string motion =
      by == By::time    ? "motion = \"s + d*sin(w*time)\""
      : by == By::input ? "motion = \"u\", rate = \"du\", acceleration = \"ddu\""
                        : "motion = \"u\", filter = 0.3";
  std::string text = "[mechanism]\nname = \"Driven\"\ndimension = \"";
  text += one.spatial ? "spatial\"\n" : "planar\"\n";
  if (form == Form::absolute) text += "coordinates = \"absolute\"\n";
  text += "[parameters]\ns = { value = 0.3, unit = \"" + unit + "\" }\nd = { value = 0.05, unit = \"" + unit +
          "\" }\nw = { value = 2, unit = \"rad/s\" }\n";
  if (by != By::time) text += "[inputs]\nu = { unit = \"" + unit + "\", start = 0.3 }\n";
  if (by == By::input) text += "du = { unit = \"" + rate + "\" }\nddu = { unit = \"" + acceleration + "\" }\n";
  text += "[bodies.bob]\nmass = 2\ninertia = ";
  text += one.spatial ? "[0.1, 0.1, 0.1]\n" : "0.1\n";
  const bool length = std::string(one.coordinate) == "length";
  if (length) text += "[joints.way]\ntype = \"free\"\nparent = \"ground\"\nchild = \"bob\"\nx = { start = 0.25 }\n";
  text += std::string("[joints.J]\nparent = \"ground\"\nchild = \"bob\"\n") + one.joint + "\n" + one.coordinate +
          " = { " + motion + " }\n";
  if (form == Form::cut) text += "cut = true\n";
  return text;
}

/// Returns the value of the coordinate at the time after the input has jumped by `step`.
double expected(By by, double since) {
  const double x = since / filter;
  return start + step * (by == By::input ? 1 : 1 - (1 + x) * std::exp(-x));
}

/// Is true if the list has a coordinate of a joint, or its length.
bool listed(const char* type, bool spatial, const std::string& coordinate) {
  const std::string beginning = std::string("type = \"") + type + "\"";
  return std::any_of(std::begin(driven), std::end(driven), [&](const Driven& one) {
    return one.spatial == spatial && std::string(one.joint).starts_with(beginning) && one.coordinate == coordinate;
  });
}

}  // namespace

TEST_CASE("every coordinate of every joint is in the list of what is driven", "[members]") {
  for (const JointType& type : joint_types())
    for (const bool spatial : {false, true}) {
      const JointForm* form = spatial ? type.spatial : type.planar;
      if (form == nullptr) continue;
      std::vector<std::string> names;
      for (const CoordinateFacts& coordinate : form->coordinates) names.push_back(coordinate.name);
      if (form->has("length")) names.push_back("length");
      for (const std::string& name : names) {
        const bool held =
            spatial && type.name == std::string("rolling") && name == "y";  // The rolling holds it already.
        INFO("joint " << type.name << (spatial ? " in space" : " in the plane") << ", " << name
                      << ": give it a line in `driven` of tests/mechanics/driven.cpp");
        CHECK(listed(type.name, spatial, name) != held);
      }
    }
}

TEST_CASE("whatever can be driven is, by time, by inputs and through filters", "[driven]") {
  for (const Driven& one : driven)
    for (const By by : {By::time, By::input, By::filter})
      for (const Form form : {Form::tree, Form::cut, Form::absolute}) {
        const std::string text = text_of(one, by, form), name = std::string("J.") + one.coordinate;
        INFO(text);
        try {
          Assembled mechanism(text);
          mechanism.start();
          CHECK(mechanism[name] == Approx(start).epsilon(1e-12));
          mechanism.advance(0.5);
          if (by == By::time) {
            CHECK(mechanism[name] == Approx(start + step * std::sin(1.0)).epsilon(1e-8));
          } else {
            CHECK(mechanism[name] == Approx(start).epsilon(1e-8));
            mechanism.simulation().set_input(0, start + step);
            mechanism.advance(0.8);
            CHECK(mechanism[name] == Approx(expected(by, 0.3)).epsilon(1e-7));
          }
          CHECK(std::isfinite(mechanism[name + ".drive"]));
        } catch (const std::runtime_error& error) {
          FAIL_CHECK(error.what());
        }
      }
}

}  // namespace mechfmu::testing
