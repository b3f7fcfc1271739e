// Tests that sines and cosines of sums are put together from those of the parts, and have their values.
#include <cmath>
#include <random>

#include <catch2/catch.hpp>

#include "generation/share_angles.hpp"

using namespace mechfmu;
using casadi::SX;

namespace {

int calls(const Program& program) {
  int count = 0;
  for (const Node& node : program.values())
    count += node.operation == casadi::OP_SIN || node.operation == casadi::OP_COS;
  return count;
}

std::vector<double> evaluated(const Program& program, const std::vector<double>& argument) {
  std::vector<double> values;
  for (const Node& node : program.values()) {
    const auto operand = [&](int k) {
      return node.operands[k] < 0 ? 0.0 : values.at(static_cast<std::size_t>(node.operands[k]));
    };
    double value = node.number;
    if (node.operation == casadi::OP_INPUT) value = argument.at(static_cast<std::size_t>(node.element));
    else if (node.is_operation())
      casadi::casadi_math<double>::fun(static_cast<unsigned char>(node.operation), operand(0), operand(1), value);
    values.push_back(value);
  }
  std::vector<double> results(program.results().size());
  for (const Result& result : program.results())
    results.at(static_cast<std::size_t>(result.element)) = values.at(static_cast<std::size_t>(result.value));
  return results;
}

/// Checks that the values are equal, with `after` calls of sin and cos instead of `before`.
void check(const SX& q, const SX& results, int before, int after) {
  const casadi::Function function("f", {q}, SX::cse(std::vector<SX>{SX::densify(results)}));
  const Program plain(function), shared = with_shared_angles(plain);
  CHECK(calls(plain) == before);
  CHECK(calls(shared) == after);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> angle(-7, 7);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> at(static_cast<std::size_t>(q.numel()));
    for (double& value : at) value = angle(random);
    const std::vector<double> expected = evaluated(plain, at), found = evaluated(shared, at);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(std::abs(found[i] - expected[i]) < 1e-14);
  }
}

SX both(const SX& angle) { return SX::vertcat(std::vector<SX>{sin(angle), cos(angle)}); }

SX of_all(std::initializer_list<SX> angles) {
  std::vector<SX> results;
  for (const SX& angle : angles) results.push_back(both(angle));
  return SX::vertcat(results);
}

}  // namespace

TEST_CASE("sums and differences of angles in use are not handed to sin and cos") {
  const SX q = SX::sym("q", 4), a = q(0), b = q(1), c = q(2);
  SECTION("sum") { check(q, of_all({a, b, a + b}), 6, 4); }
  SECTION("difference, whose part comes later") { check(q, of_all({b + a, b, a}), 6, 4); }
  SECTION("joints' angles along a chain") { check(q, of_all({a, a + b, a + b + c, b, b + c}), 10, 6); }
  SECTION("signs") { check(q, of_all({-a, b - a, -b, a + b, -a - b}), 9, 4); }
  SECTION("numbers beside angles") { check(q, of_all({a, a + 0.3, 1.1 - a}), 6, 2); }
  SECTION("a number beside an angle that is not there alone") {
    check(q, of_all({a + 0.3, b - 1.2, a + b}), 6, 6);
    check(q, of_all({a + 0.3, b, a + b + 0.3}), 6, 4);
  }
  SECTION("twice an angle is a sum, too") { check(q, of_all({a, 2 * a}), 4, 2); }
  SECTION("parts that are no sums") { check(q, of_all({atan2(a, b), c, c - atan2(a, b)}), 6, 4); }
  SECTION("nothing to share") { check(q, of_all({a + b, c, 0.5 * c}), 6, 6); }
}
