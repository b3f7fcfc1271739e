// Reads a mechanism file: text → Description, or all errors in it.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "modelDescription/description/description.hpp"
#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

/// Holds a description, or the errors in the order of their places.
struct ReadResult {
  std::optional<Description> description;
  std::vector<Diagnostic> diagnostics;
};

/// Is a value for a parameter that replaces the file's: a number in its unit, or a formula.
struct ParameterSetting {
  std::string name, value;
};

/// Is a position constraint that is added to the file, at the place of the key `hidden` in [mechanism].
struct AddedConstraint {
  std::string position;  ///< formula
  std::string like;      ///< constraint that is realised in the same way; empty: it is ideal
  std::string description;
};

/// Says that a setting does not fit the file, and what to do.
struct SettingError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads a file. Messages name it as given here. Throws SettingError.
ReadResult read_mechanism(const std::string& path, const std::vector<ParameterSetting>& settings = {},
                          const std::vector<AddedConstraint>& added = {});

/// Reads a text. `file_name` is its name in messages; the files that it names are sought beside it. Throws
/// SettingError.
ReadResult read_mechanism_text(const std::string& text, const std::string& file_name,
                               const std::vector<ParameterSetting>& settings = {},
                               const std::vector<AddedConstraint>& added = {});

}  // namespace mechfmu
