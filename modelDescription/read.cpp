// The one pass over a mechanism file.
#include "read.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "read_checks.hpp"

namespace mechfmu {

ReadResult read_mechanism(const std::string& path) {
  std::error_code not_there;
  std::ifstream stream(path, std::ios::binary);
  if (!stream || !std::filesystem::is_regular_file(path, not_there))
    return {std::nullopt, {{{path, 1, 1}, "the file cannot be read", "check its name and its permissions"}}};
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return read_mechanism_text(text, path);
}

ReadResult read_mechanism_text(const std::string& text, const std::string& file_name) {
  Reading reading;
  reading.description.file = file_name;
  if (const std::optional<TomlNode> document = parse_toml(text, file_name, reading.diagnostics)) {
    read_sections(*document, reading);
    reading.names.check_generated_names();
    check_cycles(reading);
    // Without coordinates or bodies every formula would fail: nothing more is worth saying.
    if (!reading.description.coordinates.empty() || reading.description.bodies.size() > 1) check_description(reading);
  }
  if (!reading.diagnostics.empty()) return {std::nullopt, reading.diagnostics.sorted()};
  return {std::move(reading.description), {}};
}

}  // namespace mechfmu
