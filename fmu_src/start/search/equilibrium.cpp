// Finds the start in equilibrium, where forces at rest do no work along any direction that is left free;
// docs/method.md.
//
//   r = Lᵀ h(q, 0) = 0          N: null space of all rows that hold at the start, fixed values among them; ideal: L = N
//   K = −Lᵀ ∂(h + A μ)/∂q N     A: directions of the reactions, μ: their sizes at q, held
// Each step moves along N and closes the constraints again. If the forces have a potential, K is its Hessian on the
// constraints: steps go down, and they leave an equilibrium that is no minimum. Otherwise they are Newton's on r = 0.
#include "equilibrium.hpp"

#include "start/algebra/decompositions.hpp"
#include "start/messages/start_messages.hpp"

namespace mechfmu {

namespace {

/// Holds the forces at rest, and how they act along what is left free.
struct Balance {
  MatrixXd N, L;  ///< N is orthonormal in the metric
  VectorXd h, mu;
  VectorXd r;
  double scale;      ///< size that r is compared with
  double stiffness;  ///< makes forces of that size along a coordinate's nominal size
};

class Equilibrium {
 public:
  explicit Equilibrium(RoundedLoops& rows)
      : w_(rows), n_(rows.s.velocities), rest_(VectorXd::Zero(n_)), gamma_(rows.s.all_rows()),
        C_a_(rows.mechanism.C_a.nonzeros), B_values_(rows.mechanism.B.nonzeros), loads_(VectorXd::Zero(rows.s.loads)) {}

  bool find(const VectorXd& guess, VectorXd& q, Message& message) {
    guess_ = guess;
    NewtonSteps steps(newton_rules::onto_equilibrium);
    int falls = 0;
    for (int iteration = 0; iteration < 300; ++iteration) {
      const Balance at = balance(q);
      if (at.N.cols() == 0) return true;
      for (int j = 0; j < n_; ++j) {
        if (!is_finite(at.h[j])) {
          return message.fail("The force on '%s' is not a number where the start is to be in equilibrium.",
                              w_.mechanism.velocity_names[j]);
        }
      }
      const Step step = choose(q, at);
      const double size = w_.size_of(step.move, q);
      steps.take(size);
      if (steps.ended()) {
        if (!step.fall.size() || ++falls > 10) return true;
        const double fall = w_.size_of(step.fall, q);
        if (!advance(0.1 / fall * step.fall, q)) return true;
        steps.forget();
        continue;
      }
      if (!improve(at, step, size, q)) {
        if (size < rounded_equilibrium) return true;  // rounding does not let forces be told apart any further
        return fail(step.move, q, message);
      }
      if (w_.difference_from(guess_, q).cwiseQuotient(w_.scales(guess_)).cwiseAbs().maxCoeff() > farthest_from_guess) {
        return fail(step.move, q, message);
      }
    }
    return fail(choose(q, balance(q)).move, q, message);
  }

  /// Returns what acts at q.
  Balance balance(const VectorXd& q) {
    const bool* fixed = w_.mechanism.position_fixed;
    if (w_.shares()) w_.share_rows(q, w_.s.position_rank);
    Balance at;
    at.h = forces(q);
    const MatrixXd A = actions(q);
    at.N = at.L = free_moves(q);
    at.mu = VectorXd::Zero(A.cols());
    if (at.N.cols() == 0) return at;
    const MatrixXd G = w_.metric().dense();
    const auto orthonormal = [&](const MatrixXd& V) -> MatrixXd {
      return Cholesky(V.transpose() * G * V).solve_L(V.transpose()).transpose();
    };
    at.N = orthonormal(at.N);
    at.L = at.N;
    if (!w_.mechanism.character.ideal) {
      const MatrixXd L = null_space(A.transpose(), fixed);
      if (L.cols() == at.N.cols()) at.L = orthonormal(L);
    }
    at.r = at.L.transpose() * at.h;
    MatrixXd free_part = A;
    VectorXd free_force = at.h;
    for (int j = 0; fixed && j < n_; ++j) {
      if (!fixed[j]) continue;
      free_part.row(j).setZero();
      free_force[j] = 0;
    }
    if (A.cols() > 0) {
      const VectorXd weights =
          free_part.colwise().norm().unaryExpr([](double length) { return length > 0 ? 1 / length : 1; });
      free_part *= weights.asDiagonal();
      at.mu = -weights.cwiseProduct(solve_least_squares(free_part, free_force));
    }
    at.scale = std::sqrt(at.h.dot(Cholesky(G).solve(at.h)));  // this would be r if nothing were held
    const VectorXd nominal = w_.in_units(VectorXd::Map(w_.mechanism.nominal, n_));
    at.stiffness = at.scale / nominal.cwiseProduct(VectorXd(G.diagonal().cwiseSqrt())).maxCoeff();
    return at;
  }

 private:
  struct Step {
    VectorXd move;
    VectorXd fall;  ///< direction of falling potential where `move` ends, empty if there is none
    bool downward;  ///< is true if the forces have a potential
  };

  /// Returns h at rest, as what it does along moves. It leaves the values of B behind.
  VectorXd forces(const VectorXd& q) {
    Point& p = w_.point;
    p.q = q.data();
    p.v = rest_.data();
    p.loads = loads_.data();
    VectorXd h(n_);
    w_.mechanism.acceleration(p, h.data(), gamma_.data(), C_a_.data(), B_values_.data());
    return w_.in_SI(h);  // forces go into moves' units as moves go into those of SI
  }

  /// Returns all rows that hold: those of positions, of the start and of velocities.
  MatrixXd rows(const VectorXd& q) {
    w_.matrices(q);
    const MatrixXd J = w_.position_slopes(q, StartEquations::at_start).dense();
    Entries of_velocities(w_.s.velocity_rows, n_, w_.s.C_nonzeros);
    w_.add_constraints(w_.s.position_rows, w_.s.velocity_rows, of_velocities);
    MatrixXd result(J.rows() + w_.s.velocity_rows, n_);
    result << J, of_velocities.dense();
    return result;
  }

  /// Returns the moves that keep these rows, orthonormal or not.
  MatrixXd free_moves(const VectorXd& q) {
    const MatrixXd J = rows(q);
    if (!w_.fold.found) return null_space(J, w_.mechanism.position_fixed);
    DeadPoints::Fold here;
    VectorXd place = q;
    w_.deflate(vanishing, place, here);
    if (here.directions.cols() == 0) return MatrixXd(n_, 0);
    return here.directions * null_space(J.bottomRows(w_.s.velocity_rows) * here.directions, nullptr);
  }

  /// Returns the directions of reactions, after forces(q), and of what holds start values.
  MatrixXd actions(const VectorXd& q) {
    const MatrixXd J = rows(q);
    if (w_.mechanism.character.ideal) return J.transpose();
    MatrixXd B(n_, w_.s.all_rows()), result(n_, J.rows());
    expand(w_.mechanism.B, B_values_.data(), B.data());
    B = w_.unit.asDiagonal() * B;
    if (w_.shares()) B.leftCols(w_.s.position_rows) *= w_.sharing.transpose();
    result << B.leftCols(w_.s.rows()), J.middleRows(w_.s.position_rows, w_.s.start_position_rows).transpose();
    return result;
  }

  /// Returns h + A μ at q, where μ has the reactions' sizes of another place.
  VectorXd total(const VectorXd& q, const VectorXd& mu) {
    const VectorXd h = forces(q);
    return h + actions(q) * mu;
  }

  MatrixXd stiffness(const VectorXd& q, const Balance& at) {
    MatrixXd K(at.L.cols(), at.N.cols());
    for (int j = 0; j < at.N.cols(); ++j) {
      const VectorXd direction = at.N.col(j);
      const double epsilon = central_difference / w_.size_of(direction, q);
      const VectorXd change =
          total(w_.moved(q, epsilon * direction), at.mu) - total(w_.moved(q, -epsilon * direction), at.mu);
      K.col(j) = -at.L.transpose() * change / (2 * epsilon);
    }
    // Rotations about different axes do not commute. So second derivatives of a potential have a part that is not
    // symmetric.
    const VectorXd torque = at.h + actions(q) * at.mu;
    MatrixXd commutator = MatrixXd::Zero(n_, n_);
    for (int k = 0; k < w_.s.quaternions; ++k) {
      const int j = w_.mechanism.quaternions[k].velocity;
      const Eigen::Vector3d t = torque.segment<3>(j);
      commutator.block<3, 3>(j, j) << 0, t[2], -t[1], -t[2], 0, t[0], t[1], -t[0], 0;
    }
    return K - 0.5 * at.L.transpose() * commutator * at.N;
  }

  Step choose(const VectorXd& q, const Balance& at) {
    const MatrixXd K = stiffness(q, at);
    Step step;
    step.downward = w_.mechanism.character.ideal &&
                    (K - K.transpose()).norm() <= asymmetry * K.norm() + little_stiffness * at.stiffness;
    if (!step.downward) {
      step.move = at.N * solve_least_squares(K, at.r, rank_tolerance).x;
      return step;
    }
    const Eigenvalues eigen(0.5 * (K + K.transpose()));
    const VectorXd& values = eigen.values;
    const double floor = smallest_stiffness * values.cwiseAbs().maxCoeff() + no_stiffness * at.stiffness;
    VectorXd z = eigen.vectors.transpose() * at.r;
    for (int j = 0; j < z.size(); ++j) {
      const bool loose = !(std::fabs(values[j]) > floor);
      if (loose && std::fabs(z[j]) <= no_push * at.scale) z[j] = 0;  // nothing pushes and nothing holds, so it stays
      else z[j] /= loose ? floor : std::fabs(values[j]);
      if (!is_finite(z[j])) z[j] = 0;
    }
    step.move = at.N * (eigen.vectors * z);
    if (values[0] < -floor - little_stiffness * at.stiffness) step.fall = at.N * eigen.vectors.col(0);
    return step;
  }

  bool advance(const VectorXd& move, VectorXd& q) {
    w_.matrices(q);
    VectorXd trial = w_.moved(q, move);
    DeadPoints::Fold there;
    const bool closed =
        w_.fold.found ? w_.deflate(vanishing, trial, there)
        : w_.shares() ? w_.close_shared(w_.metric(), StartEquations::at_start, w_.s.position_rank, trial)
                      : w_.close(w_.metric(), StartEquations::at_start, trial);
    if (closed) q = trial;
    return closed;
  }

  /// Makes the step, or the part of it that leads forward: forces do work along it, or become smaller.
  bool improve(const Balance& at, const Step& step, double size, VectorXd& q) {
    double part = size > largest_move ? largest_move / size : 1;
    for (int halving = 0; halving < 40; ++halving, part /= 2) {
      VectorXd trial = q;
      if (!advance(part * step.move, trial)) continue;
      bool better;
      if (size < unjudged_step) {
        better = true;  // the work of forces along so short a step is lost in rounding
      } else if (step.downward) {
        const VectorXd d = w_.difference_from(q, trial), h = at.h + forces(trial);
        better = h.dot(d) > -rounding_of_work * h.cwiseAbs().dot(d.cwiseAbs());
      } else {
        better = balance(trial).r.norm() <= (1 - enough_descent * part) * at.r.norm();
      }
      if (better) {
        q = trial;
        return true;
      }
    }
    return false;
  }

  bool fail(const VectorXd& move, const VectorXd& q, Message& message) const {
    int worst = 0;
    move.cwiseAbs().cwiseQuotient(w_.scales(guess_)).maxCoeff(&worst);
    message.fail("No equilibrium was found: nothing holds ");
    StartMessages(w_).tell(worst, false, guess_, q, message);
    message.add(
        ". Give it a spring or a stop, let it start fixed (fixed = true), or start nearer to where it is held.");
    return false;
  }

  RoundedLoops& w_;
  int n_;
  VectorXd guess_, rest_, gamma_, C_a_, B_values_, loads_;
};

}  // namespace

bool move_to_equilibrium(RoundedLoops& rows, const VectorXd& guess, VectorXd& q, Message& message) {
  return Equilibrium(rows).find(guess, q, message);
}

void equilibrium_at(RoundedLoops& rows, const VectorXd& q, MatrixXd& N, MatrixXd& L, VectorXd& mu) {
  const Balance at = Equilibrium(rows).balance(q);
  N = at.N;
  L = at.L;
  mu = at.mu;
}

}  // namespace mechfmu
