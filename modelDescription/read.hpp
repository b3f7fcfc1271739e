// Reading a mechanism file: text → Description, or every error in it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnostics.hpp"

namespace mechfmu {

/// Either a description or the errors, in the order of their places.
struct ReadResult {
  std::optional<Description> description;
  std::vector<Diagnostic> diagnostics;
};

/// Reads a file. Messages name it as given here.
ReadResult read_mechanism(const std::string& path);

/// Reads a text; `file_name` is what messages call it.
ReadResult read_mechanism_text(const std::string& text, const std::string& file_name);

}  // namespace mechfmu
