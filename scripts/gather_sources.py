"""Gathers what every source FMU has in its folder sources/, once for all exports: gather_sources.py COMPILER
FMI_HEADERS EIGEN OUTPUT writes OUTPUT/2.0.zip and OUTPUT/3.0.zip, both in OUTPUT/contacts/ with contacts,
and to OUTPUT/licenses the licences of what is compiled in.

The archives hold the model-independent code, "mechfmu.cpp" that includes all of it, and the headers of Eigen that it
needs, as the compiler says. Includes are relative to the file that they are in, so that importers who set no include
directories find everything. Exports start from such an archive, see finish_fmu.py.
"""

import os
import re
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

from archive import write_archive

ROOT = Path(__file__).resolve().parents[1]
FMU_SOURCES = ROOT / "fmu_src"
# Generated code includes these.
FACES = ["stepping/exported.hpp", "fmi/variable_table.hpp"]
# Mechanisms with contacts need these beside the folder contacts/.
CONTACT_UNITS = ("stepping/changing_rows.cpp", "stepping/contact_changes.cpp", "stepping/contact_events.cpp",
                 "stepping/contact_impacts.cpp", "stepping/contact_looks.cpp", "stepping/contact_settling.cpp",
                 "stepping/event_search.cpp", "stepping/indicators.cpp", "stepping/switch_changes.cpp")
# These replace the libraries that our own binaries do not use.
OWN_BUILD_ONLY = {"fmi/runtime.cpp"}
# Debian has its texts of licences here.
LICENSES = Path("/usr/share/common-licenses")
LICENSE = """The equations in this FMU belong to the author of the mechanism. What they are solved with is

* mechfmu, under the MIT license below;
* Eigen, a library of headers (https://eigen.tuxfamily.org), under the Mozilla Public License 2.0, see MPL-2.0.txt. Its
  headers are unchanged. Those that are needed are in sources/eigen, if this FMU has its sources; Half.h, BFloat16.h and
  MKL_support.h among them are under other licenses (BSD, Apache 2.0), which their first lines say;
* in a library for Windows, if there is one, parts of the mingw-w64 runtime, see win64.txt.

"""


def is_of_contacts(name: str) -> bool:
    """Is true for a file that only mechanisms with contacts need."""
    return name.startswith("contacts/") or name in CONTACT_UNITS


def units(version: str, contacts: bool) -> list[str]:
    """Returns the files to compile, without the other FMI version's entry points."""
    other = {"2.0": "fmi3", "3.0": "fmi2"}[version]
    names = [path.relative_to(FMU_SOURCES).as_posix() for path in FMU_SOURCES.rglob("*.cpp")]
    return sorted(name for name in names
                  if name not in OWN_BUILD_ONLY and not name.startswith(f"fmi/{other}")
                  and (contacts or not is_of_contacts(name)))


def needed_files(compiler: str, names: list[str], fmi_headers: str, eigen: Path) -> set[Path]:
    """Returns all files that the compiler reads to compile these."""
    text = "".join(f'#include "{name}"\n' for name in names)
    command = [compiler, "-std=c++20", "-DEIGEN_DONT_VECTORIZE", "-M", "-I", str(FMU_SOURCES), "-isystem", str(eigen),
               "-isystem", fmi_headers, "-x", "c++", "-"]
    rule = subprocess.run(command, input=text, check=True, stdout=subprocess.PIPE, text=True).stdout
    return {Path(name.replace("\\ ", " ")).resolve()
            for name in re.split(r"(?<!\\)\s+", rule.split(":", 1)[1].replace("\\\n", " ")) if name}


def with_relative_includes(text: str, name: str, present: Collection[str]) -> str:
    """Rewrites includes of files in the archive, so that they are relative to the file itself."""
    folder = os.path.dirname(name)

    def relative(match: re.Match[str]) -> str:
        for place in (folder, "", "eigen"):
            target = os.path.normpath(os.path.join(place, match[1]))
            if target in present:
                return f'#include "{os.path.relpath(target, folder or ".")}"'
        return match[0]

    return re.sub(r'^#include ["<]([^">]+)[">]', relative, text, flags=re.MULTILINE)


def content(version: str, contacts: bool, compiler: str, fmi_headers: str, eigen: Path) -> dict[str, bytes]:
    """Returns the content of the archive, by name."""
    names = units(version, contacts)
    files = {}
    for path in needed_files(compiler, names + FACES, fmi_headers, eigen):
        if path.is_relative_to(FMU_SOURCES):
            files[path.relative_to(FMU_SOURCES).as_posix()] = path.read_text(encoding="utf-8")
        elif path.is_relative_to(eigen):
            files["eigen/" + path.relative_to(eigen).as_posix()] = path.read_text(encoding="utf-8")
    own = {name for name in files if not name.startswith("eigen/")}
    for name in own:
        files[name] = with_relative_includes(files[name], name, files)
    files["mechfmu.cpp"] = ("// The model-independent part of an FMU in one file, without the headers of FMI.\n" +
                            "".join(f'#include "{name}"\n' for name in names))
    files.update((("eigen/" if name.startswith("MPL") else "") + name, text) for name, text in licenses().items())
    return {"sources/" + name: text.encode() for name, text in files.items()}


def licenses() -> dict[str, str]:
    """Returns the licence texts of everything that is compiled in."""
    return {"license.txt": LICENSE + (ROOT / "LICENSE").read_text(encoding="utf-8"),
            "MPL-2.0.txt": (LICENSES / "MPL-2.0").read_text(encoding="utf-8")}


def main(compiler: str, fmi_headers: str, eigen: str, folder: str) -> None:
    output = Path(folder)
    (output / "licenses").mkdir(parents=True, exist_ok=True)
    for name, text in licenses().items():
        (output / "licenses" / name).write_text(text, encoding="utf-8")
    (output / "contacts").mkdir(exist_ok=True)
    for version in ("2.0", "3.0"):
        for contacts, place in ((False, output), (True, output / "contacts")):
            files = content(version, contacts, compiler, fmi_headers, Path(eigen).resolve())
            write_archive(place / f"{version}.zip", files)


if __name__ == "__main__":
    main(*sys.argv[1:])
