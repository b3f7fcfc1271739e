// Tests the solver of contacts on random problems of every kind. MECHFMU_CONTACT_PROBLEMS says how many of each kind;
// the suite was run once with 100000, see docs/method.md.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <cstring>

#include "fmu_src/contacts/accelerations.hpp"
#include "problems.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

constexpr double laws = 1e-12;
/// Sizes that a suite's solver has memory for: 64 contacts in space, on up to so many freedoms.
constexpr contacts::Sizes largest{64, 192, 200};

/// Returns the number of problems of each kind.
int problems(int usual) {
  const char* wanted = std::getenv("MECHFMU_CONTACT_PROBLEMS");
  return wanted != nullptr ? std::atoi(wanted) : usual;
}

std::uint64_t seed_of(Kind kind, int d, int number) {
  return (static_cast<std::uint64_t>(d) * 10 + static_cast<std::uint64_t>(kind)) * 1000003 +
         static_cast<std::uint64_t>(number);
}

/// High towers in space, and many redundant contacts with friction from 1 to 100, may stay unsolved: docs/method.md
/// says how many.
bool may_fail(Kind kind, int contacts, int d) {
  return d == 2 && ((kind == Kind::stack && contacts > 32) || (kind == Kind::deficient_huge && contacts > 16));
}

}  // namespace

TEST_CASE("contacts: random impacts keep all laws and never gain energy", "[contacts][many]") {
  OwnSolver own(largest);
  for (const int d : {1, 2}) {
    for (const Kind kind : kinds) {
      const int count = problems(1000);
      int failed = 0, refused = 0, large = 0, most = 0;
      double worst_law = 0, worst_gain = -1, worst_mode = 0;
      for (int number = 0; number < count; ++number) {
        RandomRows random(seed_of(kind, d, number));
        const int contacts = random.contacts();
        const Rows rows = random.impact(kind, contacts, d);
        const Outcome outcome = own.solver.solve(rows.problem(), nullptr);
        most = std::max(most, own.solver.factorisations());
        if (outcome != Outcome::solved) {
          ++(may_fail(kind, contacts, d) ? large : failed);
          refused += own.solver.proved() ? 1 : 0;
          continue;
        }
        worst_law = std::max(worst_law, broken(rows, own.solver.x()));
        worst_gain = std::max(worst_gain, energy_gain(rows, own.solver.x()));
        worst_mode = std::max(worst_mode, unlike_modes(rows, own.solver.x(), own.solver.w(), own.solver.modes()));
      }
      INFO(name_of(kind) << ", " << d << " tangential rows, " << count << " problems");
      CHECK(failed == 0);
      CHECK(refused == 0);
      CHECK(most <= 1.05 * contacts::most_work);
      CHECK(worst_law <= laws);
      CHECK(worst_gain <= laws);
      CHECK(worst_mode <= laws);
      if (count > 10000)
        WARN(name_of(kind) << " d = " << d << ": " << failed << " failed, " << large << " large ones, laws "
                           << worst_law << ", gain " << worst_gain);
    }
  }
}

TEST_CASE("contacts: planar impacts are among the solutions that trying all modes finds", "[contacts]") {
  OwnSolver own(largest);
  for (const Kind kind : {Kind::full, Kind::tiny_friction, Kind::huge_friction, Kind::conditioned}) {
    const int count = problems(2000) / 4;
    int several = 0;
    for (int number = 0; number < count; ++number) {
      RandomRows random(seed_of(kind, 1, number) + 500);
      const Rows rows = random.impact(kind, random.contacts(4), 1);
      bool singular = false;
      const std::vector<VectorXd> all = all_solutions(rows, singular);
      INFO(name_of(kind) << " " << number);
      REQUIRE(own.solver.solve(rows.problem(), nullptr) == Outcome::solved);
      several += all.size() > 1 ? 1 : 0;
      double nearest = 1;
      for (const VectorXd& x : all)
        nearest = std::min(nearest, (x - Eigen::Map<const VectorXd>(own.solver.x(), x.size())).cwiseAbs().maxCoeff() /
                                        (1e-300 + x.cwiseAbs().maxCoeff()));
      if (!singular || !all.empty()) CHECK(nearest < 1e-6);
    }
    // Much friction has several solutions now and then.
    if (kind == Kind::huge_friction) CHECK(several > 0);
  }
}

TEST_CASE("contacts: sliding contacts have solutions where trying all modes finds one, and only there", "[contacts]") {
  OwnSolver own(largest);
  int none = 0, one = 0, several = 0;
  for (const double friction : {1.5, 100.0}) {
    for (const bool deficient : {false, true}) {
      const int count = problems(2000);
      for (int number = 0; number < count; ++number) {
        RandomRows random(
            7000000 + static_cast<std::uint64_t>(number) * 4 + (deficient ? 1 : 0) + (friction > 2 ? 2 : 0));
        const Rows rows = random.sliding(1 + random.below(4), friction, deficient);
        bool singular = false;
        const std::vector<VectorXd> all = all_solutions(rows, singular);
        const Outcome outcome = own.solver.solve(rows.problem(), nullptr);
        INFO(number << ", friction up to " << friction << (deficient ? ", deficient" : ""));
        CHECK(outcome != Outcome::not_converged);
        if (outcome == Outcome::solved) CHECK(broken(rows, own.solver.x()) <= laws);
        if (outcome != Outcome::solved) CHECK(own.solver.proved());
        ++(all.empty() ? none : all.size() == 1 ? one : several);
        if (!all.empty()) CHECK(outcome == Outcome::solved);
        if (all.empty() && !singular) CHECK(outcome == Outcome::no_solution);
      }
    }
  }
  CHECK(none > 0);
  CHECK(one > 0);
  CHECK(several > 0);
}

TEST_CASE("contacts: locks, limits and capacities keep their laws beside contacts", "[contacts][many]") {
  OwnSolver own(largest);
  int compared = 0;
  for (const int d : {1, 2}) {
    const int count = problems(4000);
    double worst = 0, gain = -1, mode = 0;
    for (int number = 0; number < count; ++number) {
      RandomRows random(9000000 + static_cast<std::uint64_t>(2 * number + d));
      const Rows rows = random.mixed(random.contacts(16), d);
      INFO(number << ", " << d << " tangential rows");
      REQUIRE(own.solver.solve(rows.problem(), nullptr) == Outcome::solved);
      worst = std::max(worst, broken(rows, own.solver.x()));
      gain = std::max(gain, energy_gain(rows, own.solver.x()));
      mode = std::max(mode, unlike_modes(rows, own.solver.x(), own.solver.w(), own.solver.modes()));
      bool singular = false;
      if (d == 2 || rows.groups.size() > 3) continue;
      const std::vector<VectorXd> all = all_solutions(rows, singular);
      if (singular) continue;
      double nearest = 1;
      for (const VectorXd& x : all)
        nearest = std::min(nearest, (x - Eigen::Map<const VectorXd>(own.solver.x(), x.size())).cwiseAbs().maxCoeff() /
                                        (1e-300 + x.cwiseAbs().maxCoeff()));
      CHECK(nearest < 1e-6);
      ++compared;
    }
    CHECK(worst <= laws);
    CHECK(gain <= laws);
    CHECK(mode <= laws);
  }
  CHECK(compared > 10);
}

TEST_CASE("contacts: what is pressed together on one freedom has no solution", "[contacts]") {
  // All rows are multiples of one vector, to rounding: two normals that oppose each other close, whatever their forces
  // are. Equations that rounding makes regular have solutions of 10^13 times the speeds, which are none.
  OwnSolver own(largest);
  for (const int d : {1, 2}) {
    for (int number = 0; number < problems(400); ++number) {
      RandomRows random(11000000 + static_cast<std::uint64_t>(2 * number + d));
      const VectorXd direction = VectorXd::NullaryExpr(3, [&] { return random.number(); });
      Rows rows;
      rows.groups.assign(2, Group{.law = Law::unilateral, .tangential = d, .friction = random.between(0.1, 0.8)});
      rows.A.resize(3, 2 * (1 + d));
      rows.q.resize(2 * (1 + d));
      for (Eigen::Index i = 0; i < rows.q.size(); ++i) {
        const bool normal = i % (1 + d) == 0;
        const double part = normal ? random.between(0.3, 2) * (i == 0 ? 1 : -1) : random.number();
        rows.A.col(i) = part * direction;
        rows.q[i] = normal ? -random.between(0.1, 1) : random.number();
      }
      // Responses of a mechanism have rounding of their own.
      const MatrixXd response =
          rows.A + 1e-16 * MatrixXd::NullaryExpr(3, rows.q.size(), [&] { return random.number(); });
      rows.H = rows.A.transpose() * response;
      rows.H = ((rows.H + rows.H.transpose()) / 2).eval();
      INFO(number << ", " << d << " tangential rows");
      for (const bool with_A : {true, false}) CHECK(own.solver.solve(rows.problem(with_A), nullptr) != Outcome::solved);
    }
  }
}

TEST_CASE("contacts: a clutch that nothing moves does not rub by rounding", "[contacts]") {
  // Its row of H is what is left of lengths of 1: a contact that presses with 1 makes slips of 1e-17 of it.
  OwnSolver own(largest);
  for (const double rounding : {1e-17, -1e-17, 0.0}) {
    Rows rows;
    rows.groups = {Group::limit(), Group::rubbing(3)};
    rows.H = (MatrixXd(2, 2) << 1, rounding, rounding, 1e-32).finished();
    rows.q = (VectorXd(2) << -1, 0).finished();
    const VectorXd free = VectorXd::Ones(2);
    contacts::Problem problem = rows.problem();
    problem.free_mobility = free.data();
    REQUIRE(own.solver.solve(problem, nullptr) == Outcome::solved);
    CHECK(own.solver.x()[0] == Approx(1));
    CHECK(own.solver.x()[1] == 0);
    CHECK(own.solver.modes()[1].mode == Mode::stick);
  }
}

TEST_CASE("contacts: rebounds never gain energy, whatever their restitutions", "[contacts][many]") {
  OwnSolver own(largest);
  for (const int d : {1, 2}) {
    int scaled = 0;
    for (const Kind kind : {Kind::full, Kind::deficient, Kind::box, Kind::stack}) {
      const int count = problems(400);
      for (int number = 0; number < count; ++number) {
        RandomRows random(seed_of(kind, d, number) + 77);
        const Rows rows = random.impact(kind, random.contacts(8), d);
        const auto groups = static_cast<Eigen::Index>(rows.groups.size());
        const double common = random.between(0, 1);
        const bool mixed = random.below(2) == 0;
        const VectorXd e = VectorXd::NullaryExpr(groups, [&] { return mixed ? random.between(0, 1) : common; });
        INFO(name_of(kind) << " " << number << ", " << d << " tangential rows");
        REQUIRE(own.impact.solve(rows.problem(), e.data()) == Outcome::solved);
        const double scale = own.impact.restitution_scale();
        scaled += scale < 1 ? 1 : 0;
        Rows rebounding = rows;
        for (Eigen::Index i = 0; i < groups; ++i)
          if (double& q = rebounding.q[i * (1 + d)]; q < 0) q *= 1 + scale * e[i];
        CHECK(broken(rebounding, own.impact.impulse()) <= laws);
        CHECK(energy_gain(rows, own.impact.impulse()) <= laws);
        const Eigen::Map<const VectorXd> x(own.impact.impulse(), rows.count()), after(own.impact.speed(), rows.count());
        CHECK((rows.H * x + rows.q - after).cwiseAbs().maxCoeff() <=
              1e-12 * (1 + x.cwiseAbs().maxCoeff()) * rows.H.norm());
      }
    }
    CHECK(scaled > 0);
  }
}

TEST_CASE("contacts: warm starts keep modes, and keep laws where these change", "[contacts]") {
  OwnSolver own(largest);
  int same = 0, all = 0;
  for (const int d : {1, 2}) {
    for (const Kind kind : kinds) {
      for (int number = 0; number < 100; ++number) {
        RandomRows random(seed_of(kind, d, number) + 123);
        Rows rows = random.impact(kind, random.contacts(12), d);
        REQUIRE(own.solver.solve(rows.problem(), nullptr) == Outcome::solved);
        const VectorXd x = Eigen::Map<const VectorXd>(own.solver.x(), rows.count());
        std::vector<GroupMode> modes(own.solver.modes(), own.solver.modes() + rows.groups.size());
        INFO(name_of(kind) << " " << number << ", " << d << " tangential rows");
        const VectorXd moved =
            rows.A.transpose() * VectorXd::NullaryExpr(rows.A.rows(), [&] { return random.number(); });
        for (const double change : {0.0, 1e-3, 0.3}) {
          Rows near = rows;
          near.q += change * moved;
          REQUIRE(own.solver.solve(near.problem(), modes.data()) == Outcome::solved);
          CHECK(broken(near, own.solver.x()) <= laws);
          if (change > 0) continue;
          ++all;
          same += own.solver.tier() == contacts::Tier::present_modes ? 1 : 0;
        }
      }
    }
  }
  // The others were solved by the finish's Newton method, with equations that depend on each other.
  CHECK(same > 0.98 * all);
}

TEST_CASE("contacts: a problem gives the same bits the second time", "[contacts]") {
  OwnSolver used(largest);
  for (const int d : {1, 2}) {
    for (const Kind kind : kinds) {
      for (int number = 0; number < 40; ++number) {
        RandomRows random(seed_of(kind, d, number) + 321);
        const Rows rows = random.impact(kind, random.contacts(12), d);
        OwnSolver fresh(rows.sizes());
        CHECK(fresh.solver.solve(rows.problem(), nullptr) == used.solver.solve(rows.problem(), nullptr));
        const auto bytes = static_cast<std::size_t>(rows.count()) * sizeof(double);
        CHECK(std::memcmp(fresh.solver.x(), used.solver.x(), bytes) == 0);
        CHECK(std::memcmp(fresh.solver.w(), used.solver.w(), bytes) == 0);
      }
    }
  }
}

TEST_CASE("contacts: other units give the same modes and digits", "[contacts]") {
  OwnSolver own(largest);
  for (const int d : {1, 2}) {
    for (const Kind kind : kinds) {
      for (int number = 0; number < 40; ++number) {
        RandomRows random(seed_of(kind, d, number) + 999);
        Rows rows = random.impact(kind, random.contacts(8), d);
        if (number % 2 == 1) {
          rows.groups[0] = d == 1 ? Group::rubbing(0.3) : Group::rubbing(0.3, 2);
          rows.A = rows.A.rightCols(rows.count() - 1).eval();
          rows.H = rows.A.transpose() * rows.A;
          rows.q = rows.q.tail(rows.q.size() - 1).eval();
        }
        REQUIRE(own.solver.solve(rows.problem(), nullptr) == Outcome::solved);
        const VectorXd x = Eigen::Map<const VectorXd>(own.solver.x(), rows.count());
        const std::vector<GroupMode> modes(own.solver.modes(), own.solver.modes() + rows.groups.size());
        // Lengths in other units, and masses: rows w and forces x change by powers of two.
        const double length = 1024, mass = 0.125;
        Rows other = rows;
        other.A *= length / mass;
        other.H *= length * length / (mass * mass);
        other.q *= length;
        for (Group& g : other.groups) g.capacity *= mass * mass / length;
        REQUIRE(own.solver.solve(other.problem(), nullptr) == Outcome::solved);
        const VectorXd other_x = Eigen::Map<const VectorXd>(own.solver.x(), rows.count()) * length / (mass * mass);
        INFO(name_of(kind) << " " << number << ", " << d << " tangential rows");
        CHECK(std::memcmp(x.data(), other_x.data(), static_cast<std::size_t>(x.size()) * sizeof(double)) == 0);
        for (std::size_t i = 0; i < modes.size(); ++i) {
          CHECK(own.solver.modes()[i].mode == modes[i].mode);
          CHECK(own.solver.modes()[i].direction[0] == modes[i].direction[0]);
        }
      }
    }
  }
}

TEST_CASE("contacts: forces of what slides and of what rests keep their laws", "[contacts]") {
  OwnSolver own(largest);
  contacts::Accelerations accelerations(own.memory, largest, own.solver);
  for (const int d : {1, 2}) {
    int solved = 0, began = 0, slid = 0;
    const int count = problems(1500);
    for (int number = 0; number < count; ++number) {
      RandomRows random(11000000 + static_cast<std::uint64_t>(2 * number + d));
      const int groups = random.contacts(6);
      const Rows rows = random.below(2) == 0 ? random.mixed(groups, d) : random.impact(Kind::full, groups, d);
      std::vector<GroupMode> present;
      std::vector<double> rest;
      for (const Group& g : rows.groups) {
        const double angle = random.between(-3, 3);
        const bool rubs = g.law != Law::bilateral && g.tangential > 0;
        const int choice = random.below(3);
        present.push_back({choice == 0 && rubs             ? Mode::slip
                           : choice == 1 && g.has_normal() ? Mode::open
                                                           : Mode::stick,
                           {d == 1 ? (angle > 0 ? 1.0 : -1.0) : std::cos(angle), d == 1 ? 0 : std::sin(angle)}});
        rest.push_back(random.below(2) == 0 ? 1 : random.between(1, 2));
      }
      INFO(number << ", " << d << " tangential rows");
      const Outcome outcome = accelerations.solve(rows.problem(), rest.data(), present.data());
      if (outcome != Outcome::solved) continue;  // there are such rods
      ++solved;
      const Eigen::Map<const VectorXd> x(accelerations.force(), rows.count());
      const VectorXd w = rows.H * x + rows.q;
      double size = 0, worst = 0;
      int first = 0;
      for (std::size_t i = 0; i < rows.groups.size(); ++i) {
        const Group& g = rows.groups[i];
        const int normal = g.has_normal() ? 1 : 0, k = g.rows() - normal;
        const double unit = 1 / std::sqrt(rows.H.diagonal().segment(first, g.rows()).maxCoeff());
        const VectorXd force = x.segment(first, g.rows()) / unit, speed = w.segment(first, g.rows()) * unit;
        size =
            std::max({size, force.cwiseAbs().maxCoeff(), rows.q.segment(first, g.rows()).cwiseAbs().maxCoeff() * unit});
        const GroupMode& mode = accelerations.modes()[i];
        first += g.rows();
        if (g.law == Law::bilateral) worst = std::max(worst, std::fabs(speed[0]));
        if (normal == 1) worst = std::max(worst, std::fabs(std::min(force[0], speed[0])));
        if (g.law == Law::bilateral || k == 0) continue;
        const VectorXd rubbing = force.tail(k), slip = speed.tail(k);
        const double radius = normal == 1 ? g.friction * force[0] : g.capacity / unit;
        const Eigen::Map<const VectorXd> s(mode.direction, k), s_before(present[i].direction, k);
        if (present[i].mode == Mode::slip) {
          worst = std::max(worst, (rubbing + radius * s_before).cwiseAbs().maxCoeff());
          if (mode.mode == Mode::slip) CHECK(s == s_before);
          ++slid;
        } else if (mode.mode == Mode::slip) {
          // A group that begins to slip has the coefficient of sliding at once.
          worst = std::max(worst, (rubbing + radius * s).cwiseAbs().maxCoeff());
          worst = std::max(worst, (slip - slip.dot(s) * s).cwiseAbs().maxCoeff());
          worst = std::max(worst, -slip.dot(s));
          began += rest[i] > 1 ? 1 : 0;
        } else if (mode.mode == Mode::stick) {
          worst = std::max({worst, slip.cwiseAbs().maxCoeff(), rubbing.norm() - rest[i] * radius});
        } else {
          worst = std::max(worst, rubbing.cwiseAbs().maxCoeff());
        }
      }
      CHECK(worst <= 2 * laws * size);
    }
    CHECK(solved > 0.8 * count);
    CHECK(began > 0.05 * count);
    CHECK(slid > 0.1 * count);
  }
}
