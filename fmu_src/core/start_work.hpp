// What the parts of the consistent start share: the equations at a position as dense matrices, moves of positions, and the
// way onto the constraints. Runs during initialisation only: it may allocate.
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

struct ConsistentStart::Work {
  explicit Work(const Mechanism&);

  /// Which equations positions have to fulfil.
  enum Rows { always, at_start };

  void locate(double time, const double* parameters, const double* inputs);
  /// What start values say; false: the message names one that is not finite, or no rotation.
  bool guess(VectorXd& q, VectorXd& v, Message&);

  int position_rows(Rows rows) const { return s.position_rows + (rows == at_start ? s.start_position_rows : 0); }
  /// f_p and, at the start, the further rows.
  VectorXd violation(const VectorXd& q, Rows);
  /// M and C at q, dense. Allocates nothing.
  void matrices(const VectorXd& q);
  /// The derivative of violation() by moves, after matrices(q).
  MatrixXd position_slopes(const VectorXd& q, Rows);
  /// The metric of moves: M, with something positive for coordinates without inertia.
  MatrixXd metric() const;

  VectorXd moved(const VectorXd& q, const VectorXd& delta) const;
  VectorXd difference_from(const VectorXd& guess, const VectorXd& q) const;
  /// 1 + |q| by velocity.
  VectorXd scales(const VectorXd& q) const;

  /// Of the Δ that minimise |J Δ + f|² + μ |Δ|², |Δ| in the metric (Levenberg, Marquardt), the largest that largest_move
  /// allows. Where J is nearly singular a shortened Newton step would run far along
  /// directions that J hardly sees.
  VectorXd damped_move(const MatrixXd& J, const VectorXd& f, const MatrixXd& metric, const bool* fixed,
                       const VectorXd& q) const;

  /// Damped Newton onto the rows, each step the smallest in the metric. Returns whether it converged; q is the best
  /// reached.
  bool close(const MatrixXd& metric, Rows, VectorXd& q);

  /// The same from places around the guess, ever further away; q stays as it is if none leads onto the rows.
  bool close_from_nearby(const MatrixXd& metric, const VectorXd& guess, VectorXd& q);

  /// Moves the guess so that it agrees with the guesses of coordinates that are not among the positions.
  void follow_guesses(VectorXd& q);
  /// False: the message names a joint that is assembled the wrong way round.
  bool check_branches(const VectorXd& q, Message&);
  /// From the guess onto the rows, then along them to the nearest point.
  bool approach(const VectorXd& guess, VectorXd& q, Message&);
  /// From an assembled q to where forces balance at rest; equilibrium.cpp.
  bool balance(const VectorXd& guess, VectorXd& q, Message&);

  /// What is to be said of rows that stay open: J holds the mechanism's rows, then those of the start.
  struct Open {
    const MatrixXd& J;
    int own_rows, row;
    bool of_velocities;
    const VectorXd &guess, &reached;
  };
  /// Adds what holds an open row, and what to do: fixed values, or guesses.
  void explain(const Open&, Message&) const;
  /// Adds "'x' (start 1, reached 2)" for the coordinate of velocity j.
  void tell(int j, bool of_velocities, const VectorXd& guess, const VectorXd& reached, Message&) const;

  const Mechanism& mechanism;
  Sizes s;
  RunTimeModel model;
  Point point;
  VectorXd stage, M_values, C_values, c_t;
  VectorXd place, scale;  ///< of ranks(), which must not allocate
  VectorXd given;         ///< what start values say of the positions, for messages
  VectorXd angles;        ///< guesses first, which the angles shall be near to
  MatrixXd M, C;
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

/// What makes a residual a distance: rows of length one.
template <class Row>
double weight_of(const Row& row) {
  const double length = row.norm();
  return length > 0 ? 1 / length : 1;
}

/// Δ with J Δ = −f, rows of length one, smallest in the metric G: least squares where J is rank-deficient. Only columns
/// not fixed move.
VectorXd smallest_move(const MatrixXd& J, const VectorXd& f, const MatrixXd& G, const bool* fixed);

/// Null vectors of J with zeros at the fixed columns, orthonormal.
MatrixXd null_space(const MatrixXd& J, const bool* fixed);

/// The constraint that is open, and by how much; -1: all closed. Residuals are compared with what moving the
/// coordinates by their own size would change.
int open_row(const MatrixXd& J, const VectorXd& f, const VectorXd& scales);

}  // namespace mechfmu
