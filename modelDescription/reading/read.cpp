// Reads a mechanism file in one pass.
#include "read.hpp"

#include <algorithm>

#include "modelDescription/reading/expansion/expand.hpp"
#include "modelDescription/reading/expansion/expand_parameters.hpp"
#include "read_checks.hpp"

namespace mechfmu {

namespace {

/// Reads the document after [repeat] and [parts] are expanded in it.
void read_expanded(const TomlNode& document, Reading& reading) {
  read_sections(document, reading);
  reading.names.check_generated_names();
  check_cycles(reading);
  // Without coordinates or bodies every formula would fail, so no more messages are useful.
  if (!reading.description.coordinates.empty() || reading.description.bodies.size() > 1) check_description(reading);
}

TomlNode text_node(const std::string& text, const Place& place) {
  TomlNode node;
  node.kind = TomlNode::Kind::text;
  node.place = place;
  node.text = text;
  node.characters.assign(text.size() + 1, place);
  return node;
}

/// Returns a name that the file does not have.
std::string free_name(const TomlNode& document) {
  const auto taken = [&](const std::string& name) {
    return std::any_of(document.entries.begin(), document.entries.end(), [&](const TomlNode::Entry& section) {
      const bool has_names = section.key != "mechanism" && section.key != "solver";
      return has_names && section.value.find(name) != nullptr;
    });
  };
  std::string name = "hidden";
  for (int number = 2; taken(name); ++number) name = "hidden_" + std::to_string(number);
  return name;
}

/// Writes a constraint into the document, as the author would write it.
void add_constraint(const AddedConstraint& added, TomlNode& document) {
  const TomlNode::Entry* mechanism = document.find("mechanism");
  const TomlNode::Entry* key = mechanism ? mechanism->value.find("hidden") : nullptr;
  TomlNode::Entry* constraints = document.find("constraints");
  if (!key || !constraints) return;
  const Place place = key->place;
  TomlNode::Entry entry{free_name(document), place, {}};
  entry.value.place = place;
  entry.value.entries.push_back({"position", place, text_node(added.position, place)});
  entry.value.entries.push_back({"description", place, text_node(added.description, place)});
  const TomlNode::Entry* like = constraints->value.find(added.like);
  if (const TomlNode::Entry* realised = like ? like->value.find("realised_by") : nullptr)
    entry.value.entries.push_back(*realised);
  constraints->value.entries.push_back(std::move(entry));
}

}  // namespace

ReadResult read_mechanism(const std::string& path, const std::vector<ParameterSetting>& settings,
                          const std::vector<AddedConstraint>& added) {
  if (const std::optional<std::string> text = file_content(path))
    return read_mechanism_text(*text, path, settings, added);
  return {std::nullopt, {{{path, 1, 1}, "the file cannot be read", "check its name and its permissions"}}};
}

ReadResult read_mechanism_text(const std::string& text, const std::string& file_name,
                               const std::vector<ParameterSetting>& settings,
                               const std::vector<AddedConstraint>& added) {
  Reading reading;
  reading.description.file = file_name;
  if (std::optional<TomlNode> document = parse_toml(text, file_name, reading.diagnostics)) {
    apply_settings(settings, *document);
    expand(*document, file_name, reading.diagnostics);
    for (const AddedConstraint& one : added) add_constraint(one, *document);
    if (reading.diagnostics.empty()) read_expanded(*document, reading);
  }
  if (!reading.diagnostics.empty()) return {std::nullopt, reading.diagnostics.sorted()};
  return {std::move(reading.description), {}};
}

}  // namespace mechfmu
