// Writes the files of an FMU.
#pragma once

#include <filesystem>
#include <string>

#include "export.hpp"
#include "platforms.hpp"
#include "workspace.hpp"

namespace mechfmu {

/// Holds the differences between the FMI versions.
struct FmiVersion {
  const char* name;
  const char* prefix;                ///< prefix of its macros
  bool arrays;                       ///< is true if it has arrays
  const char* Platform::* binaries;  ///< member that names a platform's folder
  std::string (*describe)(const ModelVariables&, const std::string& token, bool sources);
};
extern const FmiVersion fmi2, fmi3;

/// Returns the name of a platform's library in the workspace.
std::string library_name(const Platform& platform);

/// Returns the path of the picture beside the mechanism file, or an empty one.
std::filesystem::path sketch_path(const Prepared& prepared);

/// Writes all files of an FMU into the workspace, in a folder with the name of the version. The libraries are there
/// already.
void write_content(const Workspace& workspace, const FmiVersion& version, const Prepared& prepared,
                   const Options& options, const GeneratedSources& sources);

}  // namespace mechfmu
