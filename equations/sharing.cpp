// Numbers operations by what they do to which operands; of equal ones the first found serves for all.
#include "sharing.hpp"

#include <bit>
#include <cstdint>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "operands_first.hpp"

namespace mechfmu {

using casadi::SX;
using casadi::SXElem;
using casadi::SXNode;

namespace {

class Sharing {
 public:
  SX shared(const SX& matrix) {
    SX result = matrix;
    for (SXElem& entry : result.nonzeros()) entry = shared(entry);
    return result;
  }

 private:
  /// Is an operation with its operands, or a number's bits.
  struct Key {
    casadi_int operation;
    const SXNode *a, *b;
    std::uint64_t number;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t hash = static_cast<std::uint64_t>(key.operation);
      for (const std::uint64_t part :
           {std::bit_cast<std::uint64_t>(key.a), std::bit_cast<std::uint64_t>(key.b), key.number})
        hash = (hash ^ part) * 0x9e3779b97f4a7c15 ^ (hash >> 29);
      return static_cast<std::size_t>(hash);
    }
  };

  const SXElem& shared(const SXElem& root) {
    operands_first(
        root, [&](const SXNode* node) { return done_.count(node) != 0; },
        [&](const SXElem& next) { done_.emplace(next.get(), first_of(next)); });
    return done_.at(root.get());
  }

  SXElem first_of(const SXElem& element) {
    if (element.is_symbolic()) return element;
    if (element.is_constant())
      return known_
          .try_emplace({casadi::OP_CONST, nullptr, nullptr, std::bit_cast<std::uint64_t>(static_cast<double>(element))},
                       element)
          .first->second;
    const casadi_int operation = element.op();
    const SXElem a = done_.at(element.dep(0).get());
    if (element.n_dep() == 1) return known(operation, a, nullptr, [&] { return SXElem::unary(operation, a); });
    const SXElem b = done_.at(element.dep(1).get());
    return known(operation, a, &b, [&] { return SXElem::binary(operation, a, b); });
  }

  template <class Make>
  SXElem known(casadi_int operation, const SXElem& a, const SXElem* b, Make&& make) {
    const SXNode *first = a.get(), *second = b == nullptr ? nullptr : b->get();
    if (casadi::operation_checker<casadi::CommChecker>(operation) && std::less<>()(second, first))
      std::swap(first, second);
    const auto [found, is_new] = known_.try_emplace({operation, first, second, 0});
    if (is_new) found->second = make();
    return found->second;
  }

  std::unordered_map<const SXNode*, SXElem> done_;  ///< shared operations, by the operation that was given
  std::unordered_map<Key, SXElem, Hash> known_;
};

}  // namespace

std::vector<SX> shared(const std::vector<SX>& expressions) {
  Sharing sharing;
  std::vector<SX> result;
  for (const SX& expression : expressions) result.push_back(sharing.shared(expression));
  return result;
}

casadi_int operations_of(const std::vector<SX>& symbols, const std::vector<SX>& results) {
  return casadi::Function("count", symbols, shared(results)).n_instructions();
}

}  // namespace mechfmu
