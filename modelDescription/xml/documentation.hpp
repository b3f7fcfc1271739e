// Shows the variables to readers: the page in documentation/index.html and the listing of `--explain`.
#pragma once

#include <string>

#include "modelDescription/variables/variables.hpp"

namespace mechfmu {

/// Returns documentation/index.html: the mechanism, the numbers of its equations, and every variable with unit,
/// causality and meaning. With `arrays`, grouped vectors are listed as arrays, as FMI 3 has them. `sketch` is an SVG
/// element or empty.
std::string write_documentation(const ModelVariables& variables, const VariableFacts& facts, bool arrays,
                                const std::string& sketch = "");

/// Returns the variables as lines of text.
std::string listing(const ModelVariables& variables);

}  // namespace mechfmu
