// Distance: a massless rod between the two points; always a cut.
//   cut    (d·d − length²)/(2 length) = 0: one equation, whose derivative by d is the rod's direction, so that its
//          multiplier is the rod's thrust
// Singular configurations: length zero.
#include "joint_equations.hpp"
#include "joint_types.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

JointClosure close(const JointGeometry& g, const JointPose& relative) {
  JointClosure closure;
  closure.rows.add("length", (SX::dot(relative.position, relative.position) - SX::sq(g.length)) / (2 * g.length),
                   {"the distance of <parent> and <child> stays # from its length of #", false, ToldRows::Gap::rod});
  return closure;
}

}  // namespace

const JointForm planar_distance{.keys = {"length"}, .pulls = true, .any_axes = true, .close = close};
const JointForm spatial_distance{.keys = {"length"}, .pulls = true, .any_axes = true, .close = close};

}  // namespace mechfmu
