// Reads one table of a mechanism file: its keys, their kinds, numbers in units, formulas.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "modelDescription/reading/toml/toml_document.hpp"
#include "names.hpp"

namespace mechfmu {

/// Reads the keys of a table. An unknown key is an error at once, and counts as the nearest key that is not there.
class TableReader {
 public:
  /// `what` is the table's name in messages: "the parameter 'm'"; `key_word` is their word for its keys.
  TableReader(const TomlNode& table, const Place& place, std::string what, std::vector<std::string> keys,
              Diagnostics& diagnostics, const std::string& key_word = "key");

  const TomlNode::Entry* find(const std::string& key) const;
  /// Returns the place at which the table begins, for messages about missing keys.
  const Place& place() const { return place_; }

  std::string text(const std::string& key) const;
  bool boolean(const std::string& key, bool otherwise = false) const;
  /// Reads the key "unit": dimensionless without it, none if it cannot be read.
  std::optional<Unit> unit() const;
  /// Reads a number in the unit, or a formula; 0 if the key is not there.
  Value value(const std::string& key, const std::optional<Unit>& unit) const;
  /// Reads a formula; 0 if the key is not there.
  Expression formula(const std::string& key) const { return value(key, Unit{}).expression; }
  /// Reads a number without names, in the declared unit; none if it is not there or faulty.
  std::optional<double> constant(const std::string& key, const std::optional<Unit>& unit = Unit{}) const;
  /// Reads one of the words given; returns the other text if the key is not there.
  std::string choice(const std::string& key, const std::vector<std::string>& words, const std::string& otherwise) const;
  /// Reads a list of such words, or a single one; the list is empty if the key is not there.
  std::vector<std::string> choices(const std::string& key, const std::vector<std::string>& words) const;
  /// Returns a table inside; null if it is not there or no table.
  const TomlNode::Entry* table(const std::string& key) const;

 private:
  void check_word(const std::string& key, const TomlNode& node, const std::vector<std::string>& words) const;
  std::string key_of_table(const std::string& key) const;
  void wrong_kind(const TomlNode& value, const std::string& key, const std::string& wanted,
                  const std::string& repair) const;

  std::vector<std::pair<std::string, const TomlNode::Entry*>> entries_;
  Place place_;
  std::string what_;
  Diagnostics& diagnostics_;
};

/// Reads a number in the unit, or a formula in SI. If a formula is only a number, it must mean the same quantity in
/// both. After an error it is 0, which fits everywhere.
Value read_value(const TomlNode& node, const std::optional<Unit>& unit, const std::string& what,
                 Diagnostics& diagnostics);

/// Reads a number or a formula without names, in the unit; none after an error.
std::optional<double> read_constant(const TomlNode& node, const std::optional<Unit>& unit, const std::string& what,
                                    Diagnostics& diagnostics);

}  // namespace mechfmu
