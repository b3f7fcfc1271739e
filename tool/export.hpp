// Makes validated FMUs from a prepared mechanism.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "options.hpp"
#include "preparation/pipeline.hpp"

namespace mechfmu {

/// Is a file that was written.
struct ExportedFile {
  std::filesystem::path path;
  std::string what;
  std::uintmax_t size = 0;
};

/// Holds the C++ of a mechanism's FMU.
struct GeneratedSources {
  std::string equations, variables;
  std::string token;  ///< names exactly this content: FMI 2's guid, FMI 3's instantiationToken
};
GeneratedSources generate_sources(const Prepared& prepared);

/// Holds the results of an export.
struct Exported {
  std::vector<ExportedFile> files;
  std::string stopped;  ///< says when and why the simulation for the report stopped before its end; empty if it did not
};

/// Emits, compiles, packs and validates the FMUs that `options` ask for. With options.run it also simulates one and
/// writes the report. New files take their places only if all of this succeeds for the FMUs; otherwise the old ones
/// stay.
Exported export_fmus(const Prepared& prepared, const Options& options, const Progress& progress);

}  // namespace mechfmu
