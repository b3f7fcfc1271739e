// Reads keys, kinds and numbers.
#include "read_table.hpp"

#include <algorithm>

#include "fmu_src/linear/finite.hpp"
#include "modelDescription/formulas/expression.hpp"

namespace mechfmu {

namespace {

constexpr const char* write_table = "write { key = value, … }, or a [section] with keys below it";

/// Is true for "500", "-500".
bool is_only_number(const Expression& expression) {
  return expression.kind == Expression::Kind::number ||
         (expression.name == "neg" && is_only_number(expression.arguments[0]));
}

/// Returns the SI unit in place of the unit, with its angle: "m" for "mm", "rad/s" for "rpm".
std::string si_text(const Unit& unit) {
  const std::string text = si_unit_of(unit.dimension).text;
  if (unit.radian != 1) return text;
  return text.empty() ? "rad" : text.rfind("1/", 0) == 0 ? "rad" + text.substr(1) : text;
}

/// A formula is in SI. If a formula is only a number, its author may have meant the declared unit.
bool has_two_readings(const Expression& expression, const Unit& unit) {
  if (!is_only_number(expression)) return false;
  const double number = *evaluate(expression);
  return to_si(number, unit) != number;
}

}  // namespace

TableReader::TableReader(const TomlNode& table, const Place& place, std::string what, std::vector<std::string> keys,
                         Diagnostics& diagnostics, const std::string& key_word)
    : place_(place), what_(std::move(what)), diagnostics_(diagnostics) {
  if (table.kind != TomlNode::Kind::table) {
    diagnostics_.add(table.place, what_ + " must be a table, not " + std::string(table.kind_text()), write_table);
    return;
  }
  std::vector<std::string> absent;
  std::copy_if(keys.begin(), keys.end(), std::back_inserter(absent), [&](const auto& key) { return !table.find(key); });
  for (const TomlNode::Entry& entry : table.entries) {
    std::string key = entry.key;
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      diagnostics_.add(entry.place, what_ + " has no " + key_word + " " + in_quotes(key),
                       suggestion(key, keys, "remove it; docs/mechanism-file.md lists all keys"));
      key = nearest(key, absent);
    }
    entries_.emplace_back(key, &entry);
  }
}

const TomlNode::Entry* TableReader::find(const std::string& key) const {
  for (const auto& [name, entry] : entries_)
    if (name == key) return entry;
  return nullptr;
}

std::string TableReader::key_of_table(const std::string& key) const { return in_quotes(key) + " of " + what_; }

void TableReader::wrong_kind(const TomlNode& value, const std::string& key, const std::string& wanted,
                             const std::string& repair) const {
  diagnostics_.add(value.place, key_of_table(key) + " must be " + wanted + ", not " + value.kind_text(), repair);
}

std::string TableReader::text(const std::string& key) const {
  const TomlNode::Entry* entry = find(key);
  if (!entry) return "";
  if (entry->value.kind != TomlNode::Kind::text) wrong_kind(entry->value, key, "a text", "put it in quotes");
  return entry->value.text;
}

bool TableReader::boolean(const std::string& key, bool otherwise) const {
  const TomlNode::Entry* entry = find(key);
  if (!entry) return otherwise;
  if (entry->value.kind != TomlNode::Kind::boolean)
    wrong_kind(entry->value, key, "true or false", "write true or false without quotes");
  return entry->value.boolean;
}

std::optional<Unit> TableReader::unit() const {
  const TomlNode::Entry* entry = find("unit");
  if (!entry) return Unit{};
  const TomlNode& value = entry->value;
  if (value.kind != TomlNode::Kind::text) {
    wrong_kind(value, "unit", "a text", "write a unit in quotes, such as \"kg.m2\"");
    return std::nullopt;
  }
  UnitError error;
  std::optional<Unit> unit = parse_unit(value.text, error);
  if (!unit) diagnostics_.add(value.characters[error.offset], error.problem, error.repair);
  return unit;
}

Value TableReader::value(const std::string& key, const std::optional<Unit>& unit) const {
  const TomlNode::Entry* entry = find(key);
  if (!entry) return {number_expression(0, place_), std::nullopt};
  return read_value(entry->value, unit, key_of_table(key), diagnostics_);
}

std::optional<double> TableReader::constant(const std::string& key, const std::optional<Unit>& unit) const {
  const TomlNode::Entry* entry = find(key);
  return entry ? read_constant(entry->value, unit, key_of_table(key), diagnostics_) : std::nullopt;
}

std::string TableReader::choice(const std::string& key, const std::vector<std::string>& words,
                                const std::string& otherwise) const {
  const TomlNode::Entry* entry = find(key);
  const std::string word = text(key);
  if (!entry || entry->value.kind != TomlNode::Kind::text) return otherwise;
  check_word(key, entry->value, words);
  return word;
}

std::vector<std::string> TableReader::choices(const std::string& key, const std::vector<std::string>& words) const {
  const TomlNode::Entry* entry = find(key);
  if (!entry) return {};
  if (entry->value.kind != TomlNode::Kind::array) return {choice(key, words, words.front())};
  std::vector<std::string> result;
  for (const TomlNode& item : entry->value.items) {
    if (item.kind == TomlNode::Kind::text) check_word(key, item, words);
    else wrong_kind(item, key, "a text", "write a word in quotes");
    result.push_back(item.text);
  }
  return result;
}

void TableReader::check_word(const std::string& key, const TomlNode& node,
                             const std::vector<std::string>& words) const {
  if (std::find(words.begin(), words.end(), node.text) != words.end()) return;
  std::vector<std::string> known;
  for (const std::string& one : words) known.push_back(in_quotes(one));
  diagnostics_.add(node.place, key_of_table(key) + " cannot be " + in_quotes(node.text),
                   suggestion(node.text, words, "known are " + listed(known)));
}

const TomlNode::Entry* TableReader::table(const std::string& key) const {
  const TomlNode::Entry* entry = find(key);
  if (!entry || entry->value.kind == TomlNode::Kind::table) return entry;
  wrong_kind(entry->value, key, "a table", write_table);
  return nullptr;
}

Value read_value(const TomlNode& node, const std::optional<Unit>& unit, const std::string& what,
                 Diagnostics& diagnostics) {
  const Value nothing{number_expression(0, node.place), std::nullopt};
  if (node.kind == TomlNode::Kind::text) {
    std::optional<Expression> expression = parse_expression(node.text, node.characters, diagnostics);
    if (!expression) return nothing;
    if (unit && has_two_readings(*expression, *unit)) {
      const std::string number = to_text(*expression), si = si_text(*unit);
      const std::string in_si = number + (si.empty() ? "" : " ") + si, in_unit = number + " " + unit->text;
      diagnostics.add(node.place, what + " in quotes is a formula in SI units: " + in_si + ", not " + in_unit,
                      "write " + number + " without quotes for " + in_unit + ", or give the unit in SI for " + in_si);
      return nothing;
    }
    return {std::move(*expression), std::nullopt};
  }
  if (node.kind != TomlNode::Kind::number) {
    diagnostics.add(node.place, what + " must be a number or a formula, not " + node.kind_text(),
                    "write a number, or a formula in quotes");
    return nothing;
  }
  if (!is_finite(node.number)) {
    diagnostics.add(node.place, what + " must be finite", "write a finite number");
    return nothing;
  }
  return {number_expression(to_si(node.number, unit.value_or(Unit{})), node.place), node.number};
}

std::optional<double> read_constant(const TomlNode& node, const std::optional<Unit>& unit, const std::string& what,
                                    Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.size();
  const Value value = read_value(node, unit, what, diagnostics);
  if (diagnostics.size() > errors) return std::nullopt;
  if (value.written) return value.written;
  for (const Expression* name : names_used(value.expression))
    diagnostics.add(name->place, what + " must be constant, but uses " + in_quotes(name->name),
                    "write a number or a formula of numbers");
  const std::optional<double> number = evaluate(value.expression);
  if (diagnostics.size() > errors) return std::nullopt;
  if (!number || !is_finite(*number)) {
    diagnostics.add(node.place, what + " has no finite value", "write a finite number");
    return std::nullopt;
  }
  return from_si(*number, unit.value_or(Unit{}));
}

}  // namespace mechfmu
