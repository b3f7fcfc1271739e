// From a prepared mechanism to validated FMUs.
#include "exporter/export.hpp"

#include <cctype>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include "exporter/compile.hpp"
#include "exporter/emit.hpp"
#include "exporter/emit_variables.hpp"
#include "exporter/workspace.hpp"
#include "fmu_src/core/families.hpp"
#include "modelDescription/documentation.hpp"
#include "modelDescription/xml.hpp"

namespace fs = std::filesystem;

namespace mechfmu {
namespace {

/// What differs between the FMI versions.
struct Version {
  const char* name;
  const char* platform;  ///< folder in binaries/
  std::string (*describe)(const ModelVariables&, const std::string& token);
};

#if defined(__aarch64__)
const Version fmi2 = {"2.0", "aarch64-linux", write_fmi2_description};
const Version fmi3 = {"3.0", "aarch64-linux", write_fmi3_description};
#else
const Version fmi2 = {"2.0", "linux64", write_fmi2_description};
const Version fmi3 = {"3.0", "x86_64-linux", write_fmi3_description};
#endif

/// "gram_schmidt" → "GramSchmidt": a member of a family as a class of the core.
std::string class_name(const std::string& name) {
  std::string result;
  bool upper = true;
  for (const char c : name) {
    if (c != '_') result += upper ? static_cast<char>(std::toupper(c)) : c;
    upper = c == '_';
  }
  return result;
}

std::string script(const char* name) { return (fs::path(MECHFMU_SOURCE_DIR) / "scripts" / name).string(); }

fs::path file_name(const Prepared& prepared, const char* extension) { return prepared.description.name + extension; }

/// The picture beside the mechanism file, if there is one.
fs::path sketch_path(const Prepared& prepared) { return fs::absolute(prepared.file).parent_path() / "sketch.svg"; }

/// What a file holds; nothing if it is not there.
std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The picture as an element for a page: without what belongs to a file.
std::string sketch_element(const Prepared& prepared) {
  const std::string text = text_of(sketch_path(prepared));
  const std::size_t start = text.find("<svg");
  return start == std::string::npos ? "" : text.substr(start);
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw std::runtime_error("the folder '" + folder.string() + "' cannot be made: " + error.message() +
                             "; choose another with --output");
  }
}

/// Simulates the newest FMU and draws what it did, up to where it stopped.
void write_report(const Prepared& prepared, const Workspace& workspace, const Version& version, const fs::path& output,
                  Exported& exported) {
  const char* stopped = "stopped.txt";
  Command command = {MECHFMU_PYTHON, script("report.py"), std::string(version.name) + ".fmu", "report.html", stopped};
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
  const CompiledChoice choice = {class_name(tangent_bases[settings.tangent_basis]) + "Basis",
                                 class_name(integration_methods[settings.method]), settings.tangent_basis,
                                 settings.method};
  const std::string equations = emit_equations(prepared.derivation, choice);
  const std::string token = content_token(prepared.variables, equations);
  return {equations, emit_variables(prepared.variables, token), token};
}

Exported export_fmus(const Prepared& prepared, const Options& options, const Progress& progress) {
  std::vector<Version> versions;
  if (options.fmi2) versions.push_back(fmi2);
  if (options.fmi3) versions.push_back(fmi3);

  const Workspace workspace(options.verbose);
  const GeneratedSources sources = generate_sources(prepared);
  workspace.write("equations.cpp", sources.equations);
  workspace.write("variables.cpp", sources.variables);
  progress("emitting");

  compile_library(workspace, {"equations.cpp", "variables.cpp"}, "library.so");
  progress("compiling");

  const std::string documentation =
      write_documentation(prepared.variables, prepared.facts, sketch_element(prepared));
  Command finish = {MECHFMU_PYTHON, script("finish_fmu.py")};
  std::vector<std::pair<fs::path, fs::path>> files;
  for (const Version& version : versions) {
    const fs::path content = version.name;
    workspace.write(content / "modelDescription.xml", version.describe(prepared.variables, sources.token));
    workspace.write(content / "documentation" / "index.html", documentation);
    const fs::path binaries = workspace.folder() / content / "binaries" / version.platform;
    fs::create_directories(binaries);
    fs::copy_file(workspace.folder() / "library.so", binaries / file_name(prepared, ".so"));
    finish.push_back(version.name);
    files.emplace_back(std::string(version.name) + ".fmu", options.output / content / file_name(prepared, ".fmu"));
  }
  workspace.run({finish});
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
