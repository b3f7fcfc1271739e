// Turns generated C++ into the shared library of an FMU.
#pragma once

#include <string>
#include <vector>

#include "platforms.hpp"
#include "workspace.hpp"

namespace mechfmu {

/// Prepares what compile_library needs for a platform. If it is not the host, it needs its compiler and the
/// model-independent part of an FMU, which take a while the first time.
void prepare_platform(const Workspace& workspace, const Platform& platform);

/// Compiles the sources (names in the workspace) at the same time and links them with the model-independent part of an
/// FMU into `library` (a name in the workspace). The library needs only the platform's C and mathematical libraries,
/// and shows only FMI functions. `more_options` are the compiler's, behind all others.
void compile_library(const Workspace& workspace, const Platform& platform, const std::vector<std::string>& sources,
                     const std::string& library, const std::vector<std::string>& more_options = {});

}  // namespace mechfmu
