// Reports TOML syntax errors in our own words.
#pragma once

#include <string>

#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

/// Adds the parser's message in our words, with a repair; for a key given twice it also adds the first place.
void add_syntax_error(const std::string& text, Place place, const std::string& message, Diagnostics& diagnostics);

/// Adds an error for the first letter beyond ASCII outside texts and comments, such as a pasted no-break space or a
/// Greek key. Call it before parsing, since toml++ 3.3.0 is undefined for some of them. Returns true if there is one.
bool add_stray_character(const std::string& text, const std::string& file, Diagnostics& diagnostics);

}  // namespace mechfmu
