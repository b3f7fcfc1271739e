// Reading a mechanism file: text → Description, or every error in it.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "modelDescription/description/description.hpp"
#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

/// Either a description or the errors, in the order of their places.
struct ReadResult {
  std::optional<Description> description;
  std::vector<Diagnostic> diagnostics;
};

/// Another value for a parameter than the file's: a number in its unit, or a formula.
struct ParameterSetting {
  std::string name, value;
};

/// A setting does not fit the file; the message says what to do.
struct SettingError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads a file. Messages name it as given here. Throws SettingError.
ReadResult read_mechanism(const std::string& path, const std::vector<ParameterSetting>& settings = {});

/// Reads a text; `file_name` is what messages call it, and files that it names are looked for beside it. Throws
/// SettingError.
ReadResult read_mechanism_text(const std::string& text, const std::string& file_name,
                               const std::vector<ParameterSetting>& settings = {});

}  // namespace mechfmu
