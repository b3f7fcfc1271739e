// The machines that an FMU can run on: one table says what differs between them.
#pragma once

#include <string>
#include <vector>

namespace mechfmu {

/// A kind of machine, and how a library for it is made.
struct Platform {
  const char* name;  ///< as --platform takes it
  const char* fmi2;  ///< its folder in an FMU's binaries/
  const char* fmi3;
  const char* extension;                  ///< of a library's file
  const char* compiler;                   ///< Debian's, on other machines
  const char* license;                    ///< file about what its C library adds to ours; empty: nothing
  std::vector<std::string> link_options;  ///< what it takes to show FMI functions only and to need no other library
};

/// The machine that this program runs on.
const Platform& host_platform();

/// The names of all platforms.
std::vector<std::string> platform_names();

/// The platforms of a list such as "linux64,win64", the host's always first among them, each once. Throws UsageError.
std::vector<const Platform*> platforms_of(const std::string& list);

}  // namespace mechfmu
