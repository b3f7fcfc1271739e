"""Archives whose bytes depend on their content only."""

import shutil
import zipfile


def write_archive(archive, files, based_on=None):
    """Writes the files (bytes by name) into a ZIP archive with sorted names, a fixed time and fixed permissions. With
    the archive `based_on`, its files are taken over as they are, compressed already."""
    if based_on is not None:
        shutil.copyfile(based_on, archive)
    with zipfile.ZipFile(archive, "w" if based_on is None else "a") as zipped:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, which gives the next line its meaning
            entry.external_attr = (0o100755 if name.endswith((".so", ".dll")) else 0o100644) << 16
            zipped.writestr(entry, files[name])
        # The directory begins with what importers look for first, wherever it lies in the file.
        zipped.filelist.sort(key=lambda entry: (entry.filename != "modelDescription.xml", entry.filename))
