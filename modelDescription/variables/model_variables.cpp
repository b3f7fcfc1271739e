// Makes FMI's view of the variables: attributes, references, the lists of ModelStructure, and a token for the whole.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <map>
#include <set>

#include "variables.hpp"

namespace mechfmu {

namespace {

/// Computes the hash FNV-1a, 64 bits.
std::uint64_t hash(const std::string& text, std::uint64_t value) {
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return value;
}

}  // namespace

const char* ModelVariable::causality() const {
  switch (role) {
    case Role::independent: return "independent";
    case Role::fixed_parameter:
    case Role::tunable_parameter: return "parameter";
    case Role::calculated_parameter: return "calculatedParameter";
    case Role::input: return "input";
    case Role::output: return "output";
    case Role::local: break;
  }
  return "local";
}

bool ModelVariable::changes_at_events_only() const {
  return source == Source::independent || source == Source::contact_state || source == Source::impulse;
}

const char* ModelVariable::variability() const {
  if (changes_at_events_only()) return "discrete";
  const bool parameter =
      role == Role::fixed_parameter || role == Role::tunable_parameter || role == Role::calculated_parameter;
  if (!parameter && source != Source::degrees_of_freedom) return "continuous";
  return tunable ? "tunable" : "fixed";
}

const char* ModelVariable::initial() const {
  if (role == Role::fixed_parameter || role == Role::tunable_parameter) return "exact";
  if (is_state) return "approx";
  return role == Role::independent || role == Role::input ? nullptr : "calculated";
}

bool ModelVariable::has_start() const {
  return role == Role::fixed_parameter || role == Role::tunable_parameter || role == Role::input || is_state;
}

bool ModelVariable::between_communication_points() const {
  const bool moves = source != Source::degrees_of_freedom && !changes_at_events_only();
  return role == Role::input || role == Role::output || (role == Role::local && moves);
}

std::string ModelVariable::start_text() const {
  if (is_choice())
    return (*solver_choices[index].names)[static_cast<std::size_t>(index_of_item(static_cast<int>(start)))];
  return to_text(start);
}

std::vector<int> ModelVariables::references(const Known& known) const {
  std::vector<int> result;
  if (known.time) result.push_back(1);  // time comes first
  for (const int input : known.inputs) result.push_back(input_references[static_cast<std::size_t>(input)]);
  for (const int i : known.parameters) {
    const int reference = parameter_references[static_cast<std::size_t>(i)];
    if (reference != 0) result.push_back(reference);
  }
  if (model_exchange()) {
    for (const int i : known.positions) result.push_back(position_references[static_cast<std::size_t>(i)]);
    for (const int i : known.velocities) result.push_back(velocity_references[static_cast<std::size_t>(i)]);
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<int> ModelVariables::derivatives() const {
  std::vector<int> result(all.size());
  std::map<std::string, int> accelerations;  // have the rate's name as key
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int reference = static_cast<int>(i) + 1;
    if (all[i].derivative_of != 0) result[static_cast<std::size_t>(all[i].derivative_of) - 1] = reference;
    const std::string& name = all[i].name;
    if (name.ends_with(",2)")) accelerations.emplace(name.substr(0, name.size() - 3) + ")", reference);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto acceleration = accelerations.find(all[i].name);
    if (acceleration != accelerations.end()) result[i] = acceleration->second;
  }
  return result;
}

bool ModelVariables::ends_at_events() const {
  return std::any_of(all.begin(), all.end(),
                     [](const ModelVariable& variable) { return variable.source == Source::contact_state; });
}

std::vector<int> ModelVariables::event_indicators() const {
  std::vector<int> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].source == Source::indicator) result.push_back(static_cast<int>(i) + 1);
  }
  return result;
}

std::vector<int> ModelVariables::outputs() const {
  std::vector<int> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].role == Role::output) result.push_back(static_cast<int>(i) + 1);
  }
  return result;
}

std::vector<int> ModelVariables::state_derivatives() const {
  const std::vector<int> derivatives = this->derivatives();
  std::vector<int> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].is_state) result.push_back(derivatives[i]);
  }
  return result;
}

std::vector<int> ModelVariables::initial_unknowns() const {
  std::set<int> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].role == Role::output || all[i].role == Role::calculated_parameter || all[i].is_state) {
      result.insert(static_cast<int>(i) + 1);
    }
  }
  for (const int derivative : state_derivatives()) result.insert(derivative);
  return {result.begin(), result.end()};
}

std::string content_token(const ModelVariables& variables, const std::string& program) {
  std::string content = program + '\0' + variables.model + '\0' + variables.description + '\0';
  for (const double number : {variables.stop_time, variables.communication_step, variables.tolerance}) {
    content += to_text(number) + '\0';
  }
  for (const ModelVariable& v : variables.all) {
    for (const std::string& part : {v.name, v.description, v.unit.text, std::string(v.causality()),
                                    std::string(v.variability()), v.start_text()}) {
      content += part + '\0';
    }
    if (v.components != 1) content += std::to_string(v.components) + '\0';
    for (const std::optional<double>& limit : {v.minimum, v.maximum}) content += limit ? to_text(*limit) + '\0' : "-";
    for (const Known* known : {&v.in_step, &v.at_start}) {
      if (known->everything) content += '*';
      for (const int reference : variables.references(*known)) content += std::to_string(reference) + ' ';
      content += '\0';
    }
  }
  char text[40];
  const std::uint64_t high = hash(content, 14695981039346656037u), low = hash(content, high);
  std::snprintf(text, sizeof text, "{%08x-%04x-%04x-%04x-%012llx}", static_cast<unsigned>(high >> 32),
                static_cast<unsigned>(high >> 16 & 0xffff), static_cast<unsigned>(high & 0xffff),
                static_cast<unsigned>(low >> 48), static_cast<unsigned long long>(low & 0xffffffffffff));
  return text;
}

std::string to_text(double number) {
  char text[32];
  const std::to_chars_result result = std::to_chars(text, text + sizeof text, number);
  return {text, result.ptr};
}

}  // namespace mechfmu
