// Overrides and evaluates [parameters] on the tree. The reader reports their errors.
#include "expand_parameters.hpp"

#include <charconv>

#include "modelDescription/formulas/expression.hpp"
#include "modelDescription/formulas/units.hpp"

namespace mechfmu {

namespace {

std::optional<Expression> formula_of(const TomlNode& value) {
  if (value.kind != TomlNode::Kind::text) return std::nullopt;
  Diagnostics unheard;
  return parse_expression(value.text, value.characters, unheard);
}

/// Returns a value as the file would have it: a number if it is only that, else a formula. Messages show the whole
/// setting.
TomlNode node_of(const ParameterSetting& setting) {
  const std::string& text = setting.value;
  TomlNode node;
  node.place = {"--set " + setting.name + "=" + text, 1, static_cast<int>(setting.name.size()) + 2};
  const char* first = text.data() + text.starts_with('+');
  const char* last = text.data() + text.size();
  const auto [end, code] = std::from_chars(first, last, node.number);
  if (code == std::errc() && end == last) {
    node.kind = TomlNode::Kind::number;
    return node;
  }
  node.kind = TomlNode::Kind::text;
  node.text = text;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    node.characters.push_back(node.place);
    node.characters.back().column += static_cast<int>(i);
  }
  return node;
}

const TomlNode* parameters_of(const TomlNode& document) {
  const TomlNode::Entry* section = document.find("parameters");
  return section && section->value.kind == TomlNode::Kind::table ? &section->value : nullptr;
}

/// Returns the number in SI, or none if it is a formula or faulty.
std::optional<double> number_of(const TomlNode& parameter, const TomlNode& value) {
  if (value.kind != TomlNode::Kind::number) return std::nullopt;
  const TomlNode::Entry* unit_text = parameter.find("unit");
  if (!unit_text) return value.number;
  UnitError unheard;
  const std::optional<Unit> unit = parse_unit(unit_text->value.text, unheard);
  return unit ? std::optional(to_si(value.number, *unit)) : std::nullopt;
}

}  // namespace

void apply_settings(const std::vector<ParameterSetting>& settings, TomlNode& document) {
  for (const ParameterSetting& setting : settings) {
    if (override_parameter(document, setting.name, node_of(setting))) continue;
    const std::vector<std::string> names = parameter_names(document);
    throw SettingError("--set: the file has no parameter " + in_quotes(setting.name) + "; " +
                       (names.empty() ? "[parameters] is empty" : suggestion(setting.name, names, "see [parameters]")));
  }
}

bool override_parameter(TomlNode& document, const std::string& name, TomlNode value) {
  if (!parameters_of(document)) return false;
  TomlNode::Entry* parameter = document.find("parameters")->value.find(name);
  if (!parameter) return false;
  if (parameter->value.kind != TomlNode::Kind::table) {
    parameter->value = std::move(value);
    return true;
  }
  TomlNode& table = parameter->value;
  const std::optional<Expression> formula = formula_of(value);
  if (formula && !names_used(*formula).empty()) table.take("tunable");  // it now follows those that it depends on
  if (TomlNode::Entry* old = table.find("value")) old->value = std::move(value);
  else table.entries.push_back({"value", parameter->place, std::move(value)});
  return true;
}

std::vector<std::string> parameter_names(const TomlNode& document) {
  std::vector<std::string> names;
  if (const TomlNode* parameters = parameters_of(document))
    for (const TomlNode::Entry& entry : parameters->entries) names.push_back(entry.key);
  return names;
}

KnownParameters known_parameters(const TomlNode& document, const std::set<std::string>& given,
                                 const KnownParameters& outer) {
  KnownParameters known;
  std::map<std::string, Expression> formulas;
  const TomlNode* parameters = parameters_of(document);
  if (!parameters) return known;
  for (const auto& [name, place, parameter] : parameters->entries) {
    const TomlNode::Entry* inner = parameter.find("value");
    const TomlNode& value = inner ? inner->value : parameter;
    if (const std::optional<double> number = number_of(parameter, value)) known[name] = *number;
    if (const std::optional<Expression> formula = formula_of(value)) formulas[name] = *formula;
  }
  for (bool more = true; more;) {  // Each round finds those that need only results of earlier rounds.
    more = false;
    for (auto it = formulas.begin(); it != formulas.end();) {
      const std::optional<double> value = evaluate(it->second, given.contains(it->first) ? outer : known);
      if (value) known[it->first] = *value;
      more = more || value;
      it = value ? formulas.erase(it) : std::next(it);
    }
  }
  return known;
}

}  // namespace mechfmu
