#!/usr/bin/env bash
# Installs the importers that tests/importers/ runs FMUs in, and links them in build/importers/: python and cofmupy
# (environments), fmi-sim, fmi-rs (a program that calls this library), and folders of jars for fmi4j and vdmcheck. They
# are kept in the user's cache, each under a name that changes with its content, since programs in Rust take minutes to
# build. A stamp is written only after success, so the script repeats work that was interrupted.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
. scripts/debian.sh
fmi_sim=0.7.0
requirements=scripts/requirements-importers.txt
cofmupy_requirements=scripts/requirements-cofmupy.txt
poms=tests/importers/java
fmi_rs_client=tests/importers/rust

cache=${XDG_CACHE_HOME:-$HOME/.cache}/mechfmu
mkdir -p "$cache" build/importers
lock "$cache" 'installs importers'
digest() { cat "$@" | sha256sum | cut -c1-8; }
made() { [ -e "$1/.installed" ]; }

environment=$cache/importers-python-$(digest $requirements)
cofmupy=$cache/cofmupy-$(digest $cofmupy_requirements)
rust=$cache/fmi-sim-$fmi_sim
fmi_rs=$cache/fmi-rs-$(digest $fmi_rs_client/*)
fmi4j=$cache/fmi4j-$(digest $poms/fmi4j.xml)
vdmcheck=$cache/vdmcheck-$(digest $poms/vdmcheck.xml)

ldconfig -p | grep -q 'libtbb\.so\.12 ' || missing+=(libtbb12)  # ecos
needs_command javac default-jdk-headless
if ! made "$environment" || ! made "$cofmupy"; then
  /usr/bin/python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
fi
if ! made "$rust" || ! made "$fmi_rs"; then
  needs_command cargo cargo-web  # Debian's newest Rust
  needs_command gcc gcc
fi
if ! made "$rust"; then compgen -G '/usr/lib/llvm-*/lib/libclang.so' >/dev/null || missing+=(libclang-dev); fi
if ! made "$fmi4j" || ! made "$vdmcheck"; then
  needs_command mvn maven
  needs_command unzip unzip
fi
install_missing

# Runs the last argument, a function, in a folder that is empty at first.
make_once() {
  made "$1" && return
  say "installing $2"
  rm -rf "$1"
  mkdir "$1"
  "$3" "$1"
  touch "$1/.installed"
}

install_packages_of() {
  { quietly /usr/bin/python3 -m venv "$2" &&
      quietly "$2/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps -r "$1"; } ||
    die 'importers in Python could not be installed'
}
install_python() { install_packages_of $requirements "$1"; }
install_cofmupy() { install_packages_of $cofmupy_requirements "$1"; }
build_rust() {
  quietly env CC=gcc cargo install --locked --jobs 2 "$@" ||
    die 'an importer in Rust could not be built; it needs Rust 1.88 or newer'
}
install_rust() { build_rust fmi-sim --version $fmi_sim --root "$1"; }
install_fmi_rs() {
  build_rust --path $fmi_rs_client --root "$1" --target-dir "$1/build"
  rm -rf "$1/build"
}
# Each has a folder, since both need a jar of one name. VDMCheck wants names without versions.
copy_jars() {
  quietly mvn -q -B -f "$1" org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
    -DincludeScope=runtime -Dmdep.stripVersion=true -DoutputDirectory="$2" ||
    die 'importers in Java could not be installed'
}
install_fmi4j() { copy_jars $poms/fmi4j.xml "$1"; }
install_vdmcheck() {
  copy_jars $poms/vdmcheck.xml "$1"
  # It reads its rules beside its jar.
  for jar in vdmcheck2 rule-model static-model; do (cd "$1" && quietly unzip -qo $jar.jar 'fmi2*'); done
}
make_once "$environment" 'ecos, libcosim, fmutool and PathSim' install_python
make_once "$cofmupy" CoFMUPy install_cofmupy
make_once "$rust" 'fmi-sim; this takes some minutes, once' install_rust
make_once "$fmi_rs" 'fmi-rs; this takes a minute or two, once' install_fmi_rs
make_once "$fmi4j" fmi4j install_fmi4j
make_once "$vdmcheck" VDMCheck install_vdmcheck

ln -sfn "$environment" build/importers/python
ln -sfn "$cofmupy" build/importers/cofmupy
ln -sfn "$rust/bin/fmi-sim" build/importers/fmi-sim
ln -sfn "$fmi_rs/bin/drive-fmi-rs" build/importers/fmi-rs
ln -sfn "$fmi4j" build/importers/fmi4j
ln -sfn "$vdmcheck" build/importers/vdmcheck
