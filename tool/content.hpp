// What goes into an FMU, file by file.
#pragma once

#include <filesystem>
#include <string>

#include "export.hpp"
#include "platforms.hpp"
#include "workspace.hpp"

namespace mechfmu {

/// What differs between the FMI versions.
struct FmiVersion {
  const char* name;
  const char* prefix;                ///< of its macros
  bool arrays;                       ///< it has arrays
  const char* Platform::* binaries;  ///< the member that names a platform's folder
  std::string (*describe)(const ModelVariables&, const std::string& token, bool sources);
};
extern const FmiVersion fmi2, fmi3;

/// The name of a platform's library in the workspace.
std::string library_name(const Platform& platform);

/// The picture beside the mechanism file, if there is one.
std::filesystem::path sketch_path(const Prepared& prepared);

/// Writes all of an FMU's files into the workspace, in a folder that is called as the version is. Libraries are there.
void write_content(const Workspace& workspace, const FmiVersion& version, const Prepared& prepared,
                   const Options& options, const GeneratedSources& sources);

}  // namespace mechfmu
