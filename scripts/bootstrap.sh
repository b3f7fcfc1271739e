#!/usr/bin/env bash
# Makes targets of the build ready to run: bootstrap.sh [--tests] [--importers] TARGET…
# Installs the Debian packages that are missing, makes the Python environment .venv with the versions pinned in
# scripts/requirements*.txt, configures and builds in build/ with CMake and Ninja. It keeps what is there already, and
# repeats work that was interrupted, since it writes a stamp only after success.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
root=$PWD
tests=
importers=
if [ "${1:-}" = --tests ]; then tests=yes; shift; fi
if [ "${1:-}" = --importers ]; then importers=yes; shift; fi

. scripts/debian.sh

# --- Debian packages -------------------------------------------------------------------------------------------------

# Uses the system's own Python, since another one on the path may have a version that the pinned packages do not serve.
find_python() { python=/usr/bin/python3; [ -x "$python" ] || python=$(command -v python3 || true); }
# Names what .venv was made from: a folder that was moved needs a new one, too.
wanted="$root"$'\n'"$(<scripts/requirements.txt)"
has() { [ -e "$1" ] && [ "$(<"$1")" = "$2" ]; }
environment_made() { [ -x .venv/bin/python ] && has .venv/.installed "$wanted"; }

find_missing() {
  missing=()
  needs_command g++ g++
  needs_command cmake cmake
  needs_command ninja ninja-build
  needs_header eigen3/Eigen/Core libeigen3-dev
  needs_header toml++/toml.h libtomlplusplus-dev
  if [ -n "$tests" ]; then needs_header catch2/catch.hpp catch2; fi
  if [ -n "$importers" ]; then  # other platforms, and what runs their programs here
    needs_command x86_64-w64-mingw32-g++ g++-mingw-w64-x86-64
    needs_command aarch64-linux-gnu-g++ g++-aarch64-linux-gnu
    needs_command qemu-aarch64 qemu-user
    needs_file /usr/lib/wine/wine64 wine64
  fi
  find_python
  if ! environment_made && { [ -z "$python" ] || ! "$python" -c 'import ensurepip, venv' 2>/dev/null; }; then
    missing+=(python3-venv)
  fi
}

# --- Is there anything to do? ----------------------------------------------------------------------------------------

# Says where the build was configured, and with which options: "FOLDER, with tests, with warnings as errors".
configured_here() { has build/.configured "$root" || grep -qsF -e "$root, " build/.configured; }

# Is true if no source of the exporter has changed since it was built. Then the script writes nothing here, and does
# not wait for other processes that write.
made=build/.exporter-made
exporter_is_made() {
  [ "$*" = mechfmu ] && environment_made && [ -x build/mechfmu ] && [ -e $made ] && [ ! .venv/.installed -nt $made ] &&
    configured_here &&
    [ -z "$(find CMakeLists.txt LICENSE VERSION cmake derivation elements equations explanation fmu_src generation \
      mechanics modelDescription preparation tool scripts/archive.py scripts/gather_sources.py -newer $made -print -quit)" ]
}
find_missing
if [ -z "$tests$importers" ] && [ ${#missing[@]} = 0 ] && exporter_is_made "$@"; then exit; fi

# Only one process works in this folder at a time. The lock is the folder itself, so it goes with the process that holds it.
lock . 'builds in this folder'
find_missing
install_missing
find_python

# --- Python environment ----------------------------------------------------------------------------------------------

pip_install() { quietly .venv/bin/python -m pip install --quiet --no-compile --disable-pip-version-check -r "$1"; }
pinned() { sed -nE 's/^(casadi|fmpy|plotly|pytest)==(.*)/\1 \2/p' "$1" | paste -sd, | sed 's/,/, /g'; }
if ! environment_made; then
  say "installing $(pinned scripts/requirements.txt) and what they need into .venv"
  rm -rf .venv
  quietly "$python" -m venv .venv || die 'the Python environment .venv could not be made'
  pip_install scripts/requirements.txt || die 'pip failed; run the command again when the cause is removed'
  printf '%s\n' "$wanted" >.venv/.installed
fi
if [ -n "$tests" ] && ! has .venv/.installed-test "$(<scripts/requirements-test.txt)"; then
  say "installing $(pinned scripts/requirements-test.txt) and what it needs into .venv"
  pip_install scripts/requirements-test.txt || die 'pip failed; run the command again when the cause is removed'
  cp scripts/requirements-test.txt .venv/.installed-test
fi

# --- Build -----------------------------------------------------------------------------------------------------------

# The build of a folder that was moved is of no use; builds of CMakePresets.json are left alone.
together=
if ! configured_here; then
  if [ -e build ]; then find build -mindepth 1 -maxdepth 1 ! -name presets -exec rm -rf {} +; fi
  # Without tests, the program is not going to be changed; a build from nothing then takes half the time.
  if [ -z "$tests" ]; then together=yes; fi
fi
# Options stay as they were asked for once: options that come and go would compile everything anew.
configuration=$root
options=()
ask() {
  if [ -z "$1" ] && ! grep -qsF -e ", $2" build/.configured; then return; fi
  configuration+=", $2"
  options+=("$3")
}
ask "$tests" 'with tests' -DMECHFMU_TESTS=ON
ask "$together" 'with files compiled together' -DMECHFMU_TOGETHER=ON
ask "${MECHFMU_WERROR:-}" 'with warnings as errors' -DCMAKE_COMPILE_WARNING_AS_ERROR=ON  # see .ci/run
if ! has build/.configured "$configuration" || [ .venv/.installed -nt build/.configured ]; then
  quietly cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release "${options[@]}" || die 'CMake failed'
  printf '%s\n' "$configuration" >build/.configured
fi
if [ ! -x build/mechfmu ]; then say 'building the exporter, once; this takes a minute or two'; fi
touch build/.begun  # what changes from now on is newer
run_ninja=(ninja -C build --quiet)
# On a terminal, one line tells how far the build is, "[82/165]". Other lines of Ninja come from the compilers.
show_progress() {
  local line
  while IFS= read -r line; do
    if [[ $line =~ ^\[[0-9]+/[0-9]+\] ]]; then
      printf '\rmechfmu: %s' "${BASH_REMATCH[0]}" >&3
    else
      printf '%s\n' "$line"
    fi
  done
  printf '\r\033[K' >&3  # the line goes when the build is done
}
ninja_with_progress() { NINJA_STATUS='[%f/%t] ' ninja -C build "$@" | show_progress; }
if [ -t 2 ]; then
  exec 3>&2
  run_ninja=(ninja_with_progress)
fi
quietly "${run_ninja[@]}" "$@" || die 'the build failed'
case " $* " in *' mechfmu '*) mv build/.begun $made ;; esac
