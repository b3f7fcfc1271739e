#!/usr/bin/env bash
# Makes targets of the build ready to run: bootstrap.sh [--tests] TARGET…
# Installs the Debian packages that are missing, makes the Python environment .venv with the versions pinned in
# scripts/requirements*.txt, configures and builds in build/ with CMake and Ninja. What is there already is kept; what
# was interrupted is done again, since a stamp is written only after success.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
root=$PWD
tests=
if [ "${1:-}" = --tests ]; then tests=yes; shift; fi

log=
trap '[ -z "$log" ] || rm -f "$log"' EXIT
say() { printf 'mechfmu: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }
# Runs a command whose output is of interest only if it fails.
quietly() {
  log=${log:-$(mktemp)}
  "$@" >"$log" 2>&1 || { local code=$?; tail -n 60 "$log" >&2; return "$code"; }
}

# One at a time in this folder. The lock is the folder itself, so it goes with the process that holds it.
exec 9<.
flock --nonblock 9 || { say 'waiting for another build in this folder'; flock 9; }

# --- Debian packages -------------------------------------------------------------------------------------------------

missing=()
needs_command() { command -v "$1" >/dev/null || missing+=("$2"); }
needs_header() { [ -e "/usr/include/$1" ] || [ -e "/usr/local/include/$1" ] || missing+=("$2"); }
needs_command g++ g++
needs_command cmake cmake
needs_command ninja ninja-build
needs_header eigen3/Eigen/Core libeigen3-dev
needs_header toml++/toml.h libtomlplusplus-dev
if [ -n "$tests" ]; then needs_header catch2/catch.hpp catch2; fi

# The system's own Python, since any other on the path may be of a version that the pinned packages are not made for.
find_python() { python=/usr/bin/python3; [ -x "$python" ] || python=$(command -v python3 || true); }
find_python
# What .venv was made from: a folder that was moved needs a new one, too.
wanted="$root"$'\n'"$(<scripts/requirements.txt)"
has() { [ -e "$1" ] && [ "$(<"$1")" = "$2" ]; }
environment_made() { [ -x .venv/bin/python ] && has .venv/.installed "$wanted"; }
if ! environment_made && { [ -z "$python" ] || ! "$python" -c 'import ensurepip, venv' 2>/dev/null; }; then
  missing+=(python3-venv)
fi

if [ ${#missing[@]} -gt 0 ]; then
  command -v apt-get >/dev/null || die "please install what these Debian packages contain: ${missing[*]}"
  as_root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || die "packages are missing; as root, run: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  apt() { quietly "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 "$@"; }
  install() { apt install -y --no-install-recommends "${missing[@]}"; }
  say "installing Debian packages: ${missing[*]}"
  quietly "${as_root[@]}" dpkg --configure -a || true  # what an interrupted installation left half done
  { compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null && install 2>/dev/null; } || { apt update && install; } ||
    die "that failed; as root, run: apt-get install ${missing[*]}"
  find_python
fi

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

configuration="$root${tests:+, with tests}"
if has build/.configured "$root, with tests"; then
  configuration="$root, with tests"
elif ! has build/.configured "$root"; then
  rm -rf build
fi
if ! has build/.configured "$configuration" || [ .venv/.installed -nt build/.configured ]; then
  options=(-G Ninja -DCMAKE_BUILD_TYPE=Release)
  if [ "$configuration" != "$root" ]; then options+=(-DMECHFMU_TESTS=ON); fi
  quietly cmake -S . -B build "${options[@]}" || die 'CMake failed'
  printf '%s\n' "$configuration" >build/.configured
fi
if [ ! -x build/mechfmu ]; then say 'building the exporter, once; this takes a minute or two'; fi
quietly ninja -C build --quiet "$@" || die 'the build failed'
