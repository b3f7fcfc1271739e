// Finds the files that the program works with.
#pragma once

#include <filesystem>

namespace mechfmu {

/// Holds the files and folders beside the program.
struct ProgramPlaces {
  std::filesystem::path scripts;      ///< scripts that exports run, in Python and for the shell
  std::filesystem::path models;       ///< mechanisms that can be called by name
  std::filesystem::path fmu_sources;  ///< headers that generated code includes: the folder fmu_src
  std::filesystem::path fmu_parts;    ///< files that every FMU has in sources/, and the licences
  std::filesystem::path fmu_library;  ///< the model-independent part of FMUs for this machine
  std::filesystem::path platforms;    ///< folders in which this part is built for other machines
  std::filesystem::path environment;  ///< the Python environment
  std::filesystem::path fmi_headers;

  std::filesystem::path python() const { return environment / "bin" / "python"; }
};

/// Returns the places of the installation that the running program belongs to (cmake/install.cmake), even if it was
/// moved. If the program is not installed, it returns those of the build.
const ProgramPlaces& places();

}  // namespace mechfmu
