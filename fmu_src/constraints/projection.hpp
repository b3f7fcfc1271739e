// Projects onto the position constraints alone, orthogonally in M: Blajer 1993, (4.5a), by full Newton steps with rows
// and pivots of its own. It serves where velocity constraints take part in the tangent basis (they must not take part
// in the projection) and after a change of parameters. One step of it also serves velocities, with all rows of C. Sizes
// are known at run time.
#pragma once

#include "constraints/tangent_bases/partitioned.hpp"
#include "constraints/tangent_bases/shared_basis.hpp"
#include "linear/tolerances.hpp"
#include "mechanism/model.hpp"
#include "mechanism/position_rates.hpp"

namespace mechfmu {

class Projection {
 public:
  enum class Rows { positions, all };
  Projection(Arena&, const Mechanism&, Rows = Rows::positions);

  /// Moves q onto f_p = 0 at p.time with p.parameters, after prepare(): Δq = A (p − V_p S⁻¹ V_pᵀ M p) with p = [−C_d⁻¹
  /// f ; 0]. It overwrites p.work. If it returns false, the message says which constraint stays open.
  bool correct(Point p, double* q, Message&);

  /// Sets whether dropped rows are closed with the kept ones by least squares (shared_rows.hpp).
  void share_rows(bool share) { basis_.share_rows(share); }
  /// Sets how much dependent rows may leave open without trouble, relative to what the coordinates' sizes make of a
  /// row. Only messages use it.
  void accept_gap(double closure_tolerance) { gap_ = closure_tolerance; }

  /// Finds Δ for given values of the rows at a configuration with its M and C. It has C Δ = −f and is the smallest in
  /// M: this is the correction of one Newton step. Returns false if the rows are singular.
  bool step(const double* M, const double* C, const double* f, double* delta);

  /// Finds Δ with the factors of the last step(). It has C Δ = −f, and a force pulls it along what the rows leave free:
  /// M Δ + Cᵀ ν = force. f = nullptr stands for 0.
  void respond(const double* M, const double* f, const double* force, double* delta);
  /// Finds ν with Cᵀ ν = force by the factors of the last step(). It is 0 for dropped rows.
  void multipliers(const double* force, double* nu) const { basis_.multipliers(force, nu); }

 private:
  bool fail_open(const Point& p, Message&);
  static Mechanism with_rows(const Mechanism&, Rows, IndexBuffer& row, IndexBuffer& column, IndexBuffer& entry);
  void particular(const double* f, double* delta);

  const Mechanism& full_;
  IndexBuffer row_, column_, entry_;  ///< rows of C that take part: pattern, and place among C's nonzeros
  Mechanism mechanism_;
  RunTimeModel model_;
  Choice choice_;
  SharedBasis<RunTimeModel, PartitionedBasis<RunTimeModel>> basis_;
  double gap_ = 0;
  Buffer<dynamic> M_, C_, c_t_, C_p_, f_, f_scale_, kept_, delta_, metric_, force_;
};

/// Finds for each f_p what the scales of its coordinates make of it.
template <class Model>
inline void row_scales(const Model& model, const double* C, int rows, const double* q, double* scale) {
  const Pattern& pattern = model.C();
  dense::fill(rows, 0, scale);
  for (int e = 0; e < pattern.nonzeros; ++e) {
    const int row = pattern.row[e];
    if (row < rows) scale[row] += std::fabs(C[e]) * scale_of(model, q, pattern.column[e]);
  }
}

/// Finds the nominal sizes of ∫f_p. They are those of f_p in that time, the largest of the rows with the same unit,
/// since one row may say nothing. The size of a number or an angle is 1 at least.
template <class Model>
inline void integral_sizes(const Model& model, const Mechanism& mechanism, double time, const double* C,
                           const double* q, double* sizes) {
  const int* same_unit = mechanism.same_unit;
  const int rows = model.sizes().position_rows;
  row_scales(model, C, rows, q, sizes);
  for (int i = 0; i < rows; ++i)
    dense::raise(sizes[same_unit[i]], mechanism.bare[i] ? std::fmax(sizes[i], 1) : sizes[i]);
  for (int i = 0; i < rows; ++i) sizes[i] = same_unit[i] < i ? sizes[same_unit[i]] : sizes[i] * time;
}

/// Raises `largest` to the errors e of ∫f_p, divided by these sizes and |∫f_p|.
template <class Model>
inline void judge_integral(const Model& model, const double* e, const double* integral, const double* sizes,
                           LargestError& largest) {
  for (int i = 0; i < model.sizes().position_rows; ++i) {
    largest.raise(std::fabs(e[i]) / (sizes[i] + std::fabs(integral[i])), &Mechanism::constraint_names, i);
  }
}

/// Is true if every f_p is what rounding leaves: nothing is left to correct. Near singular positions a correction of
/// round-off would be large and mean nothing. f_p is a sum of terms that q shows and of others (lengths along a loop),
/// so a few times the rounding of q is allowed.
template <class Model>
inline bool at_round_off(const Model& model, const double* C, int rows, const double* f, const double* q,
                         double* scale) {
  row_scales(model, C, rows, q, scale);
  for (int i = 0; i < rows; ++i) {
    if (!(std::fabs(f[i]) <= rounding_of_rows * scale[i])) return false;
  }
  return true;
}

}  // namespace mechfmu
