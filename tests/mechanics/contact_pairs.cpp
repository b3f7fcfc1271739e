// Tests what every pair of shapes that may touch must fulfil, at random places of two bodies: the gap is the distance
// that a search between the two shapes finds, its rate is the velocity across the surfaces where they are nearest,
// slips are the material's velocities along two perpendicular directions, forces act on both bodies and balance.
#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>

#include "elements/contacts/contact_pair.hpp"
#include "mechanics/compose_bodies.hpp"
#include "modelDescription/reading/read.hpp"
#include "random.hpp"

namespace mechfmu::testing {
namespace {

using casadi::DM;
using casadi::SX;
using Eigen::Matrix3d;
using Eigen::Vector3d;

// --- Shapes as the file writes them, and as a search sees them ------------------------------------------------------

/// Is where a body is, and how it moves: its origin, and its angular velocity in the ground's axes.
struct Pose {
  Vector3d position = Vector3d::Zero();
  Matrix3d R = Matrix3d::Identity();
  Vector3d velocity = Vector3d::Zero(), turning = Vector3d::Zero();

  Vector3d velocity_at(const Vector3d& at) const { return velocity + turning.cross(at - position); }
};

/// Returns the point of a convex body that is farthest in a direction, all in the body's frame.
using Support = std::function<Vector3d(const Vector3d& direction)>;

/// Is a shape of a body. Everything is in the body's frame.
struct Sample {
  std::string name, text;  ///< text of the table, without its braces
  std::string points;      ///< text of the body's points
  Support whole = {};      ///< none for planes and profiles
  std::vector<Support> pieces = {};
  Vector3d at = Vector3d::Zero();
  Matrix3d axes = Matrix3d::Identity();
  Vector3d normal = Vector3d::Zero();              ///< plane
  std::function<double(double)> height = nullptr;  ///< profile
};

class Samples {
 public:
  Samples(bool spatial, unsigned seed) : spatial_(spatial), chance_(seed) {}

  Sample make(const std::string& name) {
    Sample s;
    s.name = name;
    s.at = vector(0.3);
    s.axes = turn();
    points_ = "P = { at = " + written(s.at) + ", rotation = " + rotation_ + " }\n";
    if (name == "point") {
      s.text = "point = \"P\"";
      s.whole = one(s.at);
    } else if (name == "circle" || name == "sphere") {
      const double r = chance_.between(0.1, 0.3);
      s.text = name + " = " + written(r) + ", at = \"P\"";
      s.whole = round(one(s.at), r);
    } else if (name == "capsule") {
      const double r = chance_.between(0.1, 0.2);
      const Vector3d Q = s.at + vector(0.5), P = s.at;
      points_ += "Q = " + written(Q) + "\n";
      s.text = "capsule = [" + written(r) + ", \"P\", \"Q\"]";
      s.pieces = {round(one(P), r), round(one(Q), r)};
      s.whole = round(hull({P, Q}), r);
      s.axes.setIdentity();
    } else if (name == "box") {
      const Vector3d edges = Vector3d(0.3, 0.4, spatial_ ? 0.6 : 0) * chance_.between(0.8, 1.2);
      s.text = "box = " + written(edges) + ", at = \"P\"";
      std::vector<Vector3d> corners;
      for (int i = 0; i < (spatial_ ? 8 : 4); ++i)
        corners.push_back(s.at + s.axes * Vector3d((i & 1 ? 0.5 : -0.5) * edges.x(), (i & 2 ? 0.5 : -0.5) * edges.y(),
                                                   (i & 4 ? 0.5 : -0.5) * edges.z()));
      for (const Vector3d& corner : corners) s.pieces.push_back(one(corner));
      s.whole = hull(corners);
    } else if (name == "polygon") {
      std::vector<Vector3d> corners;
      std::string names;
      const double begin = chance_.between(0, 6), sense = chance_.happens(0.5) ? 1 : -1;
      for (int i = 0; i < 5; ++i) {
        const double angle = sense * (begin + (i + chance_.between(0, 0.3)) * 2 * std::numbers::pi / 5);
        corners.push_back(s.at + 0.4 * Vector3d(std::cos(angle), std::sin(angle), 0));
        const std::string point = "C" + std::to_string(i);
        points_ += point + " = " + written(corners.back()) + "\n";
        names += (i ? ", \"" : "\"") + point + "\"";
      }
      s.text = "polygon = [" + names + "]";
      for (const Vector3d& corner : corners) s.pieces.push_back(one(corner));
      s.whole = hull(corners);
      s.axes.setIdentity();
    } else if (name == "disk" || name == "cylinder") {
      const double r = chance_.between(0.2, 0.4), length = chance_.between(0.3, 0.6);
      const Vector3d axis = vector(1), b = s.axes * axis.normalized();
      s.text = (name == "disk" ? "disk = " + written(r) : "cylinder = [" + written(r) + ", " + written(length) + "]") +
               ", at = \"P\", axis = " + written(axis);
      if (name == "disk") s.whole = edge(s.at, b, r);
      else s.pieces = {edge(s.at - length / 2 * b, b, r), edge(s.at + length / 2 * b, b, r)};
    } else if (name == "plane") {
      const Vector3d normal = vector(2);
      s.text = "plane = " + written(normal) + ", at = \"P\"";
      s.normal = s.axes * normal.normalized();
    } else if (name == "profile") {
      s.text = "profile = \"hills\", at = \"P\"";
      s.height = [](double x) { return 0.2 * std::sin(1.5 * x) + 0.1 * x; };
    } else {
      FAIL("This test has no sample of the shape " << name << ": make one here.");
    }
    s.points = points_;
    return s;
  }

  Pose pose(double distance) {
    Pose pose;
    pose.position = vector(distance);
    pose.R = turn();
    pose.velocity = vector(1);
    pose.turning = spatial_ ? vector(2) : Vector3d(0, 0, chance_.between(-2, 2));
    return pose;
  }

  static std::string functions() { return "[functions]\nhills = { of = [\"x\"], value = \"h*sin(x/w) + x/10\" }\n"; }
  static std::string parameters() {
    return "[parameters]\nh = { value = 0.2, unit = \"m\" }\nw = { value = \"1/1.5\", unit = \"m\" }\n";
  }

 private:
  Vector3d vector(double size) {
    Vector3d v;
    for (int i = 0; i < 3; ++i) v[i] = chance_.between(-size, size);
    if (!spatial_) v.z() = 0;
    return v;
  }

  /// Returns a random rotation, and notes how a file writes it.
  Matrix3d turn() {
    if (!spatial_) {
      const double angle = chance_.between(-3, 3);
      rotation_ = written(angle);
      return Eigen::AngleAxisd(angle, Vector3d::UnitZ()).toRotationMatrix();
    }
    const Vector3d axis = vector(1);
    const double angle = chance_.between(-3, 3);
    rotation_ = "{ axis = " + written(axis) + ", angle = " + written(angle) + " }";
    return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
  }

  static std::string written(double number) {
    std::ostringstream text;
    text.precision(17);
    text << number;
    return text.str();
  }
  std::string written(const Vector3d& v) const {
    return "[" + written(v.x()) + ", " + written(v.y()) + (spatial_ ? ", " + written(v.z()) : "") + "]";
  }

  static Support one(const Vector3d& at) {
    return [at](const Vector3d&) { return at; };
  }
  static Support hull(std::vector<Vector3d> points) {
    return [points](const Vector3d& d) {
      return *std::max_element(points.begin(), points.end(), [&](const Vector3d& a, const Vector3d& b) {
        return a.dot(d) < b.dot(d);
      });
    };
  }
  static Support round(Support inner, double radius) {
    return [inner, radius](const Vector3d& d) { return Vector3d(inner(d) + radius * d.normalized()); };
  }
  static Support edge(const Vector3d& center, const Vector3d& axis, double radius) {
    return [=](const Vector3d& d) { return Vector3d(center + radius * (d - d.dot(axis) * axis).normalized()); };
  }

  bool spatial_;
  Chance chance_;
  std::string points_, rotation_;
};

// --- The nearest points of two shapes -------------------------------------------------------------------------------

struct Nearest {
  double distance = 0;
  Vector3d a = Vector3d::Zero(), b = Vector3d::Zero();
};

/// Finds the nearest points of two convex bodies by Wolfe's search (1976) for the point of least length in a convex
/// hull, here of the differences between their points.
Nearest nearest_points(const Support& a, const Pose& at_a, const Support& b, const Pose& at_b) {
  struct Difference {
    Vector3d a, b;
    Vector3d vector() const { return a - b; }
  };
  const auto farthest = [&](const Vector3d& d) {
    return Difference{at_a.position + at_a.R * a(at_a.R.transpose() * d),
                      at_b.position + at_b.R * b(-(at_b.R.transpose() * d))};
  };
  std::vector<Difference> kept{farthest(at_b.position - at_a.position)};
  Eigen::VectorXd weights = Eigen::VectorXd::Ones(1);
  const auto sum = [&] {
    Difference result{Vector3d::Zero(), Vector3d::Zero()};
    for (std::size_t i = 0; i < kept.size(); ++i) {
      result.a += weights[static_cast<int>(i)] * kept[i].a;
      result.b += weights[static_cast<int>(i)] * kept[i].b;
    }
    return result;
  };
  for (int step = 0; step < 200; ++step) {
    const Difference here = sum();
    const Difference next = farthest(-here.vector());
    const auto known = [&](const Difference& one) { return (one.vector() - next.vector()).norm() < 1e-9; };
    if (here.vector().squaredNorm() - here.vector().dot(next.vector()) < 1e-13 ||
        std::any_of(kept.begin(), kept.end(), known))
      break;
    kept.push_back(next);
    weights.conservativeResize(weights.size() + 1);
    weights[weights.size() - 1] = 0;
    for (;;) {  // the shortest affine combination, or the way to it until a weight is zero
      const auto n = static_cast<int>(kept.size());
      Eigen::MatrixXd system = Eigen::MatrixXd::Zero(n + 1, n + 1);
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j)
          system(i, j) = kept[static_cast<std::size_t>(i)].vector().dot(kept[static_cast<std::size_t>(j)].vector());
        system(i, n) = system(n, i) = 1;
      }
      Eigen::VectorXd right = Eigen::VectorXd::Zero(n + 1);
      right[n] = 1;
      const Eigen::VectorXd target = system.completeOrthogonalDecomposition().solve(right).head(n);
      double way = 1;
      int first = -1;
      for (int i = 0; i < n; ++i)
        if (target[i] < 0 && weights[i] / (weights[i] - target[i]) < way)
          way = weights[i] / (weights[i] - target[i]), first = i;
      weights += way * (target - weights);
      if (first < 0) break;
      kept.erase(kept.begin() + first);
      for (int i = first; i + 1 < n; ++i) weights[i] = weights[i + 1];
      weights.conservativeResize(n - 1);
    }
  }
  const Difference found = sum();
  return {found.vector().norm(), found.a, found.b};
}

/// Returns the nearest points of a shape and a half space; the distance has a sign.
Nearest nearest_to_plane(const Support& a, const Pose& at_a, const Sample& plane, const Pose& at_b) {
  const Vector3d normal = at_b.R * plane.normal, origin = at_b.position + at_b.R * plane.at;
  Nearest result;
  result.a = at_a.position + at_a.R * a(-(at_a.R.transpose() * normal));
  result.distance = normal.dot(result.a - origin);
  result.b = result.a - result.distance * normal;
  return result;
}

/// Returns the nearest points of a round shape above a profile and of the profile.
Nearest nearest_to_profile(const Support& a, const Pose& at_a, const Sample& profile, const Pose& at_b) {
  const Matrix3d axes = at_b.R * profile.axes;
  const Vector3d origin = at_b.position + at_b.R * profile.at;
  const auto on_curve = [&](double x) { return Vector3d(origin + axes * Vector3d(x, profile.height(x), 0)); };
  const auto towards = [&](const Vector3d& d) { return Vector3d(at_a.position + at_a.R * a(at_a.R.transpose() * d)); };
  // A round shape is its centre and a radius.
  const Vector3d center = (towards(Vector3d::UnitX()) + towards(-Vector3d::UnitX())) / 2;
  const double radius = (towards(Vector3d::UnitX()) - center).norm(), x = (axes.transpose() * (center - origin)).x();
  const auto length = [&](double s) { return (on_curve(s) - center).norm(); };
  double best = x, width = 2;
  for (int round = 0; round < 30; ++round, width /= 4) {
    const double middle = best;
    for (int i = -20; i <= 20; ++i)
      if (length(middle + width * i / 20) < length(best)) best = middle + width * i / 20;
  }
  Nearest result;
  result.b = on_curve(best);
  const Vector3d up = center - result.b;
  const bool above = (axes.transpose() * up).y() > 0;
  result.distance = (above ? up.norm() : -up.norm()) - radius;
  result.a = center - radius * up.normalized() * (above ? 1 : -1);
  return result;
}

Nearest nearest(const Support& a, const Pose& at_a, const Sample& b, const Pose& at_b) {
  if (b.height) return nearest_to_profile(a, at_a, b, at_b);
  return b.whole ? nearest_points(a, at_a, b.whole, at_b) : nearest_to_plane(a, at_a, b, at_b);
}

// --- A contact of two bodies that move freely -----------------------------------------------------------------------

/// Is the gap of a contact at some places, and what its rows do to velocities of the bodies a and b.
struct Rows {
  double gap = 0;
  Vector3d normal;            ///< force on a
  std::vector<double> speed;  ///< rates of the gap and of the slips
  /// Have one column for each row: force on a, its moment about the ground's origin, likewise for b.
  std::vector<std::array<Vector3d, 4>> forces;
};

class Touching {
 public:
  Touching(const Sample& a, const Sample& b, bool spatial) : spatial_(spatial) {
    const ReadResult read = read_mechanism_text(text(a, b), "test.toml");
    for (const Diagnostic& diagnostic : read.diagnostics) UNSCOPED_INFO(to_text(diagnostic));
    REQUIRE(read.description);
    Diagnostics diagnostics;
    const std::optional<Equations> equations = compose_bodies(*read.description, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.list()) UNSCOPED_INFO(to_text(diagnostic));
    REQUIRE(equations);
    const Symbols& s = equations->symbols;
    for (const ContactEquation& group : equations->contacts) {
      std::vector<SX> rates{SX::jtimes(group.gap, s.q, s.q_rate)};
      rates.insert(rates.end(), group.slips.begin(), group.slips.end());
      const SX rows = SX::densify(SX::vertcat(rates));
      groups_.emplace_back("group", std::vector<SX>{s.q, s.v, s.parameters},
                           std::vector<SX>{group.gap, rows, SX::densify(SX::jacobian(rows, s.v))});
    }
    parameters_ = equations->parameter_values;
    for (std::size_t i = 0; i < equations->positions.size(); ++i)
      places_[equations->positions[i].name] = static_cast<int>(i);
    for (std::size_t i = 0; i < equations->velocities.size(); ++i)
      velocity_places_[equations->velocities[i].name] = static_cast<int>(i);
  }

  std::size_t groups() const { return groups_.size(); }

  Rows at(std::size_t group, const Pose& a, const Pose& b) const {
    std::vector<double> q(places_.size()), v(velocity_places_.size());
    set("in_a", a, q, v);
    set("in_b", b, q, v);
    const std::vector<DM> found = groups_[group](std::vector<DM>{q, v, parameters_});
    Rows rows;
    rows.gap = static_cast<double>(found[0]);
    for (int i = 0; i < found[1].numel(); ++i) {
      rows.speed.push_back(static_cast<double>(found[1](i)));
      std::array<Vector3d, 4>& force = rows.forces.emplace_back();
      for (const auto& [name, pose, first] : {std::tuple{"in_a", &a, 0}, {"in_b", &b, 2}}) {
        Vector3d along = Vector3d::Zero(), turning = Vector3d::Zero();
        const auto slope = [&](const std::string& velocity) {
          return static_cast<double>(found[2](i, velocity_places_.at(velocity)));
        };
        for (int k = 0; k < (spatial_ ? 3 : 2); ++k)
          along[k] = slope(std::string("der(") + name + "." + "xyz"[k] + ")");
        if (spatial_)
          for (int k = 0; k < 3; ++k) turning[k] = slope(std::string(name) + ".angular_velocity." + "xyz"[k]);
        else turning.z() = slope(std::string("der(") + name + ".angle)");
        force[static_cast<std::size_t>(first)] = along;
        force[static_cast<std::size_t>(first) + 1] = pose->R * turning + pose->position.cross(along);
      }
    }
    rows.normal = rows.forces[0][0];
    return rows;
  }

 private:
  std::string text(const Sample& a, const Sample& b) const {
    const std::string inertia = spatial_ ? "[1, 1, 1]" : "1";
    const auto body = [&](const std::string& name, const Sample& sample) {
      return "[bodies." + name + "]\nmass = 1\ninertia = " + inertia + "\n[bodies." + name + ".points]\n" +
             sample.points + "[joints.in_" + name + "]\ntype = \"free\"\nparent = \"ground\"\nchild = \"" + name +
             "\"\n";
    };
    return std::string("[mechanism]\nname = \"Pair\"\ndimension = \"") + (spatial_ ? "spatial" : "planar") + "\"\n" +
           Samples::parameters() + (spatial_ ? "" : Samples::functions()) + body("a", a) + body("b", b) +
           "[contacts.c]\nfirst = { body = \"a\", " + a.text + " }\nsecond = { body = \"b\", " + b.text +
           " }\nfriction = 0.5\n";
  }

  void set(const std::string& joint, const Pose& pose, std::vector<double>& q, std::vector<double>& v) const {
    const auto position = [&](const std::string& name) -> double& {
      return q[static_cast<std::size_t>(places_.at(joint + "." + name))];
    };
    const auto velocity = [&](const std::string& name) -> double& {
      return v[static_cast<std::size_t>(velocity_places_.at(name))];
    };
    for (int i = 0; i < (spatial_ ? 3 : 2); ++i) {
      position(std::string(1, "xyz"[i])) = pose.position[i];
      velocity("der(" + joint + "." + "xyz"[i] + ")") = pose.velocity[i];
    }
    if (!spatial_) {
      position("angle") = std::atan2(pose.R(1, 0), pose.R(0, 0));
      velocity("der(" + joint + ".angle)") = pose.turning.z();
      return;
    }
    const Eigen::Quaterniond turn(pose.R);
    position("orientation.w") = turn.w();
    position("orientation.x") = turn.x();
    position("orientation.y") = turn.y();
    position("orientation.z") = turn.z();
    const Vector3d own = pose.R.transpose() * pose.turning;
    for (int i = 0; i < 3; ++i) velocity(joint + ".angular_velocity." + "xyz"[i]) = own[i];
  }

  bool spatial_;
  std::vector<casadi::Function> groups_;
  std::vector<double> parameters_;
  std::map<std::string, int> places_, velocity_places_;
};

/// Is a random contact of two shapes. The search knows the shapes in the order of the pair: `first` may be in pieces.
struct RandomContact {
  RandomContact(const SurfaceShape& given_first, const SurfaceShape& given_second, bool spatial, unsigned seed)
      : pairing(*pairing_of(given_first, given_second)), samples(spatial, seed), a(samples.make(given_first.name)),
        b(samples.make(given_second.name)), touching(a, b, spatial) {}

  const Sample& first() const { return pairing.swapped ? b : a; }
  const Sample& second() const { return pairing.swapped ? a : b; }
  bool of_profile() const { return second().height != nullptr; }

  /// Returns the nearest points of the bodies a and b.
  Nearest search(std::size_t group, const Pose& at_a, const Pose& at_b) const {
    const Support& support = pairing.in_pieces ? first().pieces.at(group) : first().whole;
    Nearest found = nearest(support, pairing.swapped ? at_b : at_a, second(), pairing.swapped ? at_a : at_b);
    if (pairing.swapped) std::swap(found.a, found.b);
    return found;
  }

  Pairing pairing;
  Samples samples;
  Sample a, b;
  Touching touching;
};

/// Calls `act` for all shapes that may touch, in both orders, in the plane and in space.
template <class Act>
void for_each_contact(Act&& act) {
  for (const bool spatial : {false, true})
    for (const SurfaceShape& first : surface_shapes())
      for (const SurfaceShape& second : surface_shapes()) {
        if (!first.is_in(spatial) || !second.is_in(spatial) || !pairing_of(first, second)) continue;
        INFO((spatial ? "in space: " : "in the plane: ") << first.name << " on " << second.name);
        act(first, second, spatial);
      }
}

// --- Properties -----------------------------------------------------------------------------------------------------

TEST_CASE("every pair is there for two shapes", "[pairs]") {
  std::vector<bool> seen(contact_pairs().size());
  for_each_contact([&](const SurfaceShape& a, const SurfaceShape& b, bool) { seen[pairing_of(a, b)->pair] = true; });
  for (std::size_t i = 0; i < seen.size(); ++i) {
    INFO("the pair with the index " << i << " in elements/contacts/list.hpp");
    CHECK(seen[i]);
  }
}

TEST_CASE("gaps are distances, and change as the nearest points move", "[pairs]") {
  for_each_contact([](const SurfaceShape& first, const SurfaceShape& second, bool spatial) {
    int apart = 0;
    for (unsigned seed = 0; seed < 6; ++seed) {
      RandomContact contact(first, second, spatial, seed);
      for (int placement = 0; placement < 4; ++placement) {
        const Pose b = contact.samples.pose(0.5);
        Pose a = contact.samples.pose(2.5);
        for (std::size_t group = 0; group < contact.touching.groups(); ++group) {
          if (contact.of_profile()) {  // Its gaps are distances near the surface.
            for (int i = 0; i < 20; ++i) {
              const Rows rows = contact.touching.at(group, a, b);
              a.position -= (rows.gap - 1e-5) * rows.normal / rows.normal.squaredNorm();
            }
          }
          const Rows rows = contact.touching.at(group, a, b);
          const Nearest found = contact.search(group, a, b);
          if (!(found.distance > 0.01 || contact.of_profile() || !contact.second().whole))
            continue;  // They may overlap here.
          ++apart;
          CHECK(rows.gap == Approx(found.distance).margin(contact.of_profile() ? 1e-8 : 1e-7));
          // The normal leads from b to a where a is outside.
          const double slip = contact.of_profile() ? 1e-3 : 1e-5;
          CHECK(rows.normal.norm() == Approx(1).epsilon(slip));
          if (std::fabs(found.distance) > 1e-3)
            CHECK(((found.a - found.b) / found.distance - rows.normal).norm() < 1e-3);
          const Vector3d velocity = a.velocity_at(found.a) - b.velocity_at(found.b);
          CHECK(rows.speed[0] == Approx(rows.normal.dot(velocity)).margin(contact.of_profile() ? 1e-3 : 1e-4));
          for (std::size_t i = 1; i < rows.speed.size(); ++i)
            CHECK(rows.speed[i] == Approx(rows.forces[i][0].dot(velocity)).margin(3e-3));
        }
      }
    }
    CHECK(apart >= 10);
  });
}

TEST_CASE("slips go along perpendicular directions across the normal", "[pairs]") {
  for_each_contact([](const SurfaceShape& first, const SurfaceShape& second, bool spatial) {
    for (unsigned seed = 0; seed < 6; ++seed) {
      RandomContact contact(first, second, spatial, seed);
      const Pose b = contact.samples.pose(0.5), a = contact.samples.pose(2.5);
      for (std::size_t group = 0; group < contact.touching.groups(); ++group) {
        const Rows rows = contact.touching.at(group, a, b);
        const Vector3d normal = contact.of_profile() ? Vector3d(rows.normal.normalized()) : rows.normal;
        REQUIRE(rows.speed.size() == (spatial ? 3 : 2));
        const Vector3d t = rows.forces[1][0];
        if (!contact.of_profile()) CHECK(std::fabs(t.dot(normal)) < 1e-12);
        CHECK(t.norm() == Approx(1).epsilon(1e-12));
        if (spatial) CHECK((normal.cross(t) * (contact.pairing.swapped ? -1 : 1) - rows.forces[2][0]).norm() < 1e-12);
      }
    }
  });
}

TEST_CASE("forces of a contact act on both bodies and balance", "[pairs]") {
  for_each_contact([](const SurfaceShape& first, const SurfaceShape& second, bool spatial) {
    for (unsigned seed = 0; seed < 6; ++seed) {
      RandomContact contact(first, second, spatial, seed);
      const Pose b = contact.samples.pose(0.5);
      Pose a = contact.samples.pose(2.5);
      const auto check = [&](const Rows& rows, std::size_t row) {
        const auto& [force_a, moment_a, force_b, moment_b] = rows.forces[row];
        CHECK((force_a + force_b).norm() < 1e-12);
        CHECK((moment_a + moment_b).norm() < 1e-9);
      };
      for (std::size_t group = 0; group < contact.touching.groups(); ++group) {
        check(contact.touching.at(group, a, b), 0);
        // Friction acts where they touch.
        for (int i = 0; i < 30; ++i) {
          const Rows rows = contact.touching.at(group, a, b);
          a.position -= rows.gap * rows.normal / rows.normal.squaredNorm();
        }
        const Rows rows = contact.touching.at(group, a, b);
        REQUIRE(std::fabs(rows.gap) < 1e-12);
        for (std::size_t row = 0; row < rows.forces.size(); ++row) check(rows, row);
      }
    }
  });
}

TEST_CASE("surfaces that overlap have negative gaps", "[pairs]") {
  for_each_contact([](const SurfaceShape& first, const SurfaceShape& second, bool spatial) {
    for (unsigned seed = 0; seed < 6; ++seed) {
      RandomContact contact(first, second, spatial, seed);
      const Pose b = contact.samples.pose(0.5);
      Pose a = contact.samples.pose(2.5);
      for (int i = 0; i < 30; ++i) {
        const Rows rows = contact.touching.at(0, a, b);
        a.position -= rows.gap * rows.normal / rows.normal.squaredNorm();
      }
      const Rows rows = contact.touching.at(0, a, b);
      Pose deeper = a;
      deeper.position -= 1e-3 * rows.normal;
      const double gap = contact.touching.at(0, deeper, b).gap;
      CHECK(gap == Approx(-1e-3).epsilon(contact.of_profile() ? 1e-2 : 1e-9));
    }
  });
}

TEST_CASE("gaps have no kinks, and directions of slips jump on one circle only", "[pairs]") {
  for_each_contact([](const SurfaceShape& first, const SurfaceShape& second, bool spatial) {
    for (unsigned seed = 0; seed < 3; ++seed) {
      RandomContact contact(first, second, spatial, seed);
      const Pose b = contact.samples.pose(0.5);
      const Pose begin = contact.samples.pose(1);
      const bool of_plane = contact.second().normal.norm() > 0;
      const Matrix3d axes = (contact.pairing.swapped ? begin.R : b.R) * contact.second().axes;
      const bool of_ball = contact.second().name == "sphere" || contact.second().name == "point";
      // a goes round b on a circle, at a distance at which both are apart.
      const Vector3d middle =
          (contact.pairing.swapped ? b.position + b.R * contact.b.at : b.position + b.R * contact.b.at);
      std::optional<Rows> before;
      constexpr int steps = 2000;
      for (int step = 0; step <= steps; ++step) {
        const double angle = 2 * std::numbers::pi * step / steps;
        const Vector3d u = begin.position.normalized(), w = spatial ? u.unitOrthogonal() : Vector3d(-u.y(), u.x(), 0);
        Pose a = begin;
        a.position = middle + 3 * (std::cos(angle) * u + std::sin(angle) * w) - a.R * contact.a.at;
        a.velocity = 3 * (-std::sin(angle) * u + std::cos(angle) * w);
        a.turning.setZero();
        Pose still = b;
        still.velocity.setZero(), still.turning.setZero();
        const Rows rows = contact.touching.at(0, a, still);
        if (before) {
          const double h = 2 * std::numbers::pi / steps;
          // The rate of the gap follows from the gaps, and does not jump.
          CHECK(std::fabs(rows.gap - before->gap - h * (rows.speed[0] + before->speed[0]) / 2) < 3e-5);
          CHECK(std::fabs(rows.speed[0] - before->speed[0]) < (contact.of_profile() ? 1 : 0.2));
          const double sign = contact.pairing.swapped ? -1 : 1;
          const Vector3d n_1 = sign * before->normal, n_2 = sign * rows.normal;
          const Matrix3d frame = of_ball ? Matrix3d::Identity() : axes;
          const double limit = -std::numbers::sqrt2 / 2;
          const bool crosses =
              !of_plane && (((frame.transpose() * n_1).z() < limit) != ((frame.transpose() * n_2).z() < limit));
          if (!contact.of_profile() && !crosses)
            CHECK((rows.forces[1][0] - before->forces[1][0]).norm() <
                  (of_plane ? 1e-12 : 0.1 + 5 * (n_2 - n_1).norm()));
        }
        before = rows;
      }
    }
  });
}

}  // namespace
}  // namespace mechfmu::testing
