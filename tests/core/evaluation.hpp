// Evaluates a mechanism's equations at one point as dense matrices, and runs the tangent bases under test.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "fmu_src/constraints/choice.hpp"
#include "fmu_src/constraints/tangent_bases/any_basis.hpp"
#include "fmu_src/mechanism/model.hpp"
#include "support.hpp"

namespace mechfmu::testing {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Everything that the table's functions give at (t, q, v).
struct Evaluation {
  Evaluation(const Loaded&, double t, const VectorXd& q, const VectorXd& v);
  bool has_regular_M() const;

  std::vector<double> M_values, C_values, M_rate_values, C_rate_values;  ///< nonzeros, as the bases take them
  MatrixXd M, C, M_rate, C_rate, C_a, B;
  VectorXd c_t, g, h, gamma, f;
};

/// Is a point (t, q) at which a mechanism's functions may be called.
class PointAt {
 public:
  PointAt(const Loaded&, double t, VectorXd q);
  PointAt(const PointAt&) = delete;
  PointAt& operator=(const PointAt&) = delete;
  const Point& operator*() const { return point_; }

 private:
  VectorXd q_;
  std::vector<double> work_;
  Point point_;
};

/// Lets a basis factor what was evaluated at (t, q), as a motion does.
template <class Basis>
bool factor_at(Basis& basis, const Loaded& loaded, double t, const VectorXd& q, const Evaluation& e, Choice& choice) {
  see(basis, *PointAt(loaded, t, q));
  return basis.factor(e.M_values.data(), e.C_values.data(), choice);
}

/// Evaluates them at a simulation's present state.
Evaluation evaluate(const Loaded&, const Simulation&);

VectorXd positions(const Simulation&);
VectorXd velocities(const Simulation&);

/// Returns an orthonormal null basis of A in the metric I as columns, by singular values.
MatrixXd null_space(const MatrixXd& A);

/// Has the members of tangent_bases in their order, with sizes at run time.
using Bases = TangentBases<RunTimeModel>;

/// A choice made at one evaluation as the core makes it: rows and columns by pivoting; E* of unit vectors.
class ChoiceAt {
 public:
  ChoiceAt(const Loaded&, const Evaluation&);
  /// Takes these columns instead.
  void independent(const std::vector<int>& columns);
  Choice& operator*() const { return choice_; }

 private:
  void unit_covectors();
  int n_, k_;
  Arena memory_;
  mutable Choice choice_;  ///< a basis may change the order of what is chosen
  std::vector<double> covectors_;
};

/// Is true if this member of tangent_bases can serve these equations: some need a regular M.
inline bool serves(int b, const Evaluation& e) { return !needs_regular_M(b) || e.has_regular_M(); }

/// Returns W_d of a factored basis.
template <class Basis>
MatrixXd W_d(const Basis& basis, const Sizes& s) {
  return MatrixXd::Map(basis.W().data(), s.velocities, s.degrees_of_freedom());
}

/// Returns Ẇ_d column by column through the contract's Ẇ_dᵀ x.
template <class Basis>
MatrixXd W_d_rate(const Basis& basis, const Sizes& s) {
  MatrixXd transposed(s.degrees_of_freedom(), s.velocities);
  for (int i = 0; i < s.velocities; ++i) {
    const VectorXd x = VectorXd::Unit(s.velocities, i);
    basis.rate_transposed_times(x.data(), transposed.col(i).data());
  }
  return transposed.transpose();
}

}  // namespace mechfmu::testing
