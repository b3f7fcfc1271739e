// Turns generated C++ into the shared library of an FMU.
#pragma once

#include <string>
#include <vector>

#include "exporter/workspace.hpp"

namespace mechfmu {

/// Compiles the sources (names in the workspace) at the same time and links them with the model-independent part of an
/// FMU into `library` (a name in the workspace). Nothing but libc and libm is needed to load it; only FMI functions can
/// be seen from outside.
void compile_library(const Workspace& workspace, const std::vector<std::string>& sources, const std::string& library);

}  // namespace mechfmu
