// Checks laws.
#include "changing_laws.hpp"

#include <algorithm>
#include <cmath>

#include "free_body.hpp"
#include "touching.hpp"

namespace mechfmu::testing {

using Eigen::Vector2d;

namespace {

constexpr double zero = 1e-9;   ///< is none of a gap, a speed or a force
constexpr double slow = 1e-6;   ///< speed below which something may rest
constexpr double alike = 1e-7;  ///< part by which forces agree with their laws

class Laws {
 public:
  Laws(const RandomMechanism& m, const Assembled& a) : m_(m), a_(a) {
    for (const RandomContact& contact : m.contacts)
      for (const Touch& touch : touches(contact, poses(m, a), m.spatial)) check(contact, touch.name);
    for (const FormulaContact& rope : m.formula_contacts)
      check_opening(rope.name, a[rope.name + ".gap"], a[rope.name + ".normal.force"]);
    for (const RandomJoint& joint : m.joints)
      for (const RandomCoordinate& c : joint.coordinates)
        if (c.limited) check(c);
    for (const RandomCoupling& k : m.couplings) check(k);
  }

  std::vector<std::string> broken;
  Power power;
  int acting = 0;

 private:
  void require(bool holds, const std::string& law, double one, double other) {
    if (!holds) broken.push_back(law + ": " + written(one) + ", " + written(other));
  }
  void add(double power_of_one) {
    power.sum += power_of_one;
    power.size += std::abs(power_of_one);
  }

  void check_opening(const std::string& name, double gap, double force) {
    require(gap >= -zero, "the gap of " + name + " is negative", gap, force);
    require(force >= -zero, name + " pulls", gap, force);
    require(gap <= zero || force == 0, name + " is open and pushes", gap, force);
    acting += force != 0;
  }

  void check(const RandomContact& contact, const std::string& name) {
    const double gap = a_[name + ".gap"], normal = a_[name + ".normal.force"];
    check_opening(name, gap, normal);
    const auto number = [&](const char* key, double otherwise) {
      return contact.numbers.count(key) > 0 ? contact.numbers.at(key) : otherwise;
    };
    const double sliding = number("friction", 0);
    if (sliding == 0) return;
    const auto pair = [&](const std::string& of) {
      return m_.spatial ? Vector2d(a_[of + ".x"], a_[of + ".y"]) : Vector2d(a_[of], 0);
    };
    check_friction(name, pair(name + ".friction.force"), pair(name + ".slip"), sliding * normal,
                   number("static", sliding) * normal);
  }

  void check_friction(const std::string& name, const Vector2d& force, const Vector2d& slip, double bound, double rest) {
    add(force.dot(slip));
    require(force.norm() <= rest * (1 + alike) + zero, name + " rubs too much", force.norm(), rest);
    if (slip.norm() < slow) return;
    const Vector2d expected = -bound * slip.normalized();
    require((force - expected).norm() <= 1e-2 * slow / slip.norm() * bound + alike * bound + zero,
            name + " does not rub against its slip", (force - expected).norm(), bound);
  }

  void check(const RandomCoordinate& c) {
    const double value = a_[c.name], effort = a_[c.name + ".limit.effort"];
    if (c.lower) check_opening("the lower limit of " + c.name, value - *c.lower, effort);
    if (c.upper) check_opening("the upper limit of " + c.name, *c.upper - value, -effort);
  }

  void check(const RandomCoupling& k) {
    const std::string variable = "coupling." + k.name + ".multiplier";
    if (!a_.has(variable)) return;
    const double effort = a_[variable];
    const auto rate = [&](const std::string& name) { return name == "ground" ? 0 : a_["der(" + name + ")"]; };
    if (k.numbers.count("backlash") > 0) {
      const double play = a_[k.second] - k.numbers.at("ratio") * a_[k.first] - k.numbers.at("offset"),
                   half = k.numbers.at("backlash") / 2;
      require(std::abs(play) <= half + zero, k.name + " leaves its backlash", play, half);
      require(effort <= zero || play <= -half + zero, k.name + " pushes up within its backlash", play, effort);
      require(effort >= -zero || play >= half - zero, k.name + " pushes down within its backlash", play, effort);
    } else if (k.type == "one_way") {
      check_opening(k.name, rate(k.second) - rate(k.first), effort);
    } else if (k.type == "lock") {
      const bool free = effort == 0;
      require(free || std::abs(rate(k.first) - rate(k.second)) <= zero, k.name + " slips", effort,
              rate(k.first) - rate(k.second));
    } else if (k.type == "clutch") {
      const std::string& capacity = k.formulas.at("capacity");
      double bound = std::stod(capacity);
      if (capacity.find("sin") != std::string::npos) bound *= 1 + std::sin(3 * a_.time());
      check_friction(k.name, {effort, 0}, {rate(k.first) - rate(k.second), 0}, bound,
                     bound * (k.numbers.count("static") > 0 ? k.numbers.at("static") : 1));
    }
    acting += effort != 0 &&
              (k.type == "one_way" || k.type == "lock" || k.type == "clutch" || k.numbers.count("backlash") > 0);
  }

  const RandomMechanism& m_;
  const Assembled& a_;
};

}  // namespace

std::vector<std::string> broken_laws(const RandomMechanism& m, const Assembled& a) { return Laws(m, a).broken; }

Power power_of_rows(const RandomMechanism& m, const Assembled& a) {
  Power power = Laws(m, a).power;
  for (const RandomConstraint& constraint : m.constraints)
    for (const auto& [coordinate, part] : constraint.acts) {
      const double one = part * a["constraint." + constraint.name + ".multiplier"] * a["der(" + coordinate + ")"];
      power.sum += one;
      power.size += std::abs(one);
    }
  return power;
}

int acting(const RandomMechanism& m, const Assembled& a) { return Laws(m, a).acting; }

}  // namespace mechfmu::testing
