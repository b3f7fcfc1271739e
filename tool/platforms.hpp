// Knows the machines that an FMU can run on: one table has all their differences.
#pragma once

#include <string>
#include <vector>

namespace mechfmu {

/// Is a kind of machine, with the way to make a library for it.
struct Platform {
  const char* name;  ///< name for --platform
  const char* fmi2;  ///< its folder in an FMU's binaries/ under FMI 2
  const char* fmi3;
  const char* extension;  ///< ending of a library's file
  const char* compiler;   ///< Debian's compiler on other machines
  /// licence file of the parts that its C library adds to ours; empty if there are none
  const char* license;
  std::vector<std::string> link_options;  ///< make a library that shows FMI functions only and needs no other library
};

/// Returns the machine that this program runs on.
const Platform& host_platform();

/// Returns the names of all platforms.
std::vector<std::string> platform_names();

/// Returns the platforms of a list such as "linux64,win64", each once; the host's is always the first. Throws
/// UsageError.
std::vector<const Platform*> platforms_of(const std::string& list);

}  // namespace mechfmu
