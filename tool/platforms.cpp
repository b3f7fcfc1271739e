// Has the table of machines that an FMU can run on.
#include "platforms.hpp"

#include <algorithm>
#include <sstream>

#include "modelDescription/formulas/diagnostics.hpp"
#include "options.hpp"

namespace mechfmu {
namespace {

/// The file "visible" lists the functions that the library shows; compile_library writes it.
const std::vector<std::string> linux_options = {
    "-Wl,--version-script=visible", "-Wl,--build-id=none", "-Wl,-z,defs", "-nodefaultlibs", "-lm", "-lc", "-lgcc"};

/// The library takes in what it needs of libgcc, of the C runtime's own functions and of mingw's mathematics. There the
/// FMI headers say which functions it shows.
const std::vector<std::string> windows_options = {
    "-Wl,--no-insert-timestamp",
    "-nodefaultlibs",
    "-Wl,--start-group",
    "-lmingw32",
    "-lmingwex",
    "-lgcc",
    "-lmsvcrt",
    "-lkernel32",
    "-Wl,--end-group"};

/// FMI 2 names no folder for 64-bit ARM; importers use the name that FMI 3 has.
const Platform platforms[] = {
    {"linux64", "linux64", "x86_64-linux", ".so", "x86_64-linux-gnu-g++", "", linux_options},
    {"win64", "win64", "x86_64-windows", ".dll", "x86_64-w64-mingw32-g++", "/usr/share/doc/mingw-w64-common/copyright",
     windows_options},
    {"aarch64-linux", "aarch64-linux", "aarch64-linux", ".so", "aarch64-linux-gnu-g++", "", linux_options}};

const Platform& find_platform(const std::string& name) {
  for (const Platform& platform : platforms)
    if (platform.name == name) return platform;
  const std::vector<std::string> names = platform_names();
  throw UsageError(
      "unknown platform " + in_quotes(name) + "; " + suggestion(name, names, "there are " + listed(names)));
}

}  // namespace

std::vector<std::string> platform_names() {
  std::vector<std::string> names;
  for (const Platform& platform : platforms) names.push_back(platform.name);
  return names;
}

const Platform& host_platform() {
#if defined(__aarch64__)
  return find_platform("aarch64-linux");
#else
  return find_platform("linux64");
#endif
}

std::vector<const Platform*> platforms_of(const std::string& list) {
  std::vector<const Platform*> result = {&host_platform()};
  std::istringstream names(list);
  for (std::string name; std::getline(names, name, ',');) {
    const Platform* platform = &find_platform(name);
    if (std::find(result.begin(), result.end(), platform) == result.end()) result.push_back(platform);
  }
  return result;
}

}  // namespace mechfmu
