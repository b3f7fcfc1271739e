// This class is common to the methods without sparse factors: it keeps rows of C_a by pivoting, dense and
// factored.
//
//   C_a V = 0, Lᵀ B = 0; ideal: L = V
//   λ = B_b⁻¹ force_b                          b: rows of B by pivoting; ideal: B_b = C_dᵀ
#pragma once

#include "linear/pivoting.hpp"
#include "response.hpp"

namespace mechfmu {

class KeptRows : public Response {
 public:
  KeptRows(Arena&, const Mechanism&);
  int row(int i) const override { return pivoting_.row(i); }
  void multipliers(const double* force, double* multipliers) override;
  void preimage(const double* multipliers, double* z) override;

 protected:
  ~KeptRows() = default;
  /// Keeps rows, factors C_d and B_b, and finds the columns of V and of L with them. Returns false if it cannot, and
  /// the message says why.
  bool keep_rows(const Matrices&, Message&);
  ColumnsView<> left() const { return mechanism_.character.ideal ? V_ : L_; }

  const Mechanism& mechanism_;
  int n_, rows_;
  Pivoting pivoting_;
  /// C_ is rows × n, B_ is n × rows. C_d_ has the factors of C_d, rank × rank. V_ and L_ have n − rank columns. B_ and
  /// L_ are empty if all constraints are ideal.
  RunTimeColumns C_, B_, C_d_, V_, L_;
  Buffer<dynamic> x_;
  IndexBuffer C_pivot_;

 private:
  void null_basis(const Matrices&);
  bool left_basis(const double* B, Message&);
  int acting_row(int i) const { return mechanism_.character.ideal ? pivoting_.column(i) : left_pivoting_.column(i); }

  Pivoting left_pivoting_;
  RunTimeColumns B_b_;                ///< factors of B_b, rank × rank, unless all constraints are ideal
  Buffer<dynamic> metric_, weights_;  ///< metric of C_a's columns; weights by which rows are compared in pivoting
  IndexBuffer B_pivot_;
};

}  // namespace mechfmu
