// What a mechanism looks like.
#include "drawing.hpp"

#include <algorithm>

namespace mechfmu {

using casadi::SX;

namespace {

/// A joint that holds its child at a point of the parent, or at a line through it.
bool holds(const Joint& joint) { return joint.type != "free" && joint.type != "planar" && joint.type != "rolling"; }

/// A joint that a body has a point at: a wheel has its centre, what it rolls on has none.
bool holds(const Joint& joint, const PointReference& end) {
  return holds(joint) || (joint.type == "rolling" && &end == &joint.child);
}

/// A body's points that joints hold it at, each once, in the file's order.
std::vector<int> held_points(const Description& d, int body) {
  std::vector<int> points;
  for (const Joint& joint : d.joints) {
    for (const PointReference* end : {&joint.parent, &joint.child})
      if (end->body == body && holds(joint, *end)) points.push_back(end->point);
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

}  // namespace

Drawing draw(const Description& d, const Kinematics& kinematics) {
  const auto place = [&](const PointReference& end) { return kinematics.motions->real(kinematics.point(end)); };
  Drawing drawing;
  for (std::size_t i = 1; i < d.bodies.size(); ++i) {
    const int body = static_cast<int>(i);
    DrawnLine line;
    for (const int point : held_points(d, body)) line.push_back(place({body, point, {}}));
    // Held at one place or nowhere, a body shows where its mass is; held at many, it is a closed polygon.
    if (line.size() < 2)
      line.push_back(kinematics.motions->real(kinematics.bodies[i].center));
    else if (line.size() > 2)
      line.push_back(line.front());
    drawing.lines.push_back(line);
  }
  for (const MovingJoint& moving : kinematics.joints) {
    const Joint& joint = *moving.joint;
    if (joint.type == "distance") {
      drawing.lines.push_back({place(joint.parent), place(joint.child)});
    } else if (joint.type == "rolling") {
      const SX axis = d.spatial ? SX::mtimes({kinematics.bodies[static_cast<std::size_t>(joint.child.body)].frame.R,
                                              moving.child_frame, moving.geometry.axis})
                                : SX(0, 1);
      drawing.wheels.push_back({place(joint.child), kinematics.motions->real(axis), moving.geometry.radius});
    }
    for (const PointReference* end : {&joint.parent, &joint.child})
      if (end->body == 0 && holds(joint)) drawing.ground.push_back(place(*end));
  }
  return drawing;
}

std::vector<SX> held_places(const Description& d, const Kinematics& kinematics) {
  std::vector<SX> places;
  const auto add = [&](const SX& place) { places.push_back(kinematics.motions->real(place)); };
  for (const Joint& joint : d.joints) {
    for (const PointReference* end : {&joint.parent, &joint.child})
      if (holds(joint, *end)) add(kinematics.point(*end));
  }
  for (std::size_t i = 1; i < kinematics.bodies.size(); ++i) add(kinematics.bodies[i].center);
  return places;
}

}  // namespace mechfmu
