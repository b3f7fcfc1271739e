// Writes variables.cpp of an exported FMU: the run-time table of its variables.
#pragma once

#include <string>

#include "modelDescription/variables/variables.hpp"

namespace mechfmu {

/// Returns the whole file; `token` as in modelDescription.xml.
std::string emit_variables(const ModelVariables& variables, const std::string& token);

}  // namespace mechfmu
