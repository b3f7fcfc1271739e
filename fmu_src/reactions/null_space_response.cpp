// This file finds accelerations by null spaces on both sides.
#include "null_space_response.hpp"

#include <cmath>

#include "linear/dense.hpp"
#include "linear/powers_of_two.hpp"
#include "linear/products.hpp"

namespace mechfmu {

NullSpaceResponse::NullSpaceResponse(Arena& arena, const Mechanism& m)
    : KeptRows(arena, m), MV_(arena, n_, n_), K_(arena, n_, n_), force_(arena, n_), K_pivot_(arena, n_) {}

bool NullSpaceResponse::factor(const Matrices& given, double time, Message& message) {
  M_ = given.M;
  return keep_rows(given, message) && factor_inertia(time, message);
}

/// Factors LᵀMV. Entries of a light body are small beside those of a heavy one, and an angle's beside a length's: so
/// vectors of V get about the size one in M, and those of L make rows of this size. The entries are sums whose terms
/// may cancel: pivots are compared with these terms.
bool NullSpaceResponse::factor_inertia(double time, Message& message) {
  const int k = n_ - rank_;
  const auto scale = [this](double* column, double size) {
    for (int i = 0; i < n_; ++i) column[i] /= size;
  };
  const auto terms = [this](const double* a, const double* b) {
    double sum = 0;
    for (int i = 0; i < n_; ++i) sum += std::fabs(a[i] * b[i]);
    return sum;
  };
  for (int j = 0; j < k; ++j) {
    double *V = V_.column(j), *MV = MV_.column(j);
    times_symmetric(mechanism_.M, M_, V, MV);
    const double size = power_of_two(std::sqrt(terms(V, MV)));
    scale(V, size);
    scale(MV, size);
  }
  const auto K = K_.packed(k);
  dense::fill(k, 0, x_.data());
  for (int i = 0; i < k; ++i) {
    double size = 0;
    for (int j = 0; j < k; ++j) size = std::fmax(size, terms(left().column(i), MV_.column(j)));
    if (!mechanism_.character.ideal) scale(L_.column(i), power_of_two(size));
    for (int j = 0; j < k; ++j) {
      const double *L = left().column(i), *MV = MV_.column(j);
      K(i, j) = dense::dot(n_, L, MV);
      x_[j] = std::fmax(x_[j], terms(L, MV));
    }
  }
  return dense::factor_judged(k, K.data(), K_pivot_.data(), x_.data()) > singular_inertia * k ||
         fail_inertia(mechanism_, *this, time, message);
}

void NullSpaceResponse::respond(const double* h, const double* gamma, double* acceleration, double* multipliers) {
  const int k = n_ - rank_;
  dense::fill(n_, 0, acceleration);
  if (gamma != nullptr) {  // computes a_p
    for (int i = 0; i < rank_; ++i) x_[i] = -gamma[pivoting_.row(i)];
    dense::solve(rank_, C_d_.data(), C_pivot_.data(), x_.data());
    for (int i = 0; i < rank_; ++i) acceleration[pivoting_.column(i)] = x_[i];
  }
  times_symmetric(mechanism_.M, M_, acceleration, force_.data());
  for (int i = 0; i < n_; ++i) force_[i] = h[i] - force_[i];
  for (int j = 0; j < k; ++j) x_[j] = dense::dot(n_, left().column(j), force_.data());
  dense::solve(k, K_.data(), K_pivot_.data(), x_.data());
  for (int j = 0; j < k; ++j) dense::add(n_, x_[j], V_.column(j), acceleration);

  times_symmetric(mechanism_.M, M_, acceleration, force_.data());
  for (int i = 0; i < n_; ++i) force_[i] -= h[i];  // this is Bλ
  KeptRows::multipliers(force_.data(), multipliers);
}

}  // namespace mechfmu
