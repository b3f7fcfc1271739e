"""Tests the documents: files that they mention exist, links lead somewhere, README's commands print what it shows, its
example has the right numbers, and its picture is that of the FMU."""

import ast
import json
import math
import os
import re
import subprocess
import sys

import pytest

from fmu import ROOT, fmu_path

sys.path.insert(0, str(ROOT / "scripts"))
import draw_four_bar

README = ROOT / "README.md"
GUIDES = [README, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES = sorted((ROOT / "models").glob("*/README.md"))
NOT_OURS = {"build", ".venv", ".git", "fmus"}
PRESETS = [preset["name"] for preset in json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]
           if not preset.get("hidden")]
FENCED = re.compile(r"(?:<!-- (?P<mark>[^>]*) -->\n)?```(?P<language>[\w .]*)\n(?P<text>.*?)```\n", re.DOTALL)


def name_of(document):
    return str(document.relative_to(ROOT))


def marked(mark):
    """Returns fenced blocks of README after a comment that begins with `mark`, and the rest of the comment."""
    for block in FENCED.finditer(README.read_text(encoding="utf-8")):
        if block["mark"] and block["mark"].startswith(mark):
            yield block["mark"].removeprefix(mark).strip(), block["text"]


def all_files():
    """Returns the names of all files and folders in the project."""
    names = set()
    for _, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in NOT_OURS]
        names.update(files)
    return names


def written_elsewhere():
    """Returns files that the documents' own commands, or the exporter, make."""
    text = README.read_text(encoding="utf-8")
    shown = re.findall(r"^```toml (\S+)$", (ROOT / "docs" / "mechanism-file.md").read_text(), re.MULTILINE)
    names = {name for name, _ in marked("file:")} | set(shown)
    names |= set(re.findall(r"(?:> |--output-file )(\w+\.\w+)\b", text))
    return names | set(re.findall(r'"(\w+\.cpp)"', (ROOT / "tool" / "export.cpp").read_text()))


@pytest.mark.parametrize("document", GUIDES, ids=name_of)
def test_files_mentioned_exist(document):
    """In a path, `<name>` means any name."""
    text = document.read_text(encoding="utf-8")
    files = re.findall(r"(?<![\w/.<>-])(?:[\w.<>-]+/)*[\w-]+\.(?:cpp|hpp|py|md|toml|csv|svg|sh|txt)\b", text)
    folders = re.findall(r"`([\w.<>-]+(?:/[\w.<>-]+)*/)`", text)
    known, elsewhere = all_files(), written_elsewhere()

    def exists(mentioned):
        if "/" not in mentioned:
            return mentioned in known or mentioned in elsewhere
        pattern = re.sub(r"<\w+>", "*", mentioned).rstrip("/")
        return mentioned.startswith("path/to/") or any(any(base.glob(pattern)) for base in (ROOT, document.parent))

    assert files
    assert sorted({mentioned for mentioned in files + folders if not exists(mentioned)}) == []


@pytest.mark.parametrize("document", ["docs/method.md", "docs/architecture.md", "CONTRIBUTING.md"])
def test_names_mentioned_are_in_the_sources(document):
    words = set()
    for folder in ROOT.iterdir():
        if not folder.is_dir() or folder.name in NOT_OURS:
            continue
        for path in folder.rglob("*"):
            if path.suffix in (".cpp", ".hpp", ".py", ".toml"):
                words.update(re.findall(r"\w+", path.read_text(encoding="utf-8")))
            words.add(path.name)
    words.update(PRESETS)
    text = FENCED.sub("", (ROOT / document).read_text(encoding="utf-8"))
    mentioned = re.findall(r"`([A-Za-z_]\w*(?:::\w+)*)`", text)
    assert mentioned
    assert [name for name in mentioned if not set(name.split("::")) <= words] == []


def words_of_code(document):
    """Returns the words of a document that stand between backticks or in an example."""
    code = re.findall(r"`([^`\n]+)`|```toml[^\n]*\n(.*?)```", document.read_text(encoding="utf-8"), re.DOTALL)
    return {word for parts in code for word in re.findall(r"\w+", " ".join(parts))}


def words_of_the_reader():
    """Returns keys and choices of the mechanism file: the lists of texts in the sources that read tables."""
    words = set()
    for path in (ROOT / "modelDescription").rglob("*.cpp"):
        text = path.read_text(encoding="utf-8")
        if "TableReader" in text:
            for listed in re.findall(r'\{\s*("\w+"(?:\s*,\s*"\w+")*)\s*\}', text):
                words.update(re.findall(r"\w+", listed))
    return words


def test_every_key_of_the_mechanism_file_is_documented():
    words = words_of_the_reader()
    assert {"name", "realised_by", "center_of_mass", "communication_step", "prefix", "equilibrium"} <= words
    missing = sorted(words - words_of_code(ROOT / "docs" / "mechanism-file.md"))
    assert missing == [], "docs/mechanism-file.md does not tell these keys or choices: add them to the tables there"


def anchors(document):
    """Returns the anchors that GitHub makes of the headings."""
    text = FENCED.sub("", document.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def importers_of_tests():
    """Returns the importers that the tests of tests/importers/ add to their report, by name, with the file."""
    found = {}
    for path in sorted((ROOT / "tests" / "importers").glob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        constants = {node.targets[0].id: node.value for node in tree.body
                     if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "report.add":
                found[constants[node.args[0].id].elts[0].value] = path.name
    return found


def test_every_importer_of_the_tests_is_in_its_table():
    rows = re.findall(r"^\| (.+?) \|", (ROOT / "docs" / "importers.md").read_text(encoding="utf-8"), re.MULTILINE)
    tested = importers_of_tests()
    assert len(tested) >= 11
    missing = {name: file for name, file in tested.items() if name not in rows}
    assert missing == {}, "docs/importers.md has no row for these: ./run_tests --importers writes them"
    untested = {row for row in rows if row not in tested} - {"importer"}
    assert untested == set(), "docs/importers.md has importers that no test runs"


@pytest.mark.parametrize("document", GUIDES + PAGES, ids=name_of)
def test_links_lead_somewhere(document):
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", FENCED.sub("", document.read_text(encoding="utf-8"))):
        if re.match(r"https?:", target):
            continue
        path, _, anchor = target.partition("#")
        other = (document.parent / path) if path else document
        if not other.exists() or (anchor and anchor not in anchors(other)):
            broken.append(target)
    assert broken == []


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Makes a folder in which README's commands find what they need, with the files that README shows."""
    folder = tmp_path_factory.mktemp("readme")
    for name in ("build_fmu", ".venv", "models"):
        (folder / name).symlink_to(ROOT / name)
    for name, text in marked("file:"):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def sessions():
    """Returns README's commands in their order, each with the output that README shows after it."""
    for _, text in marked("run"):
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            yield command, shown


def comparable(text):
    """Removes what differs between machines: the project's folder, the exact size of a file."""
    return re.sub(r"\d+ kB", "… kB", text.replace(f"{ROOT}/", "")).strip("\n")


def test_pages_show_equations_as_they_are_printed(place):
    count = 0
    for page in PAGES:
        lines = page.read_text(encoding="utf-8").splitlines()
        shown = [line[4:] for line in lines if re.match(r"      (D with|  D\()", line)]
        if shown:
            printed = subprocess.run(["./build_fmu", page.parent.name, "--explain", "--symbolic"], cwd=place, text=True,
                                     stdout=subprocess.PIPE, check=True).stdout
            assert "\n".join(shown) in printed
            count += 1
    assert count == 5


def test_readmes_commands_print_what_it_shows(place):
    count = 0
    for command, shown in sessions():
        run = subprocess.run(["bash", "-c", command], cwd=place, text=True, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT)
        parts = [re.escape(part) for part in comparable(shown).split("\n…")]
        pattern = r"(?:\n[^\n]*)*?".join(parts)
        assert re.fullmatch(pattern, comparable(run.stdout)), f"$ {command}\n{run.stdout}\ninstead of\n{shown}"
        tells_errors = re.match(r"\w+\.toml:\d+:\d+: ", shown)
        assert run.returncode == (1 if tells_errors else 0)
        count += 1
    assert count >= 5


def test_every_preset_is_told_to_contributors():
    table = re.findall(r"^\| `(\w+)` \|", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(table) == sorted(PRESETS)


def test_the_first_changes_told_are_those_of_this_version():
    told = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert told[0] == (ROOT / "VERSION").read_text().strip()


def test_every_option_is_in_readme():
    text = README.read_text(encoding="utf-8")
    options = re.findall(r'^    \{"(--\w+)"', (ROOT / "tool" / "options.cpp").read_text(), re.MULTILINE)
    assert len(options) >= 8
    assert [option for option in options if f"\n  {option} " not in text] == []


def test_every_model_is_in_readme():
    text = README.read_text(encoding="utf-8")
    assert [page.parent.name for page in PAGES if f"(models/{page.parent.name}/README.md)" not in text] == []


class FourBar:
    """Solves README's example by hand, as run.py sets it: closure in closed form, the minimal equation in the crank's
    angle, and the force of pin D from the moments of coupler and rocker."""

    l1, l2, l3, base, torque, g = 0.1, 0.26, 0.2, 0.3, 0.5, 9.81
    masses, inertias = (0.5, 0.4, 0.3), (0.01, 0.002, 0.001)

    def angles(self, crank):
        """Returns angles of coupler and rocker against x; the coupler's end lies above the line from B to D."""
        x, y = self.base - self.l1 * math.cos(crank), -self.l1 * math.sin(crank)
        d = math.hypot(x, y)
        inner = math.acos((self.l2**2 + d * d - self.l3**2) / (2 * self.l2 * d))
        coupler = math.atan2(y, x) + inner
        return coupler, math.atan2(self.l2 * math.sin(coupler) - y, self.l2 * math.cos(coupler) - x)

    def rates(self, crank, w1, a1):
        """Returns angles of all three, their rates and accelerations, from the closure l1 e1 + l2 e2 − l3 e3 =
        const."""
        t2, t3 = self.angles(crank)
        s1, c1, s2, c2, s3, c3 = (f(t) for t in (crank, t2, t3) for f in (math.sin, math.cos))

        def solve(x, y):  # l2 t2' (−s2, c2) − l3 t3' (−s3, c3) = (x, y)
            D = self.l2 * self.l3 * (s2 * c3 - c2 * s3)
            return (-x * self.l3 * c3 - y * self.l3 * s3) / D, (-x * self.l2 * c2 - y * self.l2 * s2) / D

        w2, w3 = solve(self.l1 * w1 * s1, -self.l1 * w1 * c1)
        a2, a3 = solve(self.l1 * (a1 * s1 + w1**2 * c1) + self.l2 * w2**2 * c2 - self.l3 * w3**2 * c3,
                       self.l1 * (-a1 * c1 + w1**2 * s1) + self.l2 * w2**2 * s2 - self.l3 * w3**2 * s3)
        return (crank, t2, t3), (w1, w2, w3), (a1, a2, a3)

    def accelerations(self, t, w, a):
        """Returns accelerations of the three mass centres."""
        def end(length, i):
            c, s = math.cos(t[i]), math.sin(t[i])
            return length * (-a[i] * s - w[i] ** 2 * c), length * (a[i] * c - w[i] ** 2 * s)

        b, half = end(self.l1, 0), end(self.l2 / 2, 1)
        return end(self.l1 / 2, 0), (b[0] + half[0], b[1] + half[1]), end(self.l3 / 2, 2)

    def power_balance(self, crank, w1, a1):
        """Returns the power of forces less that of inertia forces, for the crank rate one: it is zero along the motion,
        and linear in a1."""
        t, w, a = self.rates(crank, w1, a1)
        _, k, _ = self.rates(crank, 1.0, 0.0)
        velocities = self.accelerations(t, (0, 0, 0), k)  # With rates in place of accelerations these are velocities.
        taken = sum(m * (x * vx + (y + self.g) * vy) for m, (x, y), (vx, vy)
                    in zip(self.masses, self.accelerations(t, w, a), velocities))
        return self.torque - taken - sum(I * ai * ki for I, ai, ki in zip(self.inertias, a, k))

    def acceleration(self, crank, w1):
        at_zero = self.power_balance(crank, w1, 0.0)
        return at_zero / (at_zero - self.power_balance(crank, w1, 1.0))

    def pin_load(self, crank, w1):
        t, w, a = self.rates(crank, w1, self.acceleration(crank, w1))
        (_, m2, m3), (_, I2, I3) = self.masses, self.inertias
        _, (x2, y2), (x3, y3) = self.accelerations(t, w, a)
        c2, s2, c3, s3 = math.cos(t[1]), math.sin(t[1]), math.cos(t[2]), math.sin(t[2])
        # These are moments of the coupler about B and of the rocker about D; F acts from coupler to rocker at C.
        right2 = I2 * a[1] + self.l2 / 2 * m2 * (c2 * (y2 + self.g) - s2 * x2)
        right3 = I3 * a[2] + self.l3 / 2 * m3 * (c3 * (y3 + self.g) - s3 * x3)
        # −l2 (c2 Fy − s2 Fx) = right2, l3 (c3 Fy − s3 Fx) = right3
        D = s2 * c3 - c2 * s3
        fx = (-right2 / self.l2 * c3 - right3 / self.l3 * c2) / -D
        fy = (right3 / self.l3 * s2 + right2 / self.l2 * s3) / D
        return math.hypot(m3 * x3 - fx, m3 * (y3 + self.g) - fy)

    def run(self, times):
        """Returns crank angle and rate at the times, by the classical Runge–Kutta method in 50 µs steps."""
        angle, rate, now = math.radians(60), 60 * 2 * math.pi / 60, 0.0
        for time in times:
            count = round((time - now) / 5e-5)
            for _ in range(count):
                h = (time - now) / count
                k1 = (rate, self.acceleration(angle, rate))
                k2 = (rate + h / 2 * k1[1], self.acceleration(angle + h / 2 * k1[0], rate + h / 2 * k1[1]))
                k3 = (rate + h / 2 * k2[1], self.acceleration(angle + h / 2 * k2[0], rate + h / 2 * k2[1]))
                k4 = (rate + h * k3[1], self.acceleration(angle + h * k3[0], rate + h * k3[1]))
                angle += h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
                rate += h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
            now = time
            yield angle, rate

    def path(self, crank):
        """Returns the point P of the coupler, in mm."""
        coupler, _ = self.angles(crank)
        c, s = math.cos(coupler), math.sin(coupler)
        return (1000 * (self.l1 * math.cos(crank) + self.l2 / 2 * c - 0.05 * s),
                1000 * (self.l1 * math.sin(crank) + self.l2 / 2 * s + 0.05 * c))


def test_readmes_numbers_are_right():
    shown = next(shown for command, shown in sessions() if command.endswith("run.py"))
    rows = [[float(number) for number in re.findall(r"-?\d+\.\d+", line)] for line in shown.splitlines()]
    assert len(rows) == 6
    linkage = FourBar()
    for (_, angle, x, y, load), (exact, rate) in zip(rows, linkage.run(row[0] for row in rows)):
        assert angle == pytest.approx(math.degrees(exact), abs=0.6e-4)
        assert (x, y) == pytest.approx(linkage.path(exact), abs=0.6e-5)
        assert load == pytest.approx(linkage.pin_load(exact, rate), abs=0.6e-4)


def test_readmes_picture_is_that_of_the_fmu():
    """Coordinates in the picture agree within a fifth of a pixel; numbers at round-off may differ."""
    there = (ROOT / "docs" / "images" / "four_bar.svg").read_text(encoding="utf-8").splitlines()
    drawn = draw_four_bar.draw(str(fmu_path("four_bar_equations", "3.0"))).splitlines()
    assert len(there) == len(drawn)
    number = re.compile(r"-?\d+(?:\.\d+)?")
    for old, new in zip(there, drawn):
        if 'class="round-off"' in old:
            continue
        assert number.sub("#", old) == number.sub("#", new)
        expected = [float(x) for x in number.findall(old)]
        assert [float(x) for x in number.findall(new)] == pytest.approx(expected, abs=0.2)
