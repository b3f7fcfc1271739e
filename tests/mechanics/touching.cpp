// Computes where surfaces touch.
#include "touching.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace mechfmu::testing {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

struct Geometry {
  const std::vector<BodyPose>& at;
  bool spatial;

  Vector3d place(const Site& site) const {
    const BodyPose& body = at[static_cast<std::size_t>(site.body)];
    return body.position + body.R * site.at;
  }
  Matrix3d frame(const Site& site) const { return at[static_cast<std::size_t>(site.body)].R * site.frame; }
};

/// Is a point, a ball, or the edge of a disk.
struct Piece {
  Vector3d center;
  double radius = 0;
  Vector3d axis = Vector3d::Zero();  ///< axis of the disk
};

bool is_flat(const RandomSurface& s) { return s.shape == "plane" || s.shape == "profile"; }
bool is_ball(const RandomSurface& s) { return s.shape == "point" || s.shape == "circle" || s.shape == "sphere"; }

/// Returns what touches a plane or a profile, in the order of the contacts' numbers.
std::vector<Piece> pieces(const RandomSurface& s, const Geometry& g) {
  std::vector<Piece> result;
  if (s.shape == "point" || s.shape == "polygon" || s.shape == "capsule") {
    for (const Site& point : s.points) result.push_back({g.place(point), s.sizes.empty() ? 0 : s.sizes[0]});
  } else if (s.shape == "box") {
    const int count = g.spatial ? 8 : 4;
    for (int i = 0; i < count; ++i) {
      Vector3d corner = Vector3d::Zero();
      for (int k = 0; k < (g.spatial ? 3 : 2); ++k)
        corner(k) = (i >> k & 1 ? 0.5 : -0.5) * s.sizes[static_cast<std::size_t>(k)];
      if (!g.spatial && i >= 4) break;
      result.push_back({g.place(s.at) + g.frame(s.at) * corner});
    }
  } else if (s.shape == "disk" || s.shape == "cylinder") {
    const Vector3d axis = g.frame(s.at) * s.direction.normalized();
    const double half = s.shape == "disk" ? 0 : s.sizes[1] / 2;
    for (const double side : {-half, half}) {
      if (s.shape == "disk" && !result.empty()) break;
      result.push_back({g.place(s.at) + side * axis, s.sizes[0], axis});
    }
  } else {
    result.push_back({g.place(s.at), s.sizes.at(0)});
  }
  return result;
}

/// Returns the point of a profile that is nearest to a place, in the profile's axes.
Vector3d nearest_of_curve(const std::function<double(double)>& curve, const Vector3d& from) {
  double s = from.x();
  const double h = 1e-4;
  for (int i = 0; i < 60; ++i) {
    const double slope = (curve(s + h) - curve(s - h)) / (2 * h),
                 bend = (curve(s + h) - 2 * curve(s) + curve(s - h)) / (h * h);
    const double value = s - from.x() + (curve(s) - from.y()) * slope;
    s -= value / (1 + slope * slope + (curve(s) - from.y()) * bend);
  }
  return {s, curve(s), 0};
}

/// Returns the point of a capsule's axis, of a box or of a polygon that is nearest to a place outside of it.
Vector3d nearest(const RandomSurface& s, const Geometry& g, const Vector3d& from) {
  if (s.shape == "box") {
    const Matrix3d R = g.frame(s.at);
    Vector3d local = R.transpose() * (from - g.place(s.at));
    for (int k = 0; k < (g.spatial ? 3 : 2); ++k) {
      const double half = s.sizes[static_cast<std::size_t>(k)] / 2;
      local(k) = std::clamp(local(k), -half, half);
    }
    return g.place(s.at) + R * local;
  }
  const std::size_t count = s.points.size(), edges = s.shape == "polygon" ? count : count - 1;
  Vector3d best = g.place(s.points[0]);
  for (std::size_t i = 0; i < edges; ++i) {
    const Vector3d one = g.place(s.points[i]), way = g.place(s.points[(i + 1) % count]) - one;
    const Vector3d there = one + std::clamp(way.dot(from - one) / way.squaredNorm(), 0.0, 1.0) * way;
    if ((there - from).norm() < (best - from).norm()) best = there;
  }
  return best;
}

/// Sets the directions across a normal that turns with bodies: x and y of a frame, taken along by the smallest turn
/// that leads from z or from −z to the normal.
void set_directions(const Matrix3d& frame, const Vector3d& normal, bool spatial, Touch& touch) {
  if (!spatial) {
    touch.along = {normal.y(), -normal.x(), 0};
    touch.across = Vector3d::UnitZ();
    return;
  }
  const Vector3d n = frame.transpose() * normal;
  const Vector3d begin = n.z() < -std::sqrt(0.5) ? Vector3d(-Vector3d::UnitZ()) : Vector3d(Vector3d::UnitZ());
  const Matrix3d turn = frame * Eigen::Quaterniond::FromTwoVectors(begin, n).toRotationMatrix();
  touch.along = turn.col(0);
  touch.across = normal.cross(touch.along);
}

/// Computes how one piece touches a plane or a profile; the normal is out of that.
Touch on_flat(const Piece& piece, const RandomSurface& flat, const Geometry& g) {
  Touch touch;
  const Matrix3d R = g.frame(flat.at);
  if (flat.shape == "profile") {
    const Vector3d local = R.transpose() * (piece.center - g.place(flat.at)),
                   foot = nearest_of_curve(flat.curve, local);
    const double h = 1e-4, slope = (flat.curve(foot.x() + h) - flat.curve(foot.x() - h)) / (2 * h);
    touch.normal = R * Vector3d(-slope, 1, 0).normalized();
    touch.place = g.place(flat.at) + R * foot;
    set_directions(R, touch.normal, false, touch);
    return touch;
  }
  const Vector3d local = flat.direction.normalized(), n = R * local;
  touch.normal = n;
  const bool edge = !piece.axis.isZero();
  const Vector3d up = edge ? (n - n.dot(piece.axis) * piece.axis).normalized() : n;
  touch.place = piece.center - piece.radius * up;
  if (!g.spatial) {
    set_directions(R, n, false, touch);
    return touch;
  }
  const Vector3d x = std::abs(local.x()) > 0.9 ? Vector3d::UnitY() : Vector3d::UnitX();
  touch.along = R * (x - x.dot(local) * local).normalized();
  touch.across = n.cross(touch.along);
  return touch;
}

/// Computes how a ball touches another ball, a capsule, a box or a polygon; the normal is out of the latter.
Touch on_round(const RandomSurface& ball, const RandomSurface& other, const Geometry& g) {
  const auto radius = [](const RandomSurface& s) { return s.shape == "point" || s.sizes.empty() ? 0 : s.sizes[0]; };
  const auto center = [&](const RandomSurface& s) { return g.place(s.shape == "point" ? s.points[0] : s.at); };
  Touch touch;
  const Vector3d from = center(ball), to = is_ball(other) ? center(other) : nearest(other, g, from);
  touch.normal = (from - to).normalized();
  const bool sharp = other.shape == "box" || other.shape == "polygon";
  touch.place = to + (sharp ? 0 : radius(other)) * touch.normal;
  set_directions(is_ball(other) ? Matrix3d(Matrix3d::Identity()) : g.frame(other.at), touch.normal, g.spatial, touch);
  return touch;
}

}  // namespace

std::vector<Touch> touches(const RandomContact& contact, const std::vector<BodyPose>& at, bool spatial) {
  const Geometry g{at, spatial};
  const RandomSurface &first = contact.first, &second = contact.second;
  const bool swapped = is_flat(first) || (!is_ball(first) && !is_flat(second));
  std::vector<Touch> result;
  if (is_flat(first) || is_flat(second)) {
    for (const Piece& piece : pieces(swapped ? second : first, g))
      result.push_back(on_flat(piece, swapped ? first : second, g));
  } else {
    result.push_back(swapped ? on_round(second, first, g) : on_round(first, second, g));
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i].name = contact.name + (result.size() > 1 ? "[" + std::to_string(i + 1) + "]" : "");
    if (swapped) result[i].normal = -result[i].normal;
  }
  return result;
}

}  // namespace mechfmu::testing
