// Does the work that [repeat] and [parts] share: keeps their order, joins tables, marks copies.
#include "expand.hpp"

#include <fstream>
#include <iterator>

#include "expand_parameters.hpp"

namespace mechfmu {

namespace {

std::string with_copy(const Place& place) { return to_text(place) + (place.within.empty() ? "" : ", " + place.within); }

/// Joins an entry to a table. Returns false after an error, since one message is enough for a thing defined twice.
bool join(TomlNode& table, TomlNode::Entry added, const std::string& path, Diagnostics& diagnostics) {
  TomlNode::Entry* known = table.find(added.key);
  if (!known) {
    table.entries.push_back(std::move(added));
    return true;
  }
  const std::string name = path + added.key;
  const bool tables = known->value.kind == TomlNode::Kind::table && added.value.kind == TomlNode::Kind::table;
  if (tables && !added.value.entries.empty()) {
    for (TomlNode::Entry& inner : added.value.entries)
      if (!join(known->value, std::move(inner), name + ".", diagnostics)) return false;
    return true;
  }
  diagnostics.add(added.place, in_quotes(name) + " is already defined at " + with_copy(known->place),
                  "rename or remove one of them; names in [repeat] differ by placeholders such as {i}");
  return false;
}

void mark_copy(Place& place, const std::string& within) { place.within += (place.within.empty() ? "" : ", ") + within; }

}  // namespace

void expand(TomlNode& document, const std::string& file, Diagnostics& diagnostics) {
  const DocumentSource source{file, {std::filesystem::weakly_canonical(file)}, known_parameters(document)};
  expand_document(document, source, diagnostics);
}

void expand_document(TomlNode& document, const DocumentSource& source, Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.size();
  expand_repeats(document, source.parameters, diagnostics);
  if (diagnostics.size() == errors) expand_parts(document, source, diagnostics);
}

void merge(TomlNode& document, TomlNode addition, Diagnostics& diagnostics) {
  for (TomlNode::Entry& section : addition.entries) {
    TomlNode::Entry* known = document.find(section.key);
    const bool tables =
        known && known->value.kind == TomlNode::Kind::table && section.value.kind == TomlNode::Kind::table;
    if (!tables) {
      join(document, std::move(section), "", diagnostics);
      continue;
    }
    for (TomlNode::Entry& entry : section.value.entries)
      join(known->value, std::move(entry), section.key + ".", diagnostics);
  }
}

void mark_copy(TomlNode& node, const std::string& within) {
  mark_copy(node.place, within);
  for (Place& place : node.characters) mark_copy(place, within);
  for (TomlNode& item : node.items) mark_copy(item, within);
  for (TomlNode::Entry& entry : node.entries) {
    mark_copy(entry.place, within);
    mark_copy(entry.value, within);
  }
}

std::optional<std::string> file_content(const std::string& path) {
  std::error_code not_there;
  std::ifstream stream(path, std::ios::binary);
  if (!stream || !std::filesystem::is_regular_file(path, not_there)) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace mechfmu
