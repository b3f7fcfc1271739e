// The contract of contacts: rows that come and go, each group of them with a law. A row has a speed or an acceleration
// w and an impulse or a force x,
//   w = H x + q,
// and the solver finds x, w and the mode of each group. Modes are laws too, but equations and signs only: open, stick,
// slip in a direction. Who knows them can write the motion down.
//
// Impacts have H = AᵀA, where the columns of A are the rows in an orthonormal tangent basis, and q is what the speeds
// would be without impulses. For accelerations, H is the response of the rows' accelerations to their forces; it is not
// symmetric where a contact slides (accelerations.hpp) or a constraint is not ideal.
#pragma once

#include "linear/columns.hpp"

namespace mechfmu::contacts {

/// A law says how x and w of a group belong together. Limits of coordinates, one-way couplings and ropes are unilateral
/// rows; locks are bilateral; frictions of joints, brakes and clutches have a capacity.
enum class Law : unsigned char {
  unilateral,  ///< one normal row, w_n ≥ 0, x_n ≥ 0, w_n x_n = 0; its tangential rows rub, −x_t ∈ μ x_n Sgn(w_t)
  bilateral,   ///< one row that holds in both directions, w = 0
  capacity,    ///< tangential rows alone, which rub with a given capacity, −x_t ∈ c Sgn(w_t)
};

/// Two tangential rows belong to orthonormal directions: friction acts on a disk, |x_t| ≤ μ x_n or |x_t| ≤ c, and
/// against the slip.
struct Group {
  Law law = Law::unilateral;
  int tangential = 0;   ///< 0, 1 or 2 rows behind the normal row; 1 or 2 of a capacity; 0 of a bilateral row
  double friction = 0;  ///< μ of a unilateral group with tangential rows
  double capacity = 0;  ///< c ≥ 0, in the unit of x

  static Group contact(double friction, int tangential) { return {Law::unilateral, tangential, friction, 0}; }
  static Group limit() { return {}; }
  static Group lock() { return {Law::bilateral, 0, 0, 0}; }
  static Group rubbing(double capacity, int tangential = 1) { return {Law::capacity, tangential, 0, capacity}; }

  bool has_normal() const { return law == Law::unilateral; }
  int rows() const { return law == Law::capacity ? tangential : 1 + (law == Law::unilateral ? tangential : 0); }
};

/// A group has one of these modes. It is in stick if it is closed and has no tangential rows, or is bilateral.
enum class Mode : unsigned char { open, stick, slip };

struct GroupMode {
  Mode mode;
  double direction[2];  ///< unit vector of the slip; ±1 and 0 for one row. It is used while the group slips
};

/// The rows of a problem are those of its groups, one group behind the other, and each normal row before its tangential
/// rows. Arrays belong to the caller. All numbers are in the caller's units; those of the rows of one group agree.
struct Problem {
  int groups = 0;
  const Group* group = nullptr;
  ColumnsView<> H;            ///< rows × rows
  const double* q = nullptr;  ///< rows
  /// Columns of tangent vectors with H = AᵀB, if there are such: ranks are decided on A then. H squares the condition:
  /// a part of 1e-12 of H is one of 1e-6 of A. Data are nullptr otherwise, those of B also if B = A.
  ColumnsView<> A, B;
  /// This is what the diagonal of H would be if nothing held the bodies, or nullptr. A row whose diagonal is rounding
  /// of that cannot be moved: no force changes its w. Without it, a row cannot be moved if its row of H is zero.
  const double* free_mobility = nullptr;

  int rows() const {
    int sum = 0;
    for (int i = 0; i < groups; ++i) sum += group[i].rows();
    return sum;
  }
};

/// The sizes that a solver has memory for.
struct Sizes {
  int groups = 0, rows = 0;
  int freedoms = 0;  ///< the rows of A; 0 if it is never given
};

enum class Outcome : unsigned char {
  solved,         ///< all laws hold to law_tolerance
  no_solution,    ///< there is none; proved() says whether all modes were tried, or a path went to infinity
  not_converged,  ///< the work that is allowed was spent
};

}  // namespace mechfmu::contacts
