// The Mechanism table from its list, each function one call of CasADi's virtual machine with work arrays of its own.
#include "derivation/program/interpret.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "derivation/program/core_table.hpp"
#include "derivation/program/tapes.hpp"
#include "derivation/rows/changes_maker.hpp"
#include "fmu_src/stepping/changes.hpp"

namespace mechfmu {

namespace interpreted {

/// A CasADi function with everything that a call needs.
class Evaluator {
 public:
  explicit Evaluator(const casadi::Function& function)
      : function_(function), memory_(static_cast<int>(function.checkout())), arguments_(function.sz_arg()),
        results_(function.sz_res()), integers_(function.sz_iw()), numbers_(function.sz_w()) {}
  ~Evaluator() { function_.release(memory_); }
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  void operator()(const Point& point, std::initializer_list<double*> results) {
    const double* in[] = {&point.time,        point.q,           point.v,      point.inputs, point.parameters,
                          point.acceleration, point.multipliers, point.angles, point.loads,  point.slide};
    std::copy_n(in, function_.n_in(), arguments_.begin());
    std::copy(results.begin(), results.end(), results_.begin());
    function_(arguments_.data(), results_.data(), integers_.data(), numbers_.data(), memory_);
  }

 private:
  casadi::Function function_;
  int memory_;
  std::vector<const double*> arguments_;
  std::vector<double*> results_;
  std::vector<casadi_int> integers_;
  std::vector<double> numbers_;
};

/// Indices of a pattern's nonzeros.
class PatternStorage {
 public:
  explicit PatternStorage(const casadi::Sparsity& pattern)
      : rows_(static_cast<int>(pattern.size1())), columns_(static_cast<int>(pattern.size2())) {
    for (const casadi_int row : pattern.get_row()) row_.push_back(static_cast<int>(row));
    for (const casadi_int column : pattern.get_col()) column_.push_back(static_cast<int>(column));
  }
  Pattern pattern() const { return {rows_, columns_, static_cast<int>(row_.size()), row_.data(), column_.data()}; }

 private:
  int rows_, columns_;
  std::vector<int> row_, column_;
};

/// Is an array of the table, with what its elements point to.
template <class Element>
class Stored {
 public:
  explicit Stored(const std::vector<Element>& values) : count_(values.size()), values_(new Element[values.size()]) {
    std::copy(values.begin(), values.end(), values_.get());
  }
  const Element* data() const { return count_ == 0 ? nullptr : values_.get(); }

 private:
  std::size_t count_;
  std::unique_ptr<Element[]> values_;  // a vector<bool> has no addresses
};

template <>
class Stored<std::string> {
 public:
  explicit Stored(const std::vector<std::string>& names) : names_(names) {
    for (const std::string& name : names_) pointers_.push_back(name.c_str());
  }
  const char* const* data() const { return pointers_.empty() ? nullptr : pointers_.data(); }

 private:
  std::vector<std::string> names_;
  std::vector<const char*> pointers_;
};

template <class... Element, class... Value>
std::tuple<Stored<Value>...> stored(const std::tuple<CoreArray<Element, Value>...>& arrays,
                                    const Derivation& derivation) {
  return std::apply([&](const auto&... array) { return std::tuple<Stored<Value>...>(array.derived(derivation)...); },
                    arrays);
}

}  // namespace interpreted

struct InterpretedMechanism::Contents {
  explicit Contents(const Derivation& of);

  static Contents& of(const Point& point) { return *static_cast<Contents*>(const_cast<void*>(point.context)); }

  template <std::size_t index, class... Results>
  static void call(const Point& point, Results... results) {
    (*of(point).functions[index])(point, {results...});
  }
  template <std::size_t group>
  static void call_group(const Point& point, double* values) {
    (*of(point).outputs[group])(point, {values});
  }

  const Derivation derivation;  ///< a copy, which texts point into
  std::array<std::unique_ptr<interpreted::Evaluator>, core_function_count> functions;
  std::array<std::unique_ptr<interpreted::Evaluator>, output_group_count> outputs;
  std::vector<TapeStorage> tapes;
  std::array<TapeStorage, output_group_count> output_tapes;
  std::vector<interpreted::PatternStorage> patterns;
  decltype(interpreted::stored(core_arrays, std::declval<const Derivation&>())) arrays;
  std::array<OutputGroup, output_group_count> groups;
  Mechanism table;
};

InterpretedMechanism::Contents::Contents(const Derivation& of)
    : derivation(of), arrays(interpreted::stored(core_arrays, derivation)) {
  const Derivation& d = derivation;
  table.sizes = d.sizes;
  table.character = d.character;
  for_each_entry(core_values, [&](const auto& value, auto) { table.*value.member = value.derived(d); });
  for_each_entry(core_arrays,
                 [&](const auto& array, auto index) { table.*array.member = std::get<index>(arrays).data(); });
  for (const CorePattern& pattern : core_patterns) patterns.emplace_back(pattern.derived(d));
  for (std::size_t i = 0; i < patterns.size(); ++i) table.*core_patterns[i].member = patterns[i].pattern();
  for (const CoreTape& tape : core_tapes) tapes.push_back(tape_of(d.*tape.derived));
  for (std::size_t i = 0; i < tapes.size(); ++i) table.*core_tapes[i].member = tapes[i].tape();

  table.prepare = [](const Point&) {};
  table.make_changes = maker_of_changes(d.sizes).make;
  for_each_entry(core_functions, [&](const auto& function, auto index) {
    if (!function.exists(d)) return;
    functions[index] = std::make_unique<interpreted::Evaluator>(d.*function.derived);
    table.*function.member = &call<index>;
  });
  [&]<std::size_t... group>(std::index_sequence<group...>) {
    ((output_tapes[group] = tape_of(d.outputs[group]),
      outputs[group] = std::make_unique<interpreted::Evaluator>(d.outputs[group]),
      groups[group] = {d.output_counts[group], d.equations.is_late(static_cast<int>(group)), call_group<group>,
                       output_tapes[group].tape()}),
     ...);
  }(std::make_index_sequence<output_group_count>{});
  table.groups = groups.data();
}

InterpretedMechanism::InterpretedMechanism(const Derivation& derivation)
    : contents_(std::make_unique<Contents>(derivation)) {
  contents_->table.context = contents_.get();
}
InterpretedMechanism::~InterpretedMechanism() = default;
InterpretedMechanism::InterpretedMechanism(InterpretedMechanism&&) noexcept = default;
InterpretedMechanism& InterpretedMechanism::operator=(InterpretedMechanism&&) noexcept = default;

const Mechanism& InterpretedMechanism::table() const { return contents_->table; }

const void* InterpretedMechanism::context() const { return contents_.get(); }

}  // namespace mechfmu
