"""Measures whether angles that go on turning keep their digits: windows turn over, with short fixed steps; long_runs.py
[BUILD]. Prints the table of docs/method.md. It measures the violation at a thousand times of each run."""

import pathlib
import subprocess
import sys
import tempfile

import fmpy

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build").resolve()
STEP = 1e-3
RUNS = [(1, 10_000_000), (10, 200_000)]  # numbers of windows and steps
TURN = 6.283185307179586


def main():
    print("| windows | steps | turns | largest violation, relative to the row of windows |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        text = (ROOT / "models" / "four_bar_windows" / "mechanism.toml").read_text()
        solver = 'method = "dop853"\ntolerance = 1e-10\n'
        assert solver in text
        file = pathlib.Path(folder) / "windows.toml"
        file.write_text(text.replace(solver, f'method = "rk4"\nstep = {STEP}\n'))
        for windows, steps in RUNS:
            subprocess.run([BUILD / "mechfmu", file, "--set", f"N={windows}", "--fmi", "3", "--output", folder],
                           check=True, stdout=subprocess.DEVNULL)
            end = steps * STEP
            rows = fmpy.simulate_fmu(f"{folder}/3.0/FourBarWindows.fmu", stop_time=end, output_interval=end / 1000,
                                     output=["solver.position_violation", "solver.steps", "A0.angle"])
            print(f"| {windows} | {rows['solver.steps'][-1]:.0f} | {abs(rows['A0.angle'][-1]) / TURN:.0f} | "
                  f"{rows['solver.position_violation'].max() / windows:.1e} |", flush=True)


if __name__ == "__main__":
    main()
