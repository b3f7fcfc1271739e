# shellcheck shell=bash
# Is sourced by the scripts of this folder, which share it: messages, locks, and Debian packages that are installed
# when they are needed.

log=
trap '[ -z "$log" ] || rm -f "$log"' EXIT
say() { printf 'mechfmu: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }
# Runs a command, and shows its output only if it fails.
quietly() {
  log=${log:-$(mktemp)}
  "$@" >"$log" 2>&1 || { local code=$?; tail -n 60 "$log" >&2; return "$code"; }
}

# lock FOLDER DOES: waits until no other process has the lock of the folder, and says for whom. It is held until this
# process and those that it starts have ended; a file beside it tells the others who that is.
lock() {
  local holder=$1/.locked-by
  exec 9<"$1"
  flock --nonblock 9 || {
    say "waiting for $(cat "$holder" 2>/dev/null || echo 'another process'), which $2"
    flock 9
  }
  printf '%s(process %s)' "$(tr '\0' ' ' <"/proc/$PPID/cmdline" 2>/dev/null)" "$PPID" >"$holder"
}

# Lists packages that are missing; the functions needs_… find them.
missing=()
needs_command() { command -v "$1" >/dev/null || missing+=("$2"); }
needs_file() { [ -e "$1" ] || missing+=("$2"); }
needs_header() { [ -e "/usr/include/$1" ] || [ -e "/usr/local/include/$1" ] || missing+=("$2"); }

apt() { quietly "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 "$@"; }
install_packages() { apt install -y --no-install-recommends "${missing[@]}"; }

# Installs them, in the versions of this Debian release.
install_missing() {
  [ ${#missing[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null || die "please install what these Debian packages contain: ${missing[*]}"
  as_root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || die "packages are missing; as root, run: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing Debian packages: ${missing[*]}"
  quietly "${as_root[@]}" dpkg --configure -a || true  # what an interrupted installation left half done
  { compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null && install_packages 2>/dev/null; } ||
    { apt update && install_packages; } || die "that failed; as root, run: apt-get install ${missing[*]}"
  missing=()
}
