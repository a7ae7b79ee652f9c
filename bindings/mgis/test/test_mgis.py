"""A program that plays MGIS: it opens the library, reads the symbols of each behaviour as MGIS does,
allocates what they ask for, and integrates. Answers are compared with the C interface, to the bit."""

import ctypes as ct
import json
import math
import os
import random
import subprocess
import threading

import pytest

LIBRARY = ct.CDLL(os.environ["MICROSLIP_MGIS"])
C = ct.CDLL(os.environ["MICROSLIP_LIBRARY"])
TURNING_POINTS = int(os.environ["MICROSLIP_TURNING_POINTS"])

SCALAR, VECTOR = 0, 2
ONE_DIMENSION = ["AxisymmetricalGeneralisedPlaneStrain", "AxisymmetricalGeneralisedPlaneStress"]
HYPOTHESES = ONE_DIMENSION + ["Axisymmetrical", "PlaneStress", "PlaneStrain",
                              "GeneralisedPlaneStrain", "Tridimensional"]
NO_OPERATOR, ELASTIC, SECANT, TANGENT, CONSISTENT = 0.0, 1.0, 2.0, 3.0, 4.0


# ------------------------------------------------------------------------- what MGIS reads of a library

def symbol(kind, name):
    return kind.in_dll(LIBRARY, name)


def contains(name):
    try:
        symbol(ct.c_char, name)
        return True
    except ValueError:
        return False


def number(name):
    return symbol(ct.c_ushort, name).value


def text(name):
    return symbol(ct.c_char_p, name).value.decode()


def names(behaviour, hypothesis, what):
    """With the symbol of the hypothesis before that of the behaviour, as MGIS looks for it."""
    at = next(x for x in (f"{behaviour}_{hypothesis}", behaviour) if contains(f"{x}_n{what}"))
    count = number(f"{at}_n{what}")
    return [x.decode() for x in symbol(ct.c_char_p * count, f"{at}_{what}")] if count else []


def types(behaviour, what, count):
    return list(symbol(ct.c_int * count, f"{behaviour}_{what}Types")) if count else []


class Behaviour:
    """Everything that mgis::behaviour::load reads, with its checks."""

    def __init__(self, name, hypothesis="Tridimensional"):
        assert number(f"{name}_mfront_mkt") == 1  # a behaviour
        assert number(f"{name}_api_version") == 1
        assert text(f"{name}_mfront_ept") == name and text(f"{name}_mfront_interface") == "Generic"
        for what in ("tfel_version", "unit_system", "src", "author", "date", "validator", "build_id"):
            text(f"{name}_{what}")
        self.name, self.hypothesis = name, hypothesis
        self.type = number(f"{name}_BehaviourType")
        self.kinematic = number(f"{name}_BehaviourKinematic")
        self.gradients = names(name, hypothesis, "Gradients")
        self.forces = names(name, hypothesis, "ThermodynamicForces")
        kinds = types(name, "Gradients", 1), types(name, "ThermodynamicForces", 1)
        if self.type == 3:  # a cohesive zone model, of which MGIS checks the names
            assert self.kinematic == 2 and kinds == ([VECTOR], [VECTOR])
            assert self.gradients == ["OpeningDisplacement"] and self.forces == ["CohesiveForce"]
            assert hypothesis in ONE_DIMENSION  # where a vector has one component
        else:
            assert (self.type, self.kinematic) == (0, 0) and kinds == ([SCALAR], [SCALAR])
        assert number(f"{name}_SymmetryType") == number(f"{name}_ElasticSymmetryType") == 0
        assert number(f"{name}_requiresStiffnessTensor") == 0
        assert number(f"{name}_requiresThermalExpansionCoefficientTensor") == 0
        self.properties = names(name, hypothesis, "MaterialProperties")
        self.states = names(name, hypothesis, "InternalStateVariables")
        assert types(name, "InternalStateVariables", len(self.states)) == [SCALAR] * len(self.states)
        assert len(set(self.states)) == len(self.states)
        assert number(f"{name}_TemperatureRemovedFromExternalStateVariables") == 0
        assert names(name, hypothesis, "ExternalStateVariables") == []
        assert contains(f"{name}_ExternalStateVariablesTypes")
        assert names(name, hypothesis, "TangentOperatorBlocks") == [*self.forces, *self.gradients]
        assert number(f"{name}_ComputesInternalEnergy") == 1
        assert number(f"{name}_ComputesDissipatedEnergy") == 1
        assert names(name, hypothesis, "Parameters") == [] and contains(f"{name}_ParametersTypes")
        assert names(name, hypothesis, "InitializeFunctions") == []
        assert names(name, hypothesis, "PostProcessings") == []
        assert hypothesis in names(name, hypothesis, "ModellingHypotheses")
        self.function = getattr(LIBRARY, f"{name}_{hypothesis}")
        self.function.restype, self.function.argtypes = ct.c_int, [ct.c_void_p]

    def bound(self, property_, side):
        for form in (property_.replace("[", "__").replace("]", "__"),
                     property_.replace("[", "_mfront_index_").replace("]", "")):
            at = f"{self.name}_{form}_{side}PhysicalBound"
            if contains(at):
                return symbol(ct.c_longdouble, at).value
        return None


class StateView(ct.Structure):
    _fields_ = [(n, ct.POINTER(ct.c_double)) for n in
                ("gradients", "forces", "mass_density", "properties", "states", "stored",
                 "dissipated", "external")]


class DataView(ct.Structure):
    _fields_ = [("error_message", ct.c_char_p), ("dt", ct.c_double),
                ("K", ct.POINTER(ct.c_double)), ("rdt", ct.POINTER(ct.c_double)),
                ("speed_of_sound", ct.POINTER(ct.c_double)), ("s0", StateView), ("s1", StateView)]


def array(n):
    return (ct.c_double * max(n, 1))()


class State:
    def __init__(self, behaviour, values):
        self.gradients, self.forces, self.mass_density = array(1), array(1), array(1)
        self.properties = array(len(values))
        self.properties[:len(values)] = values
        self.states = array(len(behaviour.states))
        self.stored, self.dissipated, self.external = array(1), array(1), array(1)

    def view(self):
        view = StateView()
        for name, _ in StateView._fields_:
            setattr(view, name, ct.cast(getattr(self, name), ct.POINTER(ct.c_double)))
        return view

    def assign(self, other):
        for name, _ in StateView._fields_:
            if name != "properties":
                getattr(self, name)[:] = getattr(other, name)[:]


class Point:
    """An integration point: mgis::behaviour::BehaviourData with integrate, update and revert."""

    def __init__(self, behaviour, values):
        self.behaviour = behaviour
        self.s0, self.s1 = State(behaviour, values), State(behaviour, values)
        self.K, self.rdt, self.message = array(1), array(1), ct.create_string_buffer(512)

    def integrate(self, u=0.0, dt=0.0, ask=CONSISTENT):
        self.s1.gradients[0], self.K[0], self.rdt[0], self.message[0] = u, ask, 1.0, b"\0"
        data = DataView(ct.cast(self.message, ct.c_char_p), dt, self.K, self.rdt, None,
                        self.s0.view(), self.s1.view())
        return self.behaviour.function(ct.byref(data))

    def update(self):
        self.s0.assign(self.s1)

    def revert(self):
        self.s1.assign(self.s0)

    def answer(self):
        return (self.s1.forces[0], self.K[0], self.s1.dissipated[0], self.s1.stored[0])


# ------------------------------------------------------------------------------------- the C interface

class Sentence(ct.Structure):
    _fields_ = [("code", ct.c_int), ("status", ct.c_int), ("row", ct.c_size_t),
                ("sentence", ct.c_char * 1024)]


class Response(ct.Structure):
    _fields_ = [("force", ct.c_double), ("tangent", ct.c_double), ("dissipated", ct.c_double)]


class Law:
    """A law of the C interface, stepped from state to state."""

    def __init__(self, name, values):
        self.model, self.state, error = ct.c_void_p(), ct.c_void_p(), Sentence()
        self.error = error
        lists = {}
        for key, value in values.items():
            lists.setdefault(key.split("[")[0], []).append(repr(value))
        settings = [f"{key}={','.join(v)}".encode() for key, v in lists.items()]
        code = C.microslip_create(name.encode(), (ct.c_char_p * len(settings))(*settings),
                                  ct.c_size_t(len(settings)), ct.byref(self.model), ct.byref(error))
        assert code == 0, error.sentence
        assert C.microslip_rest(self.model, ct.byref(self.state), ct.byref(error)) == 0
        C.microslip_state_energy.restype = ct.c_double

    def step(self, u, dt):
        response, stored = Response(), ct.c_double()
        code = C.microslip_step(self.model, self.state, ct.c_double(u), ct.c_double(dt), self.state,
                                ct.byref(response), ct.byref(self.error))
        assert code == 0, self.error.sentence
        assert C.microslip_stored(self.model, self.state, ct.byref(stored),
                                  ct.byref(self.error)) == 0
        return (response.force, response.tangent, C.microslip_state_energy(self.state), stored.value)


def descriptions():
    out, error = ct.c_void_p(), Sentence()
    assert C.microslip_laws(ct.byref(out), ct.byref(error)) == 0
    return {d["name"]: d for d in json.loads(ct.string_at(out).decode())}


LAWS = descriptions()
ALL = [x.decode() for x in symbol(ct.c_char_p * number("microslip_nBehaviours"),
                                  "microslip_Behaviours")]
GENERAL = [name for name in ALL if not name.endswith("_cohesive")]


def law_of(name):
    return name.removesuffix("_cohesive").replace("_", "-")


def defaults(behaviour):
    values = {}
    for p in LAWS[law_of(behaviour.name)]["parameters"]:
        if p["kind"] == "list":
            values.update({f"{p['name']}[{i}]": x for i, x in enumerate(p["default"])})
        else:
            values[p["name"]] = p["default"]
    return {name: values[name] for name in behaviour.properties}


def motion(name, rows=80):
    """Random reversals around the scale on which the default law slips; forces stay below 0.7, which
    the default laws can carry."""
    rng, u, path = random.Random(name), 0.0, []
    for i in range(rows):
        u += 0.4 * rng.uniform(-1, 1) + 0.6 * math.sin(0.35 * i)
        path.append(u)
    scale = 0.7 / max(map(abs, path)) if LAWS[law_of(name)]["driven"] == "force" else 1.0
    return [scale * u for u in path]


# ------------------------------------------------------------------------------------------- the tests

def test_every_scalar_law_with_numbers_is_a_behaviour():
    wanted = {name for name, d in LAWS.items() if d["family"] != "planar"
              and all(p["kind"] in ("number", "list") for p in d["parameters"])}
    assert {law_of(name) for name in GENERAL} == wanted and len(wanted) > 35
    # Nothing else leaves the library.
    nm = subprocess.run(["nm", "-D", "--defined-only", LIBRARY._name], check=True,
                        capture_output=True, text=True).stdout
    exported = [line.split()[-1] for line in nm.splitlines()]
    heads = tuple(f"{name}_" for name in ALL)
    assert {x for x in exported if not x.startswith(heads)} == {"microslip_nBehaviours",
                                                               "microslip_Behaviours"}


@pytest.mark.parametrize("name", GENERAL)
def test_descriptions(name):
    description = LAWS[law_of(name)]
    for hypothesis in HYPOTHESES:
        behaviour = Behaviour(name, hypothesis)
    by_force = description["driven"] == "force"
    assert behaviour.gradients == ["Force" if by_force else "RelativeDisplacement"]
    if not by_force:
        for hypothesis in ONE_DIMENSION:
            assert Behaviour(f"{name}_cohesive", hypothesis).properties == behaviour.properties
        assert not contains(f"{name}_cohesive_Tridimensional")
    for p in description["parameters"]:
        for side, key in (("Lower", "lower"), ("Upper", "upper")):
            at = p["name"] if p["kind"] == "number" else p["name"] + "[0]"
            wanted = p["bounds"][key]
            got = behaviour.bound(at, side)
            assert got == wanted if wanted is None else got == pytest.approx(wanted, rel=1e-15), at


@pytest.mark.parametrize("name", GENERAL)
def test_answers_are_those_of_the_c_interface_to_the_bit(name):
    behaviour = Behaviour(name)
    values = defaults(behaviour)
    point, law = Point(behaviour, list(values.values())), Law(law_of(name), values)
    twin = None
    if LAWS[law_of(name)]["driven"] != "force":
        twin = Point(Behaviour(f"{name}_cohesive", ONE_DIMENSION[0]), list(values.values()))
    dt = 0.05
    for i, u in enumerate(motion(name)):
        if i % 3 == 1:  # a diverging iterate, which is rejected; it may be without an answer
            assert point.integrate(u + 2.5, dt) == 1 or name == "slip_front"
            point.revert()
        assert point.integrate(u, dt) == 1, point.message.value
        assert point.answer() == law.step(u, dt), i
        if twin:
            assert twin.integrate(u, dt) == 1 and twin.answer() == point.answer()
            twin.update()
        point.update()
    assert point.s0.states[0] <= len(behaviour.states)


@pytest.mark.parametrize("name", ["iwan4", "bouc_wen", "maxwell"])
def test_a_restart_needs_nothing_but_the_numbers_of_the_host(name):
    behaviour = Behaviour(name)
    values = list(defaults(behaviour).values())
    one, path = Point(behaviour, values), motion(name, 40)
    for u in path[:20]:
        assert one.integrate(u, 0.1) == 1
        one.update()
    other = Point(behaviour, values)
    other.s0.states[:] = one.s0.states[:]  # as from a file
    other.s0.gradients[:] = one.s0.gradients[:]
    for u in path[20:]:
        for point in (one, other):
            assert point.integrate(u, 0.1) == 1
            point.update()
        assert one.answer() == other.answer()


def test_integration_points_on_many_threads():
    def work(name, results):
        behaviour = Behaviour(name)
        point = Point(behaviour, list(defaults(behaviour).values()))
        for u in motion(name, 200):
            assert point.integrate(u, 0.1) == 1
            point.update()
        results.append((name, point.answer(), list(point.s0.states)))

    laws = ["iwan4", "bouc_wen", "masing", "maxwell"] * 3
    alone, together = [], []
    for name in laws:
        work(name, alone)
    threads = [threading.Thread(target=work, args=(name, together)) for name in laws]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(together) == sorted(alone) and len(together) == len(laws)


def test_a_jenkins_element_by_hand():
    point = Point(Behaviour("jenkins"), [2.0, 0.5])
    assert point.behaviour.properties == ["k", "phi"]
    assert point.integrate(0.125) == 1 and point.answer() == (0.25, 2.0, 0.0, 0.015625)
    assert point.integrate(1.0) == 1  # the trial before was not kept
    force, tangent, dissipated, stored = point.answer()
    # It slips from 0.25 to 1: 0.75 · 0.5 are lost, 0.5²/(2·2) are stored.
    assert (force, tangent, dissipated, stored) == (0.5, 0.0, 0.375, 0.0625)


def test_operators_that_mgis_asks_for():
    point = Point(Behaviour("jenkins"), [2.0, 0.5])
    assert point.integrate(ask=-ELASTIC) == 1 and point.K[0] == 2  # before a step
    assert point.integrate(ask=-TANGENT) == 1 and point.K[0] == 2
    assert point.integrate(1.0, ask=NO_OPERATOR) == 1 and point.K[0] == NO_OPERATOR
    assert point.integrate(1.0, ask=ELASTIC) == 1 and point.K[0] == 2 and point.s1.forces[0] == 0.5
    assert point.integrate(1.0, ask=TANGENT) == 1 and point.K[0] == 0
    assert point.integrate(1.0, ask=CONSISTENT) == 1 and point.K[0] == 0
    point.update()
    assert point.integrate(ask=-TANGENT) == 1 and point.K[0] == 0  # it slips
    before = list(point.s1.states)
    assert point.integrate(5.0, ask=-ELASTIC) == 1 and list(point.s1.states) == before
    for ask, reason in ((SECANT, "secant"), (-SECANT, "secant"), (100 + CONSISTENT, "sound")):
        assert point.integrate(1.0, ask=ask) == -1 and reason in point.message.value.decode()


def test_bad_input_is_refused_with_a_sentence():
    for values, u, reason in (([-2.0, 0.5], 0.1, "jenkins.k = -2 must lie in"),
                              ([2.0, 0.5], math.nan, "finite")):
        point = Point(Behaviour("jenkins"), values)
        assert point.integrate(u) == -1 and reason in point.message.value.decode()
        assert list(point.s1.states) == [0] * len(point.behaviour.states)
    damaged = Point(Behaviour("jenkins"), [2.0, 0.5])
    damaged.s0.states[0] = 3
    assert damaged.integrate(0.1) == -1 and "damaged" in damaged.message.value.decode()
    silent = Point(Behaviour("jenkins"), [-2.0, 0.5])
    data = DataView(None, 0.0, silent.K, silent.rdt, None, silent.s0.view(), silent.s1.view())
    assert silent.behaviour.function(ct.byref(data)) == -1  # without a buffer for the sentence
    assert silent.behaviour.function(None) == -1


def test_a_law_without_an_answer_asks_for_a_smaller_step():
    point = Point(Behaviour("linear"), [10.0])
    assert point.integrate(1e308) == -1 and point.rdt[0] == 0.25
    assert "stopped" in point.message.value.decode()
    assert point.integrate(1.0) == 1 and point.s1.forces[0] == 10


def test_turning_points_run_out_and_say_so():
    behaviour = Behaviour("iwan4")
    point, law = (Point(behaviour, list(defaults(behaviour).values())),
                  Law("iwan4", defaults(behaviour)))
    # Ever smaller loops: each reversal stays in memory.
    path = [(-1) ** i * (1 - i / 100) for i in range(90)]
    for i, u in enumerate(path):
        if point.integrate(u) != 1:
            break
        assert point.answer() == law.step(u, math.inf)
        point.update()
    # The first motion is no reversal, and a turning point is remembered with the next motion.
    assert i == TURNING_POINTS + 1
    sentence = point.message.value.decode()
    assert "iwan4 needs" in sentence and f"but {len(behaviour.states)} are given" in sentence
    # Nothing was forgotten: a larger motion wipes the small loops out, and the joint goes on.
    point.revert()
    assert point.integrate(5.0) == 1 and point.answer() == law.step(5.0, math.inf)
