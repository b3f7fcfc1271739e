"""Writes archives whose bytes depend on their content only, and on SOURCE_DATE_EPOCH if it is set."""

import calendar
import os
import shutil
import struct
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path

Moment = tuple[int, int, int, int, int, int]  # year, month, day, hour, minute, second
FIRST, LAST = (1980, 1, 1, 0, 0, 0), (2107, 12, 31, 23, 59, 58)  # limits that ZIP can say


def time_of_entries() -> Moment:
    """Returns SOURCE_DATE_EPOCH in UTC, within the limits of ZIP; otherwise the first possible time."""
    try:
        seconds = int(os.environ["SOURCE_DATE_EPOCH"])
    except (KeyError, ValueError):
        return FIRST
    moment = time.gmtime(min(max(seconds, calendar.timegm(FIRST)), calendar.timegm(LAST)))
    return moment.tm_year, moment.tm_mon, moment.tm_mday, moment.tm_hour, moment.tm_min, moment.tm_sec


def write_archive(archive: Path | str, files: Mapping[str, bytes], based_on: Path | None = None) -> None:
    """Writes the files (bytes by name) into a ZIP archive with sorted names, one time and fixed permissions. With the
    archive `based_on`, it takes over that archive's compressed files as they are."""
    moment = time_of_entries()
    if based_on is not None:
        shutil.copyfile(based_on, archive)
    with zipfile.ZipFile(archive, "w" if based_on is None else "a") as zipped:
        entries = list(zipped.filelist)
        for entry in entries:
            entry.date_time = moment
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, date_time=moment)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # means Unix, for the next line
            entry.external_attr = (0o100755 if name.endswith((".so", ".dll")) else 0o100644) << 16
            zipped.writestr(entry, files[name])
        # The directory begins with the file that importers look for first, at any position in the archive.
        zipped.filelist.sort(key=lambda entry: (entry.filename != "modelDescription.xml", entry.filename))
    date_headers(archive, entries, moment)


def date_headers(archive: Path | str, entries: list[zipfile.ZipInfo], moment: Moment) -> None:
    """Writes the time into entries that were taken over: they have it beside their content, too."""
    year, month, day, hour, minute, second = moment
    dos = struct.pack("<HH", hour << 11 | minute << 5 | second // 2, (year - 1980) << 9 | month << 5 | day)
    with open(archive, "r+b") as file:
        for entry in entries:
            file.seek(entry.header_offset + 10)
            file.write(dos)
