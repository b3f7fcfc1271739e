// Holds a TOML text as a tree that keeps the author's order and the place of every key, value and character.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

/// Is one value of the file.
struct TomlNode {
  enum class Kind { text, number, boolean, array, table, other };
  struct Entry;

  Kind kind = Kind::table;
  Place place;
  std::string text;               ///< is decoded
  std::vector<Place> characters;  ///< places of each byte of `text`, and of its end
  double number = 0;              ///< holds integers too
  bool boolean = false;
  std::vector<TomlNode> items;  ///< elements of an array
  std::vector<Entry> entries;   ///< entries of a table, in the file's order

  const Entry* find(std::string_view key) const;
  Entry* find(std::string_view key);
  /// Removes an entry and returns it; none if it is not there.
  std::optional<Entry> take(std::string_view key);
  /// Returns the kind in words: "a text", "a table", …
  const char* kind_text() const;
};

/// Is a key of a table, with its place and its value.
struct TomlNode::Entry {
  std::string key;
  Place place;
  TomlNode value;
};

/// Parses a whole file; a syntax error is added to the diagnostics and gives no document.
std::optional<TomlNode> parse_toml(const std::string& text, const std::string& file, Diagnostics& diagnostics);

}  // namespace mechfmu
