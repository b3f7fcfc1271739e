// Checks the assembled mechanism.
#include "assembly_checks.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include <Eigen/Dense>

#include "derivation/program/interpret.hpp"
#include "equations/columns.hpp"
#include "fmu_src/linear/sparse_split.hpp"
#include "fmu_src/linear/tolerances.hpp"
#include "fmu_src/start/start.hpp"
#include "modelDescription/formulas/export_tolerances.hpp"

namespace mechfmu {

using casadi::DM;
using casadi::SX;

std::vector<DM> symbol_values(const Equations& equations, const Assembled& at) {
  const Symbols& s = equations.symbols;
  const auto zeros = [](const SX& symbols) {
    return DM(std::vector<double>(static_cast<std::size_t>(symbols.numel()), 0));
  };
  return {DM(0),
          DM(at.q),
          DM(at.v),
          DM(at.inputs),
          DM(at.parameters),
          zeros(s.acceleration),
          zeros(s.multipliers),
          DM(at.angles),
          DM(at.loads),
          zeros(s.slide)};
}

std::vector<double> numbers(const SX& expression, const Equations& equations, const Assembled& at) {
  const casadi::Function function("numbers", equations.symbols.all(), {SX::densify(expression)});
  return function(symbol_values(equations, at)).front().nonzeros();
}

namespace {

Eigen::MatrixXd matrix(const SX& expression, const Equations& equations, const Assembled& at) {
  const std::vector<double> values = numbers(expression, equations, at);
  return Eigen::Map<const Eigen::MatrixXd>(values.data(), expression.size1(), expression.size2());
}

/// Returns the places of all rows that last or hold there.
std::vector<casadi_int> rows_there(const Derivation& d, const Assembled& at) {
  std::vector<casadi_int> rows;
  for (int i = 0; i < d.sizes.lasting_rows(); ++i) rows.push_back(i);
  for (const int i : at.held) rows.push_back(d.sizes.lasting_rows() + i);
  return rows;
}

/// Returns the directions of reactions of these rows.
SX directions(const Derivation& d, const std::vector<casadi_int>& rows) {
  const std::vector<SX> parts = d.acceleration(d.equations.symbols.all());  // are h, γ, C_a, B
  const SX B = d.character.ideal ? SX(SX(d.C_a, parts[2]).T()) : SX(d.B, parts[3]);
  return SX::sparsify(B(casadi::Slice(), rows));
}

/// Is true if no column of B follows from others. It works along the nonzeros of B, which a large mechanism needs.
bool is_independent(const SX& B, const Equations& equations, const Assembled& at) {
  const std::vector<double> values = numbers(nonzeros(B), equations, at);
  const std::vector<casadi_int> row = B.sparsity().get_row(), column = B.sparsity().get_col();
  const auto rows = static_cast<int>(B.size2()), columns = static_cast<int>(B.size1());
  Arena memory;
  SparseSplit split(memory, rows, columns, static_cast<int>(B.nnz()));
  if (!memory.ok()) throw std::bad_alloc();
  for (std::size_t i = 0; i < values.size(); ++i)
    split.set(static_cast<int>(column[i]), static_cast<int>(row[i]), values[i]);
  return split.split({}, rows, nullptr) == rows;
}

/// Returns multipliers that no body feels: B λ = 0.
Eigen::MatrixXd idle_multipliers(const SX& B, const Equations& equations, const Assembled& at) {
  Eigen::FullPivLU<Eigen::MatrixXd> lu;
  lu.setThreshold(rank_tolerance);
  lu.compute(matrix(B, equations, at));
  return lu.dimensionOfKernel() > 0 ? Eigen::MatrixXd(lu.kernel()) : Eigen::MatrixXd(B.size2(), 0);
}

/// Returns the closure tolerance with which locked loops would move, because their data lock them only slightly; 0 if
/// there is none.
double freeing_tolerance(const Derivation& derivation, double wanted, const Assembled& at) {
  const InterpretedMechanism interpreted(derivation);
  Arena memory;
  ConsistentStart start(memory, interpreted.table());
  for (double tolerance = std::max(10 * wanted, finest_data); tolerance < 1.5 * coarse_data; tolerance *= 10) {
    start.accept_gaps(tolerance);
    if (start.generic_ranks(0, at.parameters.data(), at.inputs.data(), at.q.data()).all < derivation.sizes.rank)
      return tolerance;
  }
  return 0;
}

}  // namespace

void check_freedom(const Description& description, const Derivation& derivation, const Assembled& at,
                   Diagnostics& diagnostics) {
  if (description.bodies.empty() || derivation.sizes.degrees_of_freedom() > 0 || derivation.character.rheonomic) return;
  std::vector<std::string> joints;
  for (const Joint& joint : description.joints) joints.push_back(in_quotes(joint.name));
  constexpr std::size_t most = 12;
  if (joints.size() > most) joints.resize(most), joints.push_back("…");
  std::string problem = "the mechanism cannot move: its joints leave no degree of freedom, and no motion drives it",
              repair = "free one of the joints " + listed(joints) + ", or prescribe a motion";
  const double wanted = description.solver.closure_tolerance, tolerance = freeing_tolerance(derivation, wanted, at);
  if (tolerance > 0) {
    Message hint;
    hint.fail(
        "write the axes and lengths of its loops with more digits, or set closure_tolerance = %.0e (it is %.3g) in [solver]",
        tolerance, wanted);
    problem += ". Its constraints are independent by so little that rounded data may be the cause";
    repair = std::string(hint.text) + "; else " + repair;
  }
  diagnostics.add(description.place, problem, repair);
}

std::vector<std::string> undetermined_outputs(const Derivation& derivation, const Assembled& at) {
  const Equations& equations = derivation.equations;
  const std::vector<casadi_int> rows = rows_there(derivation, at);
  if (rows.empty()) return {};
  const SX B = directions(derivation, rows);
  if (is_independent(B, equations, at)) return {};
  const Eigen::MatrixXd idle = idle_multipliers(B, equations, at);
  std::vector<std::string> result;
  if (idle.cols() == 0) return result;
  std::vector<SX> values{SX(0, 1)};
  std::vector<std::string> names;
  for (const OutputEquation& output : equations.outputs) {
    if (output.group != reaction_outputs || output.shown.local) continue;
    values.push_back(output.value);
    names.push_back(output.shown.name);
  }
  const SX slopes = SX::densify(SX::jacobian(SX::vertcat(values), equations.symbols.multipliers(rows)));
  const Eigen::MatrixXd slope = matrix(slopes, equations, at), change = slope * idle;
  for (Eigen::Index i = 0; i < change.rows(); ++i)
    if (change.row(i).cwiseAbs().maxCoeff() > felt_by_an_output * (1 + slope.row(i).cwiseAbs().maxCoeff()))
      result.push_back(names[static_cast<std::size_t>(i)]);
  return result;
}

std::vector<std::string> shortened(const std::vector<std::string>& variables) {
  std::vector<std::string> result;
  std::string last;
  for (const std::string& variable : variables) {
    const std::string owner = variable.substr(0, variable.rfind('.'));
    if (owner == last && owner != variable) result.back() += ", " + variable.substr(owner.size());
    else result.push_back(variable);
    last = owner;
  }
  return result;
}

}  // namespace mechfmu
