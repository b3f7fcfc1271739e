// Makes pieces of equations that joints share.
#include "joint_equations.hpp"

namespace mechfmu {

using casadi::SX;

void close_points(const JointPose& relative, JointRows& rows, const OpenRow& meaning) {
  const char* names[] = {"x", "y", "z"};
  for (casadi_int i = 0; i < relative.position.numel(); ++i) rows.add(names[i], relative.position(i), meaning);
}

void close_line(const JointGeometry& g, const JointPose& relative, JointRows& rows) {
  rows.add("across_1", SX::dot(first(g), relative.position), beside_line);
  rows.add("across_2", SX::dot(second(g), relative.position), beside_line);
}

void align_axes(const JointGeometry& g, const JointPose& relative, JointClosure& closure) {
  closure.rows.add("axis_1", along(first(g), relative, third(g)), axes_apart);
  closure.rows.add("axis_2", along(second(g), relative, third(g)), axes_apart);
  closure.branch.push_back(along(third(g), relative, third(g)));
}

void hold_rotation(const SX& rotation, const JointPose& relative, JointClosure& closure) {
  // E is the axial vector of the remaining rotation: its sine about each axis, as long as it is less than half a turn.
  const SX E = SX::mtimes(rotation.T(), relative.R);
  constexpr OpenRow meaning{turned_apart.text, true, ToldRows::Gap::sine};
  closure.rows.add("turn_x", (E(2, 1) - E(1, 2)) / 2, meaning);
  closure.rows.add("turn_y", (E(0, 2) - E(2, 0)) / 2, meaning);
  closure.rows.add("turn_z", (E(1, 0) - E(0, 1)) / 2, meaning);
  closure.branch.push_back(SX::trace(E));
}

ClosureCoordinate angle_about(const JointGeometry& g, const JointPose& relative) {
  return {SX::atan2(along(second(g), relative, first(g)), along(first(g), relative, first(g))), true};
}

}  // namespace mechfmu
