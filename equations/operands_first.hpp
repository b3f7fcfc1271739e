// Walks over the operations of an expression.
#pragma once

#include <unordered_map>
#include <vector>

#include <casadi/casadi.hpp>

namespace mechfmu {

/// Calls `make(operation)` for everything that `root` is made of and then for `root`, operands before what is made of
/// them. `is_done(operation)` is true if an operation, known by its address, was made before. There is no recursion,
/// for expressions may be deep.
template <class IsDone, class Make>
void operands_first(const casadi::SXElem& root, const IsDone& is_done, const Make& make) {
  std::vector<casadi::SXElem> waiting{root};
  while (!waiting.empty()) {
    const casadi::SXElem next = waiting.back();
    const std::size_t before = waiting.size();
    if (!is_done(next.get()))
      for (casadi_int i = next.n_dep(); i-- > 0;)
        if (const casadi::SXElem operand = next.dep(i); !is_done(operand.get())) waiting.push_back(operand);
    if (waiting.size() > before) continue;
    waiting.pop_back();
    if (!is_done(next.get())) make(next);
  }
}

/// Returns an operation with these operands: itself, where they are its own.
inline casadi::SXElem with_operands(const casadi::SXElem& element, const casadi::SXElem& a) {
  return a.get() == element.dep(0).get() ? element : casadi::SXElem::unary(element.op(), a);
}
inline casadi::SXElem with_operands(const casadi::SXElem& element, const casadi::SXElem& a, const casadi::SXElem& b) {
  const bool same = a.get() == element.dep(0).get() && b.get() == element.dep(1).get();
  return same ? element : casadi::SXElem::binary(element.op(), a, b);
}

/// Keeps what every operation of expressions was rewritten to, so that each is rewritten once.
template <class Value>
class Rewritten {
 public:
  /// Says what somebody else makes of an operation.
  void set(const casadi::SXElem& element, const Value& value) { done_.insert_or_assign(element.get(), value); }
  /// Returns the value of an operand of an operation that is being made.
  const Value& operator()(const casadi::SXElem& operand) const { return done_.at(operand.get()); }
  /// Returns the value of an expression; `make(operation)` returns that of an operation whose operands have theirs.
  template <class Make>
  const Value& of(const casadi::SXElem& root, const Make& make) {
    operands_first(
        root, [&](const casadi::SXNode* node) { return done_.count(node) != 0; },
        [&](const casadi::SXElem& next) {
          kept_.push_back(next);
          done_.emplace(next.get(), make(next));
        });
    return done_.at(root.get());
  }

 private:
  std::unordered_map<const casadi::SXNode*, Value> done_;  ///< by what was given
  std::vector<casadi::SXElem> kept_;                       ///< alive as long as its address is a key
};

}  // namespace mechfmu
