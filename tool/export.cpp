// Makes validated FMUs from a prepared mechanism.
#include "export.hpp"

#include <cctype>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include "compile.hpp"
#include "content.hpp"
#include "drawing_text.hpp"
#include "fmu_src/mechanism/families.hpp"
#include "fmu_src/stepping/member_facts.hpp"
#include "generation/emit.hpp"
#include "generation/emit_variables.hpp"
#include "places.hpp"
#include "workspace.hpp"

namespace fs = std::filesystem;

namespace mechfmu {
namespace {

/// Turns "gram_schmidt" into "GramSchmidt": a member of a family becomes a class of the core.
std::string class_name(const std::string& name) {
  std::string result;
  bool upper = true;
  for (const char c : name) {
    if (c != '_') result += upper ? static_cast<char>(std::toupper(c)) : c;
    upper = c == '_';
  }
  return result;
}

std::string script(const char* name) { return places().scripts / name; }

fs::path file_name(const Prepared& prepared, const char* extension) { return prepared.description.name + extension; }

/// Returns the content of a file, or an empty text if it is not there.
std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw std::runtime_error(
        "the folder '" + folder.string() + "' cannot be made: " + error.message() + "; choose another with --output");
  }
}

constexpr const char* stopped = "stopped.txt";  ///< The scripts write there why an FMU stopped.

/// Packs and validates the FMUs. If one refuses its first step, the mechanism is wrong, and not the FMU.
void finish_fmus(const Prepared& prepared, const Workspace& workspace, const std::vector<Command>& commands) {
  try {
    workspace.run(commands);
  } catch (const CommandFailed&) {
    const std::string why = text_of(workspace.folder() / stopped);
    if (why.empty()) throw;
    throw MechanismErrors(
        to_text(prepared.description.place) +
        ": the mechanism has a start, but it does not come through its first communication step: " + why + '\n');
  }
}

/// Simulates the newest FMU and draws its results up to the time at which it stopped.
void write_report(const Prepared& prepared, const Workspace& workspace, const FmiVersion& version,
                  const fs::path& output, Exported& exported) {
  Command command = {places().python(), script("report.py"), std::string(version.name) + ".fmu", "report.html",
                     stopped};
  if (fs::exists(sketch_path(prepared))) command.push_back(sketch_path(prepared).string());
  workspace.run({command});
  const fs::path target = output / file_name(prepared, ".html");
  workspace.deliver({{"report.html", target}});
  exported.files.push_back({target, "report", fs::file_size(target)});
  exported.stopped = text_of(workspace.folder() / stopped);
}

}  // namespace

GeneratedSources generate_sources(const Prepared& prepared) {
  const Settings& settings = prepared.settings;
  const bool with_basis = settings.tangent_basis < basis_count;
  const CompiledChoice choice = {class_name(tangent_bases[settings.tangent_basis]) + (with_basis ? "Basis" : "Solver"),
                                 class_name(integration_methods[settings.method]), settings.tangent_basis,
                                 settings.method, with_basis};
  const EmittedEquations equations = emit_equations(prepared.derivation, choice);
  const std::string token = content_token(prepared.variables, equations.motion + equations.outputs);
  return {equations.motion, equations.outputs + emit_variables(prepared.variables, token), token};
}

Exported export_fmus(const Prepared& prepared, const Options& options, const Progress& progress) {
  std::vector<FmiVersion> versions;
  if (options.fmi2) versions.push_back(fmi2);
  if (options.fmi3) versions.push_back(fmi3);

  const Workspace workspace(options.verbose);
  for (const Platform* platform : options.platforms) prepare_platform(workspace, *platform);
  const GeneratedSources sources = generate_sources(prepared);
  workspace.write("equations.cpp", sources.equations);
  workspace.write("variables.cpp", sources.variables);
  progress("emitting");

  for (const Platform* platform : options.platforms) {
    compile_library(workspace, *platform, {"equations.cpp", "variables.cpp"}, library_name(*platform));
    progress((std::string("compiling for ") + platform->name).c_str());
  }

  workspace.write("drawing.json", drawing_text(prepared));
  Command finish = {places().python(), script("finish_fmu.py"), "drawing.json"};
  if (options.sources) finish.insert(finish.end(), {"--sources", places().fmu_parts});
  std::vector<Command> finish_each;  // run at the same time
  std::vector<std::pair<fs::path, fs::path>> files;
  for (const FmiVersion& version : versions) {
    write_content(workspace, version, prepared, options, sources);
    finish_each.push_back(finish);
    finish_each.back().push_back(version.name);
    files.emplace_back(std::string(version.name) + ".fmu",
                       fs::path(options.output) / version.name / file_name(prepared, ".fmu"));
  }
  finish_fmus(prepared, workspace, finish_each);
  make_folder(options.output);
  workspace.deliver(files);
  progress("packing and validating");

  Exported result;
  for (std::size_t i = 0; i < files.size(); ++i) {
    result.files.push_back({files[i].second, std::string("FMI ") + versions[i].name, fs::file_size(files[i].second)});
  }
  if (options.run) {
    write_report(prepared, workspace, versions.back(), options.output, result);
    progress("simulating");
  }
  return result;
}

}  // namespace mechfmu
