// Turns generated C++ into the shared library of an FMU.
#include "exporter/compile.hpp"

#include <filesystem>
#include <sstream>

namespace fs = std::filesystem;

namespace mechfmu {

void compile_library(const Workspace& workspace, const std::vector<std::string>& sources, const std::string& library) {
  // The build says how: compiler and options are those of the model-independent part.
  Command compile = {MECHFMU_COMPILER};
  std::istringstream options(MECHFMU_COMPILE_OPTIONS);
  for (std::string option; options >> option;) compile.push_back(option);
  compile.insert(compile.end(), {"-pipe", "-I" MECHFMU_SOURCE_DIR "/fmu_src", "-c"});

  std::vector<Command> commands;
  Command link = {MECHFMU_COMPILER, "-shared", "-o", library};
  for (const std::string& source : sources) {
    const std::string object = fs::path(source).replace_extension(".o");
    commands.push_back(compile);
    commands.back().insert(commands.back().end(), {source, "-o", object});
    link.push_back(object);
  }
  workspace.run(commands);

  // All of the archive goes in, since nothing refers to the FMI functions, and what these do not reach goes out again.
  workspace.write("visible", "{ global: fmi2*; fmi3*; local: *; };\n");
  link.insert(link.end(), {"-Wl,--whole-archive", MECHFMU_FMU_LIBRARY, "-Wl,--no-whole-archive",
                           "-Wl,--version-script=visible", "-Wl,--gc-sections", "-Wl,--strip-all",
                           "-Wl,--build-id=none", "-Wl,-z,defs", "-nodefaultlibs", "-lm", "-lc", "-lgcc"});
  fs::create_directories((workspace.folder() / library).parent_path());
  workspace.run({link});
}

}  // namespace mechfmu
