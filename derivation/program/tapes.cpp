// A program's values that are used, numbered anew, in the core's own operations.
#include "derivation/program/tapes.hpp"

#include <algorithm>
#include <stdexcept>

#include "derivation/program/program_text.hpp"

namespace mechfmu {

using enum casadi::Operation;

TapeStorage tape_of(const casadi::Function& function) {
  const Program program(function);
  const std::vector<Node>& values = program.values();
  std::vector<bool> used(values.size(), false);
  for (const Result& result : program.results()) used[static_cast<std::size_t>(result.value)] = true;
  for (std::size_t i = values.size(); i-- > 0;)
    for (const int operand : values[i].operands)
      if (used[i] && operand >= 0) used[static_cast<std::size_t>(operand)] = true;

  TapeStorage tape;
  std::vector<int> place(values.size(), 0);
  const auto at = [&](int value) { return value < 0 ? -1 : place[static_cast<std::size_t>(value)]; };
  const auto add = [&tape](Operation operation, int a, int b = 0) {
    if (std::max(a, b) > static_cast<int>(largest_operand)) throw std::length_error("a tape is too long");
    tape.steps.push_back(packed(operation, a, b));
    return static_cast<int>(tape.steps.size()) - 1;
  };
  const auto add_of_steps = [&](Operation operation, int a, int b) {
    const int here = static_cast<int>(tape.steps.size());
    return add(operation, a < 0 ? 0 : here - a, b < 0 ? 0 : here - b);
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Node& value = values[i];
    const int a = at(value.operands[0]), b = at(value.operands[1]), c = at(value.operands[2]);
    if (!used[i]) continue;
    if (value.operation == OP_CONST) {
      place[i] = add(Operation::number, static_cast<int>(tape.numbers.size()));
      tape.numbers.push_back(value.number);
    } else if (value.operation == OP_INPUT) {
      place[i] = add(Operation::argument, value.argument, value.element);
    } else if (value.operation == op_select) {  // (a ? b : 0) + (!a ? c : 0)
      const int one = add_of_steps(Operation::if_else_zero, a, b);
      const int other = add_of_steps(Operation::if_else_zero, add_of_steps(Operation::negation, a, -1), c);
      place[i] = add_of_steps(Operation::add, one, other);
    } else {
      place[i] = add_of_steps(operation_on_tape(value), a, b);
    }
  }
  for (const Result& result : program.results()) tape.results.push_back(at(result.value));
  return tape;
}

}  // namespace mechfmu
