// Finds prescribed motions that exceed the degrees of freedom.
#include "surplus_motions.hpp"

#include <algorithm>
#include <cmath>

#include "equations/columns.hpp"
#include "fmu_src/linear/tolerances.hpp"
#include "fmu_src/start/algebra/decompositions.hpp"
#include "modelDescription/formulas/diagnostics.hpp"
#include "modelDescription/formulas/export_tolerances.hpp"

namespace mechfmu {

using casadi::DM;
using casadi::SX;

namespace {

/// Returns the sizes with which positions are compared: 1 for a quaternion's components, nominal sizes for all others.
Eigen::VectorXd sizes_of_positions(const Equations& equations) {
  Eigen::VectorXd result = Eigen::VectorXd::Ones(static_cast<Eigen::Index>(equations.positions.size()));
  std::size_t j = 0, next = 0;
  for (int i = 0; i < equations.symbols.q.numel(); ++i) {
    if (next < equations.quaternions.size() && equations.quaternions[next].position == i) {
      i += 3;
      j += 3;
      ++next;
      continue;
    }
    result[i] = equations.nominal[j++];
  }
  return result;
}

/// Holds rows of positions and their derivatives by q in its sizes. Rows of one unit are divided by the largest of
/// these. The lengths of quaternions are rows, too.
class Rows {
 public:
  Rows(const Equations& equations, bool motions) : equations_(equations), sizes_(sizes_of_positions(equations)) {
    const Symbols& s = equations.symbols;
    std::vector<SX> residuals;
    std::vector<Dimension> units;
    for (const ConstraintEquation& row : equations.constraints) {
      if (row.level != Level::position || row.driven.empty() == motions) continue;
      residuals.push_back(row.residual);
      units.push_back(row.unit.dimension);
    }
    if (!motions) {
      for (const Quaternion& one : equations.quaternions) {
        residuals.push_back(SX::sumsqr(s.q(casadi::Slice(one.position, one.position + 4))) - 1);
        units.push_back({});
      }
    }
    for (const Dimension& unit : units)
      same_unit_.push_back(static_cast<int>(std::find(units.begin(), units.end(), unit) - units.begin()));
    const SX all = SX::densify(column(residuals));
    function_ = casadi::Function("rows", s.all(), {all, SX::densify(SX::jacobian(all, s.positions()))});
  }

  void evaluate(const Eigen::VectorXd& q) {
    const Symbols& s = equations_.symbols;
    const auto zeros = [](const SX& symbols) { return DM::zeros(symbols.numel()); };
    const std::vector<DM> at = {
        DM(0),
        DM(std::vector<double>(q.begin(), q.end())),
        zeros(s.v),
        DM(equations_.input_values),
        DM(equations_.parameter_values),
        zeros(s.acceleration),
        zeros(s.multipliers),
        zeros(s.angles),
        zeros(s.loads),
        zeros(s.slide)};
    const std::vector<DM> values = function_(at);
    f = Eigen::Map<const Eigen::VectorXd>(values[0].nonzeros().data(), values[0].numel());
    J = Eigen::Map<const Eigen::MatrixXd>(values[1].nonzeros().data(), f.size(), q.size()) * sizes_.asDiagonal();
    Eigen::VectorXd lengths = Eigen::VectorXd::Zero(f.size());
    for (int i = 0; i < f.size(); ++i) {
      double& of_unit = lengths[same_unit_[static_cast<std::size_t>(i)]];
      of_unit = std::max(of_unit, J.row(i).norm());
    }
    for (int i = 0; i < f.size(); ++i) {
      const double of_unit = lengths[same_unit_[static_cast<std::size_t>(i)]];
      lengths[i] = of_unit > 0 ? of_unit : 1;
    }
    J = lengths.cwiseInverse().asDiagonal() * J;
    f = f.cwiseQuotient(lengths);
  }

  const Eigen::VectorXd& sizes() const { return sizes_; }

  Eigen::VectorXd f;
  Eigen::MatrixXd J;

 private:
  const Equations& equations_;
  const Eigen::VectorXd sizes_;
  std::vector<int> same_unit_;  ///< maps a row to the first one in its unit
  casadi::Function function_;
};

int rank(const Eigen::MatrixXd& J) { return J.rows() == 0 ? 0 : rank_of(J, dependent_motions); }

/// Runs Newton's method by least squares. Returns false if it does not close the rows.
bool close(Rows& rows, Eigen::VectorXd& q) {
  NewtonSteps steps(newton_rules::onto_rows);
  for (int iteration = 0; iteration < 100; ++iteration) {
    rows.evaluate(q);
    if (rows.f.size() == 0) return true;
    const Eigen::VectorXd step = solve_least_squares(rows.J, rows.f);
    const double size = step.norm(), place = 1 + q.cwiseQuotient(rows.sizes()).norm();
    if (!is_finite(size)) return false;
    steps.take(size / place);
    if (steps.ended()) return rows.f.norm() <= open_tolerance * place;
    q -= rows.sizes().cwiseProduct(step) * std::min(1.0, largest_move / size);
  }
  return false;
}

/// Returns rows of `top` above the chosen ones of `below`.
Eigen::MatrixXd stacked(const Eigen::MatrixXd& top, const Eigen::MatrixXd& below, const std::vector<int>& chosen) {
  Eigen::MatrixXd result(top.rows() + static_cast<Eigen::Index>(chosen.size()), top.cols());
  result.topRows(top.rows()) = top;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    result.row(top.rows() + static_cast<Eigen::Index>(i)) = below.row(chosen[i]);
  return result;
}

}  // namespace

std::string surplus_motions(const Equations& equations, const std::vector<double>& reached) {
  std::vector<std::string> names;
  std::vector<int> all;
  for (const ConstraintEquation& row : equations.constraints) {
    if (row.level != Level::position || row.driven.empty()) continue;
    all.push_back(static_cast<int>(names.size()));
    names.push_back(in_quotes(row.driven));
  }
  if (names.size() < 2) return "";
  Rows mechanism(equations, false), motions(equations, true);
  Eigen::VectorXd q = Eigen::Map<const Eigen::VectorXd>(reached.data(), static_cast<Eigen::Index>(reached.size()));
  if (!close(mechanism, q)) return "";
  motions.evaluate(q);
  const int without = rank(mechanism.J), with = rank(stacked(mechanism.J, motions.J, all));
  std::vector<int> implied;
  for (const int i : all) {
    std::vector<int> others = all;
    others.erase(others.begin() + i);
    if (rank(stacked(mechanism.J, motions.J, others)) == with) implied.push_back(i);
  }
  const int driven = rank(stacked(mechanism.J, motions.J, implied)) - without;
  const int surplus = static_cast<int>(implied.size()) - driven;
  if (surplus <= 0) return "";
  std::vector<std::string> named;
  for (const int i : implied) named.push_back(names[static_cast<std::size_t>(i)]);
  return "The motions of " + listed(named) + " drive " +
         (driven == 1 ? "one freedom" : std::to_string(driven) + " freedoms") +
         " together, and they contradict each other at the start. Remove " +
         (surplus == 1 ? "one" : std::to_string(surplus)) + " of them.";
}

}  // namespace mechfmu
