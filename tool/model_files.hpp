// Finds mechanism files: by the name of a folder in models/, or by path.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace mechfmu {

/// Says that there is no such mechanism, and which ones have a similar name.
struct UnknownModel : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline constexpr const char* mechanism_file_name = "mechanism.toml";

/// Returns the folders of `models` that hold a mechanism, sorted.
std::vector<std::string> model_names(const std::filesystem::path& models);

/// Returns a path as a user would type it here: relative, if it lies below the working directory.
std::filesystem::path near_path(const std::filesystem::path& path);

/// Returns the mechanism file for a name in `models`, or for a path to a file or its folder. Throws UnknownModel.
std::filesystem::path find_model(const std::string& name_or_path, const std::filesystem::path& models);

}  // namespace mechfmu
