// Turns generated C++ into the shared library of an FMU.
#include "compile.hpp"

#include <filesystem>
#include <iostream>
#include <sstream>

#include "places.hpp"

namespace fs = std::filesystem;

namespace mechfmu {
namespace {

bool is_host(const Platform& platform) { return &platform == &host_platform(); }

/// Returns the folder in which another platform's model-independent part is built.
fs::path build_folder(const Platform& platform) { return places().platforms / platform.name; }

std::string fmu_library(const Platform& platform) {
  return is_host(platform) ? places().fmu_library : build_folder(platform) / "libmechfmu_fmu.a";
}

}  // namespace

void prepare_platform(const Workspace& workspace, const Platform& platform) {
  if (is_host(platform)) return;
  if (!fs::exists(fmu_library(platform))) {
    std::cerr << "build_fmu: preparing for " << platform.name
              << ", once: installing its compiler, if it is missing, and building what all FMUs share" << std::endl;
  }
  workspace.run(
      {{places().scripts / "build_platform.sh", platform.name, build_folder(platform), places().fmi_headers}});
}

void compile_library(const Workspace& workspace, const Platform& platform, const std::vector<std::string>& sources,
                     const std::string& library, const std::vector<std::string>& more_options) {
  // The build gives the options of the model-independent part and, for the host, its compiler.
  const std::string compiler = is_host(platform) ? MECHFMU_COMPILER : platform.compiler;
  Command compile = {compiler};
  std::istringstream options(MECHFMU_COMPILE_OPTIONS);
  for (std::string option; options >> option;) compile.push_back(option);
  compile.insert(compile.end(), {"-pipe", "-I" + places().fmu_sources.string(), "-c"});
  compile.insert(compile.end(), more_options.begin(), more_options.end());

  std::vector<Command> commands;
  Command link = {compiler, "-shared", "-o", library};
  for (const std::string& source : sources) {
    const std::string object = fs::path(source).replace_extension(std::string(".") + platform.name + ".o");
    commands.push_back(compile);
    commands.back().insert(commands.back().end(), {source, "-o", object});
    link.push_back(object);
  }
  workspace.run(commands);

  // All of the archive is linked, since nothing refers to the FMI functions; then the linker removes what these do not
  // reach.
  workspace.write("visible", "{ global: fmi2*; fmi3*; local: *; };\n");
  link.insert(link.end(), {"-Wl,--whole-archive", fmu_library(platform), "-Wl,--no-whole-archive", "-Wl,--gc-sections",
                           "-Wl,--strip-all"});
  link.insert(link.end(), platform.link_options.begin(), platform.link_options.end());
  fs::create_directories((workspace.folder() / library).parent_path());
  workspace.run({link});
}

}  // namespace mechfmu
