// TOML syntax errors in our own words.
#pragma once

#include <string>

#include "diagnostics.hpp"

namespace mechfmu {

/// Adds the parser's message, reworded, with a repair; for a key given twice the first place too.
void add_syntax_error(const std::string& text, Place place, const std::string& message, Diagnostics& diagnostics);

}  // namespace mechfmu
