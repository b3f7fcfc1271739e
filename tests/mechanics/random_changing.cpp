// Chooses what changes at events, and puts what may touch at its place.
#include "random_changing.hpp"

#include <algorithm>
#include <cmath>

#include "elements/contacts/contact_pair.hpp"
#include "elements/contacts/surface_shape.hpp"
#include "touching.hpp"

namespace mechfmu::testing {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

/// Chooses bodies, shapes, coordinates and numbers.
class Choosing {
 public:
  Choosing(RandomMechanism& m, Chance& chance) : m_(m), chance_(chance) {}

  void add() {
    for (int i = 1 + chance_.below(5); i > 0; --i) {
      switch (chance_.weighted({5, 1, 2, 1, 1, 1, 1})) {
        case 0: add_contact(); break;
        case 1: add_rope(); break;
        case 2: add_limit(); break;
        case 3: couple("clutch"); break;
        case 4: couple("one_way"); break;
        case 5: couple("lock"); break;
        case 6: couple("gear"); break;
      }
    }
  }

 private:
  /// Returns a gap that is closed or small.
  RandomGap gap() {
    RandomGap gap;
    if (chance_.happens(0.7)) gap.at_start = chance_.between(0, 0.02);
    if (chance_.happens(0.5)) gap.restitution = chance_.between(0, 1);
    return gap;
  }

  int any_body(bool moving) {
    const int first = moving || m_.floating ? 1 : 0;
    return first + chance_.below(static_cast<int>(m_.bodies.size()) - first);
  }

  void add_contact() {
    std::vector<std::pair<const SurfaceShape*, const SurfaceShape*>> all;
    for (const SurfaceShape& one : surface_shapes())
      for (const SurfaceShape& other : surface_shapes())
        if (one.is_in(m_.spatial) && other.is_in(m_.spatial) && pairing_of(one, other)) all.push_back({&one, &other});
    const auto [one, other] = all[static_cast<std::size_t>(chance_.below(static_cast<int>(all.size())))];
    RandomContact contact;
    contact.name = "C" + std::to_string(m_.contacts.size() + 1);
    contact.first.shape = one->name;
    contact.second.shape = other->name;
    contact.first.at.body = any_body(false);
    contact.second.at.body = any_body(false);
    if (contact.first.at.body == contact.second.at.body) return;
    contact.gap = gap();
    contact.numbers["restitution"] = contact.gap.restitution;
    if (chance_.happens(0.7)) contact.numbers["friction"] = chance_.between(0.05, 0.8);
    if (contact.numbers.count("friction") && chance_.happens(0.5))
      contact.numbers["static"] = contact.numbers["friction"] * chance_.between(1, 1.5);
    m_.contacts.push_back(contact);
  }

  void add_rope() {
    if (m_.sensors.empty() || !m_.formula_contacts.empty()) return;
    FormulaContact rope;
    rope.name = "rope";
    rope.sensors = {m_.sensors[0]};
    rope.open = gap();
    m_.formula_contacts.push_back(rope);
  }

  RandomCoordinate* any_coordinate() {
    std::vector<RandomCoordinate*> all;
    for (RandomJoint& joint : m_.joints)
      for (RandomCoordinate& c : joint.coordinates)
        if (c.motion.empty() && (!m_.floating || &joint != &m_.joints[0])) all.push_back(&c);
    return all.empty() ? nullptr : all[static_cast<std::size_t>(chance_.below(static_cast<int>(all.size())))];
  }

  void add_limit() {
    RandomCoordinate* c = any_coordinate();
    if (!c) return;
    c->limited = true;
    c->limit = gap();
  }

  void couple(const std::string& type) {
    const RandomCoordinate *one = any_coordinate(), *two = any_coordinate();
    for (const RandomCoupling& k : m_.couplings)
      if (k.type == type) return;
    if (!one || !two) return;
    RandomCoupling k;
    k.name = type;
    k.type = type;
    k.first = one->name;
    k.second = two->name;
    if (type == "gear") {
      if (one == two || one->angle != two->angle) return;
      k.numbers = {{"ratio", chance_.between(0.5, 2) * (chance_.happens(0.5) ? 1 : -1)},
                   {"backlash", chance_.between(0.001, 0.05)},
                   {"restitution", chance_.happens(0.5) ? chance_.between(0, 1) : 0}};
    } else if (one == two || one->angle != two->angle || chance_.happens(0.4)) {
      k.second = "ground";
    }
    const std::string effort = one->angle ? "newton*metre" : "newton";
    if (type == "clutch") {
      k.formulas["capacity"] =
          written(chance_.between(0.1, 3)) + "*" + effort + (chance_.happens(0.5) ? "" : "*(1 + sin(omega*time))");
      if (chance_.happens(0.5)) k.numbers["static"] = chance_.between(1, 1.5);
    }
    if (type == "lock")
      k.formulas["when"] = chance_.happens(0.5) ? "time > " + written(chance_.between(0, 0.05)) + "*second"
                                                : "time < " + written(chance_.between(0, 0.08)) + "*second";
    m_.couplings.push_back(k);
  }

  RandomMechanism& m_;
  Chance& chance_;
};

/// Puts surfaces, limits and offsets where the start makes them touch, or nearly so.
class Placing {
 public:
  Placing(RandomMechanism& m, const Assembled& start, unsigned seed)
      : m_(m), start_(start), at_(poses(m, start)), moving_(motions(m, start)), chance_(seed + 1) {}

  void place() {
    for (RandomContact& contact : m_.contacts) place(contact);
    for (FormulaContact& rope : m_.formula_contacts) place(rope);
    for (RandomJoint& joint : m_.joints)
      for (RandomCoordinate& c : joint.coordinates)
        if (c.limited) (start_["der(" + c.name + ")"] < 0 ? c.lower : c.upper) = limit(c);
    for (RandomCoupling& k : m_.couplings)
      if (k.numbers.count("backlash")) k.numbers["offset"] = offset(k);
  }

 private:
  double limit(const RandomCoordinate& c) const {
    return start_[c.name] + (start_["der(" + c.name + ")"] < 0 ? -1 : 1) * c.limit.at_start;
  }
  double offset(const RandomCoupling& k) {
    return start_[k.second] - k.numbers.at("ratio") * start_[k.first] +
           chance_.between(-0.5, 0.5) * k.numbers.at("backlash");
  }

  void place(FormulaContact& rope) {
    const std::string distance = rope.sensors[0].name + ".distance";
    const double length = start_[distance] + rope.open.at_start;
    rope.text = written(length) + "*metre - " + distance;
    rope.gap = [=](const std::map<std::string, double>& values) { return length - values.at(distance); };
  }

  Vector3d vector(double size) {
    const double x = chance_.between(-size, size), y = chance_.between(-size, size), z = chance_.between(-size, size);
    return {x, y, m_.spatial ? z : 0};
  }
  Vector3d direction() {
    for (;;)
      if (const Vector3d v = vector(1); v.norm() > 0.3) return v / v.norm();
  }
  /// Returns axes whose k-th one is this direction.
  Matrix3d axes_with(int k, const Vector3d& n) {
    Matrix3d R;
    if (!m_.spatial) {
      R << n.y(), n.x(), 0, -n.x(), n.y(), 0, 0, 0, 1;  // The second one is n.
      return R;
    }
    const Vector3d side = n.cross(direction()).normalized();
    R.col(k) = n;
    R.col((k + 1) % 3) = side;
    R.col((k + 2) % 3) = n.cross(side);
    return R;
  }

  const BodyPose& pose(int body) const { return at_[static_cast<std::size_t>(body)]; }
  Site site(int body, const Vector3d& place, const Matrix3d& axes = Matrix3d::Identity()) const {
    return {body, pose(body).R.transpose() * (place - pose(body).position), pose(body).R.transpose() * axes};
  }
  Vector3d velocity(int body, const Vector3d& place) const {
    if (body == 0) return Vector3d::Zero();
    const auto i = static_cast<std::size_t>(body);
    return start_.vector(m_.bodies[i].name + ".velocity") + moving_[i].turning.cross(place - at_[i].position);
  }

  /// Gives the upper surface a place on its body.
  void shape_upper(RandomSurface& s) {
    const int body = s.at.body;
    const Vector3d center = pose(body).position + vector(0.4);
    const Matrix3d axes = rotated_by(m_.spatial ? vector(2) : Vector3d(0, 0, chance_.between(-3, 3)));
    const double r = chance_.between(0.1, 0.25);
    s.at = site(body, center, axes);
    if (s.shape == "point") s.points = {s.at};
    else if (s.shape == "box") s.sizes = {chance_.between(0.1, 0.5), chance_.between(0.1, 0.5)};
    else if (s.shape == "cylinder") s.sizes = {r, chance_.between(0.1, 0.4)};
    else if (s.shape != "polygon") s.sizes = {r};
    if (s.shape == "box" && m_.spatial) s.sizes.push_back(chance_.between(0.1, 0.5));
    if (s.shape == "capsule") s.points = {site(body, center), site(body, center + 0.4 * direction())};
    if (s.shape == "polygon") {
      for (int i = 0; i < 3; ++i) {
        const double angle = 2 * EIGEN_PI * (i + chance_.between(0, 0.3)) / 3;
        s.points.push_back(site(body, center + 0.3 * Vector3d(std::cos(angle), std::sin(angle), 0)));
      }
    }
    if (s.shape == "capsule" || s.shape == "polygon" || s.shape == "point") s.at = {body};  // has the body's axes
    if (s.shape == "disk" || s.shape == "cylinder") s.direction = direction();
  }

  /// Puts the lower surface so that its normal n comes out of it towards a place that is the gap away.
  void place_lower(RandomSurface& s, const Vector3d& place, const Vector3d& n, double gap) {
    const int body = s.at.body;
    const Vector3d foot = place - gap * n;
    const double r = chance_.between(0.1, 0.3);
    if (s.shape == "plane") {
      const Matrix3d axes = rotated_by(m_.spatial ? vector(2) : Vector3d(0, 0, chance_.between(-3, 3)));
      s.at = site(body, foot, axes);
      s.direction = axes.transpose() * n;
    } else if (s.shape == "profile") {
      s.at = site(body, foot, axes_with(1, n));
      s.curve = [](double x) { return -0.15 * x * x; };
    } else if (s.shape == "box") {
      const int k = m_.spatial ? chance_.below(3) : 1;
      for (int i = 0; i < (m_.spatial ? 3 : 2); ++i) s.sizes.push_back(chance_.between(0.3, 0.6));
      Vector3d local = Vector3d::Zero();
      for (int i = 0; i < (m_.spatial ? 3 : 2); ++i)
        local(i) = s.sizes[static_cast<std::size_t>(i)] * (i == k ? 0.5 : chance_.between(-0.4, 0.4));
      const Matrix3d axes = axes_with(k, n);
      s.at = site(body, foot - axes * local, axes);
    } else if (s.shape == "polygon") {
      const Vector3d along(n.y(), -n.x(), 0);
      for (const auto& [x, y] : {std::pair{-0.3, 0.0}, {0.2, 0.0}, {0.25, -0.3}, {-0.2, -0.4}})
        s.points.push_back(site(body, foot + x * along + y * n));
      s.at = {body};
    } else if (s.shape == "capsule") {
      const Vector3d along = m_.spatial ? Vector3d(n.cross(direction()).normalized()) : Vector3d(n.y(), -n.x(), 0),
                     middle = foot - r * n;
      s.sizes = {r};
      s.points = {site(body, middle - 0.3 * along), site(body, middle + 0.2 * along)};
      s.at = {body};
    } else if (s.shape == "point") {
      s.points = {site(body, foot)};
      s.at = {body};
    } else {
      s.sizes = {r};
      s.at = site(body, foot - r * n);
    }
  }

  void place(RandomContact& contact) {
    const SurfaceShape &one = *find_surface_shape(contact.first.shape),
                       &two = *find_surface_shape(contact.second.shape);
    const bool swapped = pairing_of(one, two)->swapped;
    RandomSurface &upper = swapped ? contact.second : contact.first, &lower = swapped ? contact.first : contact.second;
    const int body = upper.at.body, other = lower.at.body;
    shape_upper(upper);
    Vector3d n = direction();
    // The lowest place of the upper surface follows from what touches a plane with this normal.
    for (int attempt = 0;; ++attempt) {
      const Vector3d place = lowest(upper, n);
      const bool closes = (velocity(body, place) - velocity(other, place)).dot(n) < 0;
      if (closes || attempt == 3) break;
      n = direction();
    }
    place_lower(lower, lowest(upper, n), n, contact.gap.at_start);
  }

  Vector3d lowest(const RandomSurface& upper, const Vector3d& n) const {
    RandomContact on_plane;
    on_plane.first = upper;
    on_plane.second.shape = "plane";
    on_plane.second.direction = n;
    Vector3d best;
    double least = HUGE_VAL;
    for (const Touch& touch : touches(on_plane, at_, m_.spatial))
      if (touch.place.dot(n) < least) best = touch.place, least = touch.place.dot(n);
    return best;
  }

  RandomMechanism& m_;
  const Assembled& start_;
  const std::vector<BodyPose> at_;
  const std::vector<BodyMotion> moving_;
  Chance chance_;
};

}  // namespace

void add_what_changes(RandomMechanism& m, Chance& chance) { Choosing(m, chance).add(); }

bool has_what_changes(const RandomMechanism& m) {
  const auto limited = [](const RandomJoint& joint) {
    return std::any_of(joint.coordinates.begin(), joint.coordinates.end(),
                       [](const RandomCoordinate& c) { return c.limited; });
  };
  const auto comes = [](const RandomCoupling& k) {
    return k.type == "clutch" || k.type == "one_way" || k.type == "lock" || k.numbers.count("backlash") > 0;
  };
  return !m.contacts.empty() || !m.formula_contacts.empty() || std::any_of(m.joints.begin(), m.joints.end(), limited) ||
         std::any_of(m.couplings.begin(), m.couplings.end(), comes);
}

RandomMechanism with_gaps_at_start(RandomMechanism m, unsigned seed) {
  if (!has_what_changes(m)) return m;
  // Limits stand in the file, but far away, since the choice of coordinates may depend on them.
  RandomMechanism before = m;
  constexpr double far = 1e3;
  before.contacts.clear();
  for (FormulaContact& rope : before.formula_contacts)
    rope.text = written(far) + "*metre - " + rope.sensors[0].name + ".distance";
  for (RandomJoint& joint : before.joints)
    for (RandomCoordinate& c : joint.coordinates)
      if (c.limited) c.upper = far;
  for (RandomCoupling& k : before.couplings)
    if (k.numbers.count("backlash") > 0) k.numbers["backlash"] = far;
  Assembled start(text_of(before));
  start.start();
  Placing(m, start, seed).place();
  return m;
}

}  // namespace mechfmu::testing
