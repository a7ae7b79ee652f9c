"""A strict master for FMUs of FMI 3.0: the rules of modelDescription.xml, the order of calls, invalid
calls, states, rejected steps; and the same answers as those of FMI 2.0, of `simulate` and of
`respond`."""

import ctypes as ct
import math
import re
import subprocess
import xml.etree.ElementTree as xml
import zipfile
from pathlib import Path

import pytest

import test_fmu
from test_fmu import (DISCARD, ENERGY, ERROR, EVENTS, F, FY, MIDPOINT, OK, STORED, TANGENT, COMMAND,
                      command, motion, structure)

TYPES = "Float32 Float64 Int8 UInt8 Int16 UInt16 Int32 UInt32 Int64 UInt64 Boolean String Binary Clock"
FUNCTIONS = """GetVersion SetDebugLogging InstantiateModelExchange InstantiateCoSimulation
InstantiateScheduledExecution FreeInstance EnterInitializationMode ExitInitializationMode EnterEventMode
Terminate Reset GetNumberOfVariableDependencies GetVariableDependencies GetFMUState SetFMUState
FreeFMUState SerializedFMUStateSize SerializeFMUState DeserializeFMUState GetDirectionalDerivative
GetAdjointDerivative EnterConfigurationMode ExitConfigurationMode GetIntervalDecimal GetIntervalFraction
GetShiftDecimal GetShiftFraction SetIntervalDecimal SetIntervalFraction SetShiftDecimal SetShiftFraction
EvaluateDiscreteStates UpdateDiscreteStates EnterContinuousTimeMode CompletedIntegratorStep SetTime
SetContinuousStates GetContinuousStateDerivatives GetEventIndicators GetContinuousStates
GetNominalsOfContinuousStates GetNumberOfEventIndicators GetNumberOfContinuousStates EnterStepMode
GetOutputDerivatives DoStep ActivateModelPartition""".split()
FUNCTIONS += [way + kind for way in ("Get", "Set") for kind in TYPES.split()]

Logger = ct.CFUNCTYPE(None, ct.c_void_p, ct.c_int, ct.c_char_p, ct.c_char_p)


class Fmu:
    def __init__(self, path, folder):
        with zipfile.ZipFile(path) as archive:
            assert archive.testzip() is None
            archive.extractall(folder)
        self.folder = Path(folder)
        self.description = xml.parse(self.folder / "modelDescription.xml").getroot()
        self.token = self.description.get("instantiationToken")
        identifier = self.description.find("CoSimulation").get("modelIdentifier")
        self.library = ct.CDLL(str(self.folder / "binaries/x86_64-linux" / f"{identifier}.so"))
        for name in FUNCTIONS:
            getattr(self.library, "fmi3" + name).restype = \
                ct.c_void_p if name.startswith("Instantiate") else ct.c_int
        self.library.fmi3GetVersion.restype = ct.c_char_p
        self.library.fmi3FreeInstance.restype = None
        self.references = {v.get("name"): int(v.get("valueReference"))
                           for v in self.description.find("ModelVariables")}
        self.outputs = [int(v.get("valueReference"))
                        for v in self.description.find("ModelVariables")
                        if v.get("causality") == "output"]

    def instance(self, **options):
        return Instance(self, **options)


class Instance:
    def __init__(self, fmu, name=b"one", token=None, resources=None, event_mode=False,
                 intermediate=0, kind="CoSimulation"):
        self.fmu, self.messages, self.last = fmu, [], None
        self.logger = Logger(lambda environment, status, category, message:
                             self.messages.append((status, category.decode(), message.decode())))
        head = (name, (token or fmu.token).encode(),
                (resources or str(fmu.folder / "resources") + "/").encode(), ct.c_bool(False),
                ct.c_bool(True))
        more = {"CoSimulation": (ct.c_bool(event_mode), ct.c_bool(True),
                                 (ct.c_uint32 * max(intermediate, 1))(), ct.c_size_t(intermediate),
                                 None, self.logger, None),
                "ModelExchange": (None, self.logger),
                "ScheduledExecution": (None, self.logger, None, None, None)}[kind]
        self.c = ct.c_void_p(getattr(fmu.library, "fmi3Instantiate" + kind)(*head, *more))

    def __call__(self, function, *arguments):
        return getattr(self.fmu.library, "fmi3" + function)(self.c, *arguments)

    def references(self, which):
        which = which if isinstance(which, (list, tuple)) else [which]
        return (ct.c_uint32 * len(which))(*which), ct.c_size_t(len(which))

    def set(self, which, *values):
        return self("SetFloat64", *self.references(which), (ct.c_double * len(values))(*values),
                    ct.c_size_t(len(values)))

    def get(self, which, expected=OK):
        count = len(which) if isinstance(which, (list, tuple)) else 1
        out = (ct.c_double * count)()
        assert self("GetFloat64", *self.references(which), out, ct.c_size_t(count)) == expected
        return list(out) if isinstance(which, (list, tuple)) else out[0]

    def step(self, t, h):
        flags, last = [ct.c_bool(True) for _ in range(3)], ct.c_double(-1)
        status = self("DoStep", ct.c_double(t), ct.c_double(h), ct.c_bool(True),
                      *map(ct.byref, flags), ct.byref(last))
        # No events, no end of the simulation, no early return: whatever happens.
        assert not any(flag.value for flag in flags)
        self.last = last.value
        assert status != OK or last.value == t + h
        return status

    def enter(self, start=0.0, stop=None):
        return self("EnterInitializationMode", ct.c_bool(False), ct.c_double(0), ct.c_double(start),
                    ct.c_bool(stop is not None), ct.c_double(stop or 0))

    def start(self, u=0.0, stop=None, **parameters):
        for name, value in parameters.items():
            assert self.set(self.fmu.references[name], value) == OK, self.messages
        assert self.enter(stop=stop) == OK
        assert self.set(0, u) == OK
        assert self("ExitInitializationMode") == OK
        return self

    def free(self):
        self.fmu.library.fmi3FreeInstance(self.c)


@pytest.fixture
def fmu_of(tmp_path):
    def make(model, *arguments):
        number = len(list(tmp_path.glob("*.fmu")))
        path = tmp_path / f"joint {number}.fmu"  # a blank in the path
        command("export-fmu", model, "--fmi", "3", *arguments, "-o", path)
        return Fmu(path, tmp_path / f"unpacked {number}")
    return make


@pytest.fixture
def older_of(tmp_path):
    """The same contents for FMI 2.0."""
    def make(model, *arguments):
        path = tmp_path / "older.fmu"
        command("export-fmu", model, *arguments, "-o", path)
        return test_fmu.Fmu(path, tmp_path / "older")
    return make


# ------------------------------------------------------------------------------ modelDescription.xml

BOOLEANS = {"needsExecutionTool", "canBeInstantiatedOnlyOncePerProcess", "canGetAndSetFMUState",
            "canSerializeFMUState", "providesDirectionalDerivatives", "providesAdjointDerivatives",
            "providesPerElementDependencies", "canHandleVariableCommunicationStepSize",
            "providesIntermediateUpdate", "mightReturnEarlyFromDoStep",
            "canReturnEarlyAfterIntermediateUpdate", "hasEventMode", "providesEvaluateDiscreteStates"}
ATTRIBUTES = {
    "fmiModelDescription": {"fmiVersion", "modelName", "instantiationToken", "description", "author",
                            "version", "copyright", "license", "generationTool",
                            "generationDateAndTime", "variableNamingConvention"},
    "CoSimulation": BOOLEANS | {"modelIdentifier", "fixedInternalStepSize", "maxOutputDerivativeOrder",
                                "recommendedIntermediateInputSmoothness"},
    "Float64": {"name", "valueReference", "description", "causality", "variability", "initial",
                "canHandleMultipleSetPerTimeInstant", "intermediateUpdate", "previous", "clocks",
                "declaredType", "quantity", "unit", "displayUnit", "relativeQuantity", "unbounded",
                "min", "max", "nominal", "start", "derivative", "reinit"},
    "Unit": {"name"}, "Category": {"name", "description"},
    "DefaultExperiment": {"startTime", "stopTime", "tolerance", "stepSize"},
    "Output": {"valueReference", "dependencies", "dependenciesKind"},
    "InitialUnknown": {"valueReference", "dependencies", "dependenciesKind"},
}
ORDER = ["ModelExchange", "CoSimulation", "ScheduledExecution", "UnitDefinitions", "TypeDefinitions",
         "LogCategories", "DefaultExperiment", "ModelVariables", "ModelStructure", "Annotations"]


def check_description(root, through=True):
    """The rules of section 2.4 and 4.4 of the standard, and of its schema, that concern what is
    written here."""
    assert root.tag == "fmiModelDescription"
    assert re.fullmatch(r"3\.(0|[1-9]\d*)(\.(0|[1-9]\d*))?(-.+)?", root.get("fmiVersion"))
    assert root.get("modelName") and root.get("instantiationToken")
    assert root.get("variableNamingConvention") in ("flat", "structured")
    for element in root.iter():
        assert set(element.attrib) <= ATTRIBUTES.get(element.tag, set()), element.tag
    tags = [child.tag for child in root]
    assert tags == sorted(tags, key=ORDER.index) and len(set(tags)) == len(tags)
    assert {"CoSimulation", "ModelVariables", "ModelStructure"} <= set(tags)
    simulation = root.find("CoSimulation")
    assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", simulation.get("modelIdentifier"))
    for name, value in simulation.attrib.items():
        if name in BOOLEANS:
            assert value in ("true", "false")
    # A state that can be written as bytes can be taken; intermediate update goes before early return.
    assert simulation.get("canGetAndSetFMUState") == "true" or \
        simulation.get("canSerializeFMUState") != "true"
    assert simulation.get("providesIntermediateUpdate") == "true" or \
        simulation.get("canReturnEarlyAfterIntermediateUpdate") != "true"
    assert int(simulation.get("maxOutputDerivativeOrder", "0")) >= 0
    units = [unit.get("name") for unit in root.find("UnitDefinitions")]
    assert units and len(set(units)) == len(units)
    categories = [c.get("name") for c in root.find("LogCategories")]
    assert categories and len(set(categories)) == len(categories)

    variables = list(root.find("ModelVariables"))
    assert all(v.tag == "Float64" for v in variables)
    names = [v.get("name") for v in variables]
    references = [v.get("valueReference") for v in variables]
    assert len(set(names)) == len(names) and len(set(references)) == len(references)
    for v in variables:
        assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*(\[\d+\])?(\.[A-Za-z_][A-Za-z0-9_]*(\[\d+\])?)*",
                            v.get("name").replace("-", "_").replace("+", "_")), v.get("name")
        assert v.get("description") and 0 <= int(v.get("valueReference")) < 2 ** 32
        assert v.get("unit") in units
        kind = (v.get("causality"), v.get("variability"), v.get("initial"))
        # The table of allowed combinations, section 2.4.7.4.
        assert kind in {("parameter", "fixed", "exact"), ("input", "continuous", None),
                        ("output", "continuous", "calculated"), ("independent", "continuous", None)}
        # Inputs and what is exact have a start value; what is calculated and time have none.
        assert (v.get("start") is None) == (kind[0] in ("output", "independent"))
        start = float(v.get("start", "0").replace("INF", "inf"))
        low, high = float(v.get("min", "-inf")), float(v.get("max", "inf"))
        assert low <= high and (kind[0] != "parameter" or low <= start <= high)
    assert [v.get("causality") for v in variables].count("independent") == 1

    found = {v.get("valueReference"): v for v in variables}
    children = list(root.find("ModelStructure"))
    assert [c.tag for c in children] == sorted((c.tag for c in children),
                                               key=["Output", "InitialUnknown"].index)
    outputs = [r for r, v in found.items() if v.get("causality") == "output"]
    # Every output once; all of them are calculated, so each is an unknown of the initialization.
    for tag in ("Output", "InitialUnknown"):
        listed = [c.get("valueReference") for c in children if c.tag == tag]
        assert sorted(listed) == sorted(outputs)
    inputs = [r for r, v in found.items() if v.get("causality") == "input"]
    for c in children:
        if c.tag == "Output":
            listed = c.get("dependencies").split()
            assert len(set(listed)) == len(listed) and listed == (inputs if through else [])
        assert "dependenciesKind" not in c.attrib or \
            len(c.get("dependenciesKind").split()) == len(c.get("dependencies").split())


@pytest.mark.parametrize("model", ["jenkins", "iwan4+viscous", "masing", "bouc-wen-planar", "maxwell",
                                   "backlash(jenkins)"])
def test_description_follows_the_standard(fmu_of, model):
    fmu = fmu_of(model)
    check_description(fmu.description)
    symbols = subprocess.run(["nm", "-D", "--defined-only", fmu.library._name], check=True,
                             capture_output=True, text=True).stdout.split("\n")
    assert {line.split()[-1] for line in symbols if line} == {"fmi3" + name for name in FUNCTIONS}
    assert len(FUNCTIONS) == 75 and fmu.library.fmi3GetVersion() == b"3.0"
    # Top-level folders that the standard knows, and a page that is a whole document.
    assert {p.name for p in fmu.folder.iterdir()} == {"modelDescription.xml", "binaries",
                                                     "documentation", "resources"}
    page = (fmu.folder / "documentation/index.html").read_text()
    assert all(name in page for name in fmu.references if name != "time") and "</html>" in page


FAULTS = {
    "version": lambda r: r.set("fmiVersion", "2.0"),
    "token": lambda r: r.attrib.pop("instantiationToken"),
    "guid": lambda r: r.set("guid", "{}"),
    "identifier": lambda r: r.find("CoSimulation").set("modelIdentifier", "a-b"),
    "attribute of 2.0": lambda r: r.find("CoSimulation").set("canGetAndSetFMUstate", "true"),
    "boolean": lambda r: r.find("CoSimulation").set("hasEventMode", "no"),
    "bytes without states": lambda r: r.find("CoSimulation").set("canGetAndSetFMUState", "false"),
    "early return": lambda r: r.find("CoSimulation").set("canReturnEarlyAfterIntermediateUpdate",
                                                         "true"),
    "order": lambda r: r.append(r[0]),
    "same reference": lambda r: r.find("ModelVariables")[1].set("valueReference", "0"),
    "same name": lambda r: r.find("ModelVariables")[1].set("name", "u"),
    "start of an output": lambda r: r.find("ModelVariables")[1].set("start", "0"),
    "input without start": lambda r: r.find("ModelVariables")[0].attrib.pop("start"),
    "initial of an input": lambda r: r.find("ModelVariables")[0].set("initial", "exact"),
    "start out of bounds": lambda r: r.find("ModelVariables")[-2].set("min", "1e9"),
    "unit": lambda r: r.find("ModelVariables")[-1].set("unit", "furlong"),
    "time": lambda r: r.find("ModelVariables").remove(r.find("ModelVariables")[-1]),
    "start of time": lambda r: r.find("ModelVariables")[-1].set("start", "0"),
    "output not listed": lambda r: r.find("ModelStructure").remove(r.find("ModelStructure")[0]),
    "unknown not listed": lambda r: r.find("ModelStructure").remove(r.find("ModelStructure")[-1]),
    "dependency": lambda r: r.find("ModelStructure")[0].set("dependencies", "77"),
    "index as in 2.0": lambda r: r.find("ModelStructure")[0].set("index", "1"),
}


def test_the_checks_of_the_description_can_fail(fmu_of):
    text = xml.tostring(fmu_of("jenkins").description)
    check_description(xml.fromstring(text))
    for name, fault in FAULTS.items():
        copy = xml.fromstring(text)
        fault(copy)
        try:
            check_description(copy)
        except AssertionError:
            continue
        pytest.fail(f"this fault was not noticed: {name}")


def test_both_versions_describe_the_same_variables(fmu_of, older_of):
    new, old = fmu_of("iwan4", "--set", "chi=-0.25"), older_of("iwan4", "--set", "chi=-0.25")
    for v in old.description.find("ModelVariables"):
        other, = [x for x in new.description.find("ModelVariables") if x.get("name") == v.get("name")]
        for name in ("valueReference", "description", "causality", "variability", "initial"):
            assert v.get(name) == other.get(name)
        for name in ("unit", "min", "max", "start"):
            assert v.find("Real").get(name) == other.get(name)
    assert new.token == old.guid


# -------------------------------------------------------------------------------------- simulation

@pytest.mark.parametrize("model", ["jenkins", "iwan4", "bouc-wen", "maxwell", "lugre",
                                   "jenkins+linear"])
def test_steps_answer_what_simulate_and_fmi_2_answer(fmu_of, older_of, model, tmp_path):
    u, h = motion(150), 0.125  # times are sums without rounding
    lines = "\n".join(f"{h * i!r},{x!r}" for i, x in enumerate(u))
    (tmp_path / "in.csv").write_text("t,u\n" + lines + "\n")
    out = command("simulate", model, "--input", "in.csv", "--columns", "tangent,stored", "-o", "-",
                  cwd=tmp_path)
    rows = [line.split(",") for line in out.splitlines() if line and line[0] not in "#t"]
    fmu = fmu_of(model)
    one, older = fmu.instance().start(u[0]), older_of(model).instance().start(u[0])
    for i, row in enumerate(rows):
        for unit in (one, older):
            if i > 0:
                assert unit.set(0, u[i]) == OK and unit.step(h * (i - 1), h) == OK
        assert one.get([F, TANGENT, STORED]) == [float(row[k]) for k in (2, 4, 5)], i
        assert one.get([F, TANGENT, ENERGY, STORED]) == older.get([F, TANGENT, ENERGY, STORED])
        assert one.get(fmu.references["time"]) == h * i


def test_planar(fmu_of):
    one = fmu_of("jenkins-planar").instance().start()
    assert one.set([0, 1], 3e-3, 4e-3) == OK and one.step(0, 1) == OK
    fx, fy = one.get([F, FY])
    assert fy / fx == pytest.approx(4 / 3, rel=1e-12)


def test_steps_of_any_size(fmu_of):
    one = fmu_of("jenkins").instance().start()
    assert one.step(0, 0.25) == OK and one.step(0.25, 1.5) == OK and one.step(1.75, 1e-3) == OK


def test_parameters_are_set_before_the_end_of_initialization(fmu_of):
    fmu = fmu_of("jenkins", "--set", "k=1", "--set", "phi=0.5")
    one = fmu.instance().start(0.0, k=4.0, phi=8.0)
    assert one.get(fmu.references["k"]) == 4
    one.set(0, 1.0)
    assert one.step(0, 1) == OK and one.get(F) == 4
    assert one.set(fmu.references["k"], 2.0) == ERROR
    assert "fixed parameter" in one.messages[-1][2]
    fresh = fmu.instance()
    assert fresh.set(fmu.references["k"], -1.0) == ERROR
    assert "jenkins.k = -1 must lie in" in fresh.messages[-1][2]


def test_directional_derivative_is_the_tangent(fmu_of):
    one = fmu_of("jenkins(k=3,phi=1)").instance().start()
    change, answer, size = (ct.c_double * 1)(2.0), (ct.c_double * 1)(), ct.c_size_t(1)
    f, n = one.references(F)
    u, m = one.references(0)
    assert one("GetDirectionalDerivative", f, n, u, m, change, size, answer, size) == OK
    assert answer[0] == 6
    e, n = one.references(ENERGY)
    assert one("GetDirectionalDerivative", e, n, u, m, change, size, answer, size) == ERROR
    assert one("GetAdjointDerivative", f, n, u, m, change, size, answer, size) == ERROR
    assert "providesAdjointDerivatives = false" in one.messages[-1][2]


# -------------------------------------------------------------------------------- states and rejection

def test_a_rejected_step_is_repeated_from_a_state(fmu_of):
    one = fmu_of("iwan4").instance().start()
    plain = one.fmu.instance().start()
    state = ct.c_void_p()
    for i in range(40):
        u = math.sin(0.5 * i)
        assert one("GetFMUState", ct.byref(state)) == OK
        one.set(0, u + 3)  # the master goes too far …
        assert one.step(0.1 * i, 0.1) == OK
        assert one("SetFMUState", state) == OK  # … and takes it back
        for joint in (one, plain):
            joint.set(0, u)
            assert joint.step(0.1 * i, 0.1) == OK
        assert one.get(one.fmu.outputs) == plain.get(one.fmu.outputs)
    assert one("FreeFMUState", ct.byref(state)) == OK and not state
    assert one("FreeFMUState", ct.byref(state)) == OK


def as_bytes(one):
    state, size = ct.c_void_p(), ct.c_size_t()
    assert one("GetFMUState", ct.byref(state)) == OK
    assert one("SerializedFMUStateSize", state, ct.byref(size)) == OK
    data = (ct.c_uint8 * size.value)()
    assert one("SerializeFMUState", state, data, ct.c_size_t(size.value - 1)) == ERROR
    assert one("SerializeFMUState", state, data, size) == OK
    assert one("FreeFMUState", ct.byref(state)) == OK
    return data, size


def from_bytes(one, data, size):
    state = ct.c_void_p()
    assert one("DeserializeFMUState", data, size, ct.byref(state)) == OK
    assert one("SetFMUState", state) == OK
    assert one("FreeFMUState", ct.byref(state)) == OK


def test_states_as_bytes_and_between_instances(fmu_of):
    one = fmu_of("iwan4+jenkins").instance().start(0.0)
    for i in range(10):
        one.set(0, math.sin(i))
        assert one.step(i, 1) == OK
    data, size = as_bytes(one)
    other = one.fmu.instance(name=b"two")
    from_bytes(other, data, size)
    for joint in (one, other):
        joint.set(0, -2.0)
        assert joint.step(10, 1) == OK
    assert one.get(one.fmu.outputs) == other.get(one.fmu.outputs)
    for place in (20, size.value // 2, size.value - 1):
        data[place] ^= 1
        assert other("DeserializeFMUState", data, size, ct.byref(ct.c_void_p())) == ERROR
        data[place] ^= 1
    assert other("DeserializeFMUState", data, size, ct.byref(ct.c_void_p())) == OK


def test_instances_do_not_share_anything(fmu_of, older_of):
    fmu = fmu_of("jenkins(k=1,phi=0.5)")
    joints = [fmu.instance(name=str(i).encode()).start(phi=0.5 + i) for i in range(3)]
    for joint in joints:
        joint.set(0, 100.0)
        assert joint.step(0, 1) == OK
    assert [joint.get(F) for joint in joints] == [0.5, 1.5, 2.5]
    for joint in joints:
        joint.free()
    # Another FMU, and one of the other version, in the same process.
    assert fmu_of("linear(k=7)").instance().start(1.0).get(F) == 7
    assert older_of("linear(k=9)").instance().start(1.0).get(F) == 9


def test_reset(fmu_of):
    one = fmu_of("jenkins(k=1,phi=0.5)").instance().start(k=3.0)
    one.set(0, 5.0)
    assert one.step(0, 1) == OK
    assert one("Reset") == OK
    one.start(0.125)
    assert one.get([F, ENERGY]) == [0.125, 0.0]


def test_a_law_without_an_answer_discards_the_step(fmu_of):
    one = fmu_of("linear(k=10)").instance().start()
    assert one.step(0, 0.5) == OK
    one.set(0, 1e308)  # the force is too large for a number
    assert one.step(0.5, 1) == DISCARD and one.last == 0.5
    assert one.messages[-1][:2] == (DISCARD, "logStatusDiscard")
    assert one.get(F) == 0  # the instance stays where it was, and goes on from there
    one.set(0, 1.0)
    assert one.step(0.5, 0.25) == OK and one.get(F) == 10


# --------------------------------------------------------------------------------------- invalid calls

def test_calls_in_the_wrong_order_are_errors(fmu_of):
    one = fmu_of("jenkins").instance()
    time = one.fmu.references["time"]
    assert one.step(0, 1) == ERROR and "not allowed" in one.messages[-1][2]
    assert one("ExitInitializationMode") == ERROR and one("Terminate") == ERROR
    one.get(F, expected=ERROR)
    assert one.enter(start=float("nan")) == ERROR and one.enter(start=1, stop=0.5) == ERROR
    one.start()
    assert one.enter() == ERROR
    assert one.step(0.5, 1) == ERROR and "the instance is at t = 0" in one.messages[-1][2]
    assert one.step(0, 0) == ERROR and one.step(0, -1) == ERROR
    assert one.step(0, float("nan")) == ERROR
    assert one.set(F, 1.0) == ERROR and one.set(0, float("nan")) == ERROR
    assert one.set(77, 1.0) == ERROR
    assert one.set(time, 1.0) == ERROR and "independent" in one.messages[-1][2]
    one.get(77, expected=ERROR)
    assert one("GetFloat64", None, ct.c_size_t(1), None, ct.c_size_t(1)) == ERROR
    r, n = one.references(0)
    assert one("GetFloat64", r, n, (ct.c_double * 2)(), ct.c_size_t(2)) == ERROR
    assert "all variables are scalar" in one.messages[-1][2]
    flag = ct.byref(ct.c_bool())
    assert one("DoStep", ct.c_double(0), ct.c_double(1), ct.c_bool(True), flag, flag, flag,
               None) == ERROR
    assert one.step(0, 0.25) == OK
    assert one("Terminate") == OK and one("Terminate") == ERROR
    assert one.step(0.25, 1) == ERROR
    assert one.get([F, time]) == [0, 0.25]  # may still be read
    assert one("SetDebugLogging", ct.c_bool(True), ct.c_size_t(0), None) == OK
    one.free()
    one.fmu.library.fmi3FreeInstance(None)
    assert one.fmu.library.fmi3Terminate(None) == ERROR


def test_variables_of_other_types(fmu_of):
    one = fmu_of("jenkins").instance().start()
    r, n = one.references(0)
    data, size, zero = (ct.c_double * 4)(), ct.c_size_t(1), ct.c_size_t(0)
    for kind in TYPES.replace("Float64", "").split():
        more = {"Binary": ((ct.c_size_t * 1)(), data, size), "Clock": (data,)}.get(kind, (data, size))
        for way in ("Get", "Set"):
            assert one(way + kind, r, n, *more) == ERROR
            assert one.messages[-1][2].startswith(f"fmi3{way}{kind}: this FMU has ")
            assert one(way + kind, None, zero, *([None] * (len(more) - 1)), zero) == OK


def test_what_this_fmu_does_not_have_is_refused_with_a_reason(fmu_of):
    one = fmu_of("jenkins").instance().start()
    flag, number, size = ct.byref(ct.c_bool()), ct.byref(ct.c_double()), ct.byref(ct.c_size_t())
    r, n = one.references(0)
    pair = (ct.c_uint64 * 1)(), (ct.c_uint64 * 1)()
    real = (ct.c_double * 1)()
    none = ct.c_size_t(0)
    calls = {
        "EnterConfigurationMode": (), "ExitConfigurationMode": (), "EnterEventMode": (),
        "EnterStepMode": (), "EvaluateDiscreteStates": (),
        "UpdateDiscreteStates": (flag, flag, flag, flag, flag, number),
        "EnterContinuousTimeMode": (), "CompletedIntegratorStep": (ct.c_bool(True), flag, flag),
        "SetTime": (ct.c_double(0),), "SetContinuousStates": (None, none),
        "GetContinuousStateDerivatives": (None, none), "GetEventIndicators": (None, none),
        "GetContinuousStates": (None, none), "GetNominalsOfContinuousStates": (None, none),
        "GetNumberOfEventIndicators": (size,), "GetNumberOfContinuousStates": (size,),
        "ActivateModelPartition": (ct.c_uint32(0), ct.c_double(0)),
        "GetNumberOfVariableDependencies": (ct.c_uint32(F), size),
        "GetVariableDependencies": (ct.c_uint32(F), None, None, None, None, none),
        "GetIntervalDecimal": (r, n, real, None), "GetIntervalFraction": (r, n, *pair, None),
        "GetShiftDecimal": (r, n, real), "GetShiftFraction": (r, n, *pair),
        "SetIntervalDecimal": (r, n, real), "SetIntervalFraction": (r, n, *pair),
        "SetShiftDecimal": (r, n, real), "SetShiftFraction": (r, n, *pair),
        "GetOutputDerivatives": (r, n, (ct.c_int32 * 1)(1), real, ct.c_size_t(1)),
    }
    for name, arguments in calls.items():
        assert one(name, *arguments) == ERROR, name
        assert one.messages[-1][2].startswith(f"fmi3{name}: "), one.messages[-1]
    assert one.step(0, 1) == OK  # none of them did anything


def test_stop_time(fmu_of):
    one = fmu_of("jenkins").instance().start(stop=1.0)
    assert one.step(0, 1) == OK and one.step(1, 0.5) == ERROR


def test_bad_instantiation_says_why(fmu_of):
    fmu = fmu_of("jenkins")
    for options, reason in [({"token": "{0}"}, "token"), ({"name": b""}, "name"),
                            ({"resources": "/nowhere/"}, "nowhere"),
                            ({"event_mode": True}, "Event Mode"),
                            ({"intermediate": 1}, "providesIntermediateUpdate"),
                            ({"kind": "ModelExchange"}, "not for model exchange"),
                            ({"kind": "ScheduledExecution"}, "not for scheduled execution")]:
        one = fmu.instance(**options)
        assert not one.c and reason in one.messages[-1][2], one.messages


def test_export_refuses_other_versions(tmp_path):
    answer = subprocess.run([COMMAND, "export-fmu", "jenkins", "--fmi", "1", "-o",
                             str(tmp_path / "x.fmu")], capture_output=True, text=True)
    assert answer.returncode == 2 and "--fmi" in answer.stderr and "2, 3" in answer.stderr


# ----------------------------------------------------------------------------------------- structures

@pytest.mark.parametrize("model,time", [("jenkins", EVENTS), ("coulomb", EVENTS),
                                        ("bouc-wen", MIDPOINT)])
def test_a_structure_moves_as_in_fmi_2_and_respond(fmu_of, older_of, tmp_path, model, time):
    path = structure(tmp_path, model, "formula", 'force = "7"', time)
    command("respond", path, "-q", cwd=tmp_path)
    rows = {row["t"]: row for row in test_fmu.rows_of(tmp_path / "out.csv")}
    fmu = fmu_of(path)
    check_description(fmu.description, through=False)
    one, older = fmu.instance().start(7.0), older_of(path).instance().start(7.0)
    for i in range(24):
        for unit in (one, older):
            assert unit.step(0.25 * i, 0.25) == OK, unit.messages
        assert one.get(fmu.outputs) == older.get(fmu.outputs)
        row = rows[0.25 * (i + 1)]
        for name in ("x1", "x2", "v1", "v2", "energy"):
            # The error control of `events` steps to other places; the motion is the same.
            assert one.get(fmu.references[name]) == pytest.approx(row[name], abs=3e-7), (i, name)
    assert one.get(fmu.references["energy"]) > 0.01


def test_a_structure_with_fixed_steps_moves_as_in_respond(fmu_of, tmp_path):
    path = structure(tmp_path, "bouc-wen", "formula", 'force = "7"', MIDPOINT)
    command("respond", path, "-q", cwd=tmp_path)
    fmu = fmu_of(path)
    one = fmu.instance().start(7.0)
    for i, row in enumerate(test_fmu.rows_of(tmp_path / "out.csv")[1:]):
        assert one.step(0.0625 * i, 0.0625) == OK
        for name in ("x1", "x2", "v1", "v2"):
            # The same steps; sums of forces are rounded in another order.
            assert one.get(fmu.references[name]) == pytest.approx(row[name], rel=1e-11, abs=1e-12), i


def test_steps_of_a_structure_are_repeated_to_the_bit(fmu_of, tmp_path):
    fmu = fmu_of(structure(tmp_path))
    one, plain = fmu.instance().start(0), fmu.instance(name=b"plain").start(0)
    state = ct.c_void_p()
    for i in range(30):
        push = math.sin(0.7 * i)
        assert one("GetFMUState", ct.byref(state)) == OK
        one.set(0, push + 2)
        assert one.step(0.3 * i, 0.3) == OK
        assert one("SetFMUState", state) == OK
        for unit in (one, plain):
            unit.set(0, push)
            assert unit.step(0.3 * i, 0.3) == OK
        assert one.get(fmu.outputs) == plain.get(fmu.outputs)
    assert one("FreeFMUState", ct.byref(state)) == OK
    other = fmu.instance(name=b"other")
    data, size = as_bytes(one)
    from_bytes(other, data, size)  # into an instance of its own; what follows is the same
    for unit in (one, other):
        unit.set(0, 0.25)
        assert unit.step(9.0, 0.5) == OK, unit.messages
    assert one.get(fmu.outputs) == other.get(fmu.outputs)
    # A history that is cut, at whichever byte, is not taken for a shorter one.
    for cut in range(8, 8 * 20, 8):
        assert other("DeserializeFMUState", data, ct.c_size_t(size.value - cut),
                     ct.byref(ct.c_void_p())) == ERROR
    assert "damaged" in other.messages[-1][2]
