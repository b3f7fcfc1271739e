// This class computes the LU factors of a sparse C_d, row by row. The order of rows and columns was found before
// (choice.hpp), so that the nonzeros that this order fills in are known, too. Each factorisation only goes through
// them.
#pragma once

#include "buffer.hpp"
#include "markowitz.hpp"
#include "pattern.hpp"

namespace mechfmu {

class OrderedFactors {
 public:
  /// There are at most `size` pivots; `size` is 0 if the factors are never used. `nonzeros` counts those of the whole
  /// C.
  OrderedFactors(Arena&, int size, int nonzeros);

  /// An order lists rows and columns of C in the order of their pivots, and says where each row and column of C is
  /// among them, or −1.
  struct Order {
    int count;
    const int *rows, *columns, *row_slot, *column_slot;
  };
  /// Forgets the order, because C's pattern is another.
  void forget() { arranged_ = false; }
  /// Takes on an order, if it is not the one in force. Returns false if there is no room for what fills in.
  bool arrange(const Pattern& C, const Order&);

  /// Factors C's part. Returns how large a pivot at the least is beside the other entries of its row of U, with columns
  /// of C multiplied by their nominal sizes (if it is nullptr, they stay as they are): below `renewed_quality` another
  /// order should be found. Returns 0 if the part is singular or NaN is in it.
  double factor(const Pattern& C, const double* values, const double* nominal = nullptr);

  /// Solves x ← C_d⁻¹ x.
  void solve(double* x) const;
  /// Solves x ← C_d^{-T} x.
  void solve_transposed(double* x) const;
  /// Returns the number of nonzeros of L and U.
  int nonzeros() const { return begin_[size_]; }

 private:
  int size_ = 0, capacity_;
  bool arranged_ = false;
  IndexBuffer at_;                  ///< columns of the factors' entries, row by row, ascending
  Buffer<dynamic> values_;          ///< L left of the diagonal, U from it on
  IndexBuffer begin_;               ///< places where each row begins, and the end
  IndexBuffer diagonal_;            ///< place of each row's diagonal entry
  Buffer<dynamic> reciprocals_;     ///< reciprocals of the diagonal
  IndexBuffer place_;               ///< places of C's nonzeros among the values; -1 if they are not in C_d
  IndexBuffer rows_, columns_;      ///< the order in force
  IndexBuffer own_begin_, own_at_;  ///< columns of C_d's own nonzeros, row by row
  IndexBuffer next_;                ///< arrange() lists a row's columns here: the column that follows each
  Buffer<dynamic> x_;               ///< the row that factor() is at, by column
};

}  // namespace mechfmu
