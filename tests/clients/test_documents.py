"""What the documents say: files that they mention exist, links lead somewhere, README's commands print what it shows,
its example has the right numbers, and its picture is that of the FMU."""

import math
import os
import pathlib
import re
import subprocess
import sys

import pytest

from fmu import ROOT, fmu_path

sys.path.insert(0, str(ROOT / "scripts"))
import draw_four_bar  # noqa: E402

README = ROOT / "README.md"
GUIDES = [README, *sorted((ROOT / "docs").glob("*.md"))]
PAGES = sorted((ROOT / "models").glob("*/README.md"))
NOT_OURS = {"build", ".venv", ".git", "fmus"}
FENCED = re.compile(r"(?:<!-- (?P<mark>[^>]*) -->\n)?```(?P<language>\w*)\n(?P<text>.*?)```\n", re.DOTALL)


def name_of(document):
    return str(document.relative_to(ROOT))


def marked(mark):
    """Fenced blocks of README after a comment that begins with `mark`, and the rest of the comment."""
    for block in FENCED.finditer(README.read_text(encoding="utf-8")):
        if block["mark"] and block["mark"].startswith(mark):
            yield block["mark"].removeprefix(mark).strip(), block["text"]


def all_files():
    """Names of everything in the project."""
    names = set()
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in NOT_OURS]
        names.update(files)
    return names


def written_elsewhere():
    """Files that the documents' own commands make, or the exporter."""
    text = README.read_text(encoding="utf-8")
    names = {name for name, _ in marked("file:")} | set(re.findall(r"> (\w+\.\w+)$", text, re.MULTILINE))
    return names | set(re.findall(r'"(\w+\.cpp)"', (ROOT / "exporter" / "export.cpp").read_text()))


@pytest.mark.parametrize("document", GUIDES, ids=name_of)
def test_files_mentioned_exist(document):
    """`<name>` in a path stands for any."""
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


@pytest.mark.parametrize("document", ["docs/method.md", "docs/architecture.md"])
def test_names_mentioned_are_in_the_sources(document):
    words = set()
    for folder in ("modelDescription", "exporter", "fmu_src", "scripts", "tests", "models"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".cpp", ".hpp", ".py", ".toml"):
                words.update(re.findall(r"\w+", path.read_text(encoding="utf-8")))
            words.add(path.name)
    text = FENCED.sub("", (ROOT / document).read_text(encoding="utf-8"))
    mentioned = re.findall(r"`([A-Za-z_]\w*(?:::\w+)*)`", text)
    assert mentioned
    assert [name for name in mentioned if not set(name.split("::")) <= words] == []


def anchors(document):
    """What GitHub makes of the headings."""
    text = FENCED.sub("", document.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


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
    """A folder in which README's commands find what they need, with the files that README shows."""
    folder = tmp_path_factory.mktemp("readme")
    for name in ("build_fmu", ".venv", "models"):
        (folder / name).symlink_to(ROOT / name)
    for name, text in marked("file:"):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def sessions():
    """README's commands in their order, each with what is shown after it."""
    for _, text in marked("run"):
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            yield command, shown


def comparable(text):
    """Without what differs between machines: where the project lies, the exact size of a file."""
    return re.sub(r"\d+ kB", "… kB", text.replace(f"{ROOT}/", "")).strip("\n")


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


def test_every_option_is_in_readme():
    text = README.read_text(encoding="utf-8")
    options = re.findall(r'^    \{"(--\w+)"', (ROOT / "exporter" / "options.cpp").read_text(), re.MULTILINE)
    assert len(options) >= 8
    assert [option for option in options if f"\n  {option} " not in text] == []


def test_every_model_is_in_readme():
    text = README.read_text(encoding="utf-8")
    assert [page.parent.name for page in PAGES if f"(models/{page.parent.name}/README.md)" not in text] == []


class SliderCrank:
    """README's example as one equation in the crank's angle, by hand: (J + m x'²) θ̈ + m x' x'' θ̇² = torque."""

    r, l, J, m, torque = 0.04, 0.12, 0.02, 0.8, 20.0

    def place(self, angle):
        """x and its first two derivatives by the angle, and x − r cos(angle)."""
        r, s, c = self.r, math.sin(angle), math.cos(angle)
        along = math.sqrt(self.l**2 - (r * s) ** 2)
        first = -r * s - r * r * s * c / along
        second = -r * c - r * r * (c * c - s * s) / along - r**4 * (s * c) ** 2 / along**3
        return r * c + along, first, second, along

    def acceleration(self, angle, rate):
        _, first, second, _ = self.place(angle)
        return (self.torque - self.m * first * second * rate**2) / (self.J + self.m * first**2)

    def rod_force(self, angle, rate):
        """Pull of the rod: along the piston's axis it is −m ẍ."""
        _, first, second, along = self.place(angle)
        return -self.m * (first * self.acceleration(angle, rate) + second * rate**2) * self.l / along

    def run(self, times):
        """Angle and rate at the times, by the classical Runge–Kutta method in 20 µs steps."""
        angle, rate, now = math.radians(30), 1500 * 2 * math.pi / 60, 0.0
        for time in times:
            count = round((time - now) / 2e-5)
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


def test_readmes_numbers_are_right():
    shown = next(shown for command, shown in sessions() if command.endswith("run.py"))
    rows = [[float(number) for number in re.findall(r"-?\d+\.\d+", line)] for line in shown.splitlines()]
    assert len(rows) == 6
    crank = SliderCrank()
    for (_, angle, x, force), (exact, rate) in zip(rows, crank.run(row[0] for row in rows)):
        assert angle == pytest.approx(math.degrees(exact), abs=0.6e-4)
        assert x == pytest.approx(1000 * crank.place(exact)[0], abs=0.6e-5)
        assert force == pytest.approx(crank.rod_force(exact, rate), abs=0.6e-4)


def test_readmes_picture_is_that_of_the_fmu():
    """Coordinates in the picture within a fifth of a pixel; what is at round-off may differ."""
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
