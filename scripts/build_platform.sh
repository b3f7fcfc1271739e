#!/usr/bin/env bash
# Prepares an export for another platform than the host's: build_platform.sh PLATFORM BUILD FMI_HEADERS
# Installs Debian's cross compiler if it is missing, and builds the model-independent part of FMUs in BUILD, once.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
platform=$1 build=$2 fmi_headers=$3
. scripts/debian.sh

case $platform in
  linux64) system=Linux processor=x86_64 compiler=x86_64-linux-gnu-g++ package=g++-x86-64-linux-gnu ;;
  aarch64-linux) system=Linux processor=aarch64 compiler=aarch64-linux-gnu-g++ package=g++-aarch64-linux-gnu ;;
  win64) system=Windows processor=x86_64 compiler=x86_64-w64-mingw32-g++ package=g++-mingw-w64-x86-64 ;;
  *) die "there is no platform '$platform'" ;;
esac

# Only one process does this at a time, as in bootstrap.sh.
mkdir -p "$build"
lock "$build" 'builds for this platform'
needs_command "$compiler" "$package"
install_missing

if [ ! -e "$build/build.ninja" ]; then
  quietly cmake -S fmu_src -B "$build" -G Ninja -DCMAKE_SYSTEM_NAME=$system -DCMAKE_SYSTEM_PROCESSOR=$processor \
    -DCMAKE_CXX_COMPILER=$compiler -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY \
    -DEigen3_DIR=/usr/share/eigen3/cmake -DFMI_HEADERS="$fmi_headers" ||
    { rm -rf "$build/CMakeCache.txt"; die 'CMake failed'; }
fi
quietly ninja -C "$build" --quiet mechfmu_fmu || die 'the build failed'
