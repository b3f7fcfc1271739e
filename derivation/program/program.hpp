// Holds straight-line code between CasADi's functions and the emitted text: every operation once, each with its stage.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include <casadi/casadi.hpp>

namespace mechfmu {

/// `condition ? a : b`; an operation beyond CasADi's, which writes it as a sum of two.
constexpr casadi_int op_select = -1;

/// Is a number, an element of an argument, or an operation on earlier values.
struct Node {
  casadi_int operation = casadi::OP_CONST;  ///< a casadi::Operation or op_select; OP_INPUT: an argument's element
  double number = 0;                        ///< OP_CONST
  int argument = 0, element = 0;            ///< OP_INPUT
  int operands[3] = {-1, -1, -1};           ///< indices of earlier values, -1 for none

  bool is_operation() const { return operation != casadi::OP_CONST && operation != casadi::OP_INPUT; }
};

/// One number that a function returns.
struct Result {
  int output = 0, element = 0;
  int value = 0;
};

/// Holds the operations of a function. Equal values are the same value; values are in an order in which they can be
/// computed.
class Program {
 public:
  Program() = default;
  /// Takes the instructions of a function made from SX expressions.
  explicit Program(const casadi::Function& function);

  // Equal values are made once. Each returns the value's index.
  int number(double value);
  int input(int argument, int element);
  int operation(casadi_int operation, int a, int b, int c = -1);
  void result(const Result& result) { results_.push_back(result); }

  const std::vector<Node>& values() const { return values_; }
  const std::vector<Result>& results() const { return results_; }
  int operation_count() const;

 private:
  int insert(const Node& value);

  /// Everything that makes a value; the number by its bits.
  using Key = std::tuple<casadi_int, std::uint64_t, int, int, int, int, int>;
  std::vector<Node> values_;
  std::vector<Result> results_;
  std::map<Key, int> known_;
};

/// Stages in the order in which they are run, such as prepare, position, velocity.
struct Staging {
  int count = 1;
  std::vector<int> of_argument;  ///< first stage that knows an argument
  std::vector<int> of_output;    ///< stage that returns an output
};

/// Returns the stage in which each value of a program is computed: that of the first result that needs it, but not
/// before its arguments are known; it is 0 if that is possible, since this stage runs seldom. Numbers, arguments and
/// unused values get -1.
std::vector<int> stages_of(const Program& program, const Staging& staging);

}  // namespace mechfmu
