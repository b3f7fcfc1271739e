// Accelerations and multipliers at one consistent state, for any constraints: ideal or not, redundant or not, given at
// position, velocity or acceleration level. Sizes at run time; no allocation after construction.
//
//   M v̇ = h + B λ,  C_a v̇ + γ = 0
//   v̇ = a_p + V (Lᵀ M V)⁻¹ Lᵀ (h − M a_p)      C_a V = 0, Lᵀ B = 0; ideal: L = V
//   λ = B_b⁻¹ (M v̇ − h)_b                       b: rows of B by pivoting; dropped constraints have λ = 0
#pragma once

#include "mechanism.hpp"
#include "message.hpp"
#include "pivoting.hpp"

namespace mechfmu {

class Accelerations {
 public:
  explicit Accelerations(const Mechanism&);
  ~Accelerations();
  bool ok() const;

  /// At p.time, p.q, p.v with the mass matrix there. `feedback`, if given, is added to γ: one number a row.
  bool solve(const Point& p, const double* M, const double* feedback, Message&);
  const double* acceleration() const { return acceleration_.data(); }
  /// λ of the kept rows; the dropped ones are 0.
  const double* multipliers() const { return multipliers_.data(); }

  /// Replaces λ by the one of least Euclidean norm that gives the same Bλ, where rows were dropped. (This allocates.)
  void spread_multipliers();

 private:
  void null_basis(const double* M);
  bool left_basis(Message&);

  const Mechanism& mechanism_;
  int n_, rows_, rank_ = 0;
  Pivoting pivoting_, left_pivoting_;
  Buffer<dynamic> h_, gamma_, C_values_, B_values_, C_, B_, M_, metric_;
  Buffer<dynamic> V_, L_, MV_, K_, C_d_, B_b_, particular_, force_, x_;
  Buffer<dynamic> acceleration_, multipliers_;
  IndexBuffer C_pivot_, B_pivot_, K_pivot_;
};

}  // namespace mechfmu
