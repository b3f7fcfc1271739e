"""This program compares models with contacts with the engine MuJoCo: contact_peers.py [BUILD]. It prints the table of
docs/method.md: the largest error at the times of each model's reference, and the processor time of the steps alone.

It needs MuJoCo: pip install mujoco==4.0.0 beside the fmpy of scripts/requirements.txt. The engine lets surfaces sink
into each other, so its settings decide what an impact is. Each motion is tried with its Euler and Runge-Kutta methods,
elliptic cones, and steps from 4 ms down; contacts are as stiff as each step allows, and their damping gives the
restitution. The table has the best result of all within our processor time, and the best at all.
"""

import math
import pathlib
import subprocess
import sys
import tempfile
import time

import fmpy
import mujoco
import numpy as np
from fmpy.fmi3 import FMU3Slave

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build").resolve()
STEPS = [0.004 / 2**k for k in range(11)]
METHODS = ("Euler", "RK4")


def reference(model):
    """Returns the times of the reference and its columns by name."""
    lines = (ROOT / "models" / model / "reference.csv").read_text(encoding="utf-8").splitlines()
    lines = [line for line in lines if not line.startswith("#")]
    table = np.array([[float(word) for word in line.split(",")] for line in lines[1:]])
    return dict(zip(lines[0].split(","), table.T))


def ours(model, names, times, parameters=()):
    """Returns results at these times, and the processor time of the steps: the shortest of five runs."""
    with tempfile.TemporaryDirectory() as folder:
        file = ROOT / "models" / model / "mechanism.toml"
        subprocess.run([BUILD / "mechfmu", file, "--fmi", "3", "--output", folder], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        fmu = next((pathlib.Path(folder) / "3.0").glob("*.fmu"))
        description = fmpy.read_model_description(str(fmu), validate=False)
        references = {v.name: v.valueReference for v in description.modelVariables}
        unpacked = fmpy.extract(str(fmu), unzipdir=str(pathlib.Path(folder) / "unpacked"))
        best, rows = math.inf, np.empty(0)
        for _ in range(5):
            slave = FMU3Slave(guid=description.guid, unzipDirectory=unpacked, instanceName="one",
                              modelIdentifier=description.coSimulation.modelIdentifier)
            slave.instantiate()
            slave.enterInitializationMode()
            for name, value in parameters:
                slave.setFloat64([references[name]], [value])
            slave.exitInitializationMode()
            found, spent = [], 0.0
            for begin, end in zip([0.0, *times], times):
                before = time.process_time()
                if end > begin:
                    slave.doStep(begin, end - begin)
                spent += time.process_time() - before
                found.append(slave.getFloat64([references[name] for name in names]))
            slave.terminate()
            slave.freeInstance()
            best, rows = min(best, spent), np.array(found)
        return rows, best


def theirs(xml, prepare, read, begin, times):
    """Returns results at these times and the processor time of the steps alone."""
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    data.time = begin
    prepare(model, data)
    mujoco.mj_forward(model, data)
    rows, spent, step = [], 0.0, model.opt.timestep
    for end in times:
        count = round((end - data.time) / step)
        before = time.process_time()
        if count > 0:
            mujoco.mj_step(model, data, nstep=count)
        spent += time.process_time() - before
        rows.append(read(data))
    return np.array(rows), spent


def head(method, step, more=""):
    return (f'<mujoco><compiler angle="radian"/><option integrator="{method}" timestep="{step!r}" cone="elliptic" '
            f'gravity="0 0 -9.81" iterations="100" tolerance="1e-12" {more}/>')


def soft(step, restitution):
    """Returns a contact that is as stiff as the step allows: half a swing of a contact has sixteen steps."""
    damping = 0.0 if restitution == 1 else -math.log(restitution) / math.hypot(math.pi, math.log(restitution))
    frequency = math.pi / (16 * step)
    return f'solref="{-frequency**2} {-2 * damping * frequency}" solimp="0.9999 0.9999 0.001"'


def stiff(step):
    return f'solref="{2 * step!r} 1" solimp="0.99 0.9999 0.0001"'


class Cradle:
    """Balls that hand the momentum on."""

    model, begin, unit, parameters = "newtons_cradle", 0.0, "rad", ()
    names = tuple(f"string_{i}.angle" for i in range(1, 6))
    settings = "direct stiffness and damping of contacts for the restitution 0.96"

    @staticmethod
    def exact(table):
        return np.array([table[name] for name in Cradle.names]).T * math.pi / 180

    @staticmethod
    def mine(rows):
        return rows * math.pi / 180

    @staticmethod
    def xml(method, step):
        balls = "".join(
            f'<body pos="{i * 0.0402} 0 0"><joint name="s{i}" type="hinge" axis="0 -1 0"/><inertial pos="0 0 -0.15" '
            f'mass="0.25" diaginertia="4e-5 4e-5 4e-5"/><geom type="sphere" size="0.02" pos="0 0 -0.15" condim="1" '
            f'{soft(step, 0.96)}/></body>' for i in range(1, 6))
        return head(method, step) + f"<worldbody>{balls}</worldbody></mujoco>"

    @staticmethod
    def prepare(_, data):
        data.qpos[0] = math.radians(-35)

    @staticmethod
    def read(data):
        return data.qpos.copy()


class Belt:
    """A block on a belt and on a spring; MuJoCo has one coefficient of friction, so both are equal here."""

    model, begin, unit, parameters = "stick_slip_belt", 0.0, "m", (("mu_0", 0.25),)
    names = ("x",)
    settings = "one coefficient of friction: `mu_0` is `mu`; impedance ratio 100, 10 noslip iterations"

    @staticmethod
    def exact(table):
        t, m, k, v, mu, g = table["time"], 1.0, 40.0, 0.2, 0.25, 9.81
        w, center = math.sqrt(k / m), mu * m * g / k
        since = t - center / v
        return np.where(since < 0, v * t, center + v / w * np.sin(w * np.maximum(since, 0)))[:, None]

    @staticmethod
    def mine(rows):
        return rows

    @staticmethod
    def xml(method, step):
        return head(method, step, 'impratio="100" noslip_iterations="10"') + f"""<worldbody>
<body name="belt" pos="0 0 -0.1"><joint name="drive" type="slide" axis="1 0 0"/><geom type="box" size="20 1 0.1"
mass="1e6" friction="0.25 0 0" condim="3" {stiff(step)}/></body>
<body pos="0 0 0.05"><joint name="x" type="slide" axis="1 0 0" stiffness="40"/>
<joint name="z" type="slide" axis="0 0 1"/><geom type="box" size="0.05 0.05 0.05" mass="1" friction="0.25 0 0"
condim="3" {stiff(step)}/></body></worldbody></mujoco>"""

    @staticmethod
    def prepare(_, data):
        data.qvel[0] = data.qvel[1] = 0.2

    @staticmethod
    def read(data):
        return data.qpos[1:2].copy()


class Block:
    """A block that rocks; MuJoCo begins after the table's jerk, with the exact state."""

    model, begin, unit, parameters = "rocking_block", 0.25, "rad", ()
    names = ("pose.angle",)
    settings = "begins after the jerk, with the exact state; impedance ratio 100, 10 noslip iterations"
    state = (0.0,) * 6

    @staticmethod
    def exact(table):
        at = int(np.argmin(abs(table["time"] - 0.25)))
        angle, rate = (math.radians(table[name][at]) for name in ("pose.angle", "der(pose.angle)"))
        side = 1 if angle > 0 else -1  # it turns about this corner
        x = side * 0.1 * math.cos(angle) - 0.25 * math.sin(angle)
        z = side * 0.1 * math.sin(angle) + 0.25 * math.cos(angle)
        Block.state = (x - side * 0.1, z, angle, -z * rate, x * rate, rate)
        return table["pose.angle"][:, None] * math.pi / 180

    @staticmethod
    def mine(rows):
        return rows * math.pi / 180

    @staticmethod
    def xml(method, step):
        return head(method, step, 'impratio="100" noslip_iterations="10"') + f"""<worldbody>
<geom type="plane" size="10 10 0.1" friction="0.6 0 0" condim="3" {stiff(step)}/>
<body><joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/>
<joint name="a" type="hinge" axis="0 -1 0"/><inertial pos="0 0 0" mass="40" diaginertia="1 {40 * 0.29 / 12!r} 1"/>
<geom type="box" size="0.1 0.1 0.25" friction="0.6 0 0" condim="3" {stiff(step)}/></body></worldbody></mujoco>"""

    @staticmethod
    def prepare(_, data):
        data.qpos[:], data.qvel[:] = Block.state[:3], Block.state[3:]

    @staticmethod
    def read(data):
        return data.qpos[2:3].copy()


def main():
    print("| model | ours: error | processor time | MuJoCo in that time: error | step | its best of all: error | "
          "step | processor time | its settings |\n|---|---|---|---|---|---|---|---|---|")
    for case in (Cradle, Belt, Block):
        table = reference(case.model)
        exact, times = case.exact(table), table["time"]
        rows, spent = ours(case.model, case.names, times, case.parameters)
        error = float(np.max(abs(case.mine(rows) - exact)))
        begins = times > case.begin - 1e-9
        tries = []
        for method in METHODS:
            for step in STEPS:
                found, used = theirs(case.xml(method, step), case.prepare, case.read, case.begin, times[begins])
                tries.append((float(np.max(abs(found - exact[begins]))), step, used, method))
        in_time = min((one for one in tries if one[2] <= spent), default=min(tries, key=lambda one: one[2]))
        best = min(tries)
        print(f"| {case.model} | {error:.1e} {case.unit} | {1000 * spent:.1f} ms | {in_time[0]:.1e} | "
              f"{1000 * in_time[1]:.3g} ms, {in_time[3]} | {best[0]:.1e} | {1000 * best[1]:.3g} ms, {best[3]} | "
              f"{1000 * best[2]:.0f} ms | {case.settings} |", flush=True)


if __name__ == "__main__":
    main()
