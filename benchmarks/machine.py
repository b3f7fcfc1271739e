"""Says on which machine measurements were made."""

import os
import pathlib
import re
import subprocess


def machine(build):
    """Returns processor and compiler of the build."""
    model = re.search(r"^model name\s*:\s*(.*)", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)", (build / "CMakeCache.txt").read_text(), re.MULTILINE)
    assert compiler
    told = subprocess.run([compiler[1], "--version"], capture_output=True, text=True, check=True).stdout
    return f"{model[1] if model else 'unknown processor'}, {os.cpu_count()} processors; {told.splitlines()[0]}"
