// Writes arguments of sin and cos as sums of leaves, Σ coefficient · leaf, where a leaf is any value that is not itself
// a sum. The program computes simple arguments, and puts others together from two that exist already.
#include "share_angles.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace mechfmu {

using enum casadi::Operation;

namespace {

/// Maps leaves to coefficients, none of which is zero; the leaf −1 is the number one.
using Sum = std::map<int, double>;

constexpr int one = -1;

Sum added(const Sum& a, double factor, const Sum& b) {
  Sum result = a;
  for (const auto& [leaf, coefficient] : b) {
    const double value = (result[leaf] += factor * coefficient);
    if (value == 0) result.erase(leaf);
  }
  return result;
}

Sum times(double factor, const Sum& a) { return added({}, factor, a); }

/// sin and cos of −x are those of x up to a sign. The sum whose first coefficient is positive stands for both.
double sign_of(const Sum& sum) { return sum.begin()->second < 0 ? -1 : 1; }

bool is_sine(const Node& value) { return value.operation == OP_SIN || value.operation == OP_COS; }

/// Marks the arguments of sin and cos, and the values whose sums they are.
std::vector<bool> parts_of_arguments(const std::vector<Node>& values) {
  std::vector<bool> is_part(values.size(), false);
  const auto mark = [&](const Node& value) {
    for (const int operand : value.operands)
      if (operand >= 0) is_part[static_cast<std::size_t>(operand)] = true;
  };
  for (const Node& value : values)
    if (is_sine(value)) mark(value);
  for (std::size_t i = values.size(); i-- > 0;) {
    const casadi_int operation = values[i].operation;
    const bool may_be_sum = operation == OP_ADD || operation == OP_SUB || operation == OP_TWICE ||
                            operation == OP_NEG || operation == OP_MUL;
    if (is_part[i] && may_be_sum) mark(values[i]);
  }
  return is_part;
}

/// Returns the values that go into arguments as sums.
std::vector<Sum> sums_of(const std::vector<Node>& values) {
  const std::vector<bool> is_part = parts_of_arguments(values);
  std::vector<Sum> sums(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!is_part[i]) continue;
    const auto operand = [&](int k) -> const Sum& { return sums[static_cast<std::size_t>(values[i].operands[k])]; };
    const auto number = [&](int k) -> std::optional<double> {
      const Node& value = values[static_cast<std::size_t>(values[i].operands[k])];
      return value.operation == OP_CONST ? std::optional(value.number) : std::nullopt;
    };
    Sum sum{{static_cast<int>(i), 1}};
    switch (values[i].operation) {
      case OP_CONST: sum = times(values[i].number, {{one, 1}}); break;
      case OP_ADD: sum = added(operand(0), 1, operand(1)); break;
      case OP_SUB: sum = added(operand(0), -1, operand(1)); break;
      case OP_TWICE: sum = times(2, operand(0)); break;
      case OP_NEG: sum = times(-1, operand(0)); break;
      case OP_MUL:
        if (const auto factor = number(0)) sum = times(*factor, operand(1));
        else if (const auto factor_behind = number(1)) sum = times(*factor_behind, operand(0));
        break;
      default: break;
    }
    sums[i] = std::move(sum);
  }
  return sums;
}

/// Says how an argument is put together: ± b ± c, where c may be a number.
struct Parts {
  Sum b, c;
  double sign_b = 1, sign_c = 1;
};

class AngleSharing {
 public:
  explicit AngleSharing(const Program& program)
      : values_(program.values()), results_(program.results()), sums_(sums_of(values_)), place_(values_.size(), -1) {}

  Program run() {
    find_parts();
    for (const Result& result : results_) new_.result({result.output, result.element, rebuilt(result.value)});
    return std::move(new_);
  }

 private:
  struct Argument {
    int value = -1;  ///< has this sum, or else its negative
    double sign = 1;
  };

  const Sum& sum(int value) const { return sums_[static_cast<std::size_t>(value)]; }

  void find_parts() {
    std::vector<Sum> order;
    for (const Node& value : values_) {
      if (!is_sine(value)) continue;
      const Sum& argument = sum(value.operands[0]);
      if (argument.empty() || argument.rbegin()->first == one) continue;
      const double sign = sign_of(argument);
      const Argument given{value.operands[0], sign};
      const auto [known, is_new] = arguments_.try_emplace(times(sign, argument), given);
      if (is_new) order.push_back(known->first);
      else if (sign > 0) known->second = given;
    }
    std::stable_sort(order.begin(), order.end(), [](const Sum& a, const Sum& b) { return a.size() < b.size(); });
    std::map<int, std::vector<Sum>> there;  // has the existing sums by leaf
    std::set<Sum> all;
    for (const Sum& argument : order) {
      if (const auto parts = parts_of(argument, there, all)) parts_[argument] = *parts;
      for (const auto& [leaf, coefficient] : argument) there[leaf].push_back(argument);
      all.insert(argument);
    }
  }

  /// Returns argument = ± b ± c with existing b and c. The one that contains its first leaf is called b.
  static std::optional<Parts> parts_of(const Sum& argument, const std::map<int, std::vector<Sum>>& there,
                                       const std::set<Sum>& all) {
    const auto with_leaf = there.find(
        std::find_if(argument.begin(), argument.end(), [](const auto& term) { return term.first != one; })->first);
    if (with_leaf == there.end()) return std::nullopt;
    for (const Sum& b : with_leaf->second)
      for (const double sign_b : {1.0, -1.0}) {
        const Sum rest = added(argument, -sign_b, b);
        if (rest.empty()) continue;
        const double sign_c = sign_of(rest);
        const Sum c = times(sign_c, rest);
        const bool number = c.size() == 1 && c.begin()->first == one;
        if (number || all.count(c)) return Parts{b, c, sign_b, sign_c};
      }
    return std::nullopt;
  }

  int rebuilt(int old) {
    int& place = place_[static_cast<std::size_t>(old)];
    if (place >= 0) return place;
    const Node& value = values_[static_cast<std::size_t>(old)];
    if (value.operation == OP_CONST) return place = new_.number(value.number);
    if (value.operation == OP_INPUT) return place = new_.input(value.argument, value.element);
    if (is_sine(value)) {
      const Sum& argument = sum(value.operands[0]);
      const double sign = argument.empty() ? 1 : sign_of(argument);
      if (arguments_.count(times(sign, argument)))
        return place = signed_value(value.operation == OP_SIN ? sign : 1,
                                    function_of(value.operation, times(sign, argument)));
    }
    int operands[3] = {-1, -1, -1};
    for (int k = 0; k < 3; ++k)
      if (value.operands[k] >= 0) operands[k] = rebuilt(value.operands[k]);
    return place = new_.operation(value.operation, operands[0], operands[1], operands[2]);
  }

  int signed_value(double sign, int value) { return sign < 0 ? new_.operation(OP_NEG, value, -1) : value; }

  /// Returns sin or cos of an argument that the program has, or of a number.
  int function_of(casadi_int operation, const Sum& argument) {
    if (const auto found = parts_.find(argument); found != parts_.end()) {
      const auto& [b, c, sign_b, sign_c] = found->second;
      const int sin_b = function_of(OP_SIN, b), cos_b = function_of(OP_COS, b);
      const int sin_c = function_of(OP_SIN, c), cos_c = function_of(OP_COS, c);
      const auto product = [this](int x, int y) { return new_.operation(OP_MUL, x, y); };
      if (operation == OP_COS)  // is cos b cos c ∓ sin b sin c
        return new_.operation(sign_b * sign_c > 0 ? OP_SUB : OP_ADD, product(cos_b, cos_c), product(sin_b, sin_c));
      const int first = product(sin_b, cos_c), second = product(cos_b, sin_c);  // is sign_b first + sign_c second
      if (sign_b > 0) return new_.operation(sign_c > 0 ? OP_ADD : OP_SUB, first, second);
      return new_.operation(OP_SUB, sign_c > 0 ? second : new_.operation(OP_NEG, second, -1), first);
    }
    if (argument.size() == 1 && argument.begin()->first == one) {
      const double number = argument.begin()->second;
      return new_.number(operation == OP_SIN ? std::sin(number) : std::cos(number));
    }
    const Argument& direct = arguments_.at(argument);
    const int value = new_.operation(operation, rebuilt(direct.value), -1);
    return operation == OP_SIN ? signed_value(direct.sign, value) : value;
  }

  const std::vector<Node>& values_;
  const std::vector<Result>& results_;
  const std::vector<Sum> sums_;
  std::vector<int> place_;
  std::map<Sum, Argument> arguments_;
  std::map<Sum, Parts> parts_;
  Program new_;
};

}  // namespace

Program with_shared_angles(const Program& program) { return AngleSharing(program).run(); }

}  // namespace mechfmu
