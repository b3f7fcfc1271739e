// Handles placeholders of one instance of a repeat: {i}, {i+1}, {s}.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "modelDescription/reading/toml/toml_document.hpp"

namespace mechfmu {

/// Holds a placeholder's number or text in one instance.
struct Placeholder {
  std::string name;
  std::optional<double> number;
  std::string text;  ///< is inserted as it is, also for a number
};

/// Holds the placeholders of one instance.
using Instance = std::vector<Placeholder>;

/// Returns a number as text: a whole one without point and exponent.
std::string inserted_text(double number);

/// Returns "i = 2, s = -1".
std::string to_text(const Instance& instance);

/// Returns the tree with all placeholders of its keys and texts replaced. A text that is only a placeholder with a
/// number becomes a number.
TomlNode filled_in(const TomlNode& node, const Instance& instance, Diagnostics& diagnostics);
TomlNode::Entry filled_in(const TomlNode::Entry& entry, const Instance& instance, Diagnostics& diagnostics);

}  // namespace mechfmu
