// Searches a second assembly from the guesses reflected, coordinate by coordinate and all at once, and from places
// scattered around them, each as far away as the assembly that was found. From each place the start's own search leads
// onto the constraints and to the point nearest to the guesses. The search tries what it tells: with the guesses that
// the text names, the start finds the other assembly.
#include "other_assembly.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <optional>

#include "derivation/program/interpret.hpp"
#include "fmu_src/mechanism/whole_turns.hpp"
#include "fmu_src/start/search/assembly_search.hpp"
#include "modelDescription/formulas/diagnostics.hpp"
#include "modelDescription/formulas/export_tolerances.hpp"
#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

namespace {

/// An assembly is about as near if it is at most this many times as far from the guesses as the one that was found: in
/// the metric of the start, and by the coordinates whose guesses would tell them apart.
constexpr double about_as_near = 2;
/// Larger mechanisms take too long to be assembled again and again.
constexpr int most_velocities = 60;
constexpr int scattered_trials = 16, most_guesses = 3;

class Search {
 public:
  Search(const Mechanism& mechanism, const Equations& equations, double closure_tolerance)
      : rows_(memory_, mechanism), search_(rows_), s_(mechanism.sizes), fixed_(mechanism.position_fixed) {
    rows_.closure_tolerance = closure_tolerance;
    rows_.locate(0, equations.parameter_values.data(), equations.input_values.data());
  }

  /// Returns the nearest other assembly; none if it is not about as near.
  std::optional<VectorXd> other(const VectorXd& reached) {
    VectorXd rates;
    Message message;
    if (!rows_.guess(guess_, rates, message) || !from(guess_)) return std::nullopt;
    const double found = distance(reached);
    const VectorXd way = rows_.difference_from(begin_, reached);
    double nearest = about_as_near * about_as_near * found;
    std::optional<VectorXd> result;
    const auto attempt = [&](const VectorXd& move) {
      VectorXd q = rows_.moved(begin_, move);
      if (!assemble(guess_, q) || same(reached, q)) return;
      const double here = distance(q);
      if (here < nearest) nearest = here, result = q;
    };
    attempt(-way);
    for (int j = 0; j < s_.velocities; ++j)
      if (may_move(j) && std::fabs(way[j]) > part_of_way * way.cwiseAbs().maxCoeff())
        attempt(way - 2 * way[j] * unit(j));
    Scatter scatter;
    const VectorXd reach = std::sqrt(2 * found) * diagonal_.cwiseSqrt().cwiseInverse();
    for (int trial = 0; trial < scattered_trials; ++trial) {
      VectorXd move = scatter.column(s_.velocities).cwiseProduct(reach);
      for (int j = 0; j < s_.velocities; ++j)
        if (!may_move(j)) move[j] = 0;
      attempt(move);
    }
    return result;
  }

  /// Returns the coordinates whose guesses, set to their values in `wanted`, lead there; none if their present guesses
  /// clearly exclude it.
  std::vector<int> guesses_for(const VectorXd& reached, const VectorXd& wanted) {
    const VectorXd change = rows_.difference_from(reached, wanted);
    std::vector<int> order(static_cast<std::size_t>(s_.velocities));
    std::iota(order.begin(), order.end(), 0);
    std::erase_if(order, [&](int j) { return !may_move(j) || is_turned(rows_.model, j); });
    const auto size = [&](int j) { return change[j] * change[j] * diagonal_[j]; };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return size(a) > size(b); });
    VectorXd guess = guess_;
    for (std::size_t count = 0; count < std::min<std::size_t>(most_guesses, order.size()); ++count) {
      const int i = position_of(rows_.model, order[count]);
      guess[i] = wanted[i];
      VectorXd q;
      if (!from(guess)) return {};
      q = begin_;
      if (!assemble(guess, q) || !same(wanted, q)) continue;
      std::vector<int> found(order.begin(), order.begin() + static_cast<long>(count) + 1);
      return away(wanted, found) <= about_as_near * away(reached, found) ? found : std::vector<int>();
    }
    return {};
  }

  int position(int velocity) const { return position_of(rows_.model, velocity); }

 private:
  /// Returns the largest distance of these coordinates from their guesses, in nominal sizes.
  double away(const VectorXd& q, const std::vector<int>& coordinates) const {
    const VectorXd d = rows_.difference_from(guess_, q), zero = VectorXd::Zero(s_.positions);
    VectorXd counted = VectorXd::Zero(s_.velocities);
    for (const int j : coordinates) counted[j] = d[j];
    return rows_.size_of(counted, zero);
  }

  bool may_move(int j) const { return !(fixed_ && fixed_[j]); }
  VectorXd unit(int j) const { return VectorXd::Unit(s_.velocities, j); }

  /// Sets the place from which the start begins and measures distances.
  bool from(const VectorXd& guess) {
    Message message;
    if (!rows_.has_values(guess, false, message)) return false;
    begin_ = guess;
    if (s_.start_guess_rows > 0) search_.follow_guesses(begin_);
    rows_.matrices(guess);
    diagonal_ = rows_.metric_diagonal();
    return true;
  }

  double distance(const VectorXd& q) {
    rows_.matrices(guess_);
    return search_.distance(guess_, rows_.metric(), rows_.guess_weights(rows_.missed(guess_).slopes, diagonal_), q);
  }

  bool assemble(const VectorXd& guess, VectorXd& q) {
    Message message;
    rows_.matrices(guess);
    if (!rows_.close(rows_.metric(), StartEquations::at_start, q)) return false;
    const bool found = search_.approach(guess, q, message) && rows_.has_values(q, true, message);
    if (!found || !search_.check_branches(q, message)) return false;
    search_.unwind(guess, q);
    return true;
  }

  /// Is true if the assemblies are equal up to whole turns.
  bool same(const VectorXd& one, const VectorXd& other) {
    VectorXd q = other;
    search_.unwind(one, q);
    const VectorXd d = rows_.difference_from(one, q);
    return rows_.size_of(d, one) < assemblies_differ;
  }

  Arena memory_;
  RoundedLoops rows_;
  AssemblySearch search_;
  const Sizes& s_;
  const bool* fixed_;
  VectorXd guess_, begin_, diagonal_;
};

std::string text_of(double si, const Unit& unit) {
  char number[32];
  std::snprintf(number, sizeof number, "%.4g", from_si(si, unit));
  return number + (unit.text.empty() ? "" : " " + unit.text);
}

}  // namespace

std::string other_assembly(const Derivation& derivation, double closure_tolerance, const std::vector<double>& reached) {
  const Equations& equations = derivation.equations;
  const Sizes& s = derivation.sizes;
  if (equations.equilibrium || s.velocities > most_velocities || s.position_rows + s.start_position_rows == 0)
    return "";
  const InterpretedMechanism interpreted(derivation);
  const Mechanism& mechanism = interpreted.table();
  Search search(mechanism, equations, closure_tolerance);
  std::vector<double> turns(equations.input_values.begin() + equations.first_turns(), equations.input_values.end());
  for (double& one : turns) one = -one;
  VectorXd here = VectorXd::Map(reached.data(), s.positions);
  add_turns(mechanism, turns.data(), here.data());
  const std::optional<VectorXd> there = search.other(here);
  if (!there) return "";
  const std::vector<int> guesses = search.guesses_for(here, *there);
  if (guesses.empty()) return "";
  std::vector<std::string> found, others;
  for (const int j : guesses) {
    const int i = search.position(j);
    const Shown& shown = equations.positions[static_cast<std::size_t>(i)];
    const double found_there = reached[static_cast<std::size_t>(i)];
    found.push_back(text_of(found_there, shown.unit));
    others.push_back(in_quotes(shown.name) + " = " + text_of(found_there + (*there)[i] - here[i], shown.unit));
  }
  return "Another assembly is about as near to the start values: with " + listed(others) + " in place of " +
         listed(found) + ". Write as " +
         (guesses.size() == 1 ? "its start which one is" : "their starts which ones are") + " meant.";
}

}  // namespace mechfmu
