// Finds mechanism files: by the name of a folder in models/, or by path.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace mechfmu {

/// There is no such mechanism; the message names what is near.
struct UnknownModel : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The file's name in its folder.
inline constexpr const char* mechanism_file_name = "mechanism.toml";

/// The folders of `models` that hold a mechanism, sorted.
std::vector<std::string> model_names(const std::filesystem::path& models);

/// A path as one would type it here: relative, if it lies below the working directory.
std::filesystem::path near_path(const std::filesystem::path& path);

/// The mechanism file that is meant by a name in `models`, or by a path to a file or its folder. Throws UnknownModel.
std::filesystem::path find_model(const std::string& name_or_path, const std::filesystem::path& models);

}  // namespace mechfmu
