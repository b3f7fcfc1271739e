// Finds poses by recursion outward, and relative poses at the cuts.
#include "kinematics.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "elements/components.hpp"
#include "elements/rotations.hpp"
#include "equations/columns.hpp"
#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

using casadi::Slice;
using casadi::SX;

Kinematics::Kinematics(const Description& description, const Tree& tree, const Geometry& geometry)
    : GivenGeometry(description, geometry), absolute(description.absolute), tree_(tree) {
  for (const Body& body : description.bodies) bodies.push_back({.body = &body, .frame = {}});
  for (std::size_t i = 0; i < description.joints.size(); ++i) {
    MovingJoint joint{.joint = &description.joints[i],
                      .form = find_joint_form(description.joints[i].type, description.spatial),
                      .cut = tree.is_cut(static_cast<int>(i)),
                      .geometry = {}};
    joint.opening = static_cast<int>(static_cast<casadi_int>(i) * openings_of_a_joint());
    joints.push_back(std::move(joint));
  }
  make_symbols();
}

void Kinematics::make_symbols() {
  std::vector<std::string> accelerations;
  std::vector<ReadCoordinate> readings;
  const Unit length = known_unit("m"), angle = known_unit("rad");
  const auto add_scalar = [&](const std::string& name, const Unit& unit) {
    position_names.push_back(name);
    position_units.push_back(unit);
    velocity_names.push_back("der(" + name + ")");
    accelerations.push_back("der(" + name + ",2)");
  };
  const auto add_orientation = [&](const std::string& name) {
    quaternions.push_back({static_cast<int>(position_names.size()), static_cast<int>(velocity_names.size())});
    for (const char* component : wxyz) {
      position_names.push_back(name + ".orientation" + component);
      position_units.push_back(Unit{});
    }
    for (const char* component : xyz) {
      velocity_names.push_back(name + ".angular_velocity" + component);
      accelerations.push_back("der(" + velocity_names.back() + ")");
    }
  };
  for (MovingJoint& joint : joints) {
    if (joint.cut) continue;
    joint.position = static_cast<int>(position_names.size());
    joint.velocity = static_cast<int>(velocity_names.size());
    joint.reading = static_cast<int>(readings.size());
    for (const JointCoordinate& coordinate : joint.joint->coordinates) {
      readings.push_back(
          {coordinate.name, static_cast<int>(position_names.size()), static_cast<int>(velocity_names.size())});
      add_scalar(coordinate.name, coordinate.unit);
    }
    if (joint.form->orientation) add_orientation(joint.joint->name);
  }
  for (std::size_t body = 1; body < bodies.size(); ++body) {
    if (tree_.branches[body].joint >= 0) continue;
    const std::string& name = bodies[body].body->name;
    bodies[body].first_q = static_cast<int>(position_names.size());
    bodies[body].first_v = static_cast<int>(velocity_names.size());
    for (int i = 0; i < space(); ++i) add_scalar(name + ".center" + xyz[i], length);
    if (description_.spatial) add_orientation(name + ".center");
    else add_scalar(name + ".center.angle", angle);
  }
  const auto add_filter =
      [&](const std::string& name, const std::optional<PrescribedMotion>& motion, const Unit& unit) {
        if (!motion || !motion->filter) return;
        filters.push_back(
            {name, &*motion, static_cast<int>(position_names.size()), static_cast<int>(velocity_names.size())});
        add_scalar(name + ".filter", unit);
      };
  for (const MovingJoint& joint : joints) {
    for (const JointCoordinate& coordinate : joint.joint->coordinates) {
      add_filter(coordinate.name, coordinate.motion, coordinate.unit);
    }
    add_filter(joint.joint->name + ".length", joint.joint->length_motion, length);
  }
  symbols.time = SX::sym("time");
  symbols.q = column_of_symbols(position_names);
  symbols.v = column_of_symbols(velocity_names);
  symbols.acceleration = column_of_symbols(accelerations);
  symbols.q_rate = SX::zeros(symbols.q.numel());
  casadi_int position = 0, velocity = 0;
  std::size_t next = 0;
  while (position < symbols.q.numel()) {
    if (next < quaternions.size() && quaternions[next].position == position) {
      symbols.q_rate(Slice(position, position + 4)) =
          quaternion_rate(symbols.q(Slice(position, position + 4)), symbols.v(Slice(velocity, velocity + 3)));
      position += 4, velocity += 3, ++next;
    } else {
      symbols.q_rate(position++) = symbols.v(velocity++);
    }
  }
  motions =
      std::make_unique<Motions>(symbols, static_cast<casadi_int>(joints.size()) * openings_of_a_joint(), readings);
}

const Filter& Kinematics::filter_of(const PrescribedMotion& motion) const {
  return *std::find_if(filters.begin(), filters.end(), [&](const Filter& filter) { return filter.motion == &motion; });
}

const MovingJoint& Kinematics::joint(const std::string& name) const {
  return *std::find_if(joints.begin(), joints.end(), [&](const MovingJoint& each) { return each.joint->name == name; });
}

std::pair<const MovingJoint*, std::size_t> Kinematics::coordinate(const std::string& name) const {
  for (const MovingJoint& each : joints)
    for (std::size_t i = 0; i < each.joint->coordinates.size(); ++i)
      if (each.joint->coordinates[i].name == name) return {&each, i};
  throw std::logic_error("no coordinate " + name);
}

Frame Kinematics::beyond(const MovingJoint& joint, const JointMotion& motion, const Frame& from, bool reversed,
                         const SX& shift, const SX& turn) const {
  const SX p_JK = motion.position + shift;
  const auto at = [](const Frame& frame, const SX& p_FX) { return frame.p_GF + turned(frame.R_GF, p_FX); };
  Frame to;
  if (!description_.spatial) {
    const SX angle_PC = joint.angle_PJ + turn + motion.angle - joint.angle_CK;
    to.angle_GF = reversed ? from.angle_GF - angle_PC : from.angle_GF + angle_PC;
    to.R_GF = planar_rotation(to.angle_GF);
  } else {
    const SX R_PC = SX::mtimes({joint.R_PJ, SX::eye(3) + cross_matrix(turn), motion.R, joint.R_CK.T()});
    to.R_GF = SX::mtimes(from.R_GF, reversed ? SX(R_PC.T()) : R_PC);
  }
  const SX p_PK = joint.p_PJ + turned(joint.R_PJ, p_JK);
  if (reversed) to.p_GF = at(from, joint.p_CK) - turned(to.R_GF, p_PK);
  else to.p_GF = at(from, p_PK) - turned(to.R_GF, joint.p_CK);
  return to;
}

SX Kinematics::angular_velocity_beyond(const MovingJoint& joint, const SX& w_GF_F, bool reversed,
                                       const SX& turn_rate) const {
  const JointMotion& motion = joint.motion;
  if (!description_.spatial) {
    const SX w_PC = motion.rotation_rate + turn_rate;
    return reversed ? w_GF_F - w_PC : w_GF_F + w_PC;
  }
  const SX w_PC_C = turned(joint.R_CK, motion.rotation_rate + turned_back(motion.R, turn_rate));
  const SX R_PC = SX::mtimes({joint.R_PJ, motion.R, joint.R_CK.T()});
  return reversed ? turned(R_PC, w_GF_F - w_PC_C) : turned_back(R_PC, w_GF_F) + w_PC_C;
}

std::vector<Frame> Kinematics::poses_at(const Tree& tree,
                                        const std::function<void(int joint, JointGeometry&)>& place) const {
  std::vector<Frame> frames(bodies.size());
  for (const int body : tree.order) {
    const Branch& branch = tree.branches[static_cast<std::size_t>(body)];
    Frame& frame = frames[static_cast<std::size_t>(body)];
    if (branch.joint < 0) {
      frame = {SX::zeros(space()), SX::eye(space()), 0};
      continue;
    }
    MovingJoint joint = joints[static_cast<std::size_t>(branch.joint)];
    place(branch.joint, joint.geometry);
    const casadi_int turns = openings_of_a_joint() - space();
    frame = beyond(joint, joint.form->move(joint.geometry), frames[static_cast<std::size_t>(branch.from)],
                   branch.reversed, SX::zeros(space()), SX::zeros(turns));
  }
  return frames;
}

void Kinematics::carry(int body, const Branch& branch) {
  MovingJoint& joint = joints[static_cast<std::size_t>(branch.joint)];
  JointGeometry& g = joint.geometry;
  const auto count = static_cast<casadi_int>(joint.joint->coordinates.size());
  g.q = symbols.q(Slice(joint.position, joint.position + count));
  g.v = symbols.v(Slice(joint.velocity, joint.velocity + count));
  if (joint.form->orientation) {
    g.quaternion = symbols.q(Slice(joint.position + count, joint.position + count + 4));
    g.angular_velocity = symbols.v(Slice(joint.velocity + count, joint.velocity + count + 3));
  }
  joint.motion = joint.form->move(g);
  if (joint.form->roll && joint.motion.rows.rows.empty()) {
    const JointPose relative{joint.motion.position, joint.motion.R, joint.motion.angle,
                             motions->rate(joint.motion.position), joint.motion.rotation_rate};
    joint.roll = joint.form->roll(g, relative);
  }
  const casadi_int d = space(), first = joint.opening, all = openings_of_a_joint();
  const SX shift = motions->openings.at(Slice(first, first + d)),
           turn = motions->openings.at(Slice(first + d, first + all));
  MovingBody& moving = bodies[static_cast<std::size_t>(body)];
  const MovingBody& from = bodies[static_cast<std::size_t>(branch.from)];
  moving.frame = beyond(joint, joint.motion, from.frame, branch.reversed, shift, turn);
  moving.w_GB_B = angular_velocity_beyond(joint, from.w_GB_B, branch.reversed,
                                          motions->openings.rate(Slice(first + d, first + all)));
}

void Kinematics::place_free(MovingBody& moving) {
  const casadi_int d = space(), position = moving.first_q, velocity = moving.first_v;
  const SX p_GM = symbols.q(Slice(position, position + d));
  if (description_.spatial) {
    moving.frame.R_GF = rotation_of(symbols.q(Slice(position + 3, position + 7)));
    moving.w_GB_B = symbols.v(Slice(velocity + 3, velocity + 6));
  } else {
    moving.frame.angle_GF = symbols.q(position + 2);
    moving.frame.R_GF = planar_rotation(moving.frame.angle_GF);
    moving.w_GB_B = symbols.v(velocity + 2);
  }
  moving.frame.p_GF = p_GM - turned(moving.frame.R_GF, vector(moving.body->center_of_mass));
}

void Kinematics::close(MovingJoint& joint) {
  const MovingBody& parent = bodies[static_cast<std::size_t>(joint.joint->parent.body)];
  const MovingBody& child = bodies[static_cast<std::size_t>(joint.joint->child.body)];
  const casadi_int d = space(), first = joint.opening, all = openings_of_a_joint();
  const Moving& openings = motions->openings;
  const Slice shifts(first, first + d), turns(first + d, first + all);
  const SX R_GJ = SX::mtimes(parent.frame.R_GF, joint.R_PJ);
  const auto at = [](const Frame& frame, const SX& p_FX) { return frame.p_GF + turned(frame.R_GF, p_FX); };
  const SX p_JK_G = at(child.frame, joint.p_CK) - at(parent.frame, joint.p_PJ);

  JointPose& relative = joint.relative;
  relative.position = turned_back(R_GJ, p_JK_G);
  const SX R_GK = SX::mtimes(child.frame.R_GF, joint.R_CK);
  relative.R = SX::mtimes(R_GJ.T(), R_GK);
  if (description_.spatial) {
    relative.rotation_rate =
        turned_back(joint.R_CK, child.w_GB_B) - turned_back(relative.R, turned_back(joint.R_PJ, parent.w_GB_B));
  } else {
    relative.angle = child.frame.angle_GF + joint.angle_CK - parent.frame.angle_GF - joint.angle_PJ;
    relative.rotation_rate = child.w_GB_B - parent.w_GB_B;
  }
  JointPose opened = relative;
  opened.position += openings.at(shifts);
  if (description_.spatial) {
    opened.R = SX::mtimes(SX::eye(3) + cross_matrix(openings.at(turns)), relative.R);
    opened.rotation_rate += turned_back(relative.R, openings.rate(turns));
  } else {
    opened.angle += openings.at(turns);
    opened.R = SX::mtimes(planar_rotation(openings.at(turns)), relative.R);
    opened.rotation_rate += openings.rate(turns);
  }
  if (joint.form->any_axes) opened.position = p_JK_G + turned(R_GJ, openings.at(shifts));
  joint.closure = joint.form->close(joint.geometry, opened);
  if (joint.form->roll) {
    opened.velocity = motions->rate(opened.position);
    joint.roll = joint.form->roll(joint.geometry, opened);
  }
}

void Kinematics::build(const std::function<SX(const std::string&)>& start_of,
                       const std::function<SX(const PrescribedMotion&)>& prescribed) {
  for (MovingJoint& joint : joints) {
    set_joint_frames(joint);
    joint.geometry = geometry_of(joint);
    if (joint.joint->length_motion) joint.geometry.numbers["length"] = prescribed(*joint.joint->length_motion);
    if (joint.form->begin)
      joint.form->begin(joint.geometry, {[&](const std::string& coordinate) {
                          return start_of(joint.joint->name + "." + coordinate);
                        }});
  }
  const auto without_length = [](const MovingJoint& joint) {
    return joint.form->has("length") && !joint.joint->length_motion && !joint.joint->numbers.count("length");
  };
  if (std::any_of(joints.begin(), joints.end(), without_length)) {  // The zero configuration gives it.
    const Tree tree = tree_of_all_joints(description_);
    const std::vector<Frame> zero = poses_at(tree, [&](int index, JointGeometry& g) {
      const auto count = static_cast<casadi_int>(joints[static_cast<std::size_t>(index)].joint->coordinates.size());
      g.q = g.v = SX::zeros(count);
      g.quaternion = SX(std::vector<double>{1, 0, 0, 0});
      g.angular_velocity = SX::zeros(3);
    });
    for (MovingJoint& joint : joints) {
      if (!without_length(joint)) continue;
      const auto at = [&](const PointReference& reference, const SX& point) {
        const Frame& frame = zero[static_cast<std::size_t>(reference.body)];
        return frame.p_GF + turned(frame.R_GF, point);
      };
      joint.geometry.numbers["length"] =
          SX::norm_2(at(joint.joint->child, joint.p_CK) - at(joint.joint->parent, joint.p_PJ));
    }
  }
  for (const int body : tree_.order) {
    MovingBody& moving = bodies[static_cast<std::size_t>(body)];
    const Branch& branch = tree_.branches[static_cast<std::size_t>(body)];
    if (branch.joint >= 0) {
      carry(body, branch);
    } else if (body > 0) {
      place_free(moving);
    } else {
      moving.frame = {SX::zeros(space()), SX::eye(space()), 0};
      moving.w_GB_B = SX::zeros(description_.spatial ? 3 : 1);
    }
    moving.p_GM = moving.frame.p_GF + turned(moving.frame.R_GF, vector(moving.body->center_of_mass));
  }
  differentiate_positions();
  for (MovingJoint& joint : joints)
    if (joint.cut) close(joint);
}

/// Finds the velocities of all bodies at once. The contribution of the joints on the way to a body is then written once
/// for all bodies beyond: along a chain of n bodies n times and not n²/2 times.
void Kinematics::differentiate_positions() {
  std::vector<SX> positions;
  for (const MovingBody& body : bodies) {
    positions.push_back(body.p_GM);
    positions.push_back(body.frame.p_GF);
  }
  const SX rates = motions->rate(SX::vertcat(positions));
  casadi_int row = 0;
  for (MovingBody& body : bodies)
    for (SX* velocity : {&body.v_GM, &body.v_GB}) {
      *velocity = rates(Slice(row, row + space()));
      row += space();
    }
}

SX Kinematics::point(const PointReference& reference) const {
  const Frame& frame = bodies[static_cast<std::size_t>(reference.body)].frame;
  return frame.p_GF + turned(frame.R_GF, point_of_body(reference.body, reference.point));
}

Frame Kinematics::frame(const PointReference& reference) const {
  const Frame& body = bodies[static_cast<std::size_t>(reference.body)].frame;
  const Rotation& carried =
      description_.bodies[static_cast<std::size_t>(reference.body)]
          .points[static_cast<std::size_t>(reference.point)]
          .rotation;
  Frame result = body;
  result.p_GF = point(reference);
  if (carried.kind == Rotation::Kind::none) return result;
  if (description_.spatial) {
    result.R_GF = SX::mtimes(body.R_GF, rotation(carried));
  } else {
    result.angle_GF = body.angle_GF + rotation_angle(carried);
    result.R_GF = planar_rotation(result.angle_GF);
  }
  return result;
}

}  // namespace mechfmu
