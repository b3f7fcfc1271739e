// Makes a folder for the files of a test.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

/// Is a folder of its own, which is removed afterwards.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("mechfmu_test_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path(const std::string& name) const { return (path_ / name).string(); }

  /// Writes a file, in a folder below if the name has one; its path.
  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
    return path(name);
  }

 private:
  std::filesystem::path path_;
};
