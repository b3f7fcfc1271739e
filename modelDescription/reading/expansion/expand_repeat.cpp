// Expands [repeat.legs] with = { i = [1, 2], s = [1, -1] } or with = { i = "1..N" }, and the sections with {i} and {s}
// below it.
#include <cmath>

#include "expand.hpp"
#include "expand_placeholders.hpp"
#include "modelDescription/formulas/export_tolerances.hpp"
#include "modelDescription/formulas/expression.hpp"
#include "modelDescription/reading/names.hpp"

namespace mechfmu {

namespace {

constexpr const char* write_with = "write with = { i = [1, 2, 3] } or with = { i = \"1..3\" }";

class Repeater {
 public:
  Repeater(TomlNode& document, const KnownParameters& parameters, Diagnostics& diagnostics)
      : document_(document), parameters_(parameters), diagnostics_(diagnostics) {}

  /// Adds all instances of one repeat. `outer` holds the placeholders of the repeats around it.
  void repeat(const TomlNode::Entry& pattern, const Instance& outer) {
    const std::size_t errors = diagnostics_.size();
    for (const Instance& instance : instances(pattern, outer)) {
      add(pattern, instance);
      if (diagnostics_.size() > errors) return;  // the other instances would say the same
    }
  }

 private:
  void add(const TomlNode::Entry& pattern, const Instance& instance) {
    TomlNode filled;
    TomlNode copy = pattern.value;
    mark_copy(copy, "in repeat " + in_quotes(pattern.key) + " with " + to_text(instance));
    for (const TomlNode::Entry& section : copy.entries) {
      if (section.key == "with") continue;
      if (section.key == "repeat") inner_repeats(*pattern.value.find("repeat"), instance);
      else filled.entries.push_back(filled_in(section, instance, diagnostics_));
    }
    if (diagnostics_.empty()) merge(document_, std::move(filled), diagnostics_);
  }

  void inner_repeats(const TomlNode::Entry& section, const Instance& instance) {
    for (const TomlNode::Entry& inner : section.value.entries) repeat(inner, instance);
  }

  std::vector<Instance> instances(const TomlNode::Entry& pattern, const Instance& outer) {
    const std::string what = "the repeat " + in_quotes(pattern.key);
    const TomlNode::Entry* with = pattern.value.find("with");
    if (!with || with->value.kind != TomlNode::Kind::table || with->value.entries.empty()) {
      diagnostics_.add(with ? with->value.place : pattern.place, what + " does not say what it repeats with",
                       write_with);
      return {};
    }
    const TomlNode lists = filled_in(with->value, outer, diagnostics_);
    std::vector<Instance> result;
    const TomlNode::Entry* first = nullptr;
    for (const TomlNode::Entry& list : lists.entries) {
      const std::size_t errors = diagnostics_.size();
      check_name(list, outer);
      const std::vector<Placeholder> values = values_of(list);
      if (diagnostics_.size() > errors) return {};
      if (!first) {
        first = &list;
        result.assign(values.size(), outer);
      }
      if (values.size() != result.size()) {
        diagnostics_.add(list.value.place,
                         in_quotes(list.key) + " has " + std::to_string(values.size()) + " values, but " +
                             in_quotes(first->key) + " has " + std::to_string(result.size()),
                         "give all placeholders of a repeat the same number of values");
        return {};
      }
      for (std::size_t i = 0; i < values.size(); ++i) result[i].push_back(values[i]);
    }
    return result;
  }

  void check_name(const TomlNode::Entry& list, const Instance& outer) {
    if (!check_identifier(list.key, list.place, diagnostics_)) return;
    for (const Placeholder& one : outer)
      if (one.name == list.key)
        diagnostics_.add(list.place, in_quotes(list.key) + " is already a placeholder of the repeat around this one",
                         "choose another name");
    if (list.key == "pi" || find_language_function(list.key))
      diagnostics_.add(list.place, in_quotes(list.key) + " is a word of the language, not a free name",
                       "choose another name for the placeholder, for example 'i'");
  }

  std::vector<Placeholder> values_of(const TomlNode::Entry& list) {
    if (list.value.kind == TomlNode::Kind::text) return range(list);
    if (list.value.kind != TomlNode::Kind::array || list.value.items.empty()) {
      const std::string kind = list.value.kind == TomlNode::Kind::array ? "an empty list" : list.value.kind_text();
      diagnostics_.add(list.value.place, "the values of the placeholder " + in_quotes(list.key) + " are " + kind,
                       "write a list such as [1, 2, 3], or a range such as \"1..3\"");
      return {};
    }
    std::vector<Placeholder> values;
    for (const TomlNode& item : list.value.items) {
      const bool is_number = item.kind == TomlNode::Kind::number;
      if (!is_number && item.kind != TomlNode::Kind::text)
        diagnostics_.add(item.place, "a value of the placeholder " + in_quotes(list.key) + " is " + item.kind_text(),
                         "write numbers or texts");
      if (is_number) values.push_back({list.key, item.number, inserted_text(item.number)});
      else values.push_back({list.key, std::nullopt, item.text});
    }
    return values;
  }

  std::vector<Placeholder> range(const TomlNode::Entry& list) {
    constexpr int most = 10000;  // limits a repeat to as many bodies as an export can finish in reasonable time
    const TomlNode& node = list.value;
    const std::size_t dots = node.text.find("..");
    if (dots == std::string::npos) {
      diagnostics_.add(node.place, "the range " + in_quotes(node.text) + " has no '..'",
                       "write a range such as \"1..3\" or \"1..N\", or a list such as [1, 2, 3]");
      return {};
    }
    const std::optional<int> first = end_of_range(node, 0, dots), last = end_of_range(node, dots + 2, node.text.size());
    if (!first || !last) return {};
    const int count = *last - *first + 1;
    if (count < 0 || count > most) {
      diagnostics_.add(node.place,
                       "the range " + in_quotes(node.text) + " is " + std::to_string(*first) + ".." +
                           std::to_string(*last) + ": " + std::to_string(count) + " repetitions",
                       "correct its ends: 0 to " + std::to_string(most) + " repetitions are possible");
      return {};
    }
    std::vector<Placeholder> values;
    for (int i = *first; i <= *last; ++i) values.push_back({list.key, i, std::to_string(i)});
    return values;
  }

  std::optional<int> end_of_range(const TomlNode& node, std::size_t begin, std::size_t end) {
    const std::vector<Place> characters(node.characters.begin() + begin, node.characters.begin() + end + 1);
    const std::string text = node.text.substr(begin, end - begin);
    const std::optional<Expression> formula = parse_expression(text, characters, diagnostics_);
    if (!formula) return std::nullopt;
    for (const Expression* used : names_used(*formula)) {
      if (parameters_.contains(used->name)) continue;
      std::vector<std::string> names;
      for (const auto& [name, value] : parameters_) names.push_back(name);
      diagnostics_.add(used->place, in_quotes(used->name) + " is not a parameter with a constant value",
                       suggestion(used->name, names, "declare it in [parameters], as a number"));
      return std::nullopt;
    }
    const std::optional<double> value = evaluate(*formula, parameters_);
    constexpr double largest = 1e6;
    if (value && std::abs(*value) < largest && std::abs(*value - std::round(*value)) < whole_number)
      return static_cast<int>(std::round(*value));
    diagnostics_.add(characters.front(),
                     in_quotes(text) + " is " + (value ? inserted_text(*value) : "not a number") +
                         ", but the ends of a range are whole numbers",
                     "write a whole number, or a formula that gives one");
    return std::nullopt;
  }

  TomlNode& document_;
  const KnownParameters& parameters_;
  Diagnostics& diagnostics_;
};

}  // namespace

void expand_repeats(TomlNode& document, const KnownParameters& parameters, Diagnostics& diagnostics) {
  const std::optional<TomlNode::Entry> section = document.take("repeat");
  if (!section) return;
  Repeater repeater(document, parameters, diagnostics);
  for (const TomlNode::Entry& pattern : section->value.entries) repeater.repeat(pattern, {});
  if (section->value.entries.empty())
    diagnostics.add(section->place, "[repeat] says nothing to repeat",
                    "write [repeat.legs] and below it " + std::string(write_with).substr(6));
}

}  // namespace mechfmu
