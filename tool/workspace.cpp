// Makes a private folder for the intermediate files of an export, and runs commands in it.
#include "workspace.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>

extern char** environ;

namespace fs = std::filesystem;

namespace mechfmu {
namespace {

struct Process {
  const Command* command;
  pid_t id = 0;  ///< 0 if the process has ended
  fs::path log;
};

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns a command as a user would type it.
std::string to_text(const Command& command) {
  std::string text;
  for (const std::string& word : command) {
    const bool plain = word.find_first_of(" '\"$&|;<>()*") == std::string::npos;
    text += (text.empty() ? "" : " ") + (plain ? word : "'" + word + "'");
  }
  return text;
}

/// Starts a command in its own process group (so that it can be ended with all it has started), with temporary files
/// and working directory in `folder` and both outputs in process.log.
void start(Process& process, const fs::path& folder, const sigset_t& signals) {
  std::vector<char*> arguments, environment;
  for (const std::string& word : *process.command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::string temporary = "TMPDIR=" + folder.string();
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (std::strncmp(*variable, "TMPDIR=", 7) != 0) environment.push_back(*variable);
  }
  environment.push_back(temporary.data());
  environment.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addchdir_np(&files, folder.c_str());
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, process.log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &signals);
  const int error = posix_spawnp(&process.id, arguments[0], &files, &attributes, arguments.data(), environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) {
    process.id = 0;
    throw CommandFailed("cannot run " + to_text(*process.command) + ": " + std::strerror(error));
  }
}

void end_all(std::vector<Process>& processes) {
  for (Process& process : processes) {
    if (process.id != 0) kill(-process.id, SIGTERM);
  }
  for (Process& process : processes) {
    if (process.id != 0) waitpid(process.id, nullptr, 0);
    process.id = 0;
  }
}

/// Returns the output of a command, shortened in the middle if a compiler repeats itself a thousand times.
std::string shown(const std::string& log) {
  constexpr std::size_t at_most = 8000;
  if (log.size() <= at_most) return log;
  const std::size_t head = log.rfind('\n', at_most / 2) + 1, tail = log.find('\n', log.size() - at_most / 2) + 1;
  if (head == 0 || tail == 0) return log.substr(0, at_most) + "\n";
  const auto lines = std::count(log.begin() + static_cast<std::ptrdiff_t>(head),
                                log.begin() + static_cast<std::ptrdiff_t>(tail), '\n');
  return log.substr(0, head) + "… " + std::to_string(lines) + " more lines …\n" + log.substr(tail);
}

[[noreturn]] void report_failure(const Process& process, int status) {
  std::string how = WIFSIGNALED(status) ? std::string("was ended by a signal: ") + strsignal(WTERMSIG(status))
                                        : "failed with exit code " + std::to_string(WEXITSTATUS(status));
  throw CommandFailed(shown(read_file(process.log)) + "this command " + how + ":\n  " + to_text(*process.command));
}

}  // namespace

Workspace::Workspace(bool verbose) : verbose_(verbose) {
  std::string name = (fs::temp_directory_path() / "mechfmu-XXXXXX").string();
  sigemptyset(&held_back_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&held_back_, signal);
  sigprocmask(SIG_BLOCK, &held_back_, &before_);
  if (mkdtemp(name.data()) == nullptr) {
    const int error = errno;
    sigprocmask(SIG_SETMASK, &before_, nullptr);
    throw std::runtime_error("cannot make a temporary folder " + name + ": " + std::strerror(error));
  }
  folder_ = fs::canonical(name);
}

Workspace::~Workspace() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

void Workspace::write(const fs::path& name, const std::string& text) const {
  const fs::path path = folder_ / name;
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path.string() + "; is the disk full?");
}

std::vector<std::string> Workspace::run(const std::vector<Command>& commands) const {
  std::vector<Process> processes;
  for (const Command& command : commands) {
    processes.push_back({&command, 0, folder_ / ("output-" + std::to_string(processes.size()))});
    fs::remove(processes.back().log);
  }
  try {
    for (Process& process : processes) {
      if (verbose_) std::cerr << to_text(*process.command) << std::endl;
      start(process, folder_, before_);
    }
    for (auto running = processes.size(); running > 0;) {
      const int signal = sigwaitinfo(&held_back_, nullptr);
      if (signal > 0 && signal != SIGCHLD) throw Interrupted{signal};
      for (Process& process : processes) {
        int status = 0;
        if (process.id == 0 || waitpid(process.id, &status, WNOHANG) != process.id) continue;
        process.id = 0;
        --running;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) report_failure(process, status);
      }
    }
  } catch (...) {
    end_all(processes);
    throw;
  }
  std::vector<std::string> outputs;
  for (const Process& process : processes) {
    outputs.push_back(read_file(process.log));
    if (verbose_) std::cerr << outputs.back();
  }
  return outputs;
}

void Workspace::deliver(const std::vector<std::pair<fs::path, fs::path>>& files) const {
  // Renaming replaces a file in one step, but only within one file system. So files are copied beside the destination
  // first.
  std::vector<fs::path> parts;
  try {
    for (const auto& [from, to] : files) {
      fs::create_directories(fs::absolute(to).parent_path());
      parts.push_back(to.string() + ".part" + std::to_string(getpid()));
      fs::copy_file(folder_ / from, parts.back(), fs::copy_options::overwrite_existing);
    }
    for (std::size_t i = 0; i < files.size(); ++i) fs::rename(parts[i], files[i].second);
  } catch (const fs::filesystem_error& error) {
    std::error_code ignored;
    for (const fs::path& part : parts) fs::remove(part, ignored);
    const fs::path& place = error.path2().empty() ? error.path1() : error.path2();
    throw std::runtime_error("'" + place.string() + "' cannot be written: " + error.code().message() +
                             "; choose another place with --output");
  }
}

}  // namespace mechfmu
