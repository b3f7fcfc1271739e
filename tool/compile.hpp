// Turns generated C++ into the shared library of an FMU.
#pragma once

#include <string>
#include <vector>

#include "platforms.hpp"
#include "workspace.hpp"

namespace mechfmu {

/// Makes ready what compile_library needs for a platform: for another than the host's its compiler and the
/// model-independent part of an FMU, which take a while the first time.
void prepare_platform(const Workspace& workspace, const Platform& platform);

/// Compiles the sources (names in the workspace) at the same time and links them with the model-independent part of an
/// FMU into `library` (a name in the workspace). Nothing but the platform's C and mathematical libraries is needed to
/// load it; only FMI functions can be seen from outside.
void compile_library(const Workspace& workspace, const Platform& platform, const std::vector<std::string>& sources,
                     const std::string& library);

}  // namespace mechfmu
