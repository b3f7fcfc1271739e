// The rows of R are grouped by the controls that they share. In a group of rank p = m − 1, Z is a row of the adjugate
// of R, so that nothing is divided by. Ranks are found by numbers, at places around the start values.
#include "servo_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "equations/columns.hpp"
#include "equations/connected.hpp"
#include "fmu_src/linear/finite.hpp"
#include "modelDescription/formulas/export_tolerances.hpp"
#include "probe.hpp"

namespace mechfmu {

using casadi::DM;
using casadi::Slice;
using casadi::SX;

namespace {

constexpr int place_count = 6;
constexpr casadi_int largest_group = 4;

/// Is what holds a row in the accelerations: C_a v̇ + γ = 0.
struct Held {
  SX residual;
  Level level;
};

/// Returns the pivots of a matrix by complete pivoting, largest first.
std::vector<double> pivots(DM matrix) {
  std::vector<double> result;
  const casadi_int size = std::min(matrix.size1(), matrix.size2());
  matrix = DM::densify(matrix);
  for (casadi_int s = 0; s < size; ++s) {
    casadi_int row = s, column = s;
    for (casadi_int j = s; j < matrix.size2(); ++j)
      for (casadi_int i = s; i < matrix.size1(); ++i)
        if (std::fabs(matrix(i, j).scalar()) > std::fabs(matrix(row, column).scalar())) row = i, column = j;
    const double pivot = matrix(row, column).scalar();
    result.push_back(std::fabs(pivot));
    if (!(std::fabs(pivot) > 0)) break;
    const auto exchange_rows = [&] {
      const DM held = matrix(s, Slice());
      matrix(s, Slice()) = DM(matrix(row, Slice()));
      matrix(row, Slice()) = held;
    };
    const auto exchange_columns = [&] {
      const DM held = matrix(Slice(), s);
      matrix(Slice(), s) = DM(matrix(Slice(), column));
      matrix(Slice(), column) = held;
    };
    exchange_rows();
    exchange_columns();
    for (casadi_int i = s + 1; i < matrix.size1(); ++i)
      matrix(i, Slice()) -= DM(matrix(i, s)) / pivot * DM(matrix(s, Slice()));
  }
  return result;
}

int rank_of(const DM& matrix) {
  const std::vector<double> found = pivots(matrix);
  return static_cast<int>(
      std::count_if(found.begin(), found.end(), [](double pivot) { return pivot > dependent_servo_rows; }));
}

class ServoRows {
 public:
  ServoRows(Equations& e, const SX& M, const SX& h, Diagnostics& diagnostics)
      : e_(e), s_(e.symbols), diagnostics_(diagnostics), q_(s_.q), v_(s_.v), moving_(SX::vertcat({s_.time, s_.q})),
        motion_(SX::vertcat({SX(1), s_.q_rate})), M_(SX::densify(M)), h_(SX::densify(h)) {}

  void run() {
    for (const ConstraintEquation& row : e_.constraints) held_.push_back({row.residual, row.level});
    find_places();
    const casadi_int most_rounds = s_.v.numel();
    for (casadi_int round = 0; round <= most_rounds; ++round) {
      const std::optional<Matrices> now = matrices();
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

  /// Adds a row for each group of R that is not regular. Returns false if it adds an error.
  bool add_hidden(const Matrices& now) {
    const SX free_accelerations = SX::mtimes(now.C, SX::solve(M_, h_)) + now.gamma;
    const casadi::Sparsity with_own_controls = now.R.sparsity() + casadi::Sparsity::diag(now.R.size1());
    for (const Connected& connection : connected(with_own_controls)) {
      const std::vector<casadi_int>& group = connection.rows;
      casadi_int rank = 0;
      for (const DM& R : now.R_at) rank = std::max<casadi_int>(rank, rank_of(R(group, group)));
      const auto size = static_cast<casadi_int>(group.size());
      if (rank == size) continue;
      if (rank < size - 1 || size > largest_group) return fail_rank(group, size, rank);
      if (!replace_row(now, group, free_accelerations)) return false;
    }
    return true;
  }

  /// Adds g = Zᵀ (C M⁻¹ h + γ) for a group of rows, and lets it take the place of one of them in the accelerations.
  bool replace_row(const Matrices& now, const std::vector<casadi_int>& group, const SX& free_accelerations) {
    const auto size = static_cast<casadi_int>(group.size());
    const SX R = SX::densify(SX(now.R(group, group)));
    const auto cofactor = [&](const auto& matrix, casadi_int row, casadi_int column) {
      using Matrix = std::decay_t<decltype(matrix)>;
      if (size == 1) return Matrix(1);
      std::vector<casadi_int> rows, columns;
      for (casadi_int i = 0; i < size; ++i) {
        if (i != row) rows.push_back(i);
        if (i != column) columns.push_back(i);
      }
      return Matrix::det(Matrix(matrix(rows, columns))) * ((row + column) % 2 == 0 ? 1 : -1);
    };
    // Row c of the adjugate has the cofactors of column c of R. The largest entry at all places says which column, and
    // which row is replaced.
    casadi_int best_column = 0, best_row = 0;
    double largest = -1;
    for (casadi_int column = 0; column < size; ++column)
      for (casadi_int row = 0; row < size; ++row) {
        double smallest = beyond_all;
        for (const DM& at : now.R_at)
          smallest = std::min(smallest, std::fabs(cofactor(DM(at(group, group)), row, column).scalar()));
        if (smallest > largest) largest = smallest, best_column = column, best_row = row;
      }
    SX g = 0;
    for (casadi_int row = 0; row < size; ++row)
      g += cofactor(R, row, best_column) * free_accelerations(group[static_cast<std::size_t>(row)]);
    g = SX::densify(g);
    return add_row(g, group, group[static_cast<std::size_t>(best_row)]);
  }

  bool add_row(const SX& g, const std::vector<casadi_int>& group, casadi_int replaced) {
    const ConstraintEquation& row = e_.constraints[static_cast<std::size_t>(replaced)];
    if (SX::depends_on(g, SX::vertcat({given_inputs(), s_.loads}))) return fail_input(group, g);
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
  bool fail_rank(const std::vector<casadi_int>& group, casadi_int size, casadi_int rank) {
    return fail(group,
                "the controls of " + quoted_names(group) + " act on only " + std::to_string(rank) + " of these " +
                    std::to_string(size) + " constraints, and what the others hide is not derived",
                "let further controls act, or give the coordinates that follow prescribed motions of their own");
  }
  bool fail_unreachable(const std::vector<casadi_int>& group) {
    return fail(group,
                "no control realises " + quoted_names(group) +
                    ": however often they are differentiated, no control acts on a combination of them",
                "let a control act there, or remove one of them");
  }
  bool fail_input(const std::vector<casadi_int>& group, const SX& g) {
    std::string name = "an unknown";
    for (casadi_int i = 0; i < e_.given_inputs(); ++i)
      if (SX::depends_on(g, s_.inputs(i))) name = "the input " + in_quotes(e_.input_names[static_cast<std::size_t>(i)]);
    return fail(group,
                "the controls of " + quoted_names(group) + " act only through derivatives of what contains " + name +
                    ", which has none",
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
