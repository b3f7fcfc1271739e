// Where the program finds what it works with.
#pragma once

#include <filesystem>

namespace mechfmu {

/// The files and folders beside the program.
struct Places {
  std::filesystem::path scripts;      ///< what exports run, in Python and for the shell
  std::filesystem::path models;       ///< mechanisms that a name stands for
  std::filesystem::path fmu_sources;  ///< headers that generated code includes: the folder fmu_src
  std::filesystem::path fmu_parts;    ///< what every FMU has in sources/, and the licences
  std::filesystem::path fmu_library;  ///< the model-independent part of FMUs for this machine
  std::filesystem::path platforms;    ///< where that part is built for other machines
  std::filesystem::path environment;  ///< the Python environment
  std::filesystem::path fmi_headers;

  std::filesystem::path python() const { return environment / "bin" / "python"; }
};

/// Returns the places of the installation that the running program belongs to (cmake/install.cmake), wherever that was
/// moved; of the build if the program is not installed.
const Places& places();

}  // namespace mechfmu
