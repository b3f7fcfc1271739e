// Finds, unpacks and loads the FMUs. MECHFMU_FMUS names the folder of exports; a program that was compiled with
// sanitizers (MECHFMU_LIBRARIES) loads libraries compiled in the same way instead of those in the FMUs.
#include "fmu.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <regex>
#include <stdexcept>

namespace mechfmu::importer {
namespace {

namespace fs = std::filesystem;

struct Model {
  const char* name;
  const char* folder;
};
constexpr Model models[] = {{"CirclingVehicle", "circling_vehicle"},
                            {"FourBar", "four_bar"},
                            {"DoubleWishbone", "double_wishbone"},
                            {"Door", "door"},                        // has impacts
                            {"HydraulicPress", "hydraulic_press"}};  // has states of its own

fs::path exports() {
  const char* folder = std::getenv("MECHFMU_FMUS");
  return folder != nullptr ? folder : MECHFMU_DEFAULT_FMUS;
}

/// A folder that is gone when the program ends.
const fs::path& scratch() {
  struct Folder {
    fs::path path = fs::temp_directory_path() / ("mechfmu_state_machine_" + std::to_string(getpid()));
    ~Folder() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  return folder.path;
}

fs::path unpack(const std::string& name, const std::string& version) {
  const fs::path file = exports() / version / (name + ".fmu"), folder = scratch() / version / name;
  if (!fs::exists(file)) {
    throw std::runtime_error(file.string() + " is missing: export the models, as run_tests does, or set MECHFMU_FMUS");
  }
  fs::create_directories(folder);
  const std::string command =
      "cd '" + folder.string() + "' && '" + MECHFMU_CMAKE + "' -E tar xf '" + fs::absolute(file).string() + "'";
  if (std::system(command.c_str()) != 0) throw std::runtime_error("cannot unpack " + file.string());
  return folder;
}

fs::path library_of([[maybe_unused]] const fs::path& folder, [[maybe_unused]] const std::string& model,
                    [[maybe_unused]] const Description& description) {
#ifdef MECHFMU_LIBRARIES
  return fs::path(MECHFMU_LIBRARIES) / (model + ".so");
#else
  return folder / "binaries" / (description.fmi3 ? "x86_64-linux" : "linux64") / (description.identifier + ".so");
#endif
}

}  // namespace

Fmu::Fmu(const std::string& fmu, const std::string& model, const std::string& version) : name(fmu + " " + version) {
  const fs::path folder = unpack(fmu, version);
  description = read_description(folder);
  library_ = dlopen(library_of(folder, model, description).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) throw std::runtime_error(dlerror());
}

bool Fmu::has_function(const char* function) const { return dlsym(library_, function) != nullptr; }

void* Fmu::symbol(const char* function) const {
  void* address = dlsym(library_, function);
  if (address == nullptr) throw std::runtime_error(name + " has no function " + function);
  return address;
}

std::vector<const Fmu*> fmus(const std::string& version) {
  static std::map<std::string, std::unique_ptr<const Fmu>> loaded;
  std::vector<const Fmu*> result;
  for (const Model& model : models) {
    std::unique_ptr<const Fmu>& fmu = loaded[version + model.name];
    if (fmu == nullptr) fmu = std::make_unique<const Fmu>(model.name, model.folder, version);
    result.push_back(fmu.get());
  }
  return result;
}

std::vector<Subject> subjects(const std::string& wanted) {
  std::vector<Subject> result;
  for (const std::string version : {"2.0", "3.0"}) {
    if (!wanted.empty() && version != wanted) continue;
    for (const Fmu* fmu : fmus(version)) {
      for (const Kind kind : {Kind::co_simulation, Kind::model_exchange}) {
        if (fmu->description.offers(kind)) result.push_back({*fmu, kind});
      }
    }
  }
  return result;
}

const Fmu& first_fmu(const std::string& version) { return *fmus(version).front(); }

std::vector<std::string> functions_of_header(const std::string& header) {
  std::ifstream file(fs::path(MECHFMU_FMI_HEADERS) / header);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  static const std::regex declaration(R"(FMI[23]_Export\s+(fmi[23]\w+)TYPE\s+\w+;)");
  std::vector<std::string> result;
  for (std::sregex_iterator match(text.begin(), text.end(), declaration), end; match != end; ++match) {
    result.push_back((*match)[1]);
  }
  return result;
}

}  // namespace mechfmu::importer
