// Tests formulas, tables and der() as expressions: values and derivatives at points that need care.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "derived.hpp"
#include "equations/spline.hpp"
#include "modelDescription/formulas/expression.hpp"

namespace mechfmu::test {
namespace {

using casadi::SX;

/// Value and derivatives of a formula of z (an angle) at a point; `functions` are lines of [functions].
struct Jet {
  double value, first, second;
};
Jet jet(const std::string& formula, double z, const std::string& functions = "") {
  const Equations equations = equations_of(mechanism_with(
      (functions.empty() ? "" : "[functions]\n" + functions + "\n") +
      "[dynamics]\nkinetic_energy = \"J*der(z)^2/2\"\n[outputs]\nw = { value = \"" + formula + "\" }\n"));
  State state = random_state(equations, 1);
  state.q[2] = z;
  const auto is_w = [](const OutputEquation& output) { return output.shown.name == "w"; };
  const SX value = std::find_if(equations.outputs.begin(), equations.outputs.end(), is_w)->value,
           by = equations.symbols.q(2);
  const SX first = SX::jacobian(value, by), second = SX::jacobian(first, by);
  return {value_of(value, equations, state), value_of(first, equations, state), value_of(second, equations, state)};
}

TEST_CASE("operations have the values of the language") {
  CHECK(jet("2^-2 + 7/2 - -1", 0).value == 4.75);
  CHECK(jet("mod(z, 3)", -1).value == 2);
  CHECK(jet("max(1, z, 2) + min(z, 4, 5) + abs(-z) + sign(-z)", 3).value == 3 + 3 + 3 - 1);
  CHECK(jet("if(z >= 1, 10, 20) + if(z == 1, 1, 2) + if(z != 1, 100, 0) + if(z <= 0, 1000, 0)", 1).value == 11);
  CHECK(jet("atan2(z, -1) + tanh(z) + exp(log(2)) + asin(z) + acos(z) + atan(z) + tan(z) + sqrt(z)", 0.5).value ==
        Approx(std::atan2(0.5, -1) + std::tanh(0.5) + 2 + std::asin(0.5) + std::acos(0.5) + std::atan(0.5) +
               std::tan(0.5) + std::sqrt(0.5)));
  CHECK(jet("square(z) + cubed(z)", 2,
            "square = { of = [\"u\"], value = \"u^2\" }\n"
            "cubed = { of = [\"u\"], value = \"u*square(u)\" }")
            .value == 12);
}

TEST_CASE("every function of the language has one meaning for numbers and for coordinates") {
  for (const LanguageFunction& function : language_functions()) {
    if (function.evaluate == nullptr) continue;
    for (const double z : {0.3, 0.8}) {
      std::vector<double> arguments;
      std::string formula;
      for (int i = 0; i < function.least; ++i) {
        const bool condition = i == 0 && function.rule == DimensionRule::choice;
        const double shift = 0.1 * i;
        arguments.push_back(condition ? z > 0.5 : z + shift);
        formula += (i > 0 ? ", z + " : "z + ") + std::to_string(shift) + (condition ? " > 0.5" : "");
      }
      formula = std::string(function.name) + "(" + formula + ")";
      INFO(formula << ": exporter/translate.cpp says what the function is of coordinates");
      CHECK(jet(formula, z).value == Approx(function.evaluate(arguments)).epsilon(1e-14));
    }
  }
}

TEST_CASE("whole powers have derivatives at zero") {
  CHECK(jet("z^2", 0).second == 2);
  CHECK(jet("z^3 + z^5", 0).second == 0);
  CHECK(jet("z^3", 2).first == 12);
  CHECK(jet("z^0 + z^1", 0).first == 1);
  CHECK(jet("z^-2", 2).first == Approx(-0.25));
  CHECK(jet("z^k", 0).second == 0);  // k = 3, a parameter
}

TEST_CASE("the branch that is not taken has no influence on derivatives") {
  const Jet at_minus_one = jet("if(z > 0, sqrt(z) + log(z), z^2)", -1);
  CHECK(at_minus_one.value == 1);
  CHECK(at_minus_one.first == -2);
  CHECK(at_minus_one.second == 2);
  CHECK(jet("max(0, z)^3", 0.5).second == 3);
  CHECK(jet("max(0, z)^3", -0.5).second == 0);
}

TEST_CASE("der() is the total derivative, once and twice") {
  const Equations equations = equations_of(mechanism_with(R"toml(
[definitions]
height = "l*sin(z)*cos(2*time/s)"
[dynamics]
kinetic_energy = "J*der(z)^2/2"
[outputs]
rate = { value = "der(height)", unit = "m/s" }
bend = { value = "der(der(height))", unit = "m/s2" }
)toml"));
  const State s = random_state(equations, 3);
  const double l = 0.7, z = s.q[2], w = s.v[2], a = s.acceleration[2], t = 2 * s.time / 1.1, tt = 2 / 1.1;
  const auto value = [&](const std::string& name) {
    for (const OutputEquation& output : equations.outputs)
      if (output.shown.name == name) return value_of(output.value, equations, s);
    return std::nan("");
  };
  CHECK(value("rate") == Approx(l * (std::cos(z) * w * std::cos(t) - tt * std::sin(z) * std::sin(t))));
  CHECK(value("bend") == Approx(l * ((std::cos(z) * a - std::sin(z) * w * w) * std::cos(t) -
                                     2 * tt * std::cos(z) * w * std::sin(t) - tt * tt * std::sin(z) * std::cos(t))));
}

const std::vector<std::array<double, 2>> points = {{-1, 0.3}, {0, 1}, {0.5, 0.2}, {2, -0.4}, {2.5, 0.3}};
const std::string rows = "[[-1, 0.3], [0, 1], [0.5, 0.2], [2, -0.4], [2.5, 0.3]]";

TEST_CASE("a table goes through its points and is twice continuously differentiable between its ends") {
  for (const std::string more : {"", ", beyond = \"line\"", ", period = 4.2"}) {
    const std::string table = "f = { table = " + rows + more + " }";
    for (const auto& [x, y] : points) {
      INFO(more << " at " << x);
      CHECK(jet("f(z)", x, table).value == Approx(y).margin(1e-15));
      const bool at_end = x == points.front()[0] || x == points.back()[0];
      if (more.empty() && at_end) continue;  // Values are held beyond: the slope jumps.
      const double d = 1e-9;
      const Jet left = jet("f(z)", x - d, table), right = jet("f(z)", x + d, table);
      CHECK(left.first == Approx(right.first).margin(1e-7));
      CHECK(left.second == Approx(right.second).margin(1e-7));
    }
  }
}

TEST_CASE("a table beyond its ends: held, continued as a line, or repeated") {
  const std::string begin = "f = { table = " + rows;
  CHECK(jet("f(z)", -7, begin + " }").value == 0.3);
  CHECK(jet("f(z)", 9, begin + " }").value == Approx(0.3));
  CHECK(jet("f(z)", 9, begin + " }").first == 0);
  const std::string line = begin + ", beyond = \"line\" }";
  const double slope = jet("f(z)", 2.5, line).first;
  CHECK(jet("f(z)", 4, line).value == Approx(0.3 + 1.5 * slope));
  const std::string periodic = begin + ", period = 4.2 }";
  const Jet here = jet("f(z)", 0.31, periodic), there = jet("f(z)", 0.31 - 3 * 4.2, periodic);
  CHECK(here.value == Approx(there.value));
  CHECK(here.first == Approx(there.first));
  // The last point may repeat the first one.
  const std::string closed = "f = { table = [[0, 1], [1, 2], [2, 0], [4, 1]], period = 4 }";
  const std::string open = "f = { table = [[0, 1], [1, 2], [2, 0]], period = 4 }";
  CHECK(jet("f(z)", 3.3, closed).value == jet("f(z)", 3.3, open).value);
}

TEST_CASE("a table of a cubic's points converges to the cubic inside, a periodic one to a sine everywhere") {
  std::vector<std::array<double, 2>> sine;
  const double period = 2 * std::acos(-1.0);
  for (int i = 0; i < 40; ++i) sine.push_back({i * period / 40, std::sin(i * period / 40)});
  const SX x = SX::sym("x");
  const casadi::Function f("f", {x}, {evaluate_spline(periodic_spline(sine, period), x, period)});
  for (const double at : {-1.0, 0.01, 2.2, 6.25, 20.0})
    CHECK(static_cast<double>(f(casadi::DM(at)).at(0)) == Approx(std::sin(at)).margin(3e-6));
}

}  // namespace
}  // namespace mechfmu::test
