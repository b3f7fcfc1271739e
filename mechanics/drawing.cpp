// Draws a mechanism.
#include "drawing.hpp"

#include <algorithm>

namespace mechfmu {

using casadi::SX;

namespace {

using Drawn = JointForm::Drawn;

/// Is true if the joint holds its child at a point of the parent, or at a line through it.
bool holds(const JointForm& form) { return form.drawn == Drawn::place || form.drawn == Drawn::rod; }

/// Is true if this end of the joint is a point of its body: a wheel has its centre, but the body that it rolls on has
/// no such point.
bool holds(const MovingJoint& joint, const PointReference& end) {
  return holds(*joint.form) || (joint.form->drawn == Drawn::wheel && &end == &joint.joint->child);
}

/// Returns the points of a body at which joints hold it, each once, in the file's order.
std::vector<int> held_points(const Kinematics& kinematics, int body) {
  std::vector<int> points;
  for (const MovingJoint& joint : kinematics.joints) {
    for (const PointReference* end : {&joint.joint->parent, &joint.joint->child})
      if (end->body == body && holds(joint, *end)) points.push_back(end->point);
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

/// Returns the points of the line that the file gives for a body, if it gives one.
std::vector<int> given_line(const Body& body) {
  std::vector<int> points;
  for (const std::string& name : body.shape.points) {
    const auto found =
        std::find_if(body.points.begin(), body.points.end(), [&](const BodyPoint& p) { return p.name == name; });
    points.push_back(static_cast<int>(found - body.points.begin()));
  }
  return points;
}

}  // namespace

Drawing draw(const Description& d, const Kinematics& kinematics) {
  const auto place = [&](const PointReference& end) { return kinematics.motions->real(kinematics.point(end)); };
  Drawing drawing;
  for (std::size_t i = 1; i < d.bodies.size(); ++i) {
    const int body = static_cast<int>(i);
    DrawnLine line;
    const std::vector<int> given = given_line(d.bodies[i]);
    for (const int point : given.empty() ? held_points(kinematics, body) : given)
      line.push_back(place({body, point, {}}));
    // A body that is held at one place or nowhere also shows its mass centre; a body that is held at many is a closed
    // polygon.
    if (line.size() < 2) line.push_back(kinematics.motions->real(kinematics.bodies[i].p_GM));
    else if (line.size() > 2 && given.empty()) line.push_back(line.front());
    drawing.lines.push_back(line);
  }
  for (const MovingJoint& moving : kinematics.joints) {
    const Joint& joint = *moving.joint;
    if (moving.form->drawn == Drawn::rod) {
      drawing.lines.push_back({place(joint.parent), place(joint.child)});
    } else if (moving.form->drawn == Drawn::wheel) {
      const SX axis = d.spatial ? SX::mtimes({kinematics.bodies[static_cast<std::size_t>(joint.child.body)].frame.R_GF,
                                              moving.R_CK, moving.geometry.axis})
                                : SX(0, 1);
      drawing.wheels.push_back({place(joint.child), kinematics.motions->real(axis), moving.geometry.number("radius")});
    }
    for (const PointReference* end : {&joint.parent, &joint.child})
      if (end->body == 0 && holds(*moving.form)) drawing.ground.push_back(place(*end));
  }
  return drawing;
}

std::vector<SX> held_places(const Kinematics& kinematics) {
  std::vector<SX> places;
  const auto add = [&](const SX& place) { places.push_back(kinematics.motions->real(place)); };
  for (const MovingJoint& joint : kinematics.joints) {
    for (const PointReference* end : {&joint.joint->parent, &joint.joint->child})
      if (holds(joint, *end)) add(kinematics.point(*end));
  }
  for (std::size_t i = 1; i < kinematics.bodies.size(); ++i) add(kinematics.bodies[i].p_GM);
  return places;
}

}  // namespace mechfmu
