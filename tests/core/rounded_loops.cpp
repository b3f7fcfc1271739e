// Over-constrained loops whose data are rounded, as from CAD: they assemble as nearly as they fit, and move.
#include <catch2/catch.hpp>

#include <cmath>

#include "core/start_work.hpp"
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
  for (const char* tilt : {"1e-12", "1e-9", "5e-7"}) {
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

namespace {

/// A start with a tolerance: what stays open, or the reason why there is none.
struct Sought {
  bool found;
  double misfit;
  std::string message;
};
Sought start_of(const std::string& text, double closure_tolerance) {
  const Equations equations = equations_of(text);
  Diagnostics diagnostics;
  const InterpretedMechanism interpreted(*derive(equations, diagnostics));
  ConsistentStart start(interpreted.table());
  start.accept_gaps(closure_tolerance);
  std::vector<double> q(interpreted.table().sizes.positions);
  Message message;
  Sought result;
  result.found =
      start.solve_positions(0, equations.parameter_values.data(), equations.input_values.data(), q.data(), message);
  result.message = message.text;
  ConsistentStart::Work measure(interpreted.table());
  measure.locate(0, equations.parameter_values.data(), equations.input_values.data());
  result.misfit = measure.misfit(VectorXd::Map(q.data(), static_cast<Eigen::Index>(q.size())));
  return result;
}

/// Away from where its symmetry closes it whatever its axes are.
std::string bent_bennett(int digits) { return replaced(rounded_bennett(digits), "start = 0, fixed", "start = 0.3, fixed"); }

double told_tolerance(const std::string& message) {
  const std::string before = "closure_tolerance = ";
  const auto place = message.find(before);
  REQUIRE(place != std::string::npos);
  return std::stod(message.substr(place + before.size()));
}

}  // namespace

TEST_CASE("what stays open is accepted up to the closure tolerance and no further", "[rounded]") {
  for (const std::string& text : {tilted_four_bar("5e-7"), tilted_four_bar("1e-6"), tilted_four_bar("1e-4")}) {
    const double open = start_of(text, 1e-2).misfit;
    INFO(open);
    REQUIRE(open > 1e-8);
    const Sought inside = start_of(text, open * 1.01), outside = start_of(text, open * 0.99);
    CHECK(inside.found);
    CHECK(inside.misfit == Approx(open).epsilon(1e-3));
    INFO(outside.message);
    CHECK_FALSE(outside.found);
  }
  for (const std::string& six_digits : {tilted_four_bar("5e-7"), bent_bennett(6)}) {
    const Sought start = start_of(six_digits, 1e-6);
    INFO(start.message);
    CHECK(start.found);
  }
}

TEST_CASE("beyond the closure tolerance the rows that disagree are named and a tolerance that would do", "[rounded]") {
  for (const auto& [tilt, tolerance] : {std::pair{"1e-3", 1e-6}, {"1e-4", 1e-6}, {"1e-6", 0.0}, {"1e-6", 1e-8}}) {
    const std::string text = tilted_four_bar(tilt);
    const Sought refused = start_of(text, tolerance);
    INFO(refused.message);
    CHECK_FALSE(refused.found);
    CHECK(refused.message.find("its closed loops have more constraints than they need, and these disagree") != std::string::npos);
    CHECK(refused.message.find("disagree: the constraints 'C.axis_1', 'C.axis_2' stay open by") != std::string::npos);
    const double told = told_tolerance(refused.message);
    CHECK(start_of(text, told).found);
    CHECK_FALSE(start_of(text, told / 3).found);
  }
}

TEST_CASE("a loop that is locked is told as that with its singular values", "[rounded]") {
  const std::string text = tilted_four_bar("1e-2");
  const Sought refused = start_of(text, 1e-6);
  INFO(refused.message);
  CHECK_FALSE(refused.found);
  CHECK(refused.message.find("The 5 constraints of its positions leave it no motion (singular values 1, 0.") != std::string::npos);
  CHECK(refused.message.find("): it is locked. It would move if its data were taken as accurate to ") != std::string::npos);
  CHECK(refused.message.find(" % only.") != std::string::npos);  // no tolerance tells 0.03 from independent
}

TEST_CASE("singular values without a gap do not tell independent rows from rounded ones", "[rounded]") {
  const Sought refused = start_of(bent_bennett(1), 1e-2);
  INFO(refused.message);
  CHECK_FALSE(refused.found);
  CHECK(refused.message.find("which of them are independent is not clear within closure_tolerance = 0.01") != std::string::npos);
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
