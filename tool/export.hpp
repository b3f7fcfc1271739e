// From a prepared mechanism to validated FMUs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "options.hpp"
#include "preparation/pipeline.hpp"

namespace mechfmu {

/// A file that was written.
struct ExportedFile {
  std::filesystem::path path;
  std::string what;
  std::uintmax_t size = 0;
};

/// The C++ of a mechanism's FMU.
struct GeneratedSources {
  std::string equations, variables;
  std::string token;  ///< names this very content: FMI 2's guid, FMI 3's instantiationToken
};
GeneratedSources generate_sources(const Prepared& prepared);

/// What an export made.
struct Exported {
  std::vector<ExportedFile> files;
  std::string stopped;  ///< when and why the simulation for the report stopped before its end; empty: it did not
};

/// Emits, compiles, packs and validates what `options` ask for, and, with options.run, simulates it and writes the
/// report. Files are in place when all of this has succeeded for the FMUs, or else are as before.
Exported export_fmus(const Prepared& prepared, const Options& options, const Progress& progress);

}  // namespace mechfmu
