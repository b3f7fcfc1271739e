// A TOML text as a tree that keeps the author's order and the place of every key, value and character.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

/// One value of the file.
struct TomlNode {
  enum class Kind { text, number, boolean, array, table, other };
  struct Entry;

  Kind kind = Kind::table;
  Place place;
  std::string text;               ///< decoded string
  std::vector<Place> characters;  ///< of each byte of `text`, and of its end
  double number = 0;              ///< integers too
  bool boolean = false;
  std::vector<TomlNode> items;  ///< of an array
  std::vector<Entry> entries;   ///< of a table, in the file's order

  const Entry* find(std::string_view key) const;
  Entry* find(std::string_view key);
  /// Removes an entry and gives it; none if it is not there.
  std::optional<Entry> take(std::string_view key);
  /// "a text", "a table", …: how messages call it.
  const char* kind_text() const;
};

/// A key of a table, its place and its value.
struct TomlNode::Entry {
  std::string key;
  Place place;
  TomlNode value;
};

/// Parses a whole file; a syntax error is added to the diagnostics and gives no document.
std::optional<TomlNode> parse_toml(const std::string& text, const std::string& file, Diagnostics& diagnostics);

}  // namespace mechfmu
