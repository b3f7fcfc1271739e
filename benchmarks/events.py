"""Counts what motions with events cost: events.py [BUILD]. Prints the table of docs/method.md: evaluations of the
equations of motion, beside those of the same mechanism without what touches, and the error where an exact answer is
known."""

import pathlib
import re
import subprocess
import sys
import tempfile

import fmpy

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build").resolve()

STOP = '\n[contacts.stop]\ngap = "2 - D.angle"\nrestitution = 1\n'
CRANK_AT_5_S = -0.19303035616778913  # after three reflections: integrated by hand in 16 digits

BLOCK = """
[mechanism]
name = "Block"
[coordinates]
x = { unit = "m", start = 0 }
y = { unit = "m", start = 0 }
[dynamics]
kinetic_energy = "1*(der(x)^2 + der(y)^2)/2"
potential_energy = "1*9.81*y"
[dynamics.forces]
x = "3"
[contacts.floor]
gap = "y"
slip = "der(x)"
friction = 0.4
"""


def model(name):
    return (ROOT / "models" / name / "mechanism.toml").read_text(encoding="utf-8")


def four_bar():
    """Returns the model with the masses of its links as numbers, as the exact answer has them."""
    text = model("four_bar")
    for formula, number in (("crank_mass*crank_length^2/12", "0.0833"), ("coupler_mass*coupler_length^2/12", "1.302"),
                            ("rocker_mass*rocker_length^2/12", "0.6667")):
        assert f'"{formula}"' in text
        text = text.replace(f'"{formula}"', number)
    return text


def without(text, *sections):
    """Returns the text without these sections."""
    for section in sections:
        text, count = re.subn(rf"\n\[{re.escape(section)}\]\n(?:(?!\[).*\n)*", "\n", text)
        assert count == 1
    return text


def run(text, tolerance, end, outputs):
    """Returns the outputs at the end, then evaluations and events."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "mechanism.toml"
        file.write_text(text, encoding="utf-8")
        subprocess.run([BUILD / "mechfmu", file, "--fmi", "3", "--output", folder], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        fmu = next((pathlib.Path(folder) / "3.0").glob("*.fmu"))
        named = [v.name for v in fmpy.read_model_description(str(fmu), validate=False).modelVariables]
        counters = [name for name in ("solver.evaluations", "solver.events") if name in named]
        rows = fmpy.simulate_fmu(str(fmu), stop_time=end, output_interval=end, start_values={
            "solver.tolerance": tolerance}, output=outputs + counters)
        return [float(rows[name][-1]) for name in outputs + counters]


def main():
    print("| motion | tolerance | evaluations | without what touches | events | error |\n|---|---|---|---|---|---|")
    free = four_bar()
    dop853 = re.sub(r'method = "\w+"', 'method = "dop853"', free)
    assert dop853.count('"dop853"') == 1
    for tolerance in (1e-6, 1e-8, 1e-10):
        angle, evaluations, events = run(dop853 + STOP, tolerance, 5, ["A.angle"])
        alone = run(dop853, tolerance, 5, [])[0]
        print(f"| four-bar that a stop reflects, 5 s | {tolerance:.0e} | {evaluations:.0f} | {alone:.0f} | "
              f"{events:.0f} | {abs(angle - CRANK_AT_5_S):.1e} rad |", flush=True)
    x, evaluations, events = run(BLOCK, 1e-8, 100, ["x"])
    print(f"| block that stands under 3 N, 100 s | 1e-08 | {evaluations:.0f} | | {events:.0f} | {abs(x):.1e} m |",
          flush=True)
    box = model("box_on_ramp")
    (evaluations, events), alone = run(box, 1e-8, 1, []), run(without(box, "contacts.foot", "outputs"), 1e-8, 1, [])
    print(f"| box on four corners that slides and stops on a ramp, 1 s | 1e-08 | {evaluations:.0f} | {alone[0]:.0f} | "
          f"{events:.0f} | |", flush=True)


if __name__ == "__main__":
    main()
