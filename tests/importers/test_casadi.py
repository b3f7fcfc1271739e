"""Runs CasADi's DaeBuilder, which reads FMUs for model exchange: their derivatives and outputs become functions that it
integrates by CVODES, and differentiates by asking the FMU."""

import importlib.metadata

import casadi
import numpy as np
import pytest

from fmu import fmu_path
from runs import INTEGRATED, STEP, all_models, both_versions, difference, inputs_of, outputs

CASADI = "CasADi", importlib.metadata.version("casadi")
TOLERANCE = 1e-10  # tolerances of CVODES


@pytest.fixture
def builder(model, version):
    return casadi.DaeBuilder(model, str(fmu_path(model, version)))


@pytest.fixture
def start(builder, fmu):
    """Returns the states at the start in modelDescription.xml, which are those of our own client."""
    starts = np.array(builder.start(builder.x()))
    with fmu.instance() as instance:
        instance.start()
        assert np.allclose(starts, [instance.get(name) for name in builder.x()], rtol=1e-12, atol=1e-12)
    return starts


def integrator(builder):
    """Makes one communication step from a time on, with held inputs; `p` is that time, then the inputs."""
    begin, time = casadi.MX.sym("begin"), casadi.MX.sym("time")
    x, u = casadi.MX.sym("x", builder.nx()), casadi.MX.sym("u", builder.nu())
    derivatives = builder.create("derivatives", ["t", "x", "u"], ["ode"])(begin + time, x, u)
    return casadi.integrator("step", "cvodes", {"t": time, "x": x, "p": casadi.vertcat(begin, u), "ode": derivatives},
                             0, STEP, {"abstol": TOLERANCE, "reltol": TOLERANCE})


@both_versions
@all_models
def test_integrates(builder, start, fmu, model, version, smooth, report):
    run, expected = smooth(model, version)
    assert builder.u() == list(run.inputs) and builder.y() == outputs(fmu)
    step, observe = integrator(builder), builder.create("outputs", ["t", "x", "u"], ["y"])
    x, rows = start, []
    for begin, *inputs in list(run.rows())[:-1]:
        x = step(x0=x, p=[begin, *inputs])["xf"]
        rows.append(np.array(observe(begin + STEP, x, inputs)).ravel())
    found = difference(fmu, expected[1:], rows)
    assert found < INTEGRATED
    report.add(CASADI, "integrated by CVODES with exact Jacobians (model exchange)", model, version, found)


@both_versions
@all_models
def test_jacobians_are_what_differences_say(builder, start, fmu, model, version, report):
    """Compares derivatives of derivatives and outputs by states and inputs, also away from the constraints."""
    point = np.concatenate([start, list(inputs_of(model).values())])
    split = len(start)
    builder.set_y([name for name in builder.y() if name not in builder.der(builder.x())])  # They are among `ode`.
    values = builder.create("values", ["t", "x", "u"], ["ode", "y"])
    jacobians = builder.create("jacobians", ["t", "x", "u"], ["jac_ode_x", "jac_ode_u", "jac_y_x", "jac_y_u"])

    def values_at(place):
        return np.concatenate([np.array(value).ravel() for value in values(0.1, place[:split], place[split:])])

    ode_x, ode_u, y_x, y_u = (np.array(block) for block in jacobians(0.1, point[:split], point[split:]))
    found = np.block([[ode_x, ode_u], [y_x, y_u]])
    h = 1e-5
    expected = np.transpose([(values_at(point + h * unit) - values_at(point - h * unit)) / (2 * h)
                             for unit in np.identity(len(point))])
    assert found.shape == expected.shape
    assert (np.abs(found - expected)[:split] / (1 + np.abs(expected[:split]))).max() < 1e-7
    assert difference(fmu, expected[split:].T, found[split:].T, builder.y()) < 1e-7
    report.add(CASADI, "Jacobians of derivatives and outputs against differences (model exchange)", model, version)
