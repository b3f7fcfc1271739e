// Reads a mechanism file in one pass.
#include "read.hpp"

#include "expand.hpp"
#include "expand_parameters.hpp"
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

}  // namespace

ReadResult read_mechanism(const std::string& path, const std::vector<ParameterSetting>& settings) {
  if (const std::optional<std::string> text = file_content(path)) return read_mechanism_text(*text, path, settings);
  return {std::nullopt, {{{path, 1, 1}, "the file cannot be read", "check its name and its permissions"}}};
}

ReadResult read_mechanism_text(const std::string& text, const std::string& file_name,
                               const std::vector<ParameterSetting>& settings) {
  Reading reading;
  reading.description.file = file_name;
  if (std::optional<TomlNode> document = parse_toml(text, file_name, reading.diagnostics)) {
    apply_settings(settings, *document);
    expand(*document, file_name, reading.diagnostics);
    if (reading.diagnostics.empty()) read_expanded(*document, reading);
  }
  if (!reading.diagnostics.empty()) return {std::nullopt, reading.diagnostics.sorted()};
  return {std::move(reading.description), {}};
}

}  // namespace mechfmu
