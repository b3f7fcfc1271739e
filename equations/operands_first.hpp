// Walks over the operations of an expression.
#pragma once

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

}  // namespace mechfmu
