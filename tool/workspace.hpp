// A private folder for what an export makes on its way, and the commands that run in it. Whatever happens, an error or
// Ctrl-C, the folder and the commands go; finished files are moved out in one step.
#pragma once

#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace mechfmu {

/// A command failed; the message shows it and what it printed.
struct CommandFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The user, or the system, asked to stop.
struct Interrupted {
  int signal;
};

using Command = std::vector<std::string>;

/// A temporary folder that is removed with its object. While it lives, signals that would end the program are held
/// back: run() answers them, otherwise they take effect once the folder is gone.
class Workspace {
 public:
  explicit Workspace(bool verbose);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  const std::filesystem::path& folder() const { return folder_; }

  /// Writes a text file; folders on the way are made. `name` is relative to the workspace.
  void write(const std::filesystem::path& name, const std::string& text) const;

  /// Runs commands at the same time, in the workspace, and returns what each printed.
  /// Throws CommandFailed if one fails, Interrupted if the user wants to stop; the others are ended then.
  std::vector<std::string> run(const std::vector<Command>& commands) const;

  /// Moves finished files to their destinations (from, relative to the workspace; to). The old files are there until
  /// all new ones are beside them.
  void deliver(const std::vector<std::pair<std::filesystem::path, std::filesystem::path>>& files) const;

 private:
  std::filesystem::path folder_;
  sigset_t held_back_, before_;
  bool verbose_;
};

}  // namespace mechfmu
