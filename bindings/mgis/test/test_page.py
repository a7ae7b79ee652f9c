"""The program of docs/mgis.md, run as it is printed: with MGIS where it is installed, else with a stand-in that has
its functions, arguments and shapes of arrays."""

import enum
import math
import os
import pathlib
import re
import sys
import types

import numpy as np
import pytest

import test_mgis as host

PAGE = pathlib.Path(__file__).parents[3] / "docs" / "mgis.md"


class StateManager:
    def __init__(self, behaviour, n):
        self.n, self.behaviour = n, behaviour
        self.gradients, self.thermodynamic_forces = np.zeros((n, 1)), np.zeros((n, 1))
        self.internal_state_variables = np.zeros((n, len(behaviour.states)))
        self.properties = {}


class MaterialDataManager:
    def __init__(self, behaviour, n):
        self.n, self.behaviour = n, behaviour
        self.s0, self.s1 = StateManager(behaviour, n), StateManager(behaviour, n)
        self.K = np.zeros((n, 1, 1))


class IntegrationType(enum.Enum):
    INTEGRATION_NO_TANGENT_OPERATOR = host.NO_OPERATOR
    INTEGRATION_CONSISTENT_TANGENT_OPERATOR = host.CONSISTENT


Hypothesis = enum.Enum("Hypothesis", {name: name for name in host.HYPOTHESES})


def load(library, behaviour, hypothesis):
    assert library == "libmicroslip_mgis.so" and isinstance(hypothesis, Hypothesis)
    return host.Behaviour(behaviour, hypothesis.value)


def set_material_property(state, name, value):
    assert isinstance(state, StateManager)  # a State of one point has no such function in Python
    assert name in state.behaviour.properties and isinstance(value, float)
    state.properties[name] = value


def integrate(manager, kind, dt, begin, end):
    for i in range(begin, end):
        values = [manager.s1.properties[name] for name in manager.behaviour.properties]
        assert manager.s0.properties == manager.s1.properties
        point = host.Point(manager.behaviour, values)
        point.s0.gradients[0] = manager.s0.gradients[i, 0]
        point.s0.states[:] = manager.s0.internal_state_variables[i]
        if point.integrate(manager.s1.gradients[i, 0], dt, kind.value) != 1:
            return -1
        manager.s1.thermodynamic_forces[i, 0], manager.K[i, 0, 0] = point.s1.forces[0], point.K[0]
        manager.s1.internal_state_variables[i] = point.s1.states
    return 1


def copy(source, target):
    for name in ("gradients", "thermodynamic_forces", "internal_state_variables"):
        getattr(target, name)[:] = getattr(source, name)


@pytest.fixture
def behaviours(monkeypatch):
    try:
        import mgis.behaviour  # noqa: F401
        return "libmicroslip_mgis.so"
    except ImportError:
        pass
    module = types.ModuleType("mgis.behaviour")
    module.load, module.integrate, module.MaterialDataManager = load, integrate, MaterialDataManager
    module.setMaterialProperty, module.Hypothesis = set_material_property, Hypothesis
    module.IntegrationType = IntegrationType
    module.update = lambda manager: copy(manager.s1, manager.s0)
    module.revert = lambda manager: copy(manager.s0, manager.s1)
    package = types.ModuleType("mgis")
    package.behaviour = module
    monkeypatch.setitem(sys.modules, "mgis", package)
    monkeypatch.setitem(sys.modules, "mgis.behaviour", module)
    return None


def test_the_program_of_the_page(behaviours):
    program = next(block for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
                   if "import mgis" in block)
    if behaviours:  # the real one looks for the library where it lies
        program = program.replace(behaviours, os.environ["MICROSLIP_MGIS"])
    motion = [2 * math.sin(0.1 * i) for i in range(200)]
    names = {"motion": motion}
    exec(compile(program, str(PAGE), "exec"), names)
    law = host.Law("iwan4", {"Fs": 1.0, "KT": 1.0, "chi": -0.5, "beta": 0.1})
    wanted = [(u, *law.step(u, 0.1)[:2]) for u in motion]
    assert names["loop"] == wanted
