// Reads the command line of build_fmu.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "modelDescription/reading/read.hpp"
#include "platforms.hpp"

namespace mechfmu {

/// Holds what the command line asks for.
struct Options {
  std::string model;  ///< names a folder of models/, or is a path to a mechanism file or its folder
  bool fmi2 = true, fmi3 = true;
  std::string output = "fmus";
  std::vector<ParameterSetting> settings;  ///< are in the order of the command line
  std::vector<const Platform*> platforms = {&host_platform()};
  bool sources = true;  ///< puts sources into the FMU
  bool arrays = false;  ///< makes arrays of vectors in the FMI 3 FMU
  bool run = false, explain = false, symbolic = false, check = false, list = false, verbose = false;
  bool version = false, help = false;
};

/// Says that the command line cannot be understood, and what to do.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads the arguments after the program's name. Throws UsageError.
Options parse_options(const std::vector<std::string>& arguments);

/// Returns the text of --help.
std::string help_text();

}  // namespace mechfmu
