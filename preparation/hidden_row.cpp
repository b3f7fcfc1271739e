// Forms the determinant of the rows that hold coordinates, and writes it.
#include "hidden_row.hpp"

#include <algorithm>
#include <cstdio>
#include <set>

#include "immobile.hpp"
#include "readable/readable.hpp"

namespace mechfmu {

using casadi::SX;

namespace {

constexpr std::size_t longest_formula = 2000;  ///< Nobody copies longer ones.

/// Returns the row of C, by velocities.
SX row_of_C(const ConstraintEquation& row, const Symbols& s) {
  if (row.level == Level::velocity) return SX::sparsify(SX::jacobian(row.residual, s.v));
  return SX::sparsify(SX::mtimes(SX::jacobian(row.residual, s.q), SX::jacobian(s.q_rate, s.v)));
}

/// Returns a formula in terms of positions as the author knows them, with their whole turns. Returns an empty text if
/// there is none.
std::string formula(const Equations& e, const SX& expression) {
  const casadi_int given = e.given_inputs(), all = e.symbols.inputs.numel();
  const SX turns = e.symbols.inputs(casadi::Slice(given, all));
  const SX whole = turns.is_empty() ? expression : SX::substitute(expression, turns, SX::zeros(turns.numel()));
  const SX unnamed = SX::vertcat({e.symbols.angles, e.symbols.loads, e.symbols.multipliers, e.symbols.acceleration,
                                  e.symbols.v, e.symbols.inputs});
  if (SX::depends_on(whole, unnamed)) return "";
  for (std::size_t i = 0; i < e.positions.size(); ++i)
    if (e.positions[i].hidden && SX::depends_on(whole, e.symbols.positions()(static_cast<casadi_int>(i)))) return "";
  Readable readable(e.symbols);
  const std::optional<Quotient> value = readable.quotients(whole).front();
  if (!value || value->numerator().zero()) return "";
  const std::string text = readable.text(Quotient(value->numerator().primitive()));
  return text.size() <= longest_formula ? text : "";
}

std::string number_text(const casadi::SXElem& number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", static_cast<double>(number));
  return text;
}

std::string quoted_formula(const Equations& e, const SX& expression) { return '"' + formula(e, expression) + '"'; }

}  // namespace

std::optional<HiddenRow> hidden_row(const Equations& e, const Immobile& held) {
  SX C(0, e.symbols.v.numel());
  const ConstraintEquation* realised = nullptr;
  int realised_count = 0;
  for (const ConstraintEquation& row : e.constraints) {
    if (std::find(held.constraints.begin(), held.constraints.end(), row.name) == held.constraints.end()) continue;
    C = SX::vertcat({C, row_of_C(row, e.symbols)});
    if (!row.realised_by) continue;
    realised = &row;
    ++realised_count;
  }
  const std::vector<casadi_int> entries = C.sparsity().get_col();
  const std::set<casadi_int> columns(entries.begin(), entries.end());
  const auto size = static_cast<casadi_int>(columns.size());
  if (size < 2 || C.size1() != size || realised_count > 1) return {};
  HiddenRow result;
  const std::vector<casadi_int> all(columns.begin(), columns.end());
  result.position = formula(e, SX::det(SX::densify(SX(C(casadi::Slice(), all)))));
  if (result.position.empty()) return {};
  if (realised == nullptr) return result;
  result.like = realised->name;
  const SX& B = *realised->realised_by;
  for (casadi_int i = 0; i < B.nnz(); ++i) {
    const Shown& velocity = e.velocities[static_cast<std::size_t>(B.sparsity().row(i))];
    const SX entry = SX(B.nonzeros()[static_cast<std::size_t>(i)]);
    const std::string coefficient = entry.is_constant() ? number_text(entry.scalar()) : quoted_formula(e, entry);
    result.realised_by +=
        (result.realised_by.empty() ? "{ " : ", ") +
        (velocity.derivative_of.empty() ? velocity.name : velocity.derivative_of) + " = " + coefficient;
  }
  result.realised_by += " }";
  return result;
}

}  // namespace mechfmu
