// The rows of R are grouped by the controls that they share. In a group of rank p, a regular part R_IJ of p rows I and
// p columns J is chosen. Each other row r gives a column of Z by Cramer's rule, and its hidden row is a determinant, so
// that nothing is divided by:
//
//   g_r = det [R_IJ a_I; R_rJ a_r]        a = C M⁻¹ h + γ
//
// Ranks are found by numbers, at places around the start values.
#include "derivation/rows/servo_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "derivation/probe.hpp"
#include "equations/columns.hpp"
#include "equations/connected.hpp"
#include "fmu_src/linear/finite.hpp"
#include "modelDescription/formulas/export_tolerances.hpp"

namespace mechfmu {

using casadi::DM;
using casadi::Slice;
using casadi::SX;

namespace {

constexpr int place_count = 6;
/// Is the largest rank whose hidden rows are determinants: their terms grow with its factorial. Above it, a_I is solved
/// for: g_r = a_r − R_rJ R_IJ⁻¹ a_I.
constexpr casadi_int largest_expanded_rank = 4;

/// Is what holds a row in the accelerations: C_a v̇ + γ = 0.
struct Held {
  SX residual;
  Level level;
};

/// Holds the pivots of a matrix by complete pivoting, largest first, with their rows and columns.
struct Pivots {
  std::vector<double> sizes;
  std::vector<casadi_int> rows, columns;
};

Pivots pivots(DM matrix) {
  Pivots result;
  matrix = DM::densify(matrix);
  std::vector<casadi_int> rows(static_cast<std::size_t>(matrix.size1())),
      columns(static_cast<std::size_t>(matrix.size2()));
  std::iota(rows.begin(), rows.end(), 0);
  std::iota(columns.begin(), columns.end(), 0);
  const auto size_at = [&](casadi_int i, casadi_int j) { return std::fabs(matrix(i, j).scalar()); };
  while (!rows.empty() && !columns.empty()) {
    casadi_int row = rows.front(), column = columns.front();
    for (const casadi_int j : columns)
      for (const casadi_int i : rows)
        if (size_at(i, j) > size_at(row, column)) row = i, column = j;
    if (!(size_at(row, column) > 0)) break;
    result.sizes.push_back(size_at(row, column));
    result.rows.push_back(row);
    result.columns.push_back(column);
    std::erase(rows, row);
    std::erase(columns, column);
    for (const casadi_int i : rows)
      matrix(i, Slice()) -= DM(matrix(i, column)) / DM(matrix(row, column)) * DM(matrix(row, Slice()));
  }
  return result;
}

int rank_of(const DM& matrix) {
  const std::vector<double> sizes = pivots(matrix).sizes;
  return static_cast<int>(
      std::count_if(sizes.begin(), sizes.end(), [](double size) { return size > dependent_servo_rows; }));
}

class ServoRows {
 public:
  ServoRows(Equations& e, const SX& M, const SX& h, Diagnostics& diagnostics)
      : e_(e), s_(e.symbols), diagnostics_(diagnostics), q_(s_.q), v_(s_.v),
        moving_(SX::vertcat({s_.time, s_.positions()})), motion_(SX::vertcat({SX(1), s_.q_rate, e.state_rates()})),
        M_(SX::densify(M)), h_(SX::densify(h)) {}

  void run() {
    for (const ConstraintEquation& row : e_.constraints) held_.push_back({row.residual, row.level});
    find_places();
    const casadi_int most_rounds = s_.v.numel();
    for (casadi_int round = 0; round <= most_rounds; ++round) {
      const std::optional<Matrices> now = matrices();
      if (!now && !hidden_.empty()) return fail_dependent();
      if (!now || now->rank == now->count) return finish();
      if (round == most_rounds) return fail_limit();
      if (!add_hidden(*now)) return;
    }
  }

 private:
  /// Holds C_a, γ, B and R in symbols, and R at the places, with rows and columns of length one.
  struct Matrices {
    SX C, gamma, B, R;
    std::vector<DM> R_at;
    casadi_int count = 0, rank = 0;
  };

  /// Returns none if rows or columns depend on each other by themselves, or M is singular: then ranks say nothing about
  /// controls.
  std::optional<Matrices> matrices() const {
    Matrices result;
    const casadi_int n = s_.v.numel();
    std::vector<SX> C{SX(0, n)}, gamma{SX(0, 1)}, B{SX(n, 0)};
    for (std::size_t i = 0; i < held_.size(); ++i) {
      const SX direction = direction_of(held_[i]);
      C.push_back(direction);
      gamma.push_back(rest_of(held_[i], direction));
      B.push_back(e_.constraints[i].realised_by
                      ? SX::sparsify(*e_.constraints[i].realised_by)
                      : SX(direction_of({e_.constraints[i].residual, e_.constraints[i].level}).T()));
    }
    result.C = SX::vertcat(C);
    result.gamma = SX::vertcat(gamma);
    result.B = SX::horzcat(B);
    result.count = static_cast<casadi_int>(held_.size());
    const casadi::Function evaluate("rows", s_.all(), {M_, SX::densify(result.C), SX::densify(result.B)});
    for (const std::vector<DM>& place : places_) {
      const std::vector<DM> at = evaluate(place);
      if (!at[0].is_regular() || !at[1].is_regular() || !at[2].is_regular()) continue;
      if (rank_of(scaled(at[0], at[0], at[0])) < n) return {};
      const DM to_B = DM::solve(at[0], at[2]), to_C = DM::solve(at[0], DM(at[1].T()));
      const DM own_C = DM::mtimes(at[1], to_C), own_B = DM::mtimes(DM(at[2].T()), to_B);
      if (rank_of(scaled(own_C, own_C, own_C)) < result.count || rank_of(scaled(own_B, own_B, own_B)) < result.count)
        continue;
      result.R_at.push_back(scaled(DM::mtimes(at[1], to_B), own_C, own_B));
      result.rank = std::max<casadi_int>(result.rank, rank_of(result.R_at.back()));
    }
    if (result.R_at.empty()) return {};
    if (result.rank < result.count) result.R = SX::sparsify(SX::mtimes(result.C, SX::solve(M_, SX::densify(result.B))));
    return result;
  }

  /// Divides rows by the roots of one diagonal, and columns by those of another.
  static DM scaled(DM matrix, const DM& rows, const DM& columns) {
    for (casadi_int i = 0; i < matrix.size1(); ++i)
      for (casadi_int j = 0; j < matrix.size2(); ++j) {
        const double size = std::sqrt(std::fabs(rows(i, i).scalar() * columns(j, j).scalar()));
        if (size > 0) matrix(i, j) = matrix(i, j) / size;
      }
    return matrix;
  }

  SX direction_of(const Held& row) const {
    if (row.level == Level::acceleration) return SX::sparsify(SX::jacobian(row.residual, s_.acceleration));
    if (row.level == Level::velocity) return v_.jacobian(row.residual);
    return SX::sparsify(SX::mtimes(q_.jacobian(row.residual), SX::jacobian(s_.q_rate, s_.v)));
  }
  SX rest_of(const Held& row, const SX& direction) const {
    if (row.level == Level::acceleration) return row.residual - SX::mtimes(direction, s_.acceleration);
    return row.level == Level::velocity ? rate(row.residual) : rate(rate(row.residual));
  }
  SX rate(const SX& expression) const { return moving_.slope(expression, motion_); }

  /// Makes numbers for Symbols::all() around the start values.
  void find_places() {
    std::vector<double> parameters = e_.parameter_values;
    for (const Calculation& one : e_.calculations) {
      const casadi::Function value("value", {s_.parameters}, {one.value});
      parameters[static_cast<std::size_t>(one.parameter)] = value(std::vector<DM>{DM(parameters)}).front().scalar();
    }
    std::vector<DM> at_rest;
    for (const SX& symbols : s_.all()) at_rest.push_back(DM::zeros(symbols.numel()));
    at_rest[3] = DM(e_.input_values);
    at_rest[4] = DM(parameters);
    const casadi::Function guess("guess", s_.all(), {SX::densify(e_.position_guess)});
    const DM start = guess(at_rest).front();
    std::mt19937 random(1);
    std::uniform_real_distribution<double> aside(-0.3, 0.3);
    const std::vector<double> sizes = nominal_sizes(e_);
    for (int i = 0; i < place_count; ++i) {
      DM q = start;
      for (casadi_int j = 0; j < q.numel(); ++j) {
        const auto place = std::min(static_cast<std::size_t>(j), sizes.size() - 1);
        q(j) = q(j) + aside(random) * sizes[place];
      }
      std::vector<double> v;
      for (const double rate : e_.rate_nominal) v.push_back(10 * aside(random) * rate);
      v.resize(static_cast<std::size_t>(s_.v.numel()), aside(random));
      places_.push_back({DM(e_.duration * (0.1 + 0.13 * i)), q, DM(v), DM(e_.input_values), DM(parameters),
                         DM::zeros(s_.acceleration.numel()), DM::zeros(s_.multipliers.numel()),
                         DM::zeros(s_.angles.numel()), DM::zeros(s_.loads.numel()), DM::zeros(s_.slide.numel())});
    }
  }

  /// Adds rows for each group of R that is not regular. Returns false if it adds an error.
  bool add_hidden(const Matrices& now) {
    const SX free_accelerations = SX::mtimes(now.C, SX::solve(M_, h_)) + now.gamma;
    const casadi::Sparsity with_own_controls = now.R.sparsity() + casadi::Sparsity::diag(now.R.size1());
    for (const Connected& connection : connected(with_own_controls)) {
      const std::vector<casadi_int>& group = connection.rows;
      casadi_int rank = 0;
      for (const DM& R : now.R_at) rank = std::max<casadi_int>(rank, rank_of(R(group, group)));
      if (rank < static_cast<casadi_int>(group.size()) && !replace_rows(now, group, rank, free_accelerations))
        return false;
    }
    return true;
  }

  /// Adds g = Zᵀ (C M⁻¹ h + γ) for a group of rows, and lets each take the place of one of them in the accelerations.
  bool replace_rows(const Matrices& now, const std::vector<casadi_int>& group, casadi_int rank,
                    const SX& free_accelerations) {
    const RegularPart part = regular_part(now, group, rank);
    for (const casadi_int row : group) {
      if (std::count(part.rows.begin(), part.rows.end(), row) > 0) continue;
      const SX g = hidden_row(now.R, part, row, free_accelerations);
      std::vector<casadi_int> combined = part.rows;
      combined.push_back(row);
      std::sort(combined.begin(), combined.end());
      if (!add_row(g, combined, row)) return false;
    }
    return true;
  }

  /// Names rows and columns of R whose determinant is not zero.
  struct RegularPart {
    std::vector<casadi_int> rows, columns;
  };

  /// Returns that part of a group that is farthest from singular at all places where the group has its rank. Each place
  /// proposes its largest pivots.
  static RegularPart regular_part(const Matrices& now, const std::vector<casadi_int>& group, casadi_int rank) {
    const auto own = [&](std::vector<casadi_int> places) {
      places.resize(static_cast<std::size_t>(rank));
      for (casadi_int& place : places) place = group[static_cast<std::size_t>(place)];
      std::sort(places.begin(), places.end());
      return places;
    };
    std::vector<DM> R_at;
    for (const DM& R : now.R_at)
      if (rank_of(R(group, group)) == rank) R_at.push_back(R);
    RegularPart best;
    double farthest = -1;
    for (const DM& place : R_at) {
      const Pivots proposed = pivots(place(group, group));
      const RegularPart part{own(proposed.rows), own(proposed.columns)};
      double smallest = beyond_all;
      for (const DM& R : R_at)
        smallest = std::min(smallest, rank == 0 ? 1 : std::fabs(DM::det(DM(R(part.rows, part.columns))).scalar()));
      if (smallest > farthest) farthest = smallest, best = part;
    }
    return best;
  }

  static SX hidden_row(const SX& R, const RegularPart& part, casadi_int row, const SX& free_accelerations) {
    if (part.rows.empty()) return SX::densify(free_accelerations(row));
    const std::vector<casadi_int> own{row};
    const SX regular = SX::densify(SX(R(part.rows, part.columns))), others = SX::densify(SX(R(own, part.columns)));
    const SX above = SX::densify(SX(free_accelerations(part.rows))), below = SX::densify(SX(free_accelerations(own)));
    if (static_cast<casadi_int>(part.rows.size()) > largest_expanded_rank)
      return below - SX::mtimes(others, SX::solve(regular, above));
    return SX::densify(SX::det(SX::vertcat({SX::horzcat({regular, above}), SX::horzcat({others, below})})));
  }

  bool add_row(const SX& g, const std::vector<casadi_int>& group, casadi_int replaced) {
    const ConstraintEquation& row = e_.constraints[static_cast<std::size_t>(replaced)];
    if (SX::depends_on(g, SX::vertcat({given_inputs(), s_.loads, s_.states}))) return fail_input(group, g);
    // Velocities may occur and cancel. At rest they leave no rounding.
    const bool of_positions = free_of(g, s_.v, e_).has_value();
    Held held{of_positions ? SX::densify(SX::substitute(g, s_.v, SX::zeros(s_.v.numel()))) : g,
              of_positions ? Level::position : Level::velocity};
    const SX& moves = of_positions ? s_.q : s_.v;
    if (!SX::depends_on(held.residual, moves) || free_of(held.residual, moves, e_)) return fail_unreachable(group);
    held.residual = held.residual / std::exp2(std::round(std::log2(length_of(held))));
    held_[static_cast<std::size_t>(replaced)] = held;
    ConstraintEquation hidden;
    hidden.name = "hidden behind " + names_of(group, " and ");
    hidden.place = row.place;
    hidden.level = held.level;
    hidden.residual = held.residual;
    hidden.realised_by = SX(s_.v.numel(), 1);
    hidden.multiplier.name = hidden.name;
    hidden.multiplier.hidden = true;
    hidden.description = "what the controls of " + names_of(group, ", ") + " cannot act on directly";
    hidden.kept_by_others = true;
    hidden_.push_back(std::move(hidden));
    return true;
  }

  /// Returns what coordinates or rates of nominal size make of a row, as the largest at the places.
  double length_of(const Held& row) const {
    const casadi::Function slopes("slopes", s_.all(), {SX::densify(direction_of(row))});
    std::vector<double> sizes = row.level == Level::position ? nominal_sizes(e_) : e_.rate_nominal;
    sizes.resize(static_cast<std::size_t>(s_.v.numel()), 1);
    double largest = 0;
    for (const std::vector<DM>& place : places_) {
      const DM at = slopes(place).front();
      for (casadi_int j = 0; j < at.numel(); ++j) {
        const double part = std::fabs(at(j).scalar()) * sizes[static_cast<std::size_t>(j)];
        if (is_finite(part)) largest = std::max(largest, part);
      }
    }
    return largest > 0 ? largest : 1;
  }

  void finish() {
    for (std::size_t i = 0; i < held_.size(); ++i) {
      if (SX::is_equal(held_[i].residual, e_.constraints[i].residual, 0)) continue;
      e_.constraints[i].instead = {held_[i].residual, held_[i].level};
    }
    for (ConstraintEquation& row : hidden_) {
      e_.symbols.multipliers = SX::vertcat({e_.symbols.multipliers, SX::sym(row.name)});
      e_.constraints.push_back(std::move(row));
    }
  }

  /// Returns the author's inputs. (The others count whole turns, and belong to positions.)
  SX given_inputs() const { return s_.inputs(Slice(0, e_.given_inputs())); }

  std::string names_of(const std::vector<casadi_int>& group, const std::string& between) const {
    std::string text;
    for (const casadi_int i : group)
      text += (text.empty() ? "" : between) + e_.constraints[static_cast<std::size_t>(i)].name;
    return text;
  }
  std::string quoted_names(const std::vector<casadi_int>& group) const {
    std::vector<std::string> names;
    for (const casadi_int i : group) names.push_back(in_quotes(e_.constraints[static_cast<std::size_t>(i)].name));
    return listed(names);
  }
  bool fail(const std::vector<casadi_int>& group, const std::string& problem, const std::string& repair) {
    diagnostics_.add(e_.constraints[static_cast<std::size_t>(group.front())].place, problem, repair);
    return false;
  }
  bool fail_unreachable(const std::vector<casadi_int>& group) {
    return fail(group,
                "no control realises " + quoted_names(group) +
                    ": however often they are differentiated, no control acts on a combination of them",
                "let a control act there, or remove one of them");
  }
  /// Tells of rows that depend on the others since they took the place of theirs.
  void fail_dependent() {
    std::vector<casadi_int> replaced;
    for (std::size_t i = 0; i < held_.size(); ++i)
      if (!SX::is_equal(held_[i].residual, e_.constraints[i].residual, 0))
        replaced.push_back(static_cast<casadi_int>(i));
    fail_unreachable(replaced);
  }
  bool fail_input(const std::vector<casadi_int>& group, const SX& g) {
    std::string name = "an unknown", why = "which has none";
    for (casadi_int i = 0; i < s_.states.numel(); ++i)
      if (SX::depends_on(g, s_.states(i))) {
        name = "the state " + in_quotes(e_.states[static_cast<std::size_t>(i)].name);
        why = "and constraints must not depend on a state";
      }
    for (casadi_int i = 0; i < e_.given_inputs(); ++i)
      if (SX::depends_on(g, s_.inputs(i))) {
        name = "the input " + in_quotes(e_.input_names[static_cast<std::size_t>(i)]);
        why = "which has none";
      }
    return fail(group,
                "the controls of " + quoted_names(group) + " act only through derivatives of what contains " + name +
                    ", " + why,
                "let that force act elsewhere, or write it as a function of time");
  }
  void fail_limit() {
    std::vector<casadi_int> all(held_.size());
    std::iota(all.begin(), all.end(), 0);
    fail(all,
         "no control realises " + quoted_names(all) + ": after " + std::to_string(s_.v.numel()) +
             " differentiations the controls still do not act on them",
         "let a control act there, or remove one of them");
  }

  Equations& e_;
  const Symbols& s_;
  Diagnostics& diagnostics_;
  Places q_, v_, moving_;
  SX motion_, M_, h_;
  std::vector<Held> held_;  ///< one row for each constraint of the author
  std::vector<ConstraintEquation> hidden_;
  std::vector<std::vector<DM>> places_;
};

}  // namespace

Equations with_servo_rows(Equations e, const SX& M, const SX& h, Diagnostics& diagnostics) {
  ServoRows(e, M, h, diagnostics).run();
  return e;
}

}  // namespace mechfmu
