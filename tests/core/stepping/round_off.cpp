// Tests when position constraints count as closed: up to rounding, and not further.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "fmu_src/constraints/projection.hpp"
#include "fmu_src/mechanism/model.hpp"
#include "tests/core/support.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

constexpr int rods = 24;

double length(int rod) { return 0.37 + 0.11 * (rod % 5); }

/// Rods one behind the other, rod i at the angle a_i; the last one's end is held.
Loaded chain() {
  std::string coordinates, energy, x, y;
  double reach = 0;
  for (int i = 0; i < rods; ++i) {
    const std::string a = "a" + std::to_string(i), l = std::to_string(length(i)) + "*metre*", plus = i > 0 ? " + " : "";
    coordinates += a + " = { unit = \"rad\", start = " + (i % 2 ? "-" : "") + "0.2 }\n";
    energy += plus + "J*der(" + a + ")^2";
    x += plus + l + "cos(" + a + ")";
    y += plus + l + "sin(" + a + ")";
    reach += length(i);
  }
  return Loaded::text(
      "[mechanism]\nname = \"Chain\"\n[parameters]\nmetre = { value = 1, unit = \"m\" }\n"
      "J = { value = 1, unit = \"kg.m2\" }\nreach_x = { value = " +
      std::to_string(0.98 * reach) + ", unit = \"m\" }\nreach_y = { value = 0.01, unit = \"m\" }\n[coordinates]\n" +
      coordinates + "[dynamics]\nkinetic_energy = \"" + energy + "\"\n[constraints.x]\nposition = \"" + x +
      " - reach_x\"\n[constraints.y]\nposition = \"" + y + " - reach_y\"\n");
}

/// Holds the chain at angles, with its end at (x, y).
class Held {
 public:
  Held(const Loaded& loaded, const std::vector<double>& angles, double x, double y)
      : model_(loaded.table()), q_(angles), f_(2), scale_(2) {
    const Mechanism& m = loaded.table();
    std::vector<double> parameters = loaded.parameters(), work(m.sizes.work + 1), M(m.M.nonzeros + 1), c_t(2);
    parameters[loaded.parameter("reach_x")] = x;
    parameters[loaded.parameter("reach_y")] = y;
    Point p;
    p.q = q_.data();
    p.parameters = parameters.data();
    p.inputs = loaded.inputs().data();
    p.work = work.data();
    p.context = m.context;
    m.prepare(p);
    C_.resize(m.C.nonzeros);
    m.position(p, M.data(), C_.data(), c_t.data());
    m.violation(p, f_.data());
  }
  bool closed() { return at_round_off(model_, C_.data(), 2, f_.data(), q_.data(), scale_.data()); }
  double violation(int row) const { return std::fabs(f_[row]); }
  /// Returns the sum of the terms in the bound; call it after closed().
  double scale(int row) const { return scale_[row]; }

 private:
  RunTimeModel model_;
  std::vector<double> q_, C_, f_, scale_;
};

}  // namespace

TEST_CASE("a long chain is closed when rounding is all that keeps it open", "[projection]") {
  const Loaded loaded = chain();
  std::mt19937 bits(1);
  double worst = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<double> angles;
    long double x = 0, y = 0;
    for (int i = 0; i < rods; ++i) {
      angles.push_back(1.2 * (bits() / 4294967296.0 - 0.5));
      x += length(i) * std::cos(static_cast<long double>(angles.back()));
      y += length(i) * std::sin(static_cast<long double>(angles.back()));
    }
    const auto end_x = static_cast<double>(x), end_y = static_cast<double>(y);
    Held held(loaded, angles, end_x, end_y);
    INFO("trial " << trial);
    CHECK(held.closed());
    for (int row = 0; row < 2; ++row) {
      const double rounding = 2.2e-16 * held.scale(row);
      worst = std::max(worst, held.violation(row) / rounding);
      // More than such a sum's rounding is a chain that does not reach its end.
      for (const double away : {-16 * rounding, 16 * rounding})
        CHECK_FALSE(Held(loaded, angles, end_x + (row == 0 ? away : 0), end_y + (row == 1 ? away : 0)).closed());
    }
  }
  // Rounding of the lengths along the chain comes beside that of what its angles show.
  CHECK(worst > 1);
}
