// Finds mechanism files: by the name of a folder in models/, or by path.
#include "model_files.hpp"

#include <algorithm>

#include "modelDescription/formulas/diagnostics.hpp"

namespace fs = std::filesystem;

namespace mechfmu {

std::vector<std::string> model_names(const fs::path& models) {
  std::vector<std::string> names;
  if (!fs::is_directory(models)) return names;
  for (const fs::directory_entry& entry : fs::directory_iterator(models)) {
    if (fs::is_regular_file(entry.path() / mechanism_file_name)) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

fs::path near_path(const fs::path& path) {
  const fs::path near = path.lexically_proximate(fs::current_path());
  return near.string().starts_with("..") ? path : near;
}

fs::path find_model(const std::string& name_or_path, const fs::path& models) {
  const std::vector<std::string> names = model_names(models);
  // A name of a model counts as such even if the working directory has a folder of that name.
  if (std::find(names.begin(), names.end(), name_or_path) != names.end()) {
    return near_path(models / name_or_path / mechanism_file_name);
  }
  const fs::path path = name_or_path;
  if (fs::is_directory(path)) {
    if (fs::is_regular_file(path / mechanism_file_name)) return path / mechanism_file_name;
    throw UnknownModel("the folder " + in_quotes(name_or_path) + " has no " + mechanism_file_name);
  }
  if (fs::exists(path)) return path;
  throw UnknownModel("there is no mechanism " + in_quotes(name_or_path) + ", neither in models/ nor as a path; " +
                     suggestion(name_or_path, names, "see --list"));
}

}  // namespace mechfmu
