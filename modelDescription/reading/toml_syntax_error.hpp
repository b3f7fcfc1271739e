// TOML syntax errors in our own words.
#pragma once

#include <string>

#include "modelDescription/formulas/diagnostics.hpp"

namespace mechfmu {

/// Adds the parser's message, reworded, with a repair; for a key given twice the first place too.
void add_syntax_error(const std::string& text, Place place, const std::string& message, Diagnostics& diagnostics);

/// Adds an error for the first letter beyond ASCII outside texts and comments, such as a pasted no-break space or a
/// Greek key. It comes before parsing, since toml++ 3.3.0 is undefined for some of them. True if there is one.
bool add_stray_character(const std::string& text, const std::string& file, Diagnostics& diagnostics);

}  // namespace mechfmu
