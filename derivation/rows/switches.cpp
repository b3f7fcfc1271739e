// Finds switches: numbers whose sign, or whole part, decides which branch of a formula counts.
#include "derivation/rows/switches.hpp"

#include <algorithm>

#include "equations/operands_first.hpp"
#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

using casadi::SX;
using casadi::SXElem;

namespace {

/// Rewrites expressions, operation by operation.
class Switching {
 public:
  explicit Switching(const Symbols& s) {
    mark(SX::vertcat({s.time, s.positions(), s.v, s.inputs, s.turns}), Depends::on_motion);
    mark(SX::vertcat({s.acceleration, s.multipliers, s.loads}), Depends::on_forces);
  }

  SX with_sides(const SX& matrix) {
    SX result = matrix;
    for (SXElem& entry : result.nonzeros())
      entry = rewritten_.of(entry, [this](const SXElem& next) { return made(next); }).element;
    return result;
  }

  struct Found {
    SXElem number;
    SXElem side;
    bool counts;
  };
  const std::vector<Found>& found() const { return found_; }

 private:
  /// Forces that a motion has to find are not known before a step: what depends on them is not followed.
  enum class Depends { on_nothing, on_motion, on_forces };
  struct Value {
    SXElem element;
    Depends depends;
  };

  void mark(const SX& symbols, Depends depends) {
    for (const SXElem& element : symbols.nonzeros()) rewritten_.set(element, Value{element, depends});
  }

  Value made(const SXElem& element) {
    if (element.n_dep() == 0) return {element, Depends::on_nothing};
    const casadi_int operation = element.op();
    const Value a = rewritten_(element.dep(0));
    if (element.n_dep() == 1) {
      const SXElem same = with_operands(element, a.element);
      if (a.depends != Depends::on_motion) return {same, a.depends};
      const SXElem x = a.element;
      switch (operation) {
        case casadi::OP_FABS: return {chosen(x, same, x, -x), a.depends};
        case casadi::OP_SIGN: return {chosen(x, same, 1, -1), a.depends};
        case casadi::OP_FLOOR: {
          const SXElem side = side_of(x, true);
          return {if_else(SXElem::binary(casadi::OP_EQ, side, 0), same, (side - 1) / 2), a.depends};
        }
        default: return {same, a.depends};
      }
    }
    const Value b = rewritten_(element.dep(1));
    const Depends depends = std::max(a.depends, b.depends);
    const SXElem same = with_operands(element, a.element, b.element);
    // Pieces of a table that meet smoothly are chosen by copysign() (equations/spline.cpp): no step has to end there.
    const bool smooth = element.dep(0).n_dep() == 2 && element.dep(0).op() == casadi::OP_COPYSIGN;
    if (depends != Depends::on_motion || smooth) return {same, depends};
    const SXElem less = b.element - a.element;  // is positive if a < b
    switch (operation) {
      case casadi::OP_LT:
      case casadi::OP_LE: return {chosen(less, same, 1, 0), depends};
      case casadi::OP_FMIN: return {chosen(less, same, a.element, b.element), depends};
      case casadi::OP_FMAX: return {chosen(less, same, b.element, a.element), depends};
      default: return {same, depends};
    }
  }

  /// Returns `positive` or `negative` as the number's side says, and `raw` while there is none.
  SXElem chosen(const SXElem& number, const SXElem& raw, const SXElem& positive, const SXElem& negative) {
    const SXElem side = side_of(number, false);
    const SXElem held = if_else(SXElem::binary(casadi::OP_LT, 0, side), positive, negative);
    return if_else(SXElem::binary(casadi::OP_EQ, side, 0), raw, held);
  }
  static SXElem if_else(const SXElem& test, const SXElem& yes, const SXElem& no) {
    return SXElem::binary(casadi::OP_IF_ELSE_ZERO, test, yes) +
           SXElem::binary(casadi::OP_IF_ELSE_ZERO, SXElem::unary(casadi::OP_NOT, test), no);
  }

  /// Returns the side of a number. Numbers that are equal share a switch; those of opposite sign do, too.
  SXElem side_of(const SXElem& number, bool counts) {
    constexpr casadi_int depth = 8;
    for (const Found& one : found_) {
      if (one.counts != counts) continue;
      if (SXElem::is_equal(one.number, number, depth)) return one.side;
      if (!counts && SXElem::is_equal(-one.number, number, depth)) return -one.side;
    }
    found_.push_back({number, SXElem::sym("side_" + std::to_string(found_.size())), counts});
    return found_.back().side;
  }

  Rewritten<Value> rewritten_;
  std::vector<Found> found_;
};

/// Names what a switch depends on, for messages.
std::string described(const Equations& e, const SX& number) {
  std::vector<std::string> names;
  if (SX::depends_on(number, e.symbols.time)) names.push_back("time");
  const auto add = [&](const SX& column, const auto& name_of) {
    for (casadi_int i = 0; i < column.numel(); ++i)
      if (SX::depends_on(number, column(i))) names.push_back(name_of(static_cast<std::size_t>(i)));
  };
  add(e.symbols.positions(), [&](std::size_t i) { return e.positions[i].name; });
  add(e.symbols.v, [&](std::size_t i) { return e.velocities[i].name; });
  add(e.symbols.inputs, [&](std::size_t i) { return e.input_names[i]; });
  return "a condition of " + listed(names);
}

}  // namespace

Equations with_switches(Equations e) {
  Switching switching(e.symbols);
  const auto rewrite = [&](SX& expression) { expression = switching.with_sides(expression); };
  e.for_forces(rewrite);
  if (switching.found().empty()) return e;
  SX sides(0, 1);
  for (const Switching::Found& one : switching.found()) {
    e.switches.push_back({described(e, SX(one.number)), SX(one.number), one.counts});
    sides = SX::vertcat({sides, SX(one.side)});
  }
  for (std::size_t i = 0; i < e.switches.size(); ++i) {
    e.input_names.push_back("side of " + e.switches[i].what);
    e.input_values.push_back(0);
  }
  e.symbols.inputs = SX::vertcat({e.symbols.inputs, sides});
  return e;
}

}  // namespace mechfmu
