// Over-constrained loops whose data are rounded, as from CAD: they assemble as nearly as they fit, and move.
#include <catch2/catch.hpp>

#include <cmath>

#include "core/start.hpp"
#include "exporter/derive.hpp"
#include "exporter/interpret.hpp"
#include "mechanisms.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

/// Bennett's linkage with axes of so many digits.
std::string rounded_bennett(int digits) {
  const double p = 0.5, q = 0.8, h = 0.2, e = M_PI / 3;
  const double axes[4][3] = {{-2 * h * std::sin(e), 2 * h * std::cos(e), p * std::sin(e)},
                             {0, 2 * h, q * std::sin(e)},
                             {2 * h * std::sin(e), -2 * h * std::cos(e), p * std::sin(e)},
                             {0, -2 * h, q * std::sin(e)}};
  const char* written[] = {R"x(axis = ["-2*h*sin(e)", "2*h*cos(e)", "p*sin(e)"])x", R"x(axis = [0, "2*h", "q*sin(e)"])x",
                           R"x(axis = ["2*h*sin(e)", "-2*h*cos(e)", "p*sin(e)"])x", R"x(axis = [0, "-2*h", "q*sin(e)"])x"};
  std::string text = text_of_model("bennett");
  for (int joint = 0; joint < 4; ++joint) {
    const double* a = axes[joint];
    const double length = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    char axis[120];
    std::snprintf(axis, sizeof axis, "axis = [%.*g, %.*g, %.*g]", digits, a[0] / length, digits, a[1] / length, digits,
                  a[2] / length);
    text = replaced(text, written[joint], axis);
  }
  return text;
}

}  // namespace

TEST_CASE("a planar loop in space whose axis is off by rounding runs", "[rounded]") {
  const Loaded exact = Loaded::model("four_bar_in_space");
  const auto reference = exact.simulation();
  assemble(*reference);
  advance(*reference, 0.5);
  for (const char* tilt : {"1e-12", "1e-9", "1e-6"}) {
    INFO(tilt);
    const Loaded loaded = Loaded::text(tilted_four_bar(tilt));
    CHECK(loaded.sizes().degrees_of_freedom() == exact.sizes().degrees_of_freedom());
    const auto simulation = loaded.simulation();
    assemble(*simulation);
    CHECK(simulation->position_violation() < 3 * std::atof(tilt));
    advance(*simulation, 0.5);
    CHECK(distance(*simulation, *reference) < 1e-8 + 100 * std::atof(tilt));
  }
}

TEST_CASE("beyond the closure tolerance the rows that disagree are named, and a tolerance that would do", "[rounded]") {
  const auto refused = [](const std::string& text, double closure_tolerance) {
    const Equations equations = equations_of(text);
    Diagnostics diagnostics;
    const InterpretedMechanism interpreted(*derive(equations, diagnostics));
    ConsistentStart start(interpreted.table());
    start.accept_gaps(closure_tolerance);
    std::vector<double> q(interpreted.table().sizes.positions);
    Message message;
    CHECK_FALSE(start.solve_positions(0, equations.parameter_values.data(), equations.input_values.data(), q.data(), message));
    return std::string(message.text);
  };
  const std::string text = refused(tilted_four_bar("1e-3"), 1e-6);
  INFO(text);
  CHECK(text.find("its closed loops have more constraints than they need, and these disagree") != std::string::npos);
  CHECK(text.find("closure_tolerance = 1e-03 (it is 1e-06)") != std::string::npos);
  const std::string exactly = refused(tilted_four_bar("1e-6"), 0);
  INFO(exactly);
  CHECK(exactly.find("closure_tolerance = 1e-06 (it is 0)") != std::string::npos);
}

TEST_CASE("Bennett's linkage with six digits moves as it does with all", "[rounded]") {
  const Loaded exact = Loaded::model("bennett");
  for (const double angle : {0.0, 0.3}) {
    INFO("start " << angle);
    const auto reference = exact.simulation();
    reference->set_parameter(exact.parameter("J_A.angle_start"), angle);
    assemble(*reference);
    advance(*reference, 2);
    for (const int digits : {12, 6}) {
      INFO(digits << " digits");
      const Loaded loaded = Loaded::text(rounded_bennett(digits));
      REQUIRE(loaded.sizes().degrees_of_freedom() == 1);
      const auto simulation = loaded.simulation();
      simulation->set_parameter(loaded.parameter("J_A.angle_start"), angle);
      assemble(*simulation);
      advance(*simulation, 2);
      CHECK(distance(*simulation, *reference) < (digits == 12 ? 1e-8 : 1e-3));
      CHECK(simulation->position_violation() < (digits == 12 ? 1e-11 : 1e-5));
    }
  }
}
