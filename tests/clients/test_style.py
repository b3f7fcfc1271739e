"""Tests that the sources have one style: C++ has the format of .clang-format, linters find nothing in Python and shell
scripts, and comments are sentences."""

import ast
import itertools
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
    acts add adds agree agrees allow allows are ask asks avoids be become becomes begin begins belong belongs bring
    call can cannot carries causes change changes choose chooses come comes compares compile compiles compute
    computes continues could counts declares depend depends differ differs do does drift drives eliminates end ends
    finds fit fits follow follows forgets get give gives go goes had happens has have hide hold holds include
    includes is join joins jump keep keeps know knows lead leave leaves let lets lies limits look looks make makes
    may mean means measure meet meets move moves must names need needs pass passes print push read reads refer
    removes replace replaces resolve return returns rises roll rules run runs save say says serve serves set sets
    should show shows shrink slide solve solves spin spins stands start starts stay stays stop stops store swing
    take takes tell tells turn turns use uses want wants was were will winds work works would write writes"""))
# A quantity behind its declaration needs no verb: "index of a row". It does not begin with one of these words.
NO_QUANTITY = re.compile(r"(about|after|along|and|as|ascending|at|before|behind|beside|but|by|during|each|else|empty|"
                         r"ever|for|from|if|in|instead|into|never|no|not|nullptr|on|only|or|over|per|so|than|then|"
                         r"through|to|under|with|within|without)\b", re.IGNORECASE)
STATEMENT = re.compile(r"\s*(\}|return|if|for|while|else|case|break|continue|[\w.\[\]()>:-]+ [-+*/|&]?= |"
                       r"[\w.:>-]+\(.*\)[;,)]|[A-Z]+\(|\{?\"|.*\{$)")


def comments_of_cpp(text):
    """Returns (line, text, the code before it) for each comment. Adjacent lines are one comment."""
    found, above = [], False
    for number, line in enumerate(text.split("\n"), 1):
        own = re.match(r"\s*///? ?(?!<)(.*)", line)
        behind = re.match(r"(\s*[^\s/].*?)(?:///<|(?<=[;,{})]) +//) (.*)", line)
        if own and above:
            found[-1] = (found[-1][0], found[-1][1] + "\n" + own[1], "")
        elif own:
            found.append((number, own[1], ""))
        elif behind and not line.lstrip().startswith("#") and not behind[2].startswith("namespace"):
            found.append((number, behind[2], behind[1].rstrip()))
        above = bool(own)
    return found


def comments_of_python(text):
    """Returns (line, text, "") for each documented module, class and function."""
    documented = [node for node in ast.walk(ast.parse(text))
                  if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node)]
    return [(node.body[0].lineno, ast.get_docstring(node), "") for node in documented]


def fault_of(comment, code=""):
    """Returns what is wrong with a comment, or an empty text. It knows frequent verbs only: the list above may grow.

    A comment behind a declaration, which is `code` then, may be a quantity with its unit and needs no verb. Lines for
    the eye need none either."""
    comment = " ".join(comment.split())
    if not re.search("[a-z]{3}", comment) or comment.startswith("--- "):
        return ""
    sentences = re.split(r"(?<=[.:;]) ", comment)
    if FRAGMENT.match(comment) or any(WITHOUT_CLAUSE.match(sentence) for sentence in sentences):
        return "begins without a subject"
    first = re.sub("`[^`]*`", "", re.split(r"(?<=[.]) ", comment)[0])
    if RETURNS.match(first) or SYMBOLS.search(first) or VERBS & set(re.findall("[a-z]+", first.lower())):
        return ""
    return "" if code and not STATEMENT.match(code) and not NO_QUANTITY.match(comment) else "has no verb"


def test_comments_are_sentences():
    faults, count = [], 0
    for path in sorted(path for folder in COMMENTED for path in (ROOT / folder).rglob("*")):
        if path.suffix not in (".c", ".cpp", ".hpp", ".py"):
            continue
        text = path.read_text(encoding="utf-8")
        for line, comment, code in (comments_of_python if path.suffix == ".py" else comments_of_cpp)(text):
            count += 1
            if fault := fault_of(comment, code):
                faults.append(f"{path.relative_to(ROOT)}:{line}: the comment {fault}: {comment.splitlines()[0]}")
    assert count > 2000
    assert faults == []


@pytest.mark.parametrize("comment", [
    "Of the joint, its axis.", "What cannot be assembled is an error.", "The same in space.",
    "Where rows depend on each other.", "The index of a member.", "Returns a matrix. Of its rows the first."])
def test_a_comment_that_is_no_sentence_is_found(comment):
    text = f"/// {comment}\nint f();\n"
    assert [fault_of(found, code) != "" for _, found, code in comments_of_cpp(text)] == [True]


@pytest.mark.parametrize("line", [
    "int size = 0;  ///< of a line", "g();  // where it ends", "int unit;  // in the declared one",
    "if (a) {  // at rest", "CHECK(error < 1e-3);  // a rough bound", "double* inputs;  ///< by row",
    "return 0;  // no more of them"])
def test_a_fragment_behind_code_is_found(line):
    assert [fault_of(found, code) != "" for _, found, code in comments_of_cpp(line)] == [True]


@pytest.mark.parametrize("line", [
    "int size = 0;  ///< number of lines", "double step;  ///< size of a step, s", "g();  // This ends the line.",
    "enum { a,  ///< angle in rad", "double gain;  ///< 1/s: G₁ of Blajer 1993 (4.6a)", "f(x);  // x < 1",
    "double* inputs;  ///< has one number for each row"])
def test_a_quantity_or_a_sentence_behind_code_passes(line):
    assert [fault_of(found, code) for _, found, code in comments_of_cpp(line)] == [""]


@pytest.mark.parametrize("comment", [
    "Returns the index of a member.", "Is true if all rows agree.", "A body has one mass.", "M v̇ = h + B λ",
    "IKNSVRUT"])
def test_a_comment_that_is_a_sentence_passes(comment):
    assert fault_of(comment) == ""


def test_comments_are_found_above_and_behind_code():
    text = "// Reads a file\n// line by line.\nint f();\nint size = 0;  ///< of a line\ng();  // where it ends\n"
    assert comments_of_cpp(text) == [(1, "Reads a file\nline by line.", ""), (4, "of a line", "int size = 0;"),
                                     (5, "where it ends", "g();")]
    assert comments_of_cpp("}  // namespace mechfmu\n#endif  // of a guard\n") == []
    assert comments_of_python('"""Reads."""\n\ndef f():\n    """Of a file."""\n') == [
        (1, "Reads.", ""), (4, "Of a file.", "")]


# --- Words ------------------------------------------------------------------------------------------------------------

# Identifiers of the core that use a word of the glossary (docs/architecture.md, Words) in its one meaning, and below
# those that the exporter has beside them. A new one is added if it has this meaning; else it gets another name.
WORDS = {
    "large": "",  # the constant that says from where something is sparse has a name of its own
    "along": r"\w+_along",  # a derivative along a direction; the direction itself has another name
    "kinematics": "",
    "load": r"__atomic_load_n|load_\w+|(base|distinct)_loads?\w*|respond_to_load|LoadResponse|Load",
    "motion": r"motion_?|Motion|\w+Motion|Motion(With|Arguments)|(tangent|full|common)_motion",
    "resolution": r"[Rr]esolution",
    **dict.fromkeys(["close", "closes", "closed", "closing", "closure"],
                    r"close|closes|closed|closing|(Start)?Closing|"
                    r"close_(shared|or_approach|from_nearby|in_valley|positions|along|nonlinear)|"
                    r"closes_freed|smallest_closing|\w*closure\w*|"
                    r"most_closing_steps|rounding_of_closing|slow_closing"),
    **dict.fromkeys(["carry", "carries", "carried", "carrier"], r"carry|carried|CarriedBasis"),
    **dict.fromkeys(["assemble", "assembled", "assembly"],
                    r"assembled?|AssemblySearch|(before|fail|keeps)_assembly"),
}
EXPORTER_WORDS = {
    "along": r"along|(names_)?along_\w+|Along",  # along(a, relative, b) is how far b lies along a
    "kinematics": r"[Kk]inematics_?",  # of bodies by joints
    "load": r"load|LoadEquation|at_load_starts|find_load_sizes",
    # The mechanism's own motion is that of balances, rates and outputs; that of a file is prescribed.
    "motion": r"Motion(Balance|Rates)|balance_of_motion|(by|for|on|asks_for|length|check)_motion|motion_outputs|"
              r"((read|check|has)_)?prescribed_motion(_\w+)?",
    "resolution": r"[Ss]uited_?[Rr]esolution|resolution_(class|index|of)",
    # Loops, and rows that hold them.
    **dict.fromkeys(["close", "closes", "closed", "closing", "closure"], r"close_(line|points)|\w*Closure\w*"),
    # A joint carries its child.
    **dict.fromkeys(["carry", "carries", "carried", "carrier"], r"Carried|carried_|carry_by_joint|may_carry|"
                                                                r"carries_a_wheel"),
    # Positions in which a start is consistent; equations are composed.
    **dict.fromkeys(["assemble", "assembled", "assembly"], r"Assembled|assembled_(positions|velocities)|"
                                                           r"(check|other)_assembly"),
}


def identifiers_of_cpp(text):
    """Returns the identifiers of a text, without those in comments, in strings and in names of files."""
    code = re.sub(r'//.*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|#include.*', " ", text)
    return set(re.findall(r"[A-Za-z_]\w*", code))


def words_of(identifier):
    """Returns the words of snake_case and CamelCase."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", identifier)}


def in_another_meaning(text, further=None):
    """Returns what is none of WORDS, nor of the `further` ones."""
    meanings = {word: f"{meant}|{(further or {}).get(word, '')}" for word, meant in WORDS.items()}
    return sorted(identifier for identifier in identifiers_of_cpp(text) for word, meant in meanings.items()
                  if word in words_of(identifier) and not re.fullmatch(meant, identifier))


def test_identifiers_use_words_in_one_meaning():
    texts = texts_of_rooms()
    assert len(texts) > 400
    found = {name: in_another_meaning(text, None if name.startswith("fmu_src/") else EXPORTER_WORDS)
             for name, text in texts.items()}
    assert {name: identifiers for name, identifiers in found.items() if identifiers} == {}


def test_kinematics_is_known_in_mechanics_only():
    assert {name.split("/")[0] for name, text in texts_of_rooms().items()
            if any("kinematics" in words_of(identifier) for identifier in identifiers_of_cpp(text))} == {"mechanics"}


def test_no_meaning_of_the_exporter_is_left_over():
    """An identifier that is there no more leaves no place for another meaning."""
    identifiers = set().union(*(identifiers_of_cpp(text) for name, text in texts_of_rooms().items()
                                if not name.startswith("fmu_src/")))
    parts = [part for meant in EXPORTER_WORDS.values() for part in re.split(r"\|(?![^(]*\))", meant)]
    assert [part for part in parts if not any(re.fullmatch(part, identifier) for identifier in identifiers)] == []


def test_the_glossary_has_the_words():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    explained = set(re.findall("[a-z]+", " ".join(re.findall(r"^\| ([^|]+) \|", text, re.MULTILINE))))
    assert set(WORDS) - explained == {"closes", "closed", "closing", "carries", "carried", "carrier", "assembled"}


def test_a_word_in_another_meaning_is_found():
    text = 'int slopes_along();  // along\nbool is_large;\nText name = "large";\nint carrier = CarriedBasis::carry;\n'
    assert in_another_meaning(text) == ["carrier", "is_large"]
    text = "Carried may_carry(); struct Carriage; double carried_load;"
    assert in_another_meaning(text) == ["Carried", "carried_load", "carried_load", "may_carry"]
    assert in_another_meaning(text, EXPORTER_WORDS) == ["carried_load", "carried_load"]


# --- Tolerances -------------------------------------------------------------------------------------------------------

# These files have small numbers that are no tolerances.
TABLES = {"fmu_src/mechanism/settings.hpp", "modelDescription/description/description.hpp",  # what files set otherwise
          "modelDescription/reading/read_forces_and_couplings.cpp",  # likewise: the default of stick_speed
          "fmu_src/mechanism/whole_turns.hpp", "derivation/rows/whole_turns.cpp"}  # digits of 2π
METHODS = {f"fmu_src/integrators/{name}.hpp" for name in ("dop853", "dopri5", "rodas")}  # coefficients
TOLERANCES = {"fmu_src/linear/tolerances.hpp": 100, "modelDescription/formulas/export_tolerances.hpp": 15}
ROOMS = ("derivation", "elements", "equations", "explanation", "fmu_src", "generation", "mechanics", "modelDescription",
         "preparation", "readable", "tool")


def texts_of_rooms():
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
            for room in ROOMS for path in (ROOT / room).rglob("*.?pp")}


def bare_tolerances(text):
    return re.findall(r"\b[0-9][0-9.']*[eE]-[0-9]+", re.sub(r'//.*|"(?:\\.|[^"\\\n])*"', " ", text))


def test_tolerances_have_names():
    """The core has its own in linear/tolerances.hpp, the export in export_tolerances.hpp, with the reason for each."""
    found = {name: bare_tolerances(text) for name, text in texts_of_rooms().items()}
    for name, count in TOLERANCES.items():
        assert len(found.pop(name)) > count
    assert [name for name in TABLES if not found.pop(name)] == []
    assert {name: numbers for name, numbers in found.items() if numbers and name not in METHODS} == {}


@pytest.mark.parametrize("name", TOLERANCES)
def test_each_tolerance_has_its_reason(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    lines = text.split("\n")
    bare = [line for before, line in itertools.pairwise(lines)
            if line.startswith("inline constexpr double") and not before.startswith("///")]
    assert bare == []
    assert all("///<" in line for line in lines if line.startswith("inline constexpr NewtonRule"))


def test_a_bare_tolerance_is_found():
    assert bare_tolerances('if (x < 1e-9) y = 0.5E-3;  // 1e-7\nfail("1e-3"); z = 1e6;') == ["1e-9", "0.5E-3"]


def own_questions_for_finite(text):
    """Returns what asks in a way of its own whether a number is finite, or stands for more than all numbers."""
    return re.findall(r"\bisfinite\b|\bisinf\b|\b1e30[0-9]\b|\bDBL_MAX\b|numeric_limits<double>::max\b",
                      re.sub(r'//.*|"(?:\\.|[^"\\\n])*"', " ", text))


def test_one_function_tells_what_is_finite():
    """It is is_finite() of linear/finite.hpp, which also has the number for more than all."""
    found = {name: own_questions_for_finite(text) for name, text in texts_of_rooms().items()}
    assert found.pop("fmu_src/linear/finite.hpp") == ["1e300"]
    assert found.pop("derivation/program/program_text.cpp") == ["isinf"]  # writes C++ for an infinity of a formula
    assert {name: questions for name, questions in found.items() if questions} == {}


def test_an_own_question_for_finite_is_found():
    text = "if (std::isfinite(x)) y = 1e300;  // isfinite\ndouble z = std::numeric_limits<double>::max();"
    assert own_questions_for_finite(text) == ["isfinite", "1e300", "numeric_limits<double>::max"]
