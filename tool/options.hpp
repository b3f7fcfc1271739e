// The command line of build_fmu.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "modelDescription/reading/read.hpp"
#include "platforms.hpp"

namespace mechfmu {

/// What the command line asks for.
struct Options {
  std::string model;  ///< a name in models/, or a path to a mechanism file or its folder
  bool fmi2 = true, fmi3 = true;
  std::string output = "fmus";
  std::vector<ParameterSetting> settings;  ///< in the order given
  std::vector<const Platform*> platforms = {&host_platform()};
  bool sources = true;  ///< in the FMU
  bool arrays = false;  ///< vectors of the FMI 3 FMU are arrays
  bool run = false, explain = false, symbolic = false, check = false, list = false, verbose = false;
  bool version = false, help = false;
};

/// The command line cannot be understood; the message says what to do.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Understands the arguments after the program's name. Throws UsageError.
Options parse_options(const std::vector<std::string>& arguments);

/// The text of --help.
std::string help_text();

}  // namespace mechfmu
