// Substitution before reading: what a file says with [repeat] and [parts] becomes what it would have said without.
// The sections are then read as if their author had written them out; the places in the tree still point at the text.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "toml_document.hpp"

namespace mechfmu {

/// Parameters whose value is known before reading, SI.
using KnownParameters = std::map<std::string, double>;

/// Where a document comes from, and what is known in it.
struct DocumentSource {
  std::string file;                         ///< as messages call it
  std::vector<std::filesystem::path> open;  ///< this file and those that take it in, outermost first
  KnownParameters parameters;
};

/// Expands the whole of a mechanism file; `file` is what messages call it.
void expand(TomlNode& document, const std::string& file, Diagnostics& diagnostics);

/// Expands the file itself or a part of it.
void expand_document(TomlNode& document, const DocumentSource& source, Diagnostics& diagnostics);

/// Replaces [repeat] by its instances.
void expand_repeats(TomlNode& document, const KnownParameters& parameters, Diagnostics& diagnostics);

/// Replaces [parts] by the content of their files.
void expand_parts(TomlNode& document, const DocumentSource& source, Diagnostics& diagnostics);

/// Adds sections to a document. Tables of the same name become one; a key that both have is an error.
void merge(TomlNode& document, TomlNode addition, Diagnostics& diagnostics);

/// Says of the whole tree which copy it is: `within` as in Place.
void mark_copy(TomlNode& node, const std::string& within);

/// The file's text; none if it cannot be read.
std::optional<std::string> file_content(const std::string& path);

}  // namespace mechfmu
