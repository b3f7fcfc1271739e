// CasADi's instructions reuse places of a work vector; here every value gets its own index.
#include "derivation/program/program.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace mechfmu {

using enum casadi::Operation;

Program::Program(const casadi::Function& function) {
  std::vector<int> place(static_cast<std::size_t>(function.sz_w()), -1);
  const auto at = [&](casadi_int index) -> int& { return place.at(static_cast<std::size_t>(index)); };
  for (casadi_int k = 0; k < function.n_instructions(); ++k) {
    const casadi_int id = function.instruction_id(k);
    const std::vector<casadi_int> in = function.instruction_input(k), out = function.instruction_output(k);
    if (id == OP_OUTPUT) results_.push_back({static_cast<int>(out.at(0)), static_cast<int>(out.at(1)), at(in.at(0))});
    else if (id == OP_INPUT) at(out.at(0)) = input(static_cast<int>(in.at(0)), static_cast<int>(in.at(1)));
    else if (id == OP_CONST) at(out.at(0)) = number(function.instruction_constant(k));
    else at(out.at(0)) = operation(id, at(in.at(0)), in.size() > 1 ? at(in[1]) : -1);
  }
  std::stable_sort(results_.begin(), results_.end(), [](const Result& a, const Result& b) {
    return std::tie(a.output, a.element) < std::tie(b.output, b.element);
  });
}

int Program::operation_count() const {
  std::vector<bool> used(values_.size(), false);
  for (const Result& result : results_) used[static_cast<std::size_t>(result.value)] = true;
  int count = 0;
  for (std::size_t i = values_.size(); i-- > 0;) {
    if (!used[i] || !values_[i].is_operation()) continue;
    ++count;
    for (const int operand : values_[i].operands)
      if (operand >= 0) used[static_cast<std::size_t>(operand)] = true;
  }
  return count;
}

int Program::number(double value) {
  Node result;
  result.number = value;
  return insert(result);
}

int Program::input(int argument, int element) {
  Node result;
  result.operation = OP_INPUT;
  result.argument = argument;
  result.element = element;
  return insert(result);
}

int Program::operation(casadi_int operation, int a, int b, int c) {
  if (operation == OP_ASSIGN) return a;
  // casadi writes "c ? x : y" as (c ? x : 0) + (!c ? y : 0)
  if (operation == OP_ADD) {
    const Node &left = values_[static_cast<std::size_t>(a)], &right = values_[static_cast<std::size_t>(b)];
    if (left.operation == OP_IF_ELSE_ZERO && right.operation == OP_IF_ELSE_ZERO) {
      const auto negates = [this](int negation, int condition) {
        const Node& value = values_[static_cast<std::size_t>(negation)];
        return value.operation == OP_NOT && value.operands[0] == condition;
      };
      if (negates(right.operands[0], left.operands[0]))
        return this->operation(op_select, left.operands[0], left.operands[1], right.operands[1]);
      if (negates(left.operands[0], right.operands[0]))
        return this->operation(op_select, right.operands[0], right.operands[1], left.operands[1]);
    }
  }
  const bool commutes = operation == OP_ADD || operation == OP_MUL || operation == OP_FMIN || operation == OP_FMAX;
  if (commutes && b < a) std::swap(a, b);
  Node result;
  result.operation = operation;
  result.operands[0] = a;
  result.operands[1] = b;
  result.operands[2] = c;
  return insert(result);
}

int Program::insert(const Node& value) {
  const auto [a, b, c] = value.operands;
  const Key key{value.operation, std::bit_cast<std::uint64_t>(value.number), value.argument, value.element, a, b, c};
  const auto [found, is_new] = known_.try_emplace(key, static_cast<int>(values_.size()));
  if (is_new) values_.push_back(value);
  return found->second;
}

std::vector<int> stages_of(const Program& program, const Staging& staging) {
  const std::vector<Node>& values = program.values();
  std::vector<int> known(values.size(), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].operation == OP_INPUT)
      known[i] = staging.of_argument.at(static_cast<std::size_t>(values[i].argument));
    for (const int operand : values[i].operands)
      if (operand >= 0) known[i] = std::max(known[i], known[static_cast<std::size_t>(operand)]);
  }
  const int never = staging.count;
  std::vector<int> needed(values.size(), never), stage(values.size(), -1);
  for (const Result& result : program.results()) {
    int& first = needed[static_cast<std::size_t>(result.value)];
    first = std::min(first, staging.of_output.at(static_cast<std::size_t>(result.output)));
  }
  for (std::size_t i = values.size(); i-- > 0;) {
    if (needed[i] == never || !values[i].is_operation()) continue;
    stage[i] = known[i] == 0 ? 0 : std::max(known[i], needed[i]);
    for (const int operand : values[i].operands)
      if (operand >= 0) {
        int& first = needed[static_cast<std::size_t>(operand)];
        first = std::min(first, stage[i]);
      }
  }
  return stage;
}

}  // namespace mechfmu
