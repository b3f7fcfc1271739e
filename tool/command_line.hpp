// Runs build_fmu, from its arguments to its exit code.
#pragma once

#include <string>
#include <vector>

namespace mechfmu {

/// Does what the arguments (without the program's name) ask for. Results go to standard output, errors to standard
/// error. Returns the exit code.
int run_command_line(const std::vector<std::string>& arguments);

}  // namespace mechfmu
