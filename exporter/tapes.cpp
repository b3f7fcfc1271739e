// A program's values that are used, numbered anew, in the core's own operations.
#include "tapes.hpp"

#include "emit_text.hpp"

namespace mechfmu {

using namespace casadi;

TapeStorage tape_of(const Function& function) {
  const Program program(function);
  const std::vector<Node>& values = program.values();
  std::vector<bool> used(values.size(), false);
  for (const Result& result : program.results()) used[static_cast<std::size_t>(result.value)] = true;
  for (std::size_t i = values.size(); i-- > 0;)
    for (const int operand : values[i].operands)
      if (used[i] && operand >= 0) used[static_cast<std::size_t>(operand)] = true;

  TapeStorage tape;
  std::vector<int> place(values.size(), -1);
  const auto at = [&](int value) { return value < 0 ? -1 : place[static_cast<std::size_t>(value)]; };
  const auto step = [](Operation operation, int a, int b = -1, int c = -1) {
    return Tape::Step{static_cast<short>(operation), a, b, c};
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Node& value = values[i];
    if (!used[i]) continue;
    place[i] = static_cast<int>(tape.steps.size());
    if (value.operation == OP_CONST) {
      tape.steps.push_back(step(Operation::number, static_cast<int>(tape.numbers.size())));
      tape.numbers.push_back(value.number);
    } else if (value.operation == OP_INPUT) {
      tape.steps.push_back(step(Operation::argument, value.argument, value.element));
    } else {
      tape.steps.push_back(step(operation_on_tape(value), at(value.operands[0]), at(value.operands[1]), at(value.operands[2])));
    }
  }
  for (const Result& result : program.results()) tape.results.push_back(at(result.value));
  return tape;
}

}  // namespace mechfmu
