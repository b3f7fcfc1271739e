// Substitutes before reading: it replaces [repeat] and [parts] by the sections that they stand for. The sections are
// then read as if their author had written them out; the places in the tree still point at the text.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "modelDescription/reading/toml/toml_document.hpp"

namespace mechfmu {

/// Holds parameters whose value is known before reading, SI.
using KnownParameters = std::map<std::string, double>;

/// Says which file a document comes from, and what is known in it.
struct DocumentSource {
  std::string file;                         ///< name of the file in messages
  std::vector<std::filesystem::path> open;  ///< this file and those that include it, outermost first
  KnownParameters parameters;
};

/// Expands a whole mechanism file; `file` is its name in messages.
void expand(TomlNode& document, const std::string& file, Diagnostics& diagnostics);

/// Expands the file itself or a part of it.
void expand_document(TomlNode& document, const DocumentSource& source, Diagnostics& diagnostics);

/// Replaces [repeat] by its instances.
void expand_repeats(TomlNode& document, const KnownParameters& parameters, Diagnostics& diagnostics);

/// Replaces [parts] by the content of their files.
void expand_parts(TomlNode& document, const DocumentSource& source, Diagnostics& diagnostics);

/// Adds sections to a document. Tables of one name become one table; a key that both have is an error.
void merge(TomlNode& document, TomlNode addition, Diagnostics& diagnostics);

/// Marks the whole tree as this copy: `within` as in Place.
void mark_copy(TomlNode& node, const std::string& within);

/// Returns the file's text, or none if it cannot be read.
std::optional<std::string> file_content(const std::string& path);

}  // namespace mechfmu
