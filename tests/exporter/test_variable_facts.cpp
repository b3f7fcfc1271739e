// Tests how an FMU shows equations that do not come from [coordinates]: rotations, hidden coordinates, outputs with
// rates and start values of their own; and what they all depend on.
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

#include "derivation/derive.hpp"
#include "modelDescription/formulas/units.hpp"
#include "preparation/variable_facts.hpp"

namespace mechfmu::test {
namespace {

using casadi::SX;
using Names = std::vector<std::string>;

Shown shown(const std::string& name, const std::string& unit = "", bool local = false,
            const std::string& derivative_of = "") {
  return {name, "", known_unit(unit), {}, local, false, derivative_of};
}

Shown hidden(const std::string& name) {
  Shown result = shown(name);
  result.hidden = true;
  return result;
}

ShownParameter start_value(const std::string& name, const std::string& of, bool rate = false) {
  ShownParameter result{shown(name)};
  result.start_of = {of, rate, false};
  return result;
}

/// A slider s and a ball whose rotation moves with it (2 x = s); a second slider, pushed by friction that grows with
/// the constraint's force, and a third one that is free of everything. "turn" is an angle of the ball.
Equations slider_and_ball() {
  Equations e;
  e.name = "SliderAndBall";
  e.positions = {shown("s", "mm"), shown("ball.w"),  shown("ball.x"), shown("ball.y"),
                 shown("ball.z"),  hidden("second"), shown("third")};
  e.velocities = {shown("der(s)", "m/s", true, "s"), shown("spin.x", "rad/s"), shown("spin.y", "rad/s"),
                  shown("spin.z", "rad/s"),          hidden("der(second)"),    shown("der(third)", "", true, "third")};
  e.accelerations = {shown("der(s,2)", "m/s2", true, "der(s)"),
                     shown("der(spin.x)", "rad/s2", true, "spin.x"),
                     shown("der(spin.y)", "rad/s2", true, "spin.y"),
                     shown("der(spin.z)", "rad/s2", true, "spin.z"),
                     shown("acceleration_of_second"),
                     shown("der(third,2)", "", true, "der(third)")};
  e.parameters = {start_value("s_start", "s"),
                  start_value("ball.w_start", "ball.w"),
                  start_value("ball.x_start", "ball.x"),
                  start_value("s_rate_start", "der(s)", true),
                  {shown("mass", "kg")},
                  start_value("turn_start", "turn"),
                  start_value("third_start", "third"),
                  {hidden("secret")},
                  {shown("tilt")},
                  {shown("half")}};
  e.parameters[0].written = 250;
  e.parameters[9].calculated = true;
  e.parameter_values = {0.25, 1, 0, 3, 2, 0.5, 7, 1, 0, 1};
  e.input_names = {"push", "time of the inputs"};
  e.input_values = {0, 0};
  e.input_time = 1;
  e.quaternions = {{1, 1}};
  e.position_fixed.assign(6, false);
  e.velocity_fixed.assign(6, false);

  Symbols& s = e.symbols;
  s.time = SX::sym("time");
  s.q = SX::sym("q", 7);
  s.v = SX::sym("v", 6);
  s.inputs = SX::sym("inputs", 2);
  s.parameters = SX::sym("parameters", 10);
  s.acceleration = SX::sym("acceleration", 6);
  s.multipliers = SX::sym("multiplier");
  s.turns = SX::sym("turns");
  s.loads = SX::sym("load");
  const SX w = s.q(1), x = s.q(2), y = s.q(3), z = s.q(4), o = s.v(casadi::Slice(1, 4));
  s.q_rate = SX::vertcat({s.v(0), (-x * o(0) - y * o(1) - z * o(2)) / 2, (w * o(0) + y * o(2) - z * o(1)) / 2,
                          (w * o(1) + z * o(0) - x * o(2)) / 2, (w * o(2) + x * o(1) - y * o(0)) / 2, s.v(4), s.v(5)});
  const SX p = s.parameters, mass = p(4);
  e.position_guess = SX::vertcat({p(0), p(1), p(2), 0, 0, 0, p(6)});
  e.velocity_guess = SX::vertcat({p(3), 0, 0, 0, 0, 0});
  e.calculations = {{9, mass / 2}};
  e.mass_matrix = SX::diag(SX::vertcat({mass, 1, 1, 1, p(7), 1}));
  e.inertia_forces = SX::zeros(6);
  e.kinetic_energy = SX::bilin(*e.mass_matrix, s.v, s.v) / 2;
  e.forces = SX::vertcat({s.inputs(0), 0, 0, 0, -s.loads(0), 0});
  e.constraints = {{"guide", {}, Level::position, 2 * x - s.q(0), {}, hidden("guide force"), "meaning"}};
  e.start_positions = {{"tilt", {}, y - p(8)}};
  e.angles = {{"turn", SX::atan2(x, w), p(5)}};
  e.loads = {{"friction", {}, s.multipliers(0) * p(9)}};
  const auto add = [&e](const Shown& one, const SX& value, int group, int index) {
    e.outputs.push_back({one, SX::densify(value), group, index});
  };
  add(shown("turn", "rad"), e.angles[0].raw + 2 * casadi::pi * s.turns(0), motion_outputs, 0);
  add(shown("der(turn)", "rad/s", true, "turn"), o(0), motion_outputs, 1);
  add(hidden("unseen"), s.q(0), motion_outputs, 2);
  add(shown("since"), s.time - s.inputs(1), motion_outputs, 3);
  add(shown("rub", "N"), s.loads(0), reaction_outputs, 0);
  return e;
}

struct Listed {
  explicit Listed(const Equations& equations) {
    Diagnostics diagnostics;
    const std::optional<Derivation> derivation = derive(equations, diagnostics);
    REQUIRE(derivation);
    Description description;
    description.name = equations.name;
    description.inputs.push_back({"push", "", {}, known_unit("N"), 0, {}, {}});
    variables = list_variables(description, variable_facts(*derivation));
  }

  const ModelVariable& at(const std::string& name) const {
    const auto& all = variables.all;
    const auto one = std::find_if(all.begin(), all.end(), [&](const auto& v) { return v.name == name; });
    INFO(name);
    REQUIRE(one != all.end());
    return *one;
  }
  std::set<std::string> names(const Known& known) const {
    std::set<std::string> result;
    for (const int reference : variables.references(known)) result.insert(variables.of_reference(reference).name);
    return result;
  }
  std::string derivative(const std::string& name) const {
    const int of = at(name).derivative_of;
    return of == 0 ? "" : variables.of_reference(of).name;
  }

  ModelVariables variables;
};

TEST_CASE("variables are those that the equations show, in one order") {
  const Listed listed(slider_and_ball());
  Names names;
  for (const ModelVariable& variable : listed.variables.all) {
    if (variable.name.rfind("solver.", 0) != 0) names.push_back(variable.name);
  }
  CHECK(names ==
        Names{"time",         "mass",         "tilt",
              "half",         "push",         "s_start",
              "s_rate_start", "ball.w_start", "ball.x_start",
              "turn_start",   "third_start",  "s",
              "ball.w",       "ball.x",       "ball.y",
              "ball.z",       "third",        "der(s)",
              "spin.x",       "spin.y",       "spin.z",
              "der(third)",   "der(s,2)",     "der(spin.x)",
              "der(spin.y)",  "der(spin.z)",  "acceleration_of_second",
              "der(third,2)", "turn",         "der(turn)",
              "since",        "rub"});
  CHECK(listed.derivative("der(s,2)") == "der(s)");
  CHECK(listed.derivative("der(s)") == "s");
  CHECK(listed.derivative("der(spin.y)") == "spin.y");
  CHECK(listed.derivative("der(turn)") == "turn");
  CHECK(listed.derivative("turn").empty());
  CHECK(listed.at("der(turn)").role == Role::local);
  CHECK(listed.at("rub").role == Role::output);
  CHECK(listed.at("rub").unit.text == "N");
  CHECK(listed.at("rub").group == reaction_outputs);
  CHECK(listed.at("half").role == Role::calculated_parameter);
  CHECK(listed.at("third").index == 6);
  CHECK(listed.at("mass").index == 4);
  CHECK(listed.at("s_start").start == 250);  // It is as written, in mm.
  CHECK(listed.at("s").start == 250);
  CHECK(listed.at("turn").start == 0.5);
}

TEST_CASE("starts depend on what their guesses, constraints and further equations contain") {
  const Listed listed(slider_and_ball());
  const auto at_start = [&](const char* name) { return listed.names(listed.at(name).at_start); };
  const std::set<std::string> assembly = {"mass", "tilt", "s_start", "ball.w_start", "ball.x_start"};
  for (const char* name : {"s", "ball.w", "ball.x", "ball.y", "ball.z"}) CHECK(at_start(name) == assembly);
  CHECK(at_start("third") == std::set<std::string>{"third_start"});
  std::set<std::string> more = assembly;
  more.insert("turn_start");
  CHECK(at_start("turn") == more);
  more = assembly;
  more.insert("s_rate_start");
  CHECK(at_start("der(s)") == more);
  CHECK(at_start("spin.z") == more);
  CHECK(at_start("der(turn)") == more);
  CHECK(at_start("half") == std::set<std::string>{"mass"});
  more.insert("push");
  CHECK(at_start("rub") == more);

  Equations balanced = slider_and_ball();
  balanced.equilibrium = true;
  const Listed settled(balanced);
  const std::set<std::string> third = settled.names(settled.at("third").at_start);
  for (const char* name : {"time", "push", "mass", "s_start", "third_start"}) CHECK(third.count(name) == 1);
}

TEST_CASE("what is fixed starts as it is told, what the constraints then determine has no choice") {
  using Names = std::set<std::string>;
  Equations e = slider_and_ball();
  e.position_fixed[0] = e.velocity_fixed[0] = true;
  const Listed held(e);
  const auto of_held = [&](const char* name) { return held.names(held.at(name).at_start); };
  CHECK(of_held("s") == Names{"s_start"});
  CHECK(of_held("der(s)") == Names{"s_rate_start"});
  CHECK(of_held("ball.x") == Names{"tilt", "s_start", "ball.w_start", "ball.x_start"});
  CHECK(of_held("spin.x").count("s_rate_start") == 1);
  CHECK(of_held("spin.x").count("mass") == 0);  // the slider's: it does not move

  e = slider_and_ball();
  e.start_positions.clear();
  for (int i = 1; i <= 3; ++i) e.position_fixed[i] = e.velocity_fixed[i] = true;
  const Listed led(e);
  const auto of_led = [&](const char* name) { return led.names(led.at(name).at_start); };
  CHECK(of_led("ball.x") == Names{"ball.w_start", "ball.x_start"});
  CHECK(of_led("s") == Names{"ball.w_start", "ball.x_start"});  // Neither its guess nor its mass is one.
  CHECK(of_led("der(s)") == Names{"ball.w_start", "ball.x_start"});
  CHECK(of_led("third") == Names{"third_start"});
}

TEST_CASE("in a step the motion depends on inputs, through loads too") {
  const Listed listed(slider_and_ball());
  const auto in_step = [&](const char* name) { return listed.names(listed.at(name).in_step); };
  for (const char* name : {"s", "ball.x", "der(s)", "turn", "der(turn)", "der(third,2)"}) CHECK(in_step(name).empty());
  CHECK(in_step("since") == std::set<std::string>{"time"});  // the time of the inputs is no variable
  for (const char* name : {"der(s,2)", "der(spin.y)", "acceleration_of_second", "rub"}) {
    CHECK(in_step(name).count("push") == 1);
  }
}

TEST_CASE("inputs that move constraints act on positions in a step") {
  Equations e = slider_and_ball();
  e.constraints[0].residual -= e.symbols.inputs(0) * (e.symbols.time - e.symbols.inputs(1));
  const Listed listed(e);
  const auto in_step = [&](const char* name) { return listed.names(listed.at(name).in_step); };
  for (const char* name : {"s", "ball.z", "der(s)", "turn"}) {
    CHECK(in_step(name).count("push") == 1);
    CHECK(in_step(name).count("time") == 1);
    CHECK(in_step(name).count("s_start") == 0);
  }
  CHECK(in_step("third").empty());
}

}  // namespace
}  // namespace mechfmu::test
