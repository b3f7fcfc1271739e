// Writes the equations of a mechanism in symbols, as text.
#include "explain_symbolic.hpp"

#include <algorithm>
#include <numeric>

#include "derivation/program/interpret.hpp"
#include "derivation/program/program.hpp"
#include "equations/columns.hpp"
#include "fmu_src/constraints/choice.hpp"
#include "modelDescription/formulas/diagnostics.hpp"
#include "orthogonal_complement.hpp"
#include "preparation/text_table.hpp"
#include "readable/readable.hpp"

namespace mechfmu {
namespace {

using casadi::SX;

constexpr std::size_t longest_text = 200;  ///< characters of an entry that is printed
/// largest number of choices of independent coordinates that are all shown
constexpr std::size_t most_choices = 6;
constexpr casadi_int largest_solved_block = 12;  ///< largest block whose operations are counted

/// Holds the rows and independent columns of C that pivoting finds at the start.
struct StartChoice {
  std::vector<int> rows, independent;
};

class SymbolicExplanation {
 public:
  explicit SymbolicExplanation(const Prepared& prepared)
      : prepared_(prepared), derivation_(prepared.derivation), equations_(derivation_.equations),
        readable_(equations_.symbols) {
    for (const Shown& velocity : equations_.velocities)
      coordinates_.push_back(velocity.derivative_of.empty() ? velocity.name : velocity.derivative_of);
  }

  std::string text() {
    std::string text = "\nEquations in symbols\n";
    if (!equations_.constraints.empty()) text += "  Constraints\n" + constraints();
    text += "  Mass matrix M\n" + mass_matrix();
    const Sizes& sizes = derivation_.sizes;
    if (sizes.rows() == 0) return text;
    text += "  C, the constraints' derivatives by the velocities\n" + jacobian();
    if (sizes.degrees_of_freedom() > 0) text += complements();
    return text;
  }

 private:
  std::string shown(const std::optional<Quotient>& value, const SX& expression) {
    std::string text = value ? readable_.text(*value) : "";
    return value && text.size() <= longest_text ? text : operations(expression);
  }

  std::string operations(const SX& expression) const {
    const Program program(casadi::Function("entry", equations_.symbols.all(), {expression}));
    return "(" + std::to_string(program.operation_count()) + " operations)";
  }

  /// Returns the nonzeros of a matrix, one on each line.
  std::string matrix(const char* name, const casadi::Sparsity& pattern, const SX& entries,
                     const std::vector<std::string>& row_names) {
    const SX nonzeros = equations_.without_sides(entries);
    const auto values = readable_.quotients(nonzeros);
    const std::vector<casadi_int> rows = pattern.get_row(), columns = pattern.get_col();
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rows[a] < rows[b]; });
    TextTable table;
    for (const std::size_t i : order) {
      if (values[i] && values[i]->numerator().zero()) continue;
      add_entry(table, name, row_names[static_cast<std::size_t>(rows[i])], static_cast<std::size_t>(columns[i]),
                shown(values[i], nonzeros(static_cast<casadi_int>(i))));
    }
    return table.text("    ");
  }

  void add_entry(TextTable& table, const std::string& matrix, const std::string& row, std::size_t column,
                 const std::string& text) const {
    table.add({matrix + "(" + row + ", " + coordinates_[column] + ")", "= " + text});
  }

  std::vector<std::string> constraint_names() const {
    std::vector<std::string> names;
    for (const ConstraintEquation& row : equations_.constraints) names.push_back(row.name);
    return names;
  }

  std::string constraints() {
    std::vector<SX> residuals;
    for (const ConstraintEquation& row : equations_.constraints)
      residuals.push_back(equations_.without_sides(row.residual));
    const auto values = readable_.quotients(column(residuals));
    TextTable table;
    for (std::size_t i = 0; i < values.size(); ++i)
      table.add({equations_.constraints[i].name, "0 = " + shown(values[i], residuals[i])});
    return table.text("    ");
  }

  std::string mass_matrix() { return matrix("M", derivation_.M, derivation_.stages.M, coordinates_); }

  std::string jacobian() { return matrix("C", derivation_.C, derivation_.stages.C, constraint_names()); }

  StartChoice choice_at_start() const {
    const InterpretedMechanism interpreted(derivation_);
    const Mechanism& mechanism = interpreted.table();
    const FoundStart& start = prepared_.start;
    const std::vector<double> angles(static_cast<std::size_t>(equations_.symbols.angles.numel()) + 1),
        loads(static_cast<std::size_t>(equations_.symbols.loads.numel()) + 1);
    std::vector<double> work(static_cast<std::size_t>(mechanism.sizes.work) + 1);
    std::vector<double> M(static_cast<std::size_t>(mechanism.M.nonzeros) + 1);
    std::vector<double> C(static_cast<std::size_t>(mechanism.C.nonzeros) + 1);
    std::vector<double> c_t(static_cast<std::size_t>(mechanism.sizes.rows()) + 1), metric(coordinates_.size());
    Point point;
    point.q = start.q.data(), point.v = start.v.data();
    point.parameters = start.parameters.data(), point.inputs = equations_.input_values.data();
    point.angles = angles.data(), point.loads = loads.data();
    point.work = work.data(), point.context = interpreted.context();
    mechanism.prepare(point);
    mechanism.position(point, M.data(), C.data(), c_t.data());
    column_metric(mechanism.M, M.data(), mechanism.nominal, metric.data());
    Arena memory;
    Choice choice(memory, mechanism.sizes);
    choice.by_pivoting(mechanism, C.data(), metric.data());
    StartChoice found;
    for (int i = 0; i < mechanism.sizes.rank; ++i) found.rows.push_back(choice.rows[i]);
    for (int i = 0; i < mechanism.sizes.degrees_of_freedom(); ++i) found.independent.push_back(choice.independent[i]);
    std::sort(found.rows.begin(), found.rows.end());
    std::sort(found.independent.begin(), found.independent.end());
    return found;
  }

  /// Returns all sets of independent coordinates if they are few, else the one at the start.
  std::vector<std::vector<int>> choices(const std::vector<int>& at_start) const {
    std::vector<bool> taken(coordinates_.size(), false);
    std::fill(taken.begin(), taken.begin() + static_cast<std::ptrdiff_t>(at_start.size()), true);
    std::vector<std::vector<int>> all;
    do {
      if (all.size() == most_choices) return {at_start};
      all.emplace_back();
      for (std::size_t i = 0; i < taken.size(); ++i)
        if (taken[i]) all.back().push_back(static_cast<int>(i));
    } while (std::prev_permutation(taken.begin(), taken.end()));
    return all;
  }

  std::string complements() {
    SymbolicMatrix C(static_cast<std::size_t>(derivation_.C.size1()),
                     std::vector<std::optional<Quotient>>(coordinates_.size(), Quotient()));
    const auto values = readable_.quotients(equations_.without_sides(derivation_.stages.C));
    const std::vector<casadi_int> rows = derivation_.C.get_row(), columns = derivation_.C.get_col();
    for (std::size_t i = 0; i < values.size(); ++i)
      C[static_cast<std::size_t>(rows[i])][static_cast<std::size_t>(columns[i])] = values[i];
    const StartChoice at_start = choice_at_start();
    std::string text;
    for (const std::vector<int>& independent : choices(at_start.independent)) {
      const auto D = orthogonal_complement(C, at_start.rows, independent);
      if (D) text += complement(*D, independent);
    }
    return text;
  }

  std::string complement(const OrthogonalComplement& D, const std::vector<int>& independent) {
    std::vector<std::string> names;
    for (const int i : independent) names.push_back(coordinates_[static_cast<std::size_t>(i)]);
    TextTable table;
    for (std::size_t e = 0; e < independent.size(); ++e)
      for (std::size_t column = 0; column < coordinates_.size(); ++column) {
        const auto& entry = D.entries[e][column];
        if (entry && entry->numerator().zero()) continue;
        const std::string text = entry ? readable_.text(*entry) : "";
        add_entry(table, "D", names[e], column,
                  entry && text.size() <= longest_text ? text : solved(D, static_cast<int>(column), independent[e]));
      }
    return "  D with D C' = 0, unit columns at " + listed(names) + singular_where(D) + "\n" + table.text("    ");
  }

  /// Says where a determinant of C_d is zero, apart from lengths and masses that are zero.
  std::string singular_where(const OrthogonalComplement& D) {
    std::string text;
    for (const ComplementBlock& block : D.blocks) {
      if (!block.determinant) continue;
      const Trigonometric& determinant = block.determinant->numerator();
      const std::string zeros = readable_.text_of_zeros(determinant);
      if (!determinant.monomial() && zeros.size() <= longest_text)
        text += (text.empty() ? "; singular where " : " or ") + zeros;
    }
    return text;
  }

  /// Returns the number of operations for an entry that is too large to be read, if the blocks of equations are solved
  /// one after the other.
  std::string solved(const OrthogonalComplement& D, int dependent, int independent) const {
    const SX C(derivation_.C, derivation_.stages.C);
    SX known = SX::zeros(C.size2());
    known(independent) = 1;
    for (const ComplementBlock& block : D.blocks) {
      const auto size = static_cast<casadi_int>(block.rows.size());
      if (size > largest_solved_block) return "(from " + std::to_string(size) + " equations)";
      const std::vector<casadi_int> rows(block.rows.begin(), block.rows.end());
      const std::vector<casadi_int> columns(block.columns.begin(), block.columns.end());
      const SX right = -SX::densify(SX::mtimes(C(rows, casadi::Slice()), known));
      known(columns) = SX::solve(C(rows, columns), right);
      if (std::find(block.columns.begin(), block.columns.end(), dependent) != block.columns.end()) break;
    }
    return operations(known(dependent));
  }

  const Prepared& prepared_;
  const Derivation& derivation_;
  const Equations& equations_;
  Readable readable_;
  std::vector<std::string> coordinates_;  ///< has one name for each velocity
};

}  // namespace

std::string explain_symbolic(const Prepared& prepared) { return SymbolicExplanation(prepared).text(); }

}  // namespace mechfmu
