// Tests single problems whose solutions are known to 60 digits (cases.txt) or in closed form.
#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

#include "fmu_src/contacts/accelerations.hpp"
#include "problems.hpp"

using namespace mechfmu;
using namespace mechfmu::testing;

namespace {

struct Solution {
  std::vector<GroupMode> modes;
  VectorXd x, w;
};

struct Case {
  std::string name;
  Rows rows;                     // q has the rebound in it
  VectorXd before, restitution;  // speeds of rows, and e; empty for accelerations
  std::vector<Solution> solutions;
};

VectorXd numbers(std::istream& line) {
  std::vector<double> found;
  for (double value; line >> value;) found.push_back(value);
  return Eigen::Map<VectorXd>(found.data(), static_cast<Eigen::Index>(found.size()));
}

MatrixXd stacked(const std::vector<VectorXd>& rows) {
  MatrixXd matrix(static_cast<Eigen::Index>(rows.size()), rows.front().size());
  for (std::size_t i = 0; i < rows.size(); ++i) matrix.row(static_cast<Eigen::Index>(i)) = rows[i];
  return matrix;
}

/// Gives modes of slip their directions, which follow from the forces.
void complete(Case& c) {
  for (Solution& s : c.solutions) {
    int first = 0;
    for (std::size_t i = 0; i < c.rows.groups.size(); ++i) {
      const int d = c.rows.groups[i].tangential;
      const VectorXd force = s.x.segment(first + 1, d);
      for (int k = 0; k < d && force.norm() > 0; ++k) s.modes[i].direction[k] = -force[k] / force.norm();
      first += 1 + d;
    }
  }
}

std::vector<Case> read_cases() {
  std::ifstream file(MECHFMU_SOURCE_DIR "/tests/contacts/cases.txt");
  REQUIRE(file);
  std::vector<Case> cases;
  std::vector<VectorXd> matrix;
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    std::string key;
    if (!(line >> key) || key[0] == '#') continue;
    if (key == "case") {
      cases.emplace_back();
      std::getline(line >> std::ws, cases.back().name);
      matrix.clear();
      continue;
    }
    Case& c = cases.back();
    if (key == "contact") {
      int d = 0;
      double friction = 0;
      line >> d >> friction;
      c.rows.groups.push_back(Group::contact(friction, d));
    } else if (key == "freedom" || key == "response") {
      matrix.push_back(numbers(line));
    } else if (key == "before") {
      c.rows.A = stacked(matrix);
      c.rows.H = c.rows.A.transpose() * c.rows.A;
      c.before = c.rows.A.transpose() * numbers(line);
    } else if (key == "restitution") {
      c.restitution = numbers(line);
      c.rows.q = c.before;
      for (int i = 0, a = 0; i < c.restitution.size(); a += c.rows.groups[static_cast<std::size_t>(i++)].rows())
        if (c.rows.q[a] < 0) c.rows.q[a] *= 1 + c.restitution[i];
    } else if (key == "free") {
      c.rows.H = stacked(matrix);
      c.rows.q = numbers(line);
    } else if (key == "solution") {
      c.solutions.emplace_back();
      for (std::string mode; line >> mode;)
        c.solutions.back().modes.push_back(
            {mode == "open"    ? Mode::open
             : mode == "stick" ? Mode::stick
                               : Mode::slip,
             {1, 0}});
    } else if (key == "x") {
      c.solutions.back().x = numbers(line);
    } else if (key == "w") {
      c.solutions.back().w = numbers(line);
    }
  }
  for (Case& c : cases) complete(c);
  return cases;
}

double distance(const VectorXd& expected, const double* found) {
  const Eigen::Map<const VectorXd> x(found, expected.size());
  return (x - expected).cwiseAbs().maxCoeff() / std::max(1.0, expected.cwiseAbs().maxCoeff());
}

/// At the limit of friction, forces of redundant rows have fewer digits than the motion: 1e-10 is the worst of all
/// cases.
constexpr double digits_of_forces = 1e-9, digits_of_motion = 1e-12;

}  // namespace

TEST_CASE("contacts: known cases are solved, and those without a solution are proved to have none", "[contacts]") {
  const std::vector<Case> cases = read_cases();
  CHECK(cases.size() == 23);
  for (const Case& c : cases) {
    for (const bool with_A : {true, false}) {
      INFO(c.name << (with_A ? ", with A" : ", without A"));
      OwnSolver own(c.rows.sizes());
      const Outcome outcome = own.solver.solve(c.rows.problem(with_A), nullptr);
      if (c.solutions.empty()) {
        CHECK(outcome == Outcome::no_solution);
        CHECK(own.solver.proved());
        continue;
      }
      REQUIRE(outcome == Outcome::solved);
      double x_best = 1, w_best = 1;
      for (const Solution& s : c.solutions) {
        if (distance(s.x, own.solver.x()) > x_best) continue;
        x_best = distance(s.x, own.solver.x());
        w_best = distance(s.w, own.solver.w());
      }
      CHECK(x_best < digits_of_forces);
      CHECK(w_best < digits_of_motion);
    }
  }
}

TEST_CASE("contacts: present modes are kept where they are one of several solutions", "[contacts]") {
  int several = 0;
  for (const Case& c : read_cases()) {
    several += c.solutions.size() > 1 ? 1 : 0;
    for (const Solution& s : c.solutions) {
      INFO(c.name);
      OwnSolver own(c.rows.sizes());
      REQUIRE(own.solver.solve(c.rows.problem(), s.modes.data()) == Outcome::solved);
      CHECK(own.solver.tier() == contacts::Tier::present_modes);
      CHECK(distance(s.x, own.solver.x()) < digits_of_forces);
      CHECK(distance(s.w, own.solver.w()) < digits_of_motion);
      for (std::size_t i = 0; i < s.modes.size(); ++i) CHECK(own.solver.modes()[i].mode == s.modes[i].mode);
    }
  }
  CHECK(several == 2);
}

TEST_CASE("contacts: rebounds are scaled down where they have no solution, and only there", "[contacts]") {
  int scaled = 0;
  for (const Case& c : read_cases()) {
    if (c.restitution.size() == 0) continue;
    INFO(c.name);
    OwnSolver own(c.rows.sizes());
    Rows impact = c.rows;
    impact.q = c.before;
    REQUIRE(own.impact.solve(impact.problem(), c.restitution.data()) == Outcome::solved);
    CHECK(own.impact.energy_gain() <= 1e-15);
    if (own.impact.restitution_scale() < 1) {
      ++scaled;
      CHECK(c.solutions.empty());
      // The slide stops: with no e > 0 can it leave one wall without running into the other.
      CHECK(own.impact.restitution_scale() == 0);
      CHECK(distance(VectorXd::Zero(2), own.impact.speed()) == 0);
    } else if (c.solutions.size() == 1) {
      CHECK(distance(c.solutions[0].x, own.impact.impulse()) < digits_of_forces);
    }
  }
  CHECK(scaled == 1);
}

TEST_CASE("contacts: friction throws Painlevé's rod although it does not close", "[contacts]") {
  const std::vector<Case> cases = read_cases();
  const auto thrown = std::find_if(cases.begin(), cases.end(), [](const Case& c) { return c.solutions.size() == 3; });
  REQUIRE(thrown != cases.end());
  OwnSolver own(thrown->rows.sizes());
  const double restitution = 0;
  REQUIRE(own.impact.solve(thrown->rows.problem(), &restitution) == Outcome::solved);
  CHECK(std::fabs(own.impact.impulse()[0]) < 1e-15);
  const bool pressed = true;
  REQUIRE(own.impact.without_collision(thrown->rows.problem(), &pressed) == Outcome::solved);
  CHECK(distance(thrown->solutions[1].x, own.impact.impulse()) < 1e-14);
  CHECK(own.impact.modes()[0].mode == Mode::stick);
  CHECK(own.impact.energy_gain() < 0);

  // A ball that rests and rolls has no such impact.
  Rows ball;
  ball.groups = {Group::contact(0.5, 1)};
  ball.A = ball.H = MatrixXd::Identity(2, 2);
  ball.q = VectorXd::Zero(2);
  CHECK(own.impact.without_collision(ball.problem(), &pressed) == Outcome::no_solution);
}

TEST_CASE("contacts: a sliding rod has one, no or two accelerations", "[contacts]") {
  // Rod of length 2 and mass 1, its centre above the end that slides to the right; tan of the angle is 4/3.
  const double c = 0.6, s = 0.8, gravity = 9.81;
  Rows rod;
  rod.groups = {Group::contact(0, 1)};
  // Accelerations of the end by forces there: rows n and t, J = 1/3.
  rod.H.resize(2, 2);
  rod.H << 1 + 3 * c * c, -3 * s * c, -3 * s * c, 1 + 3 * s * s;
  const auto solve = [&](double friction, double omega, Mode mode, contacts::Accelerations& accelerations) {
    rod.groups[0].friction = friction;
    rod.q.resize(2);
    rod.q << -gravity + omega * omega * s, omega * omega * c;
    // It slides in the direction in which friction makes the pressing stronger.
    const GroupMode present{mode, {-1, 0}};
    return accelerations.solve(rod.problem(), nullptr, &present);
  };
  OwnSolver own({1, 2, 0});
  contacts::Accelerations accelerations(own.memory, {1, 2, 0}, own.solver);
  const double column = 1 + 3 * c * c - 3 * s * c * 0.3;
  REQUIRE(solve(0.3, 0.5, Mode::slip, accelerations) == Outcome::solved);
  CHECK(accelerations.force()[0] == Approx((gravity - 0.25 * s) / column).epsilon(1e-14));
  CHECK(accelerations.force()[1] == Approx(0.3 * accelerations.force()[0]).epsilon(1e-14));
  CHECK(std::fabs(accelerations.acceleration()[0]) < 1e-14);
  CHECK(accelerations.modes()[0].mode == Mode::slip);
  CHECK(accelerations.modes()[0].direction[0] == -1);

  CHECK(solve(1.9, 0.5, Mode::slip, accelerations) == Outcome::no_solution);
  CHECK(accelerations.proved());
  CHECK(accelerations.unsettled(0));

  REQUIRE(solve(1.9, 5, Mode::slip, accelerations) == Outcome::solved);
  CHECK(accelerations.modes()[0].mode == Mode::slip);
  const double pressing = 1 + 3 * c * c - 3 * s * c * 1.9;
  CHECK(accelerations.force()[0] == Approx((gravity - 25 * s) / pressing).epsilon(1e-13));
  REQUIRE(solve(1.9, 5, Mode::open, accelerations) == Outcome::solved);
  CHECK(accelerations.modes()[0].mode == Mode::open);
  CHECK(accelerations.force()[0] == 0);
}

TEST_CASE("contacts: what begins to slip rubs with the coefficient of sliding", "[contacts]") {
  // A block of mass 2 on a belt is pulled; it stays up to 1.5 times the friction of sliding.
  const double mass = 2, friction = 0.4, rest = 1.5, weight = mass * 9.81;
  Rows block;
  block.groups = {Group::contact(friction, 1)};
  block.H = MatrixXd::Identity(2, 2) / mass;
  OwnSolver own({1, 2, 0});
  contacts::Accelerations accelerations(own.memory, {1, 2, 0}, own.solver);
  for (const double pull : {0.3 * weight, 0.59 * weight, -0.59 * weight, 0.61 * weight, -2 * weight}) {
    block.q.resize(2);
    block.q << -9.81, pull / mass;
    const GroupMode stuck{Mode::stick, {1, 0}};
    REQUIRE(accelerations.solve(block.problem(), &rest, &stuck) == Outcome::solved);
    const bool holds = std::fabs(pull) <= rest * friction * weight;
    CHECK(accelerations.modes()[0].mode == (holds ? Mode::stick : Mode::slip));
    const double expected = holds ? -pull : pull > 0 ? -friction * weight : friction * weight;
    CHECK(accelerations.force()[1] == Approx(expected).epsilon(1e-14));
    if (!holds) CHECK(accelerations.modes()[0].direction[0] == (pull > 0 ? 1 : -1));
    // Once it slides, it does not ask for rest, also where it slows down.
    const GroupMode slides{Mode::slip, {-1, 0}};
    REQUIRE(accelerations.solve(block.problem(), &rest, &slides) == Outcome::solved);
    CHECK(accelerations.force()[1] == Approx(friction * weight).epsilon(1e-14));
  }
}

TEST_CASE("contacts: a clutch holds up to its capacity, a lock holds everything", "[contacts]") {
  // Two inertias; the engine's torque accelerates the first, the clutch is between them, a lock may hold the second.
  const double J_1 = 2, J_2 = 3, torque = 10;
  Rows shafts;
  shafts.groups = {Group::rubbing(4), Group::lock()};
  shafts.H.resize(2, 2);
  shafts.H << 1 / J_1 + 1 / J_2, -1 / J_2, -1 / J_2, 1 / J_2;  // first minus second; second
  shafts.q.resize(2);
  shafts.q << torque / J_1, 0;
  OwnSolver own({2, 2, 0});
  const auto force = [&](double capacity) {
    shafts.groups[0].capacity = capacity;
    REQUIRE(own.solver.solve(shafts.problem(), nullptr) == Outcome::solved);
    return own.solver.x()[0];
  };
  CHECK(force(4) == Approx(-4));
  CHECK(own.solver.modes()[0].mode == Mode::slip);
  CHECK(own.solver.modes()[0].direction[0] == 1);
  CHECK(own.solver.x()[1] == Approx(-4));  // holds what the clutch brings
  CHECK(force(20) == Approx(-torque));
  CHECK(own.solver.modes()[0].mode == Mode::stick);
  CHECK(force(0) == 0);
  CHECK(own.solver.modes()[0].mode == Mode::slip);
  CHECK(own.solver.w()[0] == Approx(torque / J_1));

  // Sliding capacities are loads; those at rest may hold more.
  contacts::Accelerations accelerations(own.memory, {2, 2, 0}, own.solver);
  const double rest[] = {3, 1};
  for (const double capacity : {3.0, 4.0}) {
    shafts.groups[0].capacity = capacity;
    const GroupMode at_rest[] = {{Mode::stick, {1, 0}}, {Mode::stick, {1, 0}}};
    REQUIRE(accelerations.solve(shafts.problem(), rest, at_rest) == Outcome::solved);
    CHECK(accelerations.force()[0] == Approx(3 * capacity >= torque ? -torque : -capacity));
    const GroupMode slides[] = {{Mode::slip, {-1, 0}}, {Mode::stick, {1, 0}}};
    REQUIRE(accelerations.solve(shafts.problem(), rest, slides) == Outcome::solved);
    CHECK(accelerations.force()[0] == Approx(capacity));
    CHECK(accelerations.modes()[0].mode == Mode::slip);
    CHECK(accelerations.force()[1] == Approx(capacity));
  }
}

TEST_CASE("contacts: rows that nothing moves keep their laws or are named", "[contacts]") {
  Rows rows;
  rows.groups = {Group::contact(0.5, 1), Group::limit(), Group::lock()};
  rows.H = MatrixXd::Zero(4, 4);
  rows.H.topLeftCorner(2, 2).setIdentity();
  rows.q.resize(4);
  OwnSolver own({3, 4, 0});
  const auto solve = [&](double limit, double lock) {
    rows.q << -1, 2, limit, lock;
    return own.solver.solve(rows.problem(), nullptr);
  };
  CHECK(solve(0, 0) == Outcome::solved);
  CHECK(own.solver.x()[0] == 1);
  CHECK(own.solver.x()[1] == -0.5);
  CHECK(solve(0.3, 0) == Outcome::solved);
  CHECK(own.solver.modes()[1].mode == Mode::open);
  CHECK(solve(-1e-16, 1e-16) == Outcome::solved);
  CHECK(solve(-0.1, 0) == Outcome::no_solution);
  CHECK(own.solver.proved());
  CHECK(own.solver.unsettled(1));
  CHECK_FALSE(own.solver.unsettled(0));
  CHECK(solve(0, 0.1) == Outcome::no_solution);
  CHECK(own.solver.unsettled(2));

  // If the diagonal is rounding, the free mobility tells it.
  rows.H(2, 2) = 1e-31;
  const double free[] = {1, 1, 1, 1};
  rows.q << -1, 2, 0.1, 0;
  contacts::Problem problem = rows.problem();
  problem.free_mobility = free;
  CHECK(own.solver.solve(problem, nullptr) == Outcome::solved);
  CHECK(own.solver.x()[2] == 0);
  rows.q[2] = -0.1;
  CHECK(own.solver.solve(problem, nullptr) == Outcome::no_solution);
  CHECK(own.solver.unsettled(1));
}

TEST_CASE("contacts: a failure names the groups that have no solution", "[contacts]") {
  // A sliding rod without a solution stands beside a block that has one.
  Rows rows;
  rows.groups = {Group::contact(0.5, 1), Group::limit(), Group::limit()};
  rows.H = MatrixXd::Zero(4, 4);
  rows.H.diagonal() << 1, 1, -0.5, 2;
  rows.q.resize(4);
  rows.q << -1, 0.1, -1, -1;
  OwnSolver own({3, 4, 0});
  CHECK(own.solver.solve(rows.problem(), nullptr) == Outcome::no_solution);
  CHECK(own.solver.proved());
  CHECK(own.solver.unsettled(1));
  CHECK_FALSE(own.solver.unsettled(0));
  CHECK_FALSE(own.solver.unsettled(2));
  rows.q[0] = NAN;
  CHECK(own.solver.solve(rows.problem(), nullptr) == Outcome::not_converged);
  CHECK(own.solver.unsettled(0));
}

TEST_CASE("contacts: an unloaded redundant row is carried, not open", "[contacts]") {
  // A beam falls with a turn that the left one of three feet stops alone; the middle one has no load when it rests.
  Rows beam;
  beam.groups = {Group::limit(), Group::limit(), Group::limit()};
  beam.A.resize(2, 3);
  beam.A << 1, 1, 1, -1, 0, 1;
  beam.H = beam.A.transpose() * beam.A;
  const auto solve = [&](double fall, double turn) {
    beam.q = beam.A.transpose() * Eigen::Vector2d(fall, turn);
    OwnSolver own(beam.sizes());
    REQUIRE(own.solver.solve(beam.problem(), nullptr) == Outcome::solved);
    std::vector<bool> carried;
    for (int i = 0; i < 3; ++i) carried.push_back(own.solver.idle(i));
    return carried;
  };
  CHECK(solve(-1, 1) == std::vector<bool>{false, false, true});   // the right foot stands there without load
  CHECK(solve(-1, 2) == std::vector<bool>{false, false, false});  // it leaves
  CHECK(solve(-1, 0) == std::vector<bool>{false, false, false});  // all are loaded
}

TEST_CASE("contacts: ranks are decided on the rows themselves where they are given", "[contacts]") {
  // Two rows differ by 3e-7, of which 1e-13 is left in their products: rounding, for who has no rows.
  Rows rows;
  rows.groups = {Group::limit(), Group::limit()};
  rows.A.resize(2, 2);
  rows.A << 1, 1, 0, 3e-7;
  rows.H = rows.A.transpose() * rows.A;
  rows.q = rows.A.transpose() * (rows.A * Eigen::Vector2d(-1, -3));
  OwnSolver own(rows.sizes());
  REQUIRE(own.solver.solve(rows.problem(true), nullptr) == Outcome::solved);
  CHECK(own.solver.x()[0] == Approx(1).epsilon(0.05));
  CHECK(own.solver.x()[1] == Approx(3).epsilon(0.05));
  REQUIRE(own.solver.solve(rows.problem(false), nullptr) == Outcome::solved);
  CHECK(own.solver.x()[0] == Approx(2).epsilon(1e-6));
}

TEST_CASE("contacts: present modes that pull are given up, also where no other row feels it", "[contacts]") {
  Rows rows;
  rows.groups = {Group::limit(), Group::contact(0.5, 1), Group::limit()};
  rows.H = MatrixXd::Identity(4, 4);
  rows.q.resize(4);
  rows.q << -1, 2, 3, 4;
  OwnSolver own({3, 4, 0});
  const GroupMode all_stick[] = {{Mode::stick, {1, 0}}, {Mode::stick, {1, 0}}, {Mode::stick, {1, 0}}};
  REQUIRE(own.solver.solve(rows.problem(), all_stick) == Outcome::solved);
  CHECK(own.solver.tier() != contacts::Tier::present_modes);
  CHECK(own.solver.modes()[0].mode == Mode::stick);
  CHECK(own.solver.modes()[1].mode == Mode::open);
  CHECK(own.solver.modes()[2].mode == Mode::open);
  CHECK(own.solver.x()[1] == 0);
}
