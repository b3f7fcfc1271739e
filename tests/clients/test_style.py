"""Tests that the sources have one style: C++ has the format of .clang-format, linters find nothing in Python and shell
scripts, and comments are sentences."""

import ast
import pathlib
import re
import subprocess
import sys

import pytest

from fmu import ROOT

TOOLS = pathlib.Path(sys.executable).parent  # has the versions that requirements-test.txt names
FOLDERS = sorted(path for path in ROOT.iterdir()
                 if path.is_dir() and path.name not in {"build", "fmus"} and not path.name.startswith("."))
CPP = sorted(path for folder in FOLDERS for path in folder.rglob("*") if path.suffix in (".c", ".cpp", ".h", ".hpp"))
SHELL = [ROOT / ".ci" / "run", *sorted(path for path in ROOT.glob("*_*") if path.is_file()),
         *sorted((ROOT / "scripts").glob("*.sh"))]


def found(tool, *arguments):
    """Runs a tool in the folder of the sources, where it finds its configuration; returns exit code and output."""
    run = subprocess.run([TOOLS / tool, *arguments], cwd=ROOT, text=True, capture_output=True)
    return run.returncode, run.stdout + run.stderr


def differ_from_clang_format(files):
    """Returns the files that clang-format would change."""
    _, text = found("clang-format", "--dry-run", "-Werror", *files)
    said = {pathlib.Path(name) for name in re.findall(r"^(.+?):\d+:\d+: error: ", text, re.MULTILINE)}
    assert said or not text, text
    return sorted(said)


def test_cpp_is_formatted():
    """`.venv/bin/clang-format -i FILE` gives a file the format."""
    assert len(CPP) > 200
    assert [str(path.relative_to(ROOT)) for path in differ_from_clang_format(CPP)] == []


def test_a_file_with_another_format_is_named(tmp_path):
    (tmp_path / ".clang-format").write_text((ROOT / ".clang-format").read_text())
    texts = {"right.hpp": "int right();\n", "wrong.hpp": "int  wrong ( ) ;\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    assert differ_from_clang_format([tmp_path / name for name in texts]) == [tmp_path / "wrong.hpp"]


def test_python_is_clean():
    """The rules are in pyproject.toml; `.venv/bin/ruff check --fix` mends most of what it finds."""
    assert found("ruff", "check", "--quiet", "--output-format", "concise", ".") == (0, "")


def test_the_types_of_python_agree():
    """All functions in scripts/, which exports run, and in benchmarks/ have types. Tests have none."""
    assert found("mypy", "--no-error-summary", "scripts", "benchmarks") == (0, "")


def test_clang_tidy_finds_nothing():
    """It runs in fmu_src with the checks of .clang-tidy. Files that have not changed since are not checked again."""
    for command in (["cmake", "--preset", "tidy"], ["cmake", "--build", "--preset", "tidy", "--", "-k", "0"]):
        run = subprocess.run(command, cwd=ROOT, text=True, capture_output=True)
        told = re.findall(r"^.*(?:error|warning): .*$", run.stdout + run.stderr, re.MULTILINE | re.IGNORECASE)
        assert (run.returncode, told) == (0, [])


@pytest.mark.parametrize("script", SHELL, ids=lambda path: path.name)
def test_shell_scripts_are_clean(script):
    """ShellCheck finds commands that would fail at run time."""
    assert script.read_text().startswith(("#!/usr/bin/env bash\n", "# shellcheck shell=bash\n"))
    assert subprocess.run(["bash", "-n", script], capture_output=True, text=True).stderr == ""
    assert found("shellcheck", "--external-sources", str(script)) == (0, "")


# --- Comments ---------------------------------------------------------------------------------------------------------

COMMENTED = ("benchmarks", "derivation", "elements", "equations", "explanation", "fmu_src", "generation", "mechanics",
             "modelDescription", "models", "preparation", "scripts", "tests", "tool")
WITHOUT_CLAUSE = re.compile(r"(Of|The same|That|What|Where|Which)\b")
FRAGMENT = re.compile(r"(of|the same|that|what|where|which)\b", re.IGNORECASE)
RETURNS = re.compile(r"(?!Axes|Its|This)[A-Z][a-z]+s\b")  # "Returns the largest error.", "Is true if all rows agree."
SYMBOLS = re.compile("[=<>≤≥→∥]")  # read aloud, they are verbs
VERBS = set(re.findall("[a-z]+", """
    acts add adds agree agrees allow allows are ask asks be become becomes begin begins belong belongs bring call
    can causes choose chooses come comes compile compiles compute computes could counts declares depend depends
    differ differs do does drift eliminates end finds fit fits follow follows get give gives go goes had has have
    hold holds include includes is join joins jump keep keeps know knows leave leaves let lets lies limits look
    looks make makes may mean means measure meet meets must need needs pass passes print read reads replace replaces
    resolve return returns rises roll run runs save say says serve serves set sets should show shows slide solve
    solves spin spins start starts stay stays stop stops store swing take takes tell tells use uses want wants was
    were will work works would write writes"""))


def comments_of_cpp(text):
    """Returns (line, text, whether it stands behind code) for each comment. Adjacent lines are one comment."""
    found, above = [], False
    for number, line in enumerate(text.split("\n"), 1):
        own = re.match(r"\s*///? ?(?!<)(.*)", line)
        behind = re.match(r"\s*[^\s/].*?(?:///<|[;,{})] +//) (.*)", line)
        if own and above:
            found[-1] = (found[-1][0], found[-1][1] + "\n" + own[1], False)
        elif own:
            found.append((number, own[1], False))
        elif behind and not line.lstrip().startswith(("}  // namespace", "#")):
            found.append((number, behind[1], True))
        above = bool(own)
    return found


def comments_of_python(text):
    """Returns (line, text, False) for each documented module, class and function."""
    documented = [node for node in ast.walk(ast.parse(text))
                  if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node)]
    return [(node.body[0].lineno, ast.get_docstring(node), False) for node in documented]


def fault_of(comment, behind_code=False):
    """Returns what is wrong with a comment, or an empty text. It knows frequent verbs only: the list above may grow.

    Comments behind code may be a quantity with its unit, so they need no verb. Lines for the eye need none either."""
    comment = " ".join(comment.split())
    if not re.search("[a-z]{3}", comment) or comment.startswith("--- "):
        return ""
    sentences = re.split(r"(?<=[.:;]) ", comment)
    if FRAGMENT.match(comment) or any(WITHOUT_CLAUSE.match(sentence) for sentence in sentences):
        return "begins without a subject"
    first = re.sub("`[^`]*`", "", re.split(r"(?<=[.]) ", comment)[0])
    if behind_code or RETURNS.match(first) or SYMBOLS.search(first) or VERBS & set(re.findall("[a-z]+", first.lower())):
        return ""
    return "has no verb"


def test_comments_are_sentences():
    faults, count = [], 0
    for path in sorted(path for folder in COMMENTED for path in (ROOT / folder).rglob("*")):
        if path.suffix not in (".c", ".cpp", ".hpp", ".py"):
            continue
        text = path.read_text(encoding="utf-8")
        for line, comment, behind in (comments_of_python if path.suffix == ".py" else comments_of_cpp)(text):
            count += 1
            if fault := fault_of(comment, behind):
                faults.append(f"{path.relative_to(ROOT)}:{line}: the comment {fault}: {comment.splitlines()[0]}")
    assert count > 2000
    assert faults == []


@pytest.mark.parametrize("comment", [
    "Of the joint, its axis.", "What cannot be assembled is an error.", "The same in space.",
    "Where rows depend on each other.", "The index of a member.", "Returns a matrix. Of its rows the first."])
def test_a_comment_that_is_no_sentence_is_found(comment):
    text = f"/// {comment}\nint f();\n"
    assert [fault_of(found, behind) != "" for _, found, behind in comments_of_cpp(text)] == [True]


@pytest.mark.parametrize("comment", [
    "Returns the index of a member.", "Is true if all rows agree.", "A body has one mass.", "M v̇ = h + B λ",
    "IKNSVRUT"])
def test_a_comment_that_is_a_sentence_passes(comment):
    assert fault_of(comment) == ""


def test_comments_are_found_above_and_behind_code():
    text = "// Reads a file\n// line by line.\nint f();\nint size = 0;  ///< of a line\ng();  // where it ends\n"
    assert comments_of_cpp(text) == [(1, "Reads a file\nline by line.", False), (4, "of a line", True),
                                     (5, "where it ends", True)]
    assert [fault_of(comment, behind) for _, comment, behind in comments_of_cpp(text)][1:] == [
        "begins without a subject"] * 2
    assert comments_of_python('"""Reads."""\n\ndef f():\n    """Of a file."""\n') == [
        (1, "Reads.", False), (4, "Of a file.", False)]
