// A large C_d in factors: LU, row by row, in an order of rows and columns that was found before (choice.hpp), with the
// nonzeros that this order fills in known beforehand. What is done each time is to go through them.
#pragma once

#include "buffer.hpp"
#include "markowitz.hpp"
#include "pattern.hpp"

namespace mechfmu {

class OrderedFactors {
 public:
  /// `size`: pivots at most; 0: never used. `nonzeros`: of the whole C.
  OrderedFactors(Arena&, int size, int nonzeros);

  /// Rows and columns of C in the order of their pivots, and where each row and column of C is among them, or −1.
  struct Order {
    int count;
    const int *rows, *columns, *row_slot, *column_slot;
  };
  /// C's pattern is another.
  void forget() { arranged_ = false; }
  /// Takes on an order, if it is not the one in force. False: there is no room for what fills in.
  bool arrange(const Pattern& C, const Order&);

  /// Factors of C's part. Returns how large a pivot at the least is beside the other entries of its row of U, columns
  /// of C multiplied by their nominal sizes (nullptr: as they are): below `smallest_quality` another order should be
  /// found. 0: singular, or NaN in it.
  double factor(const Pattern& C, const double* values, const double* nominal = nullptr);
  static constexpr double smallest_quality = 1e-3;

  /// x ← C_d⁻¹ x
  void solve(double* x) const;
  /// x ← C_d^{-T} x
  void solve_transposed(double* x) const;
  /// Of L and U.
  int nonzeros() const { return begin_[size_]; }

 private:
  int size_ = 0, capacity_;
  bool arranged_ = false;
  IndexBuffer at_;          ///< columns of the factors' entries, row by row, ascending
  Buffer<dynamic> values_;  ///< L left of the diagonal, U from it on
  IndexBuffer begin_;       ///< of each row, and the end
  IndexBuffer diagonal_;
  Buffer<dynamic> reciprocals_;     ///< of the diagonal
  IndexBuffer place_;               ///< of C's nonzeros among the values, -1: not in C_d
  IndexBuffer rows_, columns_;      ///< the order in force
  IndexBuffer own_begin_, own_at_;  ///< columns of C_d's own nonzeros, row by row
  IndexBuffer next_;
  Buffer<dynamic> x_;
};

}  // namespace mechfmu
