// Accelerations and multipliers; docs/method.md, reactions.
#include "accelerations.hpp"

#include <Eigen/Dense>

#include "choice.hpp"
#include "dense.hpp"
#include "products.hpp"

namespace mechfmu {

Accelerations::Accelerations(const Mechanism& m)
    : mechanism_(m), n_(m.sizes.velocities), rows_(m.sizes.all_rows()), pivoting_(rows_, n_),
      left_pivoting_(rows_, n_), h_(n_), gamma_(rows_), C_values_(m.C_a.nonzeros), B_values_(m.B.nonzeros),
      C_(rows_ * n_), B_(rows_ * n_), M_(n_ * n_), metric_(n_), V_(n_ * n_), L_(n_ * n_), MV_(n_ * n_), K_(n_ * n_),
      C_d_(n_ * n_), B_b_(n_ * n_), particular_(n_), force_(n_), x_(n_), acceleration_(n_), multipliers_(rows_),
      C_pivot_(n_), B_pivot_(n_), K_pivot_(n_) {}
Accelerations::~Accelerations() = default;

bool Accelerations::ok() const {
  return pivoting_.ok() && left_pivoting_.ok() && h_.ok() && gamma_.ok() && C_values_.ok() && B_values_.ok() &&
         C_.ok() && B_.ok() && M_.ok() && metric_.ok() && V_.ok() && L_.ok() && MV_.ok() && K_.ok() && C_d_.ok() &&
         B_b_.ok() && particular_.ok() && force_.ok() && x_.ok() && acceleration_.ok() && multipliers_.ok() &&
         C_pivot_.ok() && B_pivot_.ok() && K_pivot_.ok();
}

bool Accelerations::solve(const Point& p, const double* M, const double* feedback, Message& message) {
  mechanism_.acceleration(p, h_.data(), gamma_.data(), C_values_.data(), B_values_.data());
  if (feedback != nullptr) dense::add(rows_, 1, feedback, gamma_.data());
  null_basis(M);
  if (!mechanism_.character.ideal && !left_basis(message)) return false;
  const double* L = mechanism_.character.ideal ? V_.data() : L_.data();

  const int k = n_ - rank_;
  for (int i = 0; i < rank_; ++i) x_[i] = -gamma_[pivoting_.row(i)];
  dense::solve(rank_, C_d_.data(), C_pivot_.data(), x_.data());
  dense::fill(n_, 0, particular_.data());
  for (int i = 0; i < rank_; ++i) particular_[pivoting_.column(i)] = x_[i];

  times_symmetric(mechanism_.M, M, particular_.data(), force_.data());
  for (int i = 0; i < n_; ++i) force_[i] = h_[i] - force_[i];
  for (int j = 0; j < k; ++j) {
    times_symmetric(mechanism_.M, M, V_.data() + j * n_, MV_.data() + j * n_);
    for (int i = 0; i < k; ++i) K_[i + j * k] = dense::dot(n_, L + i * n_, MV_.data() + j * n_);
    x_[j] = dense::dot(n_, L + j * n_, force_.data());
  }
  double scale = 0;
  for (int i = 0; i < k * k; ++i) scale = std::fmax(scale, std::fabs(K_[i]));
  const double quality = k > 0 ? dense::factor(k, K_.data(), K_pivot_.data()) / (scale > 0 ? scale : 1) : 1;
  if (!(quality > rank_tolerance)) {
    if (mechanism_.character.ideal) {
      return message.fail("The mass matrix is singular in a direction that the constraints leave free at t = %.9g s.",
                          p.time);
    }
    message.fail("The control (or friction) that is to realise");
    for (int i = 0, named = 0; i < rank_; ++i) {
      const int row = pivoting_.row(i);
      if (mechanism_.realised[row]) message.add("%s '%s'", named++ == 0 ? "" : ",", mechanism_.constraint_names[row]);
    }
    message.add(" cannot do so at t = %.9g s: no value of it gives the acceleration that is demanded. Realise the "
                "constraint by a force that acts along it, or prescribe another motion.",
                p.time);
    return false;
  }
  dense::solve(k, K_.data(), K_pivot_.data(), x_.data());
  dense::copy(n_, particular_.data(), acceleration_.data());
  for (int j = 0; j < k; ++j) dense::add(n_, x_[j], V_.data() + j * n_, acceleration_.data());

  times_symmetric(mechanism_.M, M, acceleration_.data(), force_.data());
  for (int i = 0; i < n_; ++i) force_[i] -= h_[i];  // = Bλ
  dense::fill(rows_, 0, multipliers_.data());
  if (mechanism_.character.ideal) {
    for (int i = 0; i < rank_; ++i) x_[i] = force_[pivoting_.column(i)];
    dense::solve_transposed(rank_, C_d_.data(), C_pivot_.data(), x_.data());
  } else {
    for (int i = 0; i < rank_; ++i) x_[i] = force_[left_pivoting_.column(i)];
    dense::solve(rank_, B_b_.data(), B_pivot_.data(), x_.data());
  }
  for (int i = 0; i < rank_; ++i) multipliers_[pivoting_.row(i)] = x_[i];
  return true;
}

/// Kept rows, C_d = C_a(rows, columns) factored, and V.
void Accelerations::null_basis(const double* M) {
  column_metric(mechanism_.M, M, metric_.data());
  pivoting_.take(mechanism_.C_a, C_values_.data());
  pivoting_.scale_columns(metric_.data());
  const Sizes& s = mechanism_.sizes;
  const int limit = s.acceleration_rows == 0 ? s.rank : n_;
  rank_ = pivoting_.eliminate(priorities(mechanism_, rows_), limit);
  expand(mechanism_.C_a, C_values_.data(), C_.data());
  for (int i = 0; i < rank_; ++i) {
    for (int j = 0; j < rank_; ++j) C_d_[i + j * rank_] = C_[pivoting_.row(i) + pivoting_.column(j) * rows_];
  }
  dense::factor(rank_, C_d_.data(), C_pivot_.data());
  for (int j = 0; j < n_ - rank_; ++j) {
    const int column = pivoting_.column(rank_ + j);
    double* V = V_.data() + j * n_;
    dense::fill(n_, 0, V);
    for (int i = 0; i < rank_; ++i) x_[i] = -C_[pivoting_.row(i) + column * rows_];
    dense::solve(rank_, C_d_.data(), C_pivot_.data(), x_.data());
    for (int i = 0; i < rank_; ++i) V[pivoting_.column(i)] = x_[i];
    V[column] = 1;
  }
}

/// L = [−B_b^{-T} B_eᵀ ; I] for the kept columns of B; rows b by pivoting.
bool Accelerations::left_basis(Message& message) {
  expand(mechanism_.B, B_values_.data(), B_.data());  // n × rows
  // Pivoting on Bᵀ (kept constraints as rows), coordinates measured in the inverse metric, as forces are.
  left_pivoting_.clear();
  for (int i = 0; i < rank_; ++i) {
    for (int j = 0; j < n_; ++j) left_pivoting_.set(i, j, B_[j + pivoting_.row(i) * n_] / std::sqrt(metric_[j]));
  }
  if (left_pivoting_.eliminate({nullptr, rank_}, rank_) < rank_) {
    return message.fail("The reactions' directions are dependent: two constraints are realised by the same control.");
  }
  for (int i = 0; i < rank_; ++i) {
    for (int j = 0; j < rank_; ++j) B_b_[i + j * rank_] = B_[left_pivoting_.column(i) + pivoting_.row(j) * n_];
  }
  dense::factor(rank_, B_b_.data(), B_pivot_.data());
  for (int j = 0; j < n_ - rank_; ++j) {
    const int free_row = left_pivoting_.column(rank_ + j);
    double* L = L_.data() + j * n_;
    dense::fill(n_, 0, L);
    for (int i = 0; i < rank_; ++i) x_[i] = -B_[free_row + pivoting_.row(i) * n_];
    dense::solve_transposed(rank_, B_b_.data(), B_pivot_.data(), x_.data());
    for (int i = 0; i < rank_; ++i) L[left_pivoting_.column(i)] = x_[i];
    L[free_row] = 1;
  }
  return true;
}

void Accelerations::spread_multipliers() {
  if (rank_ == rows_) return;
  Eigen::MatrixXd B(n_, rows_);
  const Eigen::Map<const Eigen::MatrixXd> C(C_.data(), rows_, n_), B_all(B_.data(), n_, rows_);
  if (mechanism_.character.ideal) B = C.transpose();
  else B = B_all;
  Eigen::Map<Eigen::VectorXd> lambda(multipliers_.data(), rows_);
  const Eigen::VectorXd force = B * lambda;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(rank_tolerance);
  decomposition.compute(B);
  lambda = decomposition.solve(force);
}

}  // namespace mechfmu
