// "null_space_block" is the block factorisation of the null space method (Pennestrì and Valentini 2007). The
// coordinates are in the order dependent, independent, Ψ = C = L [R_1 R_2] (here by complete pivoting), and B = Cᵀ:
//
//   [ M_11 M_12 Ψ_1ᵀ ]   [ I            0  M_11 R_1⁻¹ ] [ 0    M̃_12 L̃^{-T}  R_1ᵀ ] [ I  0   0  ]
//   [ M_21 M_22 Ψ_2ᵀ ] = [ R_2ᵀR_1^{-T} I  M_21 R_1⁻¹ ] [ 0    L̃            0    ] [ 0  L̃ᵀ 0  ]
//   [ Ψ_1  Ψ_2  0    ]   [ 0            0  L          ] [ R_1  R_2 L̃^{-T}   0    ] [ 0  0   Lᵀ ]
//   M̃_12 = M_12 − M_11 R_1⁻¹R_2,   L̃ L̃ᵀ = M_22 − M_21 R_1⁻¹R_2 − R_2ᵀR_1^{-T} M̃_12
// The paper prints R_2 L̃ᵀ for R_2 L̃^{-T}. L̃ L̃ᵀ is the mass matrix on the tangent space, and M need be regular there
// only.
#pragma once

#include "linear/full_pivoting.hpp"
#include "saddle_solver.hpp"

namespace mechfmu {

template <class Model>
class NullSpaceBlockSolver final : public SaddleSolver {
 public:
  static constexpr const char* name = "null_space_block";
  static constexpr bool needs_regular_M = false;
  static constexpr bool needs_ideal = true;
  using F = Fixed<Model>;

  NullSpaceBlockSolver(Arena& arena, const Model& model)
      : model_(model), C_(arena, most_rows(), n()), M_(arena, n(), n()), S_(arena, n(), n()), L_(arena, n(), n()),
        z_(arena, n()), x_(arena, n()) {}

  bool factor(int rows, const double* M_values, const double* A, const double*) override {
    rows_ = rows;
    return rows <= n() && with_rows<Model>(rows, [&](auto r) {
             if (!C_.factor(r, {A, n()})) return false;
             const int n = this->n(), k = n - r;
             const ColumnsView<F::n> M(M_values, n);
             const auto S = S_.packed(r), L = L_.packed(k);
             for (int j = 0; j < n; ++j) {
               for (int i = 0; i < n; ++i) M_(i, j) = M(C_.column(i), C_.column(j));
             }
             for (int j = 0; j < k; ++j) {  // S = R_1⁻¹ R_2, M̃_12 and M̃_22
               double *s = S.column(j), *column = M_.column(r + j);
               for (int i = 0; i < r; ++i) s[i] = C_.R_2(i, j);
               C_.solve_R_1(s);
               for (int i = 0; i < r; ++i) dense::add(n, -s[i], M_.column(i), column);
             }
             for (int j = 0; j < k; ++j) {
               for (int i = 0; i < k; ++i) {
                 const double* column = M_.column(r + j);
                 L(i, j) = column[r + i] - dense::dot(r, S.column(i), column);
               }
             }
             return dense::factor_downward(k, L.data());
           });
  }

  void solve(const double* h, const double* gamma, double* acceleration, double* multipliers) override {
    with_rows<Model>(rows_, [&](auto r) { solve_rows(r, h, gamma, acceleration, multipliers); });
  }

 private:
  int n() const { return model_.sizes().velocities; }
  int most_rows() const { return model_.sizes().all_rows() < n() ? model_.sizes().all_rows() : n(); }

  template <class Rows>
  void solve_rows(Rows r, const double* h, const double* gamma, double* acceleration, double* multipliers) {
    const int n = this->n(), k = n - r;
    const auto S = S_.packed(r);
    double *z_1 = z_.data(), *z_2 = z_1 + r, *w = x_.data();
    for (int i = 0; i < r; ++i) w[i] = gamma != nullptr ? -gamma[C_.row(i)] : 0;
    C_.solve_L(w);
    C_.solve_R_1(w);  // the first factor is solved for z_1, z_2 and R_1⁻¹ z_3
    for (int i = 0; i < n; ++i) z_[i] = h != nullptr ? h[C_.column(i)] : 0;
    for (int j = 0; j < r; ++j) dense::add(n, -w[j], M_.column(j), z_1);
    for (int i = 0; i < k; ++i) z_2[i] -= dense::dot(r, S.column(i), z_1);
    dense::solve_downward(k, L_.data(), z_2);  // v̇_2
    for (int j = 0; j < k; ++j) {
      dense::add(r, -z_2[j], M_.column(r + j), z_1);
      dense::add(r, -z_2[j], S.column(j), w);
    }
    for (int i = 0; i < r; ++i) acceleration[C_.column(i)] = w[i];
    for (int i = 0; i < k; ++i) acceleration[C_.column(r + i)] = z_2[i];
    C_.solve_R_1_transposed(z_1);
    C_.solve_L_transposed(z_1);
    for (int i = 0; i < r; ++i) multipliers[C_.row(i)] = -z_1[i];  // the review's λ is the opposite
  }

  Model model_;
  int rows_ = 0;
  FullPivoting<dynamic, F::n> C_;
  /// M_ has M in the order of C_'s columns. Its last k columns then become M̃_12 and the beginning of M̃_22.
  Columns<F::n, F::n> M_, S_, L_;
  Buffer<F::n> z_, x_;
};

}  // namespace mechfmu
