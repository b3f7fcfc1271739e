// Writes the files of an FMU.
#include "content.hpp"

#include <fstream>
#include <iterator>

#include "modelDescription/xml/documentation.hpp"
#include "modelDescription/xml/terminals.hpp"
#include "modelDescription/xml/xml.hpp"
#include "places.hpp"

namespace fs = std::filesystem;

namespace mechfmu {

const FmiVersion fmi2 = {"2.0", "FMI2", false, &Platform::fmi2, write_fmi2_description};
const FmiVersion fmi3 = {"3.0", "FMI3", true, &Platform::fmi3,
                         [](const ModelVariables& variables, const std::string& token, bool) {
                           return write_fmi3_description(variables, token);
                         }};

namespace {

/// Returns the picture as an element for a page, without the head of a file.
std::string sketch_element(const fs::path& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t start = text.find("<svg");
  return start == std::string::npos ? "" : text.substr(start);
}

/// Returns the one file of sources/ that has to be compiled. FMI wants the prefix, and the namespace gets the model's
/// name, so that several models can be part of one program.
std::string source_text(const std::string& model, const FmiVersion& version) {
  return "// " + model + " for FMI " + version.name +
         ": compile this file, with C++20 (or GCC's C++17), for all of the FMU. The headers of FMI are not here.\n" +
         "#define " + version.prefix + "_FUNCTION_PREFIX " + model + "_\n#define mechfmu " + model + "_mechfmu\n" +
         "#define EIGEN_DONT_VECTORIZE\n#define EIGEN_MPL2_ONLY\n"
         "#include \"mechfmu.cpp\"\n#include \"variables.cpp\"\n#include \"equations.cpp\"\n";
}

}  // namespace

std::string library_name(const Platform& platform) { return std::string(platform.name) + platform.extension; }

fs::path sketch_path(const Prepared& prepared) { return fs::absolute(prepared.file).parent_path() / "sketch.svg"; }

void write_content(const Workspace& workspace, const FmiVersion& version, const Prepared& prepared,
                   const Options& options, const GeneratedSources& sources) {
  const std::string& model = prepared.description.name;
  const fs::path content = version.name;
  const auto copy = [&](const fs::path& from, const fs::path& to) {
    fs::create_directories((workspace.folder() / content / to).parent_path());
    fs::copy_file(workspace.folder() / from, workspace.folder() / content / to);
  };
  workspace.write(content / "modelDescription.xml",
                  version.describe(prepared.variables, sources.token, options.sources));
  for (const Platform* platform : options.platforms) {
    copy(library_name(*platform), fs::path("binaries") / (platform->*version.binaries) / (model + platform->extension));
  }
  workspace.write(content / "terminalsAndIcons" / "terminalsAndIcons.xml",
                  write_terminals_and_icons(flanges(prepared.description, prepared.variables)));
  if (options.sources) {
    const fs::path folder = content / "sources";
    workspace.write(folder / source_file(model), source_text(model, version));
    workspace.write(folder / "equations.cpp", sources.equations);
    workspace.write(folder / "variables.cpp", sources.variables);
    workspace.write(folder / "buildDescription.xml",
                    write_build_description(model, std::string(version.prefix) + "_OVERRIDE_FUNCTION_PREFIX"));
  }
  workspace.write(content / "documentation" / "index.html",
                  write_documentation(prepared.variables, prepared.facts, version.arrays,
                                      sketch_element(sketch_path(prepared))));
  const fs::path licenses = fs::path("documentation") / "licenses";
  for (const char* name : {"license.txt", "MPL-2.0.txt"}) {
    copy(places().fmu_parts / "licenses" / name, licenses / name);
  }
  for (const Platform* platform : options.platforms) {
    if (fs::exists(platform->license)) copy(platform->license, licenses / (std::string(platform->name) + ".txt"));
  }
}

}  // namespace mechfmu
