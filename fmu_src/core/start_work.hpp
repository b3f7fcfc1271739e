// What the parts of the consistent start share: the equations at a position, moves of positions, and the way onto the
// constraints. Runs during initialisation only: it may allocate. Small mechanisms are solved by dense orthogonal
// decompositions, large ones by sparse factors with pivots of their own (start_large.cpp).
#pragma once

#include <Eigen/Dense>

#include "choice.hpp"
#include "kinematics.hpp"
#include "pivoting.hpp"
#include "products.hpp"
#include "start.hpp"

namespace mechfmu {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Largest part of a coordinate's scale that one step of the start may move it.
inline constexpr double largest_move = 0.5;

/// From as many velocities on the start is that of a large mechanism.
inline constexpr int large_start_from = 120;

/// A matrix by its nonzeros.
class Entries {
 public:
  Entries(int rows, int columns, int room) : rows_(rows), columns_(columns), row_(room), column_(room), value_(room) {}

  void add(int row, int column, double value) {
    if (value == 0) return;
    row_[count_] = row;
    column_[count_] = column;
    value_[count_++] = value;
  }
  /// Those of a dense matrix from `first_row` on.
  void add(const MatrixXd& block, int first_row) {
    for (int j = 0; j < block.cols(); ++j) {
      for (int i = 0; i < block.rows(); ++i) add(first_row + i, j, block(i, j));
    }
  }
  int rows() const { return rows_; }
  int columns() const { return columns_; }
  int count() const { return count_; }
  int row(int e) const { return row_[e]; }
  int column(int e) const { return column_[e]; }
  double value(int e) const { return value_[e]; }

  MatrixXd dense() const {
    MatrixXd result = MatrixXd::Zero(rows_, columns_);
    for (int e = 0; e < count_; ++e) result(row_[e], column_[e]) = value_[e];
    return result;
  }
  VectorXd times(const VectorXd& x) const {
    VectorXd result = VectorXd::Zero(rows_);
    for (int e = 0; e < count_; ++e) result[row_[e]] += value_[e] * x[column_[e]];
    return result;
  }
  VectorXd transposed_times(const VectorXd& y) const {
    VectorXd result = VectorXd::Zero(columns_);
    for (int e = 0; e < count_; ++e) result[column_[e]] += value_[e] * y[row_[e]];
    return result;
  }
  /// What makes residuals distances: rows of length one.
  VectorXd weights() const {
    VectorXd result = VectorXd::Zero(rows_);
    for (int e = 0; e < count_; ++e) result[row_[e]] += value_[e] * value_[e];
    for (double& one : result) one = one > 0 ? 1 / std::sqrt(one) : 1;
    return result;
  }
  Entries scaled(const VectorXd& weights) const {
    Entries result(rows_, columns_, count_);
    for (int e = 0; e < count_; ++e) result.add(row_[e], column_[e], value_[e] * weights[row_[e]]);
    return result;
  }

 private:
  int rows_, columns_, count_ = 0;
  Eigen::VectorXi row_, column_;
  VectorXd value_;
};

struct ConsistentStart::Work {
  explicit Work(const Mechanism&);

  bool is_large() const { return s.velocities >= large_start_from; }

  /// Which equations positions have to fulfil; `with_guesses`: and what `missed` shall be, too.
  enum Rows { always, at_start, with_guesses };

  void locate(double time, const double* parameters, const double* inputs);
  /// What start values say; false: the message names one that is not finite, or no rotation.
  bool guess(VectorXd& q, VectorXd& v, Message&);

  int position_rows(Rows rows) const {
    return s.position_rows + (rows == always ? 0 : s.start_position_rows) +
           (rows == with_guesses ? s.start_guess_rows : 0);
  }
  /// f_p and, at the start, the further rows.
  VectorXd violation(const VectorXd& q, Rows);
  /// M and C at q. Allocates nothing.
  void matrices(const VectorXd& q);
  /// Rows of C, after matrices(q).
  void add_constraints(int first, int count, Entries& to, int first_row = 0) const;
  /// The derivative of violation() by moves, after matrices(q).
  Entries position_slopes(const VectorXd& q, Rows);
  /// Derivatives of C v + c_t and, further, of the start's rows by v, after matrices(q).
  Entries velocity_slopes(const VectorXd& q, const VectorXd& v);
  /// The metric of moves: M, with something positive for coordinates without inertia.
  Entries metric() const;
  static constexpr double share_of_diagonal = 1e-3;  ///< what is added where M is not definite
  bool mass_is_definite() const;
  VectorXd metric_diagonal() const;
  /// All of M, after matrices(q), with multiples of the columns' metric on its diagonal.
  Entries mass_matrix(double multiple = 0) const;

  /// Δ with J Δ = −f, rows of length one, smallest in the metric G: least squares where J is rank-deficient (of a large
  /// mechanism: for as many rows as are independent). Only columns not fixed move.
  VectorXd smallest_move(const Entries& J, const VectorXd& f, const Entries& G, const bool* fixed) const;
  /// Null vectors of J with zeros at the fixed columns, orthonormal.
  MatrixXd null_space(const Entries& J, const bool* fixed) const;
  /// μ with Jᵀ μ as near to `slope` as it goes, in the columns that are not fixed.
  VectorXd multipliers(const Entries& J, const VectorXd& slope, const bool* fixed) const;
  int rank(const Entries& J, const bool* without) const;

  VectorXd moved(const VectorXd& q, const VectorXd& delta) const;
  VectorXd difference_from(const VectorXd& guess, const VectorXd& q) const;
  /// 1 + |q| by velocity.
  VectorXd scales(const VectorXd& q) const;

  /// Of the Δ that minimise |J Δ + f|² + μ |Δ|², |Δ| in the metric (Levenberg, Marquardt), the largest that largest_move
  /// allows. Where J is nearly singular a shortened Newton step would run far along
  /// directions that J hardly sees.
  VectorXd damped_move(const Entries& J, const VectorXd& f, const Entries& metric, const bool* fixed,
                       const VectorXd& q) const;

  template <class Damped>
  VectorXd largest_of(const Damped& damped, const VectorXd& q) const;

  /// Damped Newton onto the rows, each step the smallest in the metric. Returns whether it converged; q is the best
  /// reached.
  bool close(const Entries& metric, Rows, VectorXd& q);

  /// The same from places around the guess, ever further away; if none leads onto the rows, q is where they are least
  /// open.
  static constexpr int nearby_trials = 24;
  bool close_from_nearby(const Entries& metric, Rows, const VectorXd& guess, VectorXd& q);

  /// What guesses of coordinates that are not among the positions are missed by, and its derivatives by moves.
  struct Missed {
    VectorXd by;
    MatrixXd slopes;
  };
  Missed missed(const VectorXd& q);
  /// What the squares of `missed` count in the distance, given its slopes at the guess and the metric: so much that these
  /// guesses are met as far as the assembly lets them.
  static constexpr double insistence = 1e4;
  static VectorXd guess_weights(const MatrixXd& slopes, const VectorXd& metric_diagonal);
  bool close_in_valley(const Entries& metric, const VectorXd& q, const VectorXd& step, VectorXd& trial);
  /// Moves q so that it agrees with them: where the assembly is sought from.
  void follow_guesses(VectorXd& q);
  /// False: the message names a joint that is assembled the wrong way round.
  bool check_branches(const VectorXd& q, Message&);
  /// From the guess onto the rows, then along them to the nearest point.
  bool approach(const VectorXd& guess, VectorXd& q, Message&);
  /// From an assembled q to where forces balance at rest; equilibrium.cpp.
  bool balance(const VectorXd& guess, VectorXd& q, Message&);
  /// There: the directions left free, those along which forces balance, and the sizes of reactions.
  void equilibrium_at(const VectorXd& q, MatrixXd& N, MatrixXd& L, VectorXd& mu);

  // What is said of rows that stay open; start_messages.cpp.
  /// Of positions: q is where close() and close_from_nearby() found them least open; where they are least open with
  /// nothing fixed, if even that is open. Returns false.
  bool fail_assembly(const VectorXd& guess, VectorXd& q, Message&);
  /// Of velocities: J holds the mechanism's rows, then those of the start; `worst` is one of them. Returns false.
  bool fail_velocities(const Entries& J, const VectorXd& open, int worst, const VectorXd& guess, const VectorXd& reached,
                       Message&) const;
  /// Whether fixed values ask for more than the mechanism's rows, the first of J, leave free.
  bool over_determined(const Entries& J, int own_rows, const bool* fixed) const;
  bool over_determined_near(const Entries& metric, const VectorXd& assembled);
  /// Adds "'x' (start 1 m, reached 2 m)" for the coordinate of velocity j.
  void tell(int j, bool of_velocities, const VectorXd& guess, const VectorXd& reached, Message&) const;
  void tell_fixed(bool of_velocities, const VectorXd& guess, const VectorXd& reached, const double* f, Message&) const;

  const Mechanism& mechanism;
  Sizes s;
  RunTimeModel model;
  Point point;
  VectorXd stage, M_values, C_values, c_t;
  VectorXd place, scale;  ///< of ranks(), which must not allocate
  VectorXd angles;        ///< guesses first, which the angles shall be near to
  VectorXd wanted;        ///< of `missed`, in rows with_guesses
  Pivoting pivoting;
  Eigen::VectorXi redundant;
};

/// Numbers between −1 and 1 without order, the same every time.
class Scatter {
 public:
  VectorXd column(int count) {
    VectorXd result(count);
    for (double& number : result) {
      seed_ = seed_ * 1664525u + 1013904223u;
      number = static_cast<double>(seed_ >> 8) / 8388608.0 - 1;
    }
    return result;
  }

 private:
  unsigned seed_ = 1;
};

/// Null vectors of J with zeros at the fixed columns, orthonormal.
MatrixXd null_space(const MatrixXd& J, const bool* fixed);

/// Moves of a large mechanism by sparse factors (start_large.cpp).
namespace large {
VectorXd smallest_move(const Entries& J, const VectorXd& f, const Entries& G, const bool* fixed);
/// The Δ that minimises |J Δ + f|² + μ |Δ|², |Δ| in the metric G; `mu` relative to G's mean.
VectorXd damped_move(const Entries& J, const VectorXd& f, const Entries& G, const bool* fixed, double mu);
MatrixXd null_space(const Entries& J, const bool* fixed);
VectorXd multipliers(const Entries& J, const VectorXd& slope, const bool* fixed);
int rank(const Entries& J, const bool* without);
}  // namespace large

/// The constraint that is open, and by how much; -1: all closed. Residuals are compared with what moving the
/// coordinates by their own size would change.
int open_row(const Entries& J, const VectorXd& f, const VectorXd& scales);

}  // namespace mechfmu
