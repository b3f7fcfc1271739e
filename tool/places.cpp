// Finds the files that the program works with: cmake/install.cmake puts them there, or the build says where they are.
#include "places.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace fs = std::filesystem;

namespace mechfmu {
namespace {

ProgramPlaces of_build() {
  const fs::path source = MECHFMU_SOURCE_DIR;
  return {.scripts = source / "scripts",
          .models = source / "models",
          .fmu_sources = source / "fmu_src",
          .fmu_parts = MECHFMU_FMU_PARTS,
          .fmu_library = MECHFMU_FMU_LIBRARY,
          .platforms = MECHFMU_BUILD_DIR,
          .environment = fs::path(MECHFMU_PYTHON).parent_path().parent_path(),
          .fmi_headers = MECHFMU_FMI_HEADERS};
}

/// Returns a folder of the user for the platforms that an installation at `prefix` builds, since the installation
/// itself may belong to another user.
fs::path cache_of(const fs::path& prefix) {
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  const fs::path user = cache != nullptr && *cache != '\0' ? fs::path(cache)
                        : home != nullptr                  ? fs::path(home) / ".cache"
                                                           : fs::temp_directory_path();
  std::string name = prefix.relative_path().string();
  std::replace(name.begin(), name.end(), '/', '-');
  return user / "mechfmu" / name;
}

ProgramPlaces of_installation(const fs::path& prefix) {
  const ProgramPlaces build = of_build();
  const fs::path shared = prefix / "share" / "mechfmu", library = prefix / "lib" / "mechfmu";
  return {.scripts = shared / "scripts",
          .models = shared / "models",
          .fmu_sources = shared / "fmu_src",
          .fmu_parts = shared / "fmu_parts",
          .fmu_library = library / build.fmu_library.filename(),
          .platforms = cache_of(prefix),
          .environment = library / "python",
          .fmi_headers = library / "python" / build.fmi_headers.lexically_relative(build.environment)};
}

}  // namespace

const ProgramPlaces& places() {
  static const ProgramPlaces result = [] {
    std::error_code error;
    const fs::path prefix = fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
    return fs::is_directory(prefix / "share" / "mechfmu", error) ? of_installation(prefix) : of_build();
  }();
  return result;
}

}  // namespace mechfmu
