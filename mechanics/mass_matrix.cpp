// The mass matrix by Jacobians of the bodies' velocities, and by composite inertias.
#include "mass_matrix.hpp"

#include <map>
#include <utility>

#include "elements/rotations.hpp"
#include "equations/columns.hpp"
#include "equations/sharing.hpp"

namespace mechfmu {

using casadi::Slice;
using casadi::SX;

namespace {

/// Of matrices that have few entries each.
class SparseSum {
 public:
  explicit SparseSum(casadi_int size) : size_(size) {}
  void add(const SX& matrix) {
    const std::vector<casadi_int> row = matrix.sparsity().get_row(), column = matrix.sparsity().get_col();
    for (std::size_t e = 0; e < row.size(); ++e) {
      const auto [entry, is_new] = entries_.try_emplace({column[e], row[e]}, matrix.nonzeros()[e]);
      if (!is_new) entry->second += matrix.nonzeros()[e];
    }
  }
  void set(casadi_int row, casadi_int column, const casadi::SXElem& value) { entries_[{column, row}] = value; }
  SX sum() const {
    std::vector<casadi_int> rows, columns;
    std::vector<casadi::SXElem> values;
    for (const auto& [place, value] : entries_) {
      columns.push_back(place.first);
      rows.push_back(place.second);
      values.push_back(value);
    }
    if (values.empty()) return SX(size_, size_);
    return SX::sparsify(SX(casadi::Sparsity::triplet(size_, size_, rows, columns), SX(values)));
  }

 private:
  casadi_int size_;
  std::map<std::pair<casadi_int, casadi_int>, casadi::SXElem> entries_;  ///< by column and row
};

}  // namespace

SX mass_matrix_by_body_jacobians(const Kinematics& kinematics, const std::vector<MassProperties>& masses) {
  const SX& v = kinematics.symbols.v;
  SparseSum M(v.numel());
  const Places velocities(v);
  const auto slopes = [&](const SX& rate) { return velocities.jacobian(kinematics.motions->real(rate)); };
  for (std::size_t i = 1; i < masses.size(); ++i) {
    const auto& [mass, inertia] = masses[i];
    if (!is_nothing(mass)) {
      const SX J = slopes(kinematics.bodies[i].velocity);
      M.add(mass * SX::mtimes(J.T(), J));
    }
    if (!is_nothing(inertia)) {
      const SX J = slopes(kinematics.bodies[i].angular_velocity);
      M.add(SX::mtimes({J.T(), inertia, J}));
    }
  }
  return M.sum();
}

namespace {

SX turned(const SX& matrix, const SX& vector) { return SX::mtimes(matrix, vector); }

/// Axes of the ground. Planar: rotations are one number, moments too.
class Composites {
 public:
  Composites(const Kinematics& kinematics, const std::vector<MassProperties>& masses)
      : kinematics_(kinematics), tree_(kinematics.tree()), spatial_(kinematics.space() == 3), inertias_(masses.size()),
        carried_(masses.size()) {
    for (const int body : tree_.order)
      if (body > 0) carry(body, masses[static_cast<std::size_t>(body)]);
  }

  SX mass_matrix() {
    for (auto body = tree_.order.rbegin(); body != tree_.order.rend() && *body > 0; ++body) hand_inward(*body);
    SparseSum M(kinematics_.symbols.v.numel());
    for (const int body : tree_.order) {
      if (body == 0) continue;
      const Inertia& beyond = inertias_[static_cast<std::size_t>(body)];
      for (const Motion& motion : at(body).motions) {
        // Momentum of all that the joint carries, and its moment about the joint's point.
        const SX p = beyond.mass * motion.linear + cross_product(motion.angular, beyond.moment);
        SX L = moment_of(beyond.moment, motion.linear) + turned(beyond.inertia, motion.angular);
        for (int felt = body; felt > 0; felt = branch(felt).from) {
          for (const Motion& other : at(felt).motions) {
            const SX entry = SX::dot(other.linear, p) + SX::dot(other.angular, L);
            M.set(motion.velocity, other.velocity, entry.scalar());
            M.set(other.velocity, motion.velocity, entry.scalar());
          }
          if (branch(felt).from > 0) L += moment_of(at(felt).arm, p);
        }
      }
    }
    return M.sum();
  }

 private:
  /// Of one joint's coordinate: the velocity of its point, and the angular velocity, of everything beyond it.
  struct Motion {
    casadi_int velocity;
    SX linear, angular;
  };
  /// A body, and the joint that carries it.
  struct Carried {
    SX R;
    SX point;  ///< the joint's, in the body's frame
    SX arm;    ///< to the joint's point from that of the joint before
    std::vector<Motion> motions;
  };
  /// Of everything beyond a joint, about its point: mass, Σ m r, Σ m (r² − r rᵀ) + I.
  struct Inertia {
    SX mass = 0, moment = {}, inertia = {};
  };

  const Branch& branch(int body) const { return tree_.branches[static_cast<std::size_t>(body)]; }
  const Carried& at(int body) const { return carried_[static_cast<std::size_t>(body)]; }

  /// r × p: in the plane a number.
  SX moment_of(const SX& r, const SX& p) const {
    return spatial_ ? cross_product(r, p) : SX(r(0) * p(1) - r(1) * p(0));
  }
  /// Σ over both orders of what r² − r rᵀ is for one vector: of a and b.
  SX second_moment(const SX& a, const SX& b) const {
    const SX product = SX::dot(a, b);
    if (!spatial_) return product;
    return product * SX::eye(3) - (SX::mtimes(a, b.T()) + SX::mtimes(b, a.T())) / 2;
  }

  void carry(int body, const MassProperties& properties) {
    const MovingBody& moving = kinematics_.bodies[static_cast<std::size_t>(body)];
    Carried& carried = carried_[static_cast<std::size_t>(body)];
    if (branch(body).joint < 0) move_freely(moving, carried);
    else carry_by_joint(body, carried);
    const auto& [mass, inertia] = properties;
    const SX r = turned(carried.R, kinematics_.vector(moving.body->center_of_mass) - carried.point);
    const SX own = spatial_ ? SX(SX::mtimes({carried.R, inertia, carried.R.T()})) : inertia;
    inertias_[static_cast<std::size_t>(body)] = {mass, mass * r, own + mass * second_moment(r, r)};
  }

  void carry_by_joint(int body, Carried& carried) {
    const auto& [joint_index, from, reversed, depth] = branch(body);
    const MovingJoint& joint = kinematics_.joints[static_cast<std::size_t>(joint_index)];
    const std::vector<SX> real =
        kinematics_.motions->real({kinematics_.bodies[static_cast<std::size_t>(body)].frame.R, joint.motion.position});
    carried.R = real[0];
    // The joint's point is the child's, seen from the parent and from the child.
    const SX of_parent = joint.parent_point + turned(joint.parent_frame, real[1]);
    carried.point = reversed ? of_parent : joint.child_point;
    const SX R_from = from > 0 ? at(from).R : SX(SX::eye(kinematics_.space()));
    if (from > 0) carried.arm = turned(R_from, (reversed ? joint.child_point : of_parent) - at(from).point);

    const SX frame = SX::mtimes(reversed ? carried.R : R_from, joint.parent_frame);
    const SX child = SX::mtimes(reversed ? R_from : carried.R, joint.child_frame);
    const SX& v = kinematics_.symbols.v;
    const SX velocity = kinematics_.motions->real(kinematics_.motions->rate(joint.motion.position));
    const double sign = reversed ? -1 : 1;
    const casadi_int count = velocity_count(joint);
    for (casadi_int i = joint.velocity; i < joint.velocity + count; ++i) {
      const SX linear = SX::sparsify(SX::jacobian(velocity, v(i)));
      const SX angular = SX::sparsify(SX::jacobian(joint.motion.rotation_rate, v(i)));
      carried.motions.push_back({i, SX::densify(sign * turned(frame, linear)),
                                 SX::densify(sign * (spatial_ ? turned(child, angular) : angular))});
    }
  }

  /// Its mass centre along the ground's axes, and turns about its own.
  void move_freely(const MovingBody& moving, Carried& carried) {
    const casadi_int space = kinematics_.space(), turns = kinematics_.openings_of_a_joint() - space;
    carried.R = moving.frame.R;
    carried.point = kinematics_.vector(moving.body->center_of_mass);
    for (casadi_int i = 0; i < space + turns; ++i) {
      SX linear = SX::zeros(space), angular = SX::zeros(turns);
      (i < space ? linear(i) : angular(i - space)) = 1;
      carried.motions.push_back({moving.first_v + i, linear, spatial_ ? turned(carried.R, angular) : angular});
    }
  }

  /// Everything beyond a joint belongs to what is beyond the joint before, too.
  void hand_inward(int body) {
    const int from = branch(body).from;
    if (from <= 0) return;
    const Inertia& beyond = inertias_[static_cast<std::size_t>(body)];
    Inertia& sum = inertias_[static_cast<std::size_t>(from)];
    const SX& arm = at(body).arm;
    sum.mass += beyond.mass;
    sum.moment += beyond.moment + beyond.mass * arm;
    sum.inertia += beyond.inertia + second_moment(arm, 2 * beyond.moment + beyond.mass * arm);
  }

  const Kinematics& kinematics_;
  const Tree& tree_;
  const bool spatial_;
  std::vector<Inertia> inertias_;
  std::vector<Carried> carried_;
};

}  // namespace

SX mass_matrix_by_composite_inertias(const Kinematics& kinematics, const std::vector<MassProperties>& masses) {
  return Composites(kinematics, masses).mass_matrix();
}

casadi_int operations_of(const SX& mass_matrix, const Symbols& symbols) {
  const SX entries = SX::sparsify(SX::tril(mass_matrix));
  const SX column = nonzeros(entries);
  const SX rate = SX::jtimes(column, symbols.q, symbols.q_rate);
  return operations_of(symbols.all(), {column, rate});
}

}  // namespace mechfmu
