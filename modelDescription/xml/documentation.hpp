// The variables for people: the page in documentation/index.html and the listing of `--explain`.
#pragma once

#include <string>

#include "modelDescription/variables/variables.hpp"

namespace mechfmu {

/// documentation/index.html: the mechanism, its equations counted, every variable with unit, causality and meaning.
/// `arrays`: vectors that are grouped are listed as arrays, as FMI 3 has them. `sketch` is an SVG element or empty.
std::string write_documentation(const ModelVariables& variables, const VariableFacts& facts, bool arrays,
                                const std::string& sketch = "");

/// The variables as lines of text.
std::string listing(const ModelVariables& variables);

}  // namespace mechfmu
