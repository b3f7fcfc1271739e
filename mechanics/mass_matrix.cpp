// Makes the mass matrix by Jacobians of the bodies' velocities, and by composite inertias.
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

/// Sums matrices that have few entries each.
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
  std::map<std::pair<casadi_int, casadi_int>, casadi::SXElem> entries_;  ///< has column and row as key
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
      const SX J = slopes(kinematics.bodies[i].v_GM);
      M.add(mass * SX::mtimes(J.T(), J));
    }
    if (!is_nothing(inertia)) {
      const SX J = slopes(kinematics.bodies[i].w_GB_B);
      M.add(SX::mtimes({J.T(), inertia, J}));
    }
  }
  return M.sum();
}

namespace {

/// Sums composite inertias in the axes of the ground. In the plane, rotations and moments are one number.
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
      for (const Twist& twist : at(body).twists) {
        // They are the momentum of all bodies that the joint carries, and its moment about the joint's point.
        const SX p = beyond.mass * twist.linear + cross_product(twist.angular, beyond.moment);
        SX L = moment_of(beyond.moment, twist.linear) + SX::mtimes(beyond.inertia, twist.angular);
        for (int felt = body; felt > 0; felt = branch(felt).from) {
          for (const Twist& other : at(felt).twists) {
            const SX entry = SX::dot(other.linear, p) + SX::dot(other.angular, L);
            M.set(twist.velocity, other.velocity, entry.scalar());
            M.set(other.velocity, twist.velocity, entry.scalar());
          }
          if (branch(felt).from > 0) L += moment_of(at(felt).arm, p);
        }
      }
    }
    return M.sum();
  }

 private:
  /// Is what one coordinate of a joint gives to all bodies beyond for a rate of 1: the velocity of the joint's point Q,
  /// and the angular velocity.
  struct Twist {
    casadi_int velocity;
    SX linear, angular;
  };
  /// Is a body with the joint that carries it at the point Q.
  struct Carried {
    SX R_GB;
    SX p_BQ;  ///< joint's point Q
    SX arm;   ///< vector from the point Q of the joint before to this one, in the ground's axes
    std::vector<Twist> twists;
  };
  /// Holds mass, Σ m r and Σ m (r² − r rᵀ) + I of everything beyond a joint, about its point Q.
  struct Inertia {
    SX mass = 0, moment = {}, inertia = {};
  };

  const Branch& branch(int body) const { return tree_.branches[static_cast<std::size_t>(body)]; }
  const Carried& at(int body) const { return carried_[static_cast<std::size_t>(body)]; }

  /// Returns r × p; in the plane it is a number.
  SX moment_of(const SX& r, const SX& p) const {
    return spatial_ ? cross_product(r, p) : SX(r(0) * p(1) - r(1) * p(0));
  }
  /// Returns the symmetric form in a and b that is r² − r rᵀ for a = b = r.
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
    const SX p_QM_G = turned(carried.R_GB, kinematics_.vector(moving.body->center_of_mass) - carried.p_BQ);
    const SX own = spatial_ ? SX(SX::mtimes({carried.R_GB, inertia, carried.R_GB.T()})) : inertia;
    inertias_[static_cast<std::size_t>(body)] = {mass, mass * p_QM_G, own + mass * second_moment(p_QM_G, p_QM_G)};
  }

  void carry_by_joint(int body, Carried& carried) {
    const auto& [joint_index, from, reversed, depth] = branch(body);
    const MovingJoint& joint = kinematics_.joints[static_cast<std::size_t>(joint_index)];
    const std::vector<SX> real = kinematics_.motions->real(
        {kinematics_.bodies[static_cast<std::size_t>(body)].frame.R_GF, joint.motion.position});
    carried.R_GB = real[0];
    // The joint's point Q is the child's point K, seen from the parent or from the child.
    const SX p_PK = joint.p_PJ + turned(joint.R_PJ, real[1]);
    carried.p_BQ = reversed ? p_PK : joint.p_CK;
    const SX R_GF = from > 0 ? at(from).R_GB : SX(SX::eye(kinematics_.space()));
    if (from > 0) carried.arm = turned(R_GF, (reversed ? joint.p_CK : p_PK) - at(from).p_BQ);

    const SX R_GJ = SX::mtimes(reversed ? carried.R_GB : R_GF, joint.R_PJ);
    const SX R_GK = SX::mtimes(reversed ? R_GF : carried.R_GB, joint.R_CK);
    const SX& v = kinematics_.symbols.v;
    const SX velocity = kinematics_.motions->real(kinematics_.motions->rate(joint.motion.position));
    const double sign = reversed ? -1 : 1;
    const casadi_int count = velocity_count(joint);
    for (casadi_int i = joint.velocity; i < joint.velocity + count; ++i) {
      const SX linear = SX::sparsify(SX::jacobian(velocity, v(i)));
      const SX angular = SX::sparsify(SX::jacobian(joint.motion.rotation_rate, v(i)));
      carried.twists.push_back({i, SX::densify(sign * turned(R_GJ, linear)),
                                SX::densify(sign * (spatial_ ? turned(R_GK, angular) : angular))});
    }
  }

  /// Lets the mass centre move along the ground's axes, and the body turn about its own.
  void move_freely(const MovingBody& moving, Carried& carried) {
    const casadi_int space = kinematics_.space(), turns = kinematics_.openings_of_a_joint() - space;
    carried.R_GB = moving.frame.R_GF;
    carried.p_BQ = kinematics_.vector(moving.body->center_of_mass);
    for (casadi_int i = 0; i < space + turns; ++i) {
      SX linear = SX::zeros(space), angular = SX::zeros(turns);
      (i < space ? linear(i) : angular(i - space)) = 1;
      carried.twists.push_back({moving.first_v + i, linear, spatial_ ? turned(carried.R_GB, angular) : angular});
    }
  }

  /// Adds everything beyond a joint to what is beyond the joint before.
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
