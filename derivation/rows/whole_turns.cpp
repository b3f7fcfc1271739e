// An operation's value is known for angles with their turns. As long as it is a sum of angles times whole numbers, it
// is also known for angles without: the two differ by whole turns. If such a sum becomes the argument of a periodic
// function, the one without turns serves.
#include "derivation/rows/whole_turns.hpp"

#include <cmath>
#include <set>

#include "equations/operands_first.hpp"

namespace mechfmu {

using casadi::SX;
using casadi::SXElem;

namespace {

class Turning {
 public:
  /// `turns`: for each position the symbol that counts its turns, or nothing.
  Turning(const SX& q, const std::vector<std::optional<SXElem>>& turns) {
    for (casadi_int i = 0; i < q.numel(); ++i) {
      const SXElem position = q.nonzeros()[static_cast<std::size_t>(i)];
      const auto& count = turns[static_cast<std::size_t>(i)];
      if (count) rewritten_.set(position, Value{position + 2 * casadi::pi * *count, position, {static_cast<int>(i)}});
    }
  }

  SX with_turns(const SX& matrix) {
    SX result = matrix;
    for (SXElem& entry : result.nonzeros())
      entry = rewritten_.of(entry, [this](const SXElem& next) { return made(next); }).total;
    return result;
  }
  /// Positions that some periodic function was asked for.
  const std::set<int>& periodic() const { return periodic_; }

 private:
  struct Value {
    SXElem total;          ///< sum of angles with their turns
    SXElem reduced;        ///< sum of angles without
    std::set<int> angles;  ///< the positions in the sum; empty: it is none, and both are the same
  };

  Value made(const SXElem& element) {
    if (element.n_dep() == 0) return {element, element, {}};
    const casadi_int operation = element.op();
    const Value a = rewritten_(element.dep(0));
    if (element.n_dep() == 1) {
      if ((operation == casadi::OP_SIN || operation == casadi::OP_COS || operation == casadi::OP_TAN) &&
          !a.angles.empty()) {
        periodic_.insert(a.angles.begin(), a.angles.end());
        const SXElem value = with_operands(element, a.reduced);
        return {value, value, {}};
      }
      const SXElem total = with_operands(element, a.total);
      if (operation == casadi::OP_NEG || operation == casadi::OP_TWICE)
        return {total, with_operands(element, a.reduced), a.angles};
      return {total, total, {}};
    }
    const Value b = rewritten_(element.dep(1));
    const SXElem total = with_operands(element, a.total, b.total);
    const bool sum = operation == casadi::OP_ADD || operation == casadi::OP_SUB;
    const bool product = operation == casadi::OP_MUL && (is_whole(a.total) || is_whole(b.total));
    if (!sum && !product) return {total, total, {}};
    std::set<int> angles = a.angles;
    angles.insert(b.angles.begin(), b.angles.end());
    return {total, angles.empty() ? total : with_operands(element, a.reduced, b.reduced), angles};
  }

  static bool is_whole(const SXElem& element) {
    return element.is_constant() && std::floor(static_cast<double>(element)) == static_cast<double>(element);
  }

  Rewritten<Value> rewritten_;
  std::set<int> periodic_;
};

}  // namespace

Equations with_whole_turns(Equations e) {
  const SX q = e.symbols.q;
  std::vector<std::optional<SXElem>> turns;
  const auto rewrite = [&](Turning& turning, Equations equations) {
    equations.for_motion([&](SX& expression) { expression = turning.with_turns(expression); });
    return equations;
  };
  for (casadi_int i = 0; i < q.numel(); ++i) turns.push_back(SXElem::sym("turns"));
  for (const Quaternion& quaternion : e.quaternions)
    for (int c = 0; c < 4; ++c) turns[static_cast<std::size_t>(quaternion.position + c)].reset();
  Turning all(q, turns);
  rewrite(all, e);
  SX symbols(0, 1);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (!all.periodic().count(static_cast<int>(i))) {
      turns[i].reset();
      continue;
    }
    symbols = SX::vertcat({symbols, SX(*turns[i])});
    e.turning.push_back(static_cast<int>(i));
    e.input_names.push_back(e.positions[i].name + ", turns");
    e.input_values.push_back(0);
  }
  if (e.turning.empty()) return e;
  e.symbols.inputs = SX::vertcat({e.symbols.inputs, symbols});
  Turning counted(q, turns);
  for (auto* rows : {&e.start_positions, &e.start_velocities, &e.start_guesses})
    for (StartEquation& row : *rows) row.residual = counted.with_turns(row.residual);
  return rewrite(counted, std::move(e));
}

/// 2π is in three parts, of which the first two have few digits: their products with numbers of turns are exact (Cody
/// and Waite), and so is what the first leaves.
SX guess_within_turns(const Equations& e) {
  SX guess = SX::densify(e.position_guess);
  const double whole = 2 * casadi::pi, beyond = 2.4492935982947064e-16;
  const double first = std::ldexp(std::floor(std::ldexp(whole, 24)), -24);
  const double second = std::ldexp(std::floor(std::ldexp(whole - first, 48)), -48),
               third = whole - first - second + beyond;
  for (std::size_t k = 0; k < e.turning.size(); ++k) {
    const SX turns = e.symbols.inputs(e.first_turns() + static_cast<casadi_int>(k));
    const auto i = static_cast<casadi_int>(e.turning[k]);
    guess(i) = guess(i) - first * turns - second * turns - third * turns;
  }
  return guess;
}

}  // namespace mechfmu
