// Makes a private folder for the intermediate files of an export, and runs commands in it. Even after an error or
// Ctrl-C the folder and the commands are removed; finished files are moved out in one step.
#pragma once

#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace mechfmu {

/// Says that a command failed; the message shows it and its output.
struct CommandFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Says that the user, or the system, asked to stop.
struct Interrupted {
  int signal;
};

using Command = std::vector<std::string>;

/// Is a temporary folder that is removed with its object. While it lives, it holds back signals that would end the
/// program: run() answers them, otherwise they take effect after the folder is removed.
class Workspace {
 public:
  explicit Workspace(bool verbose);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  const std::filesystem::path& folder() const { return folder_; }

  /// Writes a text file, and makes the folders on its way. `name` is relative to the workspace.
  void write(const std::filesystem::path& name, const std::string& text) const;

  /// Runs commands at the same time, in the workspace, and returns the output of each. Throws CommandFailed if one
  /// fails, Interrupted if the user wants to stop; then the others are ended.
  std::vector<std::string> run(const std::vector<Command>& commands) const;

  /// Moves finished files from their names, relative to the workspace, to their destinations. The old files stay until
  /// all new ones are beside them.
  void deliver(const std::vector<std::pair<std::filesystem::path, std::filesystem::path>>& files) const;

 private:
  std::filesystem::path folder_;
  sigset_t held_back_, before_;
  bool verbose_;
};

}  // namespace mechfmu
