// A screw joint lets the child slide along an axis and turn about it; the lead, metres a turn, ties the two.
//   pose   d = a lead angle/2π, R = J Rz(angle) Jᵀ
//   cut    those of a cylindrical joint, and sin(angle − 2π a·d/lead) = 0 with a positive cosine
// Singular configurations: it has none of its own; a lead of zero is a revolute joint.
#include <numbers>

#include "elements/rotations.hpp"
#include "joint_equations.hpp"
#include "list.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

const JointForm screw_in_space{
    .coordinates = {{"angle", true}},
    .keys = {"axis"},
    .numbers = {{"lead", Measures::length, true}},
    .move = [](const JointGeometry& g) -> JointMotion {
      return {third(g) * (g.number("lead") / (2 * std::numbers::pi) * g.q),
              rotation_about(g.frame, g.q),
              {},
              third(g) * g.v,
              {{none(3), third(g)}}};
    },
    .close = [](const JointGeometry& g, const JointPose& relative) -> JointClosure {
      JointClosure closure;
      close_line(g, relative, closure.rows);
      align_axes(g, relative, closure);
      const SX screwed = 2 * std::numbers::pi / g.number("lead") * SX::dot(third(g), relative.position);
      const SX sine = along(second(g), relative, first(g)), cosine = along(first(g), relative, first(g));
      const SX thread = sine * SX::cos(screwed) - cosine * SX::sin(screwed);
      const SX branch = cosine * SX::cos(screwed) + sine * SX::sin(screwed);
      closure.rows.add("thread", thread,
                       {"<child body> stays turned by # from what the thread says", true, ToldRows::Gap::sine});
      closure.branch.push_back(branch);
      // The slide tells the whole turns, the turn tells the rest: so an effort on the angle is a torque here as in the
      // tree.
      closure.coordinates = {{screwed + SX::atan2(thread, branch)}};
      return closure;
    }};

}  // namespace

JointType joints::screw() { return {"screw", nullptr, &screw_in_space}; }

}  // namespace mechfmu
