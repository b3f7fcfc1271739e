// Fills in placeholders.
#include "expand_placeholders.hpp"

#include <algorithm>
#include <cmath>

#include "expand_text.hpp"
#include "fmu_src/linear/finite.hpp"
#include "modelDescription/formulas/expression.hpp"

namespace mechfmu {

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Returns the value of the text between two braces, or none after an error.
std::optional<Placeholder> value_of(const std::string& text, const std::vector<Place>& characters,
                                    const Instance& instance, Diagnostics& diagnostics) {
  for (const Placeholder& one : instance)
    if (one.name == trimmed(text)) return one;
  const std::optional<Expression> formula = parse_expression(text, characters, diagnostics);
  if (!formula) return std::nullopt;
  std::vector<std::string> names;
  std::map<std::string, double> numbers;
  for (const Placeholder& one : instance) {
    names.push_back(one.name);
    if (one.number) numbers[one.name] = *one.number;
  }
  for (const Expression* used : names_used(*formula)) {
    if (numbers.contains(used->name)) continue;
    if (std::find(names.begin(), names.end(), used->name) != names.end())
      diagnostics.add(used->place,
                      "the placeholder " + in_quotes(used->name) + " is a text and cannot be calculated with",
                      "write {" + used->name + "} alone, or give it numbers");
    else
      diagnostics.add(used->place, "there is no placeholder " + in_quotes(used->name),
                      suggestion(used->name, names, "define it in 'with'"));
    return std::nullopt;
  }
  const std::optional<double> number = evaluate(*formula, numbers);
  if (number && is_finite(*number)) return Placeholder{"", number, inserted_text(*number)};
  diagnostics.add(characters.front(), "{" + text + "} has no finite value", "correct its formula");
  return std::nullopt;
}

/// Is true if "^" follows. In a formula, "{s}^2" with s = -1 is (-1)^2.
bool is_base_of_power(const std::string& text, std::size_t after) {
  const std::size_t next = text.find_first_not_of(' ', after);
  return next != std::string::npos && text[next] == '^';
}

TomlNode filled_in_text(const TomlNode& node, const Instance& instance, Diagnostics& diagnostics) {
  const std::string& text = node.text;
  RewrittenText result(node);
  for (std::size_t open; (open = text.find('{', result.at())) != std::string::npos;) {
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) {
      diagnostics.add(node.characters[open], "this brace is not closed", "add } after the placeholder");
      return node;
    }
    const std::vector<Place> characters(node.characters.begin() + open + 1, node.characters.begin() + close + 1);
    const auto value = value_of(text.substr(open + 1, close - open - 1), characters, instance, diagnostics);
    if (!value) return node;
    if (value->number && open == 0 && close + 1 == text.size()) {
      TomlNode number;
      number.kind = TomlNode::Kind::number;
      number.place = node.place;
      number.number = *value->number;
      return number;
    }
    const bool parentheses = value->number && *value->number < 0 && is_base_of_power(text, close + 1);
    result.keep_until(open);
    result.insert(parentheses ? "(" + value->text + ")" : value->text);
    result.skip_until(close + 1);
  }
  return result.finish();
}

std::string filled_in_key(const TomlNode::Entry& entry, const Instance& instance, Diagnostics& diagnostics) {
  const TomlNode key = filled_in_text(text_of_key(entry), instance, diagnostics);
  return key.kind == TomlNode::Kind::number ? inserted_text(key.number) : key.text;
}

}  // namespace

std::string inserted_text(double number) {
  constexpr double exact = 9e15;  // Whole numbers up to here are exact, and fit a long long.
  if (number == std::round(number) && std::abs(number) < exact) return std::to_string(static_cast<long long>(number));
  return mechfmu::to_text(number_expression(number, {}));
}

std::string to_text(const Instance& instance) {
  std::string text;
  for (const Placeholder& one : instance) text += (text.empty() ? "" : ", ") + one.name + " = " + one.text;
  return text;
}

TomlNode filled_in(const TomlNode& node, const Instance& instance, Diagnostics& diagnostics) {
  if (node.kind == TomlNode::Kind::text) return filled_in_text(node, instance, diagnostics);
  TomlNode result = node;
  for (TomlNode& item : result.items) item = filled_in(item, instance, diagnostics);
  for (TomlNode::Entry& entry : result.entries) entry = filled_in(entry, instance, diagnostics);
  return result;
}

TomlNode::Entry filled_in(const TomlNode::Entry& entry, const Instance& instance, Diagnostics& diagnostics) {
  return {filled_in_key(entry, instance, diagnostics), entry.place, filled_in(entry.value, instance, diagnostics)};
}

}  // namespace mechfmu
