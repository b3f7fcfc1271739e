// Tests the private folder of an export: what it runs, delivers and leaves.
#include <catch2/catch.hpp>

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tool/workspace.hpp"

namespace fs = std::filesystem;
using namespace mechfmu;

namespace {

std::string content(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Is a folder for results, which the test removes.
struct Destination {
  fs::path folder;
  Destination() {
    std::string name = (fs::temp_directory_path() / "mechfmu-test-XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~Destination() { fs::remove_all(folder); }
};

}  // namespace

TEST_CASE("commands run in the workspace and return what they print") {
  const Workspace workspace(false);
  workspace.write("deep/hello.txt", "hello\n");
  const auto outputs = workspace.run({{"cat", "deep/hello.txt"}, {"sh", "-c", "echo $TMPDIR; echo problem >&2"}});
  CHECK(outputs.at(0) == "hello\n");
  CHECK(outputs.at(1) == workspace.folder().string() + "\nproblem\n");
}

TEST_CASE("a failed command is shown with what it printed, and the others are ended") {
  const Workspace workspace(false);
  CHECK_THROWS_WITH(workspace.run({{"sleep", "100"}, {"sh", "-c", "echo it is wrong; exit 3"}}),
                    "it is wrong\nthis command failed with exit code 3:\n  sh -c 'echo it is wrong; exit 3'");
  CHECK_THROWS_WITH(workspace.run({{"sh", "-c", "seq 1 10000; exit 1"}}),
                    Catch::Matchers::StartsWith("1\n2\n3\n") && Catch::Matchers::Contains(" more lines …\n") &&
                        Catch::Matchers::Contains("\n10000\nthis command failed"));
  CHECK_THROWS_WITH(workspace.run({{"sh", "-c", "kill -SEGV $$"}}),
                    Catch::Matchers::Contains("was ended by a signal: Segmentation fault"));
  CHECK_THROWS_WITH(workspace.run({{"no-such-command"}}), Catch::Matchers::Contains("cannot run no-such-command"));
}

TEST_CASE("an interruption ends the commands with all they have started") {
  const Workspace workspace(false);
  const std::string script =
      "sleep 100 & echo $! >child; kill -" + std::to_string(SIGTERM) + " " + std::to_string(getpid()) + "; wait";
  int signal = 0;
  try {
    workspace.run({{"sh", "-c", script}});
  } catch (const Interrupted& interrupted) {
    signal = interrupted.signal;
  }
  CHECK(signal == SIGTERM);
  const int child = std::stoi(content(workspace.folder() / "child"));
  const auto ended = [&] {  // or waits to be collected, where no init process does that
    return kill(child, 0) != 0 || content("/proc/" + std::to_string(child) + "/stat").find(") Z ") != std::string::npos;
  };
  for (int tries = 0; tries < 100 && !ended(); ++tries) usleep(20'000);
  CHECK(ended());
}

TEST_CASE("nothing is left of a workspace") {
  fs::path folder;
  {
    const Workspace workspace(false);
    folder = workspace.folder();
    workspace.write("a/b/c", "");
    CHECK(fs::exists(folder / "a/b/c"));
  }
  CHECK_FALSE(fs::exists(folder));
}

TEST_CASE("files are delivered all together or not at all") {
  const Destination destination;
  const fs::path target = destination.folder / "2.0" / "Name.fmu";
  const Workspace workspace(false);
  workspace.write("new", "new");
  workspace.deliver({{"new", target}});
  CHECK(content(target) == "new");

  workspace.write("newer", "newer");
  CHECK_THROWS(workspace.deliver({{"newer", target}, {"missing", destination.folder / "3.0" / "Name.fmu"}}));
  CHECK(content(target) == "new");
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(destination.folder)) files += entry.is_regular_file();
  CHECK(files == 1);
}
