"""Tests what exported FMUs show of the solver's choice: independent coordinates, their quality, tangent velocities."""

import subprocess

import fmpy
import fmpy.validation
import pytest
from fmpy.fmi1 import FMICallException

from fmu import ROOT, VERSIONS, Fmu
from test_derivatives import directional
from test_features import EXPORTER

PREFIX = "solver.independent."
LINKS = """
[mechanism]
name = "Links"
expose = ["declared", "solver"]
[parameters]
m = { value = 2, unit = "kg" }
L = { value = 0.5, unit = "m" }
g = { value = 9.81, unit = "m/s2" }
[coordinates]
x = { unit = "m", start = 0.3, fixed = true, rate_start = 4, rate_fixed = true }
y = { unit = "m", start = -0.4 }
phi = { unit = "rad", start = 1, fixed = true }
[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2 + L^2*der(phi)^2)/2"
potential_energy = "m*g*(y + L*sin(phi))"
[constraints.bar]
position = "(x^2 + y^2 - L^2)/(2*L)"
[outputs]
height = { value = "y", unit = "m" }
[solver]
independent = ["phi", "x"]
stop_time = 2
"""


BALL = """
[mechanism]
name = "Ball"
dimension = "spatial"
gravity = [0, 0, -9.81]
[inputs]
u = { unit = "rad" }
[bodies.arm]
mass = 1
inertia = [0.1, 0.1, 0.1]
points = { end = [0.5, 0, 0] }
[bodies.top]
mass = 1
inertia = [0.1, 0.12, 0.15]
center_of_mass = [0, 0, 0.2]
[joints.A]
type = "revolute"
parent = "ground"
child = "arm"
angle = { motion = "u", filter = 0.1 }
[joints.S]
type = "spherical"
parent = "arm.end"
child = "top"
angular_velocity = { start = [0, 1, 3] }
[solver]
independent = ["S.angular_velocity.x", "S.angular_velocity.y", "S.angular_velocity.z"]
"""


@pytest.fixture(scope="module")
def links(tmp_path_factory):
    folder = tmp_path_factory.mktemp("links")
    (folder / "links.toml").write_text(LINKS)
    subprocess.run([EXPORTER, folder / "links.toml", "--output", folder], check=True, capture_output=True)
    return {version: folder / version / "Links.fmu" for version in VERSIONS}


def test_each_coordinate_tells_whether_it_is_independent(fmu):
    flags = [name for name in fmu.variables if name.startswith(PREFIX)]
    assert flags and {fmu.variables[name].variability for name in flags} == {"discrete"}
    assert {fmu.variables[name].causality for name in flags} == {"local"}
    stop = float(fmu.description.defaultExperiment.stopTime)
    with fmu.instance() as instance:
        instance.start()
        for _ in range(3):
            values = instance.get(*flags, "time")[:-1]
            assert set(values) <= {0, 1}
            assert sum(values) <= len(flags)
            assert 0 <= instance.get("solver.basis_quality") <= 1
            instance.step(stop / 50)


def test_tangent_velocities_are_shown_where_the_file_asks(links, version, tmp_path):
    assert fmpy.validation.validate_fmu(str(links[version])) == []
    links = Fmu(links[version], tmp_path)
    assert links.names(causality="output") == ["height"]
    with links.instance() as instance:
        instance.start()
        seen = set()
        for _ in range(200):
            instance.step(0.01)
            u = instance.get("solver.u[1]", "solver.u[2]")
            assert u[0]**2 / 2 + u[1]**2 / 2 == pytest.approx(instance.get("energy.kinetic"), rel=1e-12)
            x, y, phi = instance.get(PREFIX + "x", PREFIX + "y", PREFIX + "phi")
            assert (x + y, phi) == (1, 1)
            expected = abs(instance.get("y" if x else "x")) / 0.5
            assert instance.get("solver.basis_quality") == pytest.approx(expected, rel=1e-9)
            assert not x or expected >= 0.1 * max(abs(value) / 0.5 for value in instance.get("x", "y"))
            seen.add(x)
        assert seen == {0, 1} and instance.get("solver.basis_switches") >= 2


def test_values_of_the_choice_are_saved_with_the_state(links, version, tmp_path):
    names = [PREFIX + "x", PREFIX + "y", "solver.u[1]", "solver.u[2]", "solver.basis_quality", "solver.basis_switches"]
    with Fmu(links[version], tmp_path).instance() as instance:
        instance.start()
        states, values = [], []
        for _ in range(60):
            states.append((instance.save(), instance.time))
            values.append(instance.get(*names))
            instance.step(0.02)
        assert len({value[0] for value in values}) == 2
        for (state, time), value, next_value in list(zip(states, values, values[1:]))[::-1]:
            instance.restore(state, time)
            assert instance.get(*names) == value
            instance.step(0.02)
            assert instance.get(*names) == next_value
        for state, _ in states:
            instance.discard(state)


def test_what_the_solver_chooses_has_no_derivatives(links, version, tmp_path):
    links = Fmu(links[version], tmp_path)
    with links.instance() as instance:
        instance.start()
        known = [links.references["m"]]
        assert list(directional(instance.slave, [links.references[PREFIX + "x"]], known, [1.0])) == [0]
        for name in ("solver.u[2]", "solver.basis_quality"):
            with pytest.raises(FMICallException):
                directional(instance.slave, [links.references[name]], known, [1.0])
            assert f"{name} depends on the solver's choices: it has no derivatives" in instance.messages[-1]


@pytest.mark.parametrize("basis, chooses, moves", [("gram_schmidt", True, True),
                                                   ("coordinate_partitioning", True, True),
                                                   ("qr", False, True), ("kkt", False, False)])
def test_other_resolutions_say_what_they_have(links, version, tmp_path, basis, chooses, moves):
    links = Fmu(links[version], tmp_path)
    with links.instance(**{"solver.tangent_basis": basis}) as instance:
        instance.start()
        instance.step(0.3)
        assert sum(instance.get(PREFIX + "x", PREFIX + "y", PREFIX + "phi")) == (2 if chooses else 0)
        assert (instance.get("solver.u[1]") != 0) == moves
        if not chooses:
            assert instance.get("solver.basis_quality") == pytest.approx(
                max(abs(value) / 0.5 for value in instance.get("x", "y")), rel=1e-9)


def test_in_model_exchange_nothing_is_chosen(links, version):
    names = [PREFIX + "x", PREFIX + "y", PREFIX + "phi", "solver.u[1]", "solver.u[2]"]
    rows = fmpy.simulate_fmu(str(links[version]), fmi_type="ModelExchange", stop_time=0.3, output_interval=0.05,
                             relative_tolerance=1e-8, output=[*names, "x", "y", "solver.basis_quality"])
    assert len(rows) > 5
    for row in rows:
        assert [row[name] for name in names] == [0] * 5
        length = (row["x"]**2 + row["y"]**2)**0.5  # An importer integrates, and leaves the constraint by some 1e-8.
        assert row["solver.basis_quality"] == pytest.approx(max(abs(row["x"]), abs(row["y"])) / length, rel=1e-9)


def test_angular_velocities_may_be_independent_beside_a_filter(tmp_path, version):
    (tmp_path / "ball.toml").write_text(BALL)
    subprocess.run([EXPORTER, tmp_path / "ball.toml", "--output", tmp_path], check=True, capture_output=True)
    with Fmu(tmp_path / version / "Ball.fmu", tmp_path / "ball").instance(u=0.5) as instance:
        instance.start()
        for _ in range(10):
            instance.step(0.1)
            flags = {name: instance.get(PREFIX + name) for name in
                     ("A.angle", "S.angular_velocity.x", "S.angular_velocity.y", "S.angular_velocity.z")}
            assert list(flags.values()) == [0, 1, 1, 1]
        assert instance.get("A.angle") == pytest.approx(0.5, rel=1e-2)


def test_a_joint_that_shall_be_independent_goes_into_the_tree(tmp_path):
    loop = (ROOT / "tests" / "mistakes" / "after_reading" / "independent_closes_loop.toml").read_text()
    for joint in ("B", "C"):
        text = loop.replace("cut = true\n", "").replace('"C.angle"', f'"{joint}.angle"')
        (tmp_path / "loop.toml").write_text(text)
        explained = subprocess.run([EXPORTER, tmp_path / "loop.toml", "--explain"], check=True, capture_output=True,
                                   text=True, cwd=tmp_path).stdout
        assert f" {joint} (revolute" in explained.split("cut:")[0]
        assert f"independent         {joint}.angle, as far as" in explained


def test_tangent_velocities_are_shown_on_request_only(fmus, version):
    assert not [name for name in fmus("four_bar", version).variables if name.startswith("solver.u[")]
