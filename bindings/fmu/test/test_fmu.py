"""A strict master for the FMUs of microslip: the rules of modelDescription.xml, the order of calls,
invalid calls, states, rejected steps. FMUs are loaded with ctypes; nothing of microslip's Python
module is used."""

import ctypes as ct
import math
import os
import re
import subprocess
import xml.etree.ElementTree as xml
import zipfile
from pathlib import Path

import pytest

COMMAND = os.environ["MICROSLIP_COMMAND"]
OK, WARNING, DISCARD, ERROR = 0, 1, 2, 3
F, FY, TANGENT, ENERGY, STORED = 10, 11, 12, 13, 14
FUNCTIONS = """GetTypesPlatform GetVersion SetDebugLogging Instantiate FreeInstance SetupExperiment
EnterInitializationMode ExitInitializationMode Terminate Reset GetReal GetInteger GetBoolean GetString
SetReal SetInteger SetBoolean SetString GetFMUstate SetFMUstate FreeFMUstate SerializedFMUstateSize
SerializeFMUstate DeSerializeFMUstate GetDirectionalDerivative SetRealInputDerivatives
GetRealOutputDerivatives DoStep CancelStep GetStatus GetRealStatus GetIntegerStatus GetBooleanStatus
GetStringStatus""".split()


def command(*arguments, cwd=None):
    return subprocess.run([COMMAND, *map(str, arguments)], check=True, capture_output=True, text=True,
                          cwd=cwd).stdout


Logger = ct.CFUNCTYPE(None, ct.c_void_p, ct.c_char_p, ct.c_int, ct.c_char_p, ct.c_char_p, ct.c_char_p)


class Callbacks(ct.Structure):
    _fields_ = [("logger", Logger), ("allocate", ct.c_void_p), ("free", ct.c_void_p),
                ("finished", ct.c_void_p), ("environment", ct.c_void_p)]


class Fmu:
    """An unpacked FMU, as a master sees it."""

    def __init__(self, path, folder):
        with zipfile.ZipFile(path) as archive:
            assert archive.testzip() is None
            archive.extractall(folder)
        self.folder = Path(folder)
        self.description = xml.parse(self.folder / "modelDescription.xml").getroot()
        self.guid = self.description.get("guid")
        identifier = self.description.find("CoSimulation").get("modelIdentifier")
        self.library = ct.CDLL(str(self.folder / "binaries/linux64" / f"{identifier}.so"))
        for name in FUNCTIONS:
            getattr(self.library, "fmi2" + name).restype = ct.c_int
        for name in ("Instantiate",):
            self.library.fmi2Instantiate.restype = ct.c_void_p
        self.library.fmi2GetVersion.restype = self.library.fmi2GetTypesPlatform.restype = ct.c_char_p
        self.references = {v.get("name"): int(v.get("valueReference"))
                           for v in self.description.find("ModelVariables")}

    def instance(self, **options):
        return Instance(self, **options)


class Instance:
    def __init__(self, fmu, name=b"one", guid=None, kind=1, location=None):
        self.fmu, self.messages = fmu, []
        self.logger = Logger(lambda env, who, status, category, message, text:
                             self.messages.append((status, category.decode(), text.decode())))
        self.callbacks = Callbacks(self.logger, None, None, None, None)
        uri = (location or (fmu.folder / "resources").as_uri()).encode()
        self.c = ct.c_void_p(fmu.library.fmi2Instantiate(
            name, kind, (guid or fmu.guid).encode(), uri, ct.byref(self.callbacks), 0, 1))

    def __call__(self, function, *arguments):
        return getattr(self.fmu.library, "fmi2" + function)(self.c, *arguments)

    def references(self, which):
        which = which if isinstance(which, (list, tuple)) else [which]
        return (ct.c_uint * len(which))(*which), ct.c_size_t(len(which))

    def set(self, which, *values):
        return self("SetReal", *self.references(which), (ct.c_double * len(values))(*values))

    def get(self, which, expected=OK):
        count = len(which) if isinstance(which, (list, tuple)) else 1
        out = (ct.c_double * count)()
        assert self("GetReal", *self.references(which), out) == expected
        return list(out) if isinstance(which, (list, tuple)) else out[0]

    def step(self, t, h):
        return self("DoStep", ct.c_double(t), ct.c_double(h), 1)

    def start(self, u=0.0, stop=None, **parameters):
        assert self("SetupExperiment", 0, ct.c_double(0), ct.c_double(0), int(stop is not None),
                    ct.c_double(stop or 0)) == OK
        for name, value in parameters.items():
            assert self.set(self.fmu.references[name], value) == OK, self.messages
        assert self("EnterInitializationMode") == OK
        assert self.set(0, u) == OK
        assert self("ExitInitializationMode") == OK
        return self


@pytest.fixture
def fmu_of(tmp_path):
    def make(model, *arguments):
        number = len(list(tmp_path.glob("*.fmu")))
        path = tmp_path / f"joint {number}.fmu"  # a blank in the path
        command("export-fmu", model, *arguments, "-o", path)
        return Fmu(path, tmp_path / f"unpacked {number}")
    return make


# ------------------------------------------------------------------------------ modelDescription.xml

ATTRIBUTES = {
    "fmiModelDescription": {"fmiVersion", "modelName", "guid", "description", "author", "version",
                            "copyright", "license", "generationTool", "generationDateAndTime",
                            "variableNamingConvention", "numberOfEventIndicators"},
    "CoSimulation": {"modelIdentifier", "needsExecutionTool", "canHandleVariableCommunicationStepSize",
                     "canInterpolateInputs", "maxOutputDerivativeOrder", "canRunAsynchronuously",
                     "canBeInstantiatedOnlyOncePerProcess", "canNotUseMemoryManagementFunctions",
                     "canGetAndSetFMUstate", "canSerializeFMUstate", "providesDirectionalDerivative"},
    "ScalarVariable": {"name", "valueReference", "description", "causality", "variability", "initial",
                       "canHandleMultipleSetPerTimeInstant"},
    "Real": {"declaredType", "quantity", "unit", "displayUnit", "relativeQuantity", "min", "max",
             "nominal", "unbounded", "start", "derivative", "reinit"},
    "Unit": {"name"}, "Category": {"name", "description"},
    "DefaultExperiment": {"startTime", "stopTime", "tolerance", "stepSize"},
    "Unknown": {"index", "dependencies", "dependenciesKind"},
}
ORDER = ["ModelExchange", "CoSimulation", "UnitDefinitions", "TypeDefinitions", "LogCategories",
         "DefaultExperiment", "VendorAnnotations", "ModelVariables", "ModelStructure"]


def check_description(root, through=True):
    """The rules of section 2.2 and 4.3 of the standard that concern what is written here."""
    assert root.tag == "fmiModelDescription" and root.get("fmiVersion") == "2.0"
    assert root.get("modelName") and root.get("guid")
    for element in root.iter():
        assert set(element.attrib) <= ATTRIBUTES.get(element.tag, set()), element.tag
    tags = [child.tag for child in root]
    assert tags == sorted(tags, key=ORDER.index) and len(set(tags)) == len(tags)
    assert {"CoSimulation", "ModelVariables", "ModelStructure"} <= set(tags)
    simulation = root.find("CoSimulation")
    assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", simulation.get("modelIdentifier"))
    for name, value in simulation.attrib.items():
        if name.startswith(("can", "needs", "provides")):
            assert value in ("true", "false")
    units = [unit.get("name") for unit in root.find("UnitDefinitions")]
    assert len(set(units)) == len(units)

    variables = list(root.find("ModelVariables"))
    names = [v.get("name") for v in variables]
    references = [v.get("valueReference") for v in variables]
    assert len(set(names)) == len(names) and len(set(references)) == len(references)
    for v in variables:
        assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*(\[\d+\])?(\.[A-Za-z_][A-Za-z0-9_]*(\[\d+\])?)*",
                            v.get("name").replace("-", "_").replace("+", "_")), v.get("name")
        real = v.find("Real")
        assert real is not None and len(list(v)) == 1 and real.get("unit") in units
        assert v.get("description") and int(v.get("valueReference")) >= 0
        kind = (v.get("causality"), v.get("variability"), v.get("initial"))
        # The table of allowed combinations, section 2.2.7.
        assert kind in {("parameter", "fixed", "exact"), ("input", "continuous", None),
                        ("output", "continuous", "calculated")}
        assert (real.get("start") is None) == (kind[0] == "output")
        start = float(real.get("start", "0").replace("INF", "inf"))
        if kind[0] == "parameter":
            assert float(real.get("min", "-inf")) <= start <= float(real.get("max", "inf"))

    structure = root.find("ModelStructure")
    assert [child.tag for child in structure] == ["Outputs", "InitialUnknowns"]
    index = {str(i + 1): v for i, v in enumerate(variables)}
    outputs = [str(i + 1) for i, v in enumerate(variables) if v.get("causality") == "output"]
    assert [u.get("index") for u in structure.find("Outputs")] == outputs
    # All outputs that are calculated are unknowns of the initialization, in ascending order.
    assert [u.get("index") for u in structure.find("InitialUnknowns")] == outputs
    for unknown in structure.find("Outputs"):
        listed = unknown.get("dependencies").split()
        assert all(index[i].get("causality") == "input" for i in listed)
        inputs = [str(i + 1) for i, v in enumerate(variables) if v.get("causality") == "input"]
        assert listed == (inputs if through else [])


@pytest.mark.parametrize("model", ["jenkins", "iwan4+viscous", "masing", "bouc-wen-planar", "maxwell",
                                   "backlash(jenkins)"])
def test_description_follows_the_standard(fmu_of, model):
    fmu = fmu_of(model)
    check_description(fmu.description)
    symbols = subprocess.run(["nm", "-D", "--defined-only", fmu.library._name], check=True,
                             capture_output=True, text=True).stdout.split("\n")
    exported = {line.split()[-1] for line in symbols if line}
    assert exported == {"fmi2" + name for name in FUNCTIONS}
    assert fmu.library.fmi2GetVersion() == b"2.0"
    assert fmu.library.fmi2GetTypesPlatform() == b"default"


def test_the_checks_of_the_description_can_fail(fmu_of):
    root = fmu_of("jenkins").description
    faults = [lambda r: r.set("fmiVersion", "3.0"),
              lambda r: r.find("CoSimulation").set("modelIdentifier", "a-b"),
              lambda r: r.find("CoSimulation").set("surprise", "1"),
              lambda r: r.find("ModelVariables")[1].set("valueReference", "0"),
              lambda r: r.find("ModelVariables")[1].find("Real").set("start", "0"),
              lambda r: r.find("ModelVariables")[0].set("initial", "exact"),
              lambda r: r.find("ModelVariables")[-1].find("Real").set("min", "1e9"),
              lambda r: r.find("ModelVariables")[-1].find("Real").set("unit", "furlong"),
              lambda r: r.find("ModelStructure").find("Outputs").remove(
                  r.find("ModelStructure").find("Outputs")[0])]
    for fault in faults:
        copy = xml.fromstring(xml.tostring(root))
        check_description(copy)
        fault(copy)
        with pytest.raises(AssertionError):
            check_description(copy)


def test_parameters_have_unit_bounds_and_start(fmu_of):
    fmu = fmu_of("iwan4", "--set", "KT=2", "--set", "chi=-0.25")
    reals = {v.get("name"): v.find("Real") for v in fmu.description.find("ModelVariables")}
    assert float(reals["KT"].get("start")) == 2 and reals["KT"].get("unit") == "F/L"
    assert float(reals["chi"].get("start")) == -0.25
    assert float(reals["chi"].get("min")) == -1 and float(reals["chi"].get("max")) == 0


def test_the_same_joint_gives_the_same_file(tmp_path):
    for name in ("a.fmu", "b.fmu"):
        command("export-fmu", "jenkins", "-o", tmp_path / name)
    assert (tmp_path / "a.fmu").read_bytes() == (tmp_path / "b.fmu").read_bytes()


# -------------------------------------------------------------------------------------- simulation

def motion(rows):
    return [0.01 * i * math.sin(0.3 * i) for i in range(rows)]


@pytest.mark.parametrize("model", ["jenkins", "iwan4", "bouc-wen", "maxwell", "lugre",
                                   "jenkins+linear"])
def test_steps_answer_what_simulate_answers(fmu_of, model, tmp_path):
    u = motion(150)
    h = 0.125  # times are sums without rounding
    lines = "\n".join(f"{h * i!r},{x!r}" for i, x in enumerate(u))
    (tmp_path / "in.csv").write_text("t,u\n" + lines + "\n")
    out = command("simulate", model, "--input", "in.csv", "--columns", "tangent,stored", "-o", "-",
                  cwd=tmp_path)
    rows = [line.split(",") for line in out.splitlines() if line and line[0] not in "#t"]
    one = fmu_of(model).instance().start(u[0])
    for i, row in enumerate(rows):
        if i > 0:
            assert one.set(0, u[i]) == OK and one.step(h * (i - 1), h) == OK
        got = one.get([F, TANGENT, STORED])
        wanted = [float(row[k]) for k in (2, 4, 5)]
        assert got == wanted, (i, got, wanted)
        assert one.get(ENERGY) == pytest.approx(float(row[3]), rel=1e-12, abs=1e-15)


def test_planar(fmu_of):
    one = fmu_of("jenkins-planar").instance()
    one.start()
    assert one.set([0, 1], 3e-3, 4e-3) == OK and one.step(0, 1) == OK
    fx, fy = one.get([F, FY])
    assert fy / fx == pytest.approx(4 / 3, rel=1e-12)


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


def test_derivative_of_the_input(fmu_of):
    one = fmu_of("jenkins(k=1,phi=10)").instance().start()
    references, count = one.references(0)
    slope = (ct.c_double * 1)(0.5)
    assert one("SetRealInputDerivatives", references, count, (ct.c_int * 1)(1), slope) == OK
    assert one.step(0, 2) == OK and one.get(F) == 1.0 and one.get(0) == 1.0
    assert one("SetRealInputDerivatives", references, count, (ct.c_int * 1)(2), slope) == ERROR


def test_directional_derivative_is_the_tangent(fmu_of):
    one = fmu_of("jenkins(k=3,phi=1)").instance().start()
    change, answer = (ct.c_double * 1)(2.0), (ct.c_double * 1)()
    f, n = one.references(F)
    u, m = one.references(0)
    assert one("GetDirectionalDerivative", f, n, u, m, change, answer) == OK and answer[0] == 6
    e, n = one.references(ENERGY)
    assert one("GetDirectionalDerivative", e, n, u, m, change, answer) == ERROR


# -------------------------------------------------------------------------------- states and rejection

def test_a_rejected_step_is_repeated_from_a_state(fmu_of):
    one = fmu_of("iwan4").instance().start()
    plain = one.fmu.instance().start()
    state = ct.c_void_p()
    for i in range(40):
        u = math.sin(0.5 * i)
        assert one("GetFMUstate", ct.byref(state)) == OK
        one.set(0, u + 3)  # the master goes too far …
        assert one.step(0.1 * i, 0.1) == OK
        assert one("SetFMUstate", state) == OK  # … and takes it back
        for joint in (one, plain):
            joint.set(0, u)
            assert joint.step(0.1 * i, 0.1) == OK
        assert one.get([F, ENERGY, TANGENT, STORED]) == plain.get([F, ENERGY, TANGENT, STORED])
    assert one("FreeFMUstate", ct.byref(state)) == OK and not state
    assert one("FreeFMUstate", ct.byref(state)) == OK


def test_states_as_bytes_and_between_instances(fmu_of):
    one = fmu_of("iwan4+jenkins").instance().start(0.0)
    for i in range(10):
        one.set(0, math.sin(i))
        assert one.step(i, 1) == OK
    state = ct.c_void_p()
    size = ct.c_size_t()
    assert one("GetFMUstate", ct.byref(state)) == OK
    assert one("SerializedFMUstateSize", state, ct.byref(size)) == OK
    data = (ct.c_char * size.value)()
    assert one("SerializeFMUstate", state, data, size) == OK
    assert one("SerializeFMUstate", state, data, ct.c_size_t(size.value - 1)) == ERROR
    other = one.fmu.instance(name=b"two")
    copy = ct.c_void_p()
    assert other("DeSerializeFMUstate", data, size, ct.byref(copy)) == OK
    assert other("SetFMUstate", copy) == OK
    for joint in (one, other):
        joint.set(0, -2.0)
        assert joint.step(10, 1) == OK
    assert one.get([F, ENERGY]) == other.get([F, ENERGY])
    data[20] = bytes([data[20][0] ^ 1])
    assert other("DeSerializeFMUstate", data, size, ct.byref(ct.c_void_p())) == ERROR


def test_instances_do_not_share_anything(fmu_of):
    fmu = fmu_of("jenkins(k=1,phi=0.5)")
    joints = [fmu.instance(name=str(i).encode()).start(phi=0.5 + i) for i in range(3)]
    for i, joint in enumerate(joints):
        joint.set(0, 100.0)
        assert joint.step(0, 1) == OK
    assert [joint.get(F) for joint in joints] == [0.5, 1.5, 2.5]
    for joint in joints:
        joint.fmu.library.fmi2FreeInstance(joint.c)
    two = fmu_of("linear(k=7)").instance().start(1.0)  # another FMU in the same process
    assert two.get(F) == 7


def test_reset(fmu_of):
    one = fmu_of("jenkins(k=1,phi=0.5)").instance().start(k=3.0)
    one.set(0, 5.0)
    assert one.step(0, 1) == OK
    assert one("Reset") == OK
    one.start(0.125)
    assert one.get([F, ENERGY]) == [0.125, 0.0]


# --------------------------------------------------------------------------------------- invalid calls

def test_calls_in_the_wrong_order_are_errors(fmu_of):
    one = fmu_of("jenkins").instance()
    assert one.step(0, 1) == ERROR and "not allowed" in one.messages[-1][2]
    assert one("ExitInitializationMode") == ERROR and one("Terminate") == ERROR
    one.get(F, expected=ERROR)
    one.start()
    assert one("EnterInitializationMode") == ERROR
    assert one("SetupExperiment", 0, ct.c_double(0), ct.c_double(0), 0, ct.c_double(0)) == ERROR
    assert one("CancelStep") == ERROR
    assert one.step(0.5, 1) == ERROR and "the instance is at t = 0" in one.messages[-1][2]
    assert one.step(0, 0) == ERROR and one.step(0, -1) == ERROR
    assert one.step(0, float("nan")) == ERROR
    assert one.set(F, 1.0) == ERROR and one.set(0, float("nan")) == ERROR
    assert one.set(77, 1.0) == ERROR
    one.get(77, expected=ERROR)
    assert one.step(0, 0.25) == OK and one.step(0.25, 1.5) == OK  # any size of step
    assert one("GetInteger", *one.references(0), (ct.c_int * 1)()) == ERROR
    assert one("GetInteger", None, ct.c_size_t(0), None) == OK
    assert one("GetReal", None, ct.c_size_t(1), None) == ERROR
    assert one("Terminate") == OK
    assert one.step(1.75, 1) == ERROR
    assert one.get(F) == 0  # may still be read
    last = ct.c_double()
    assert one("GetRealStatus", 2, ct.byref(last)) == OK and last.value == 1.75
    assert one("GetStatus", 0, ct.byref(ct.c_int())) == DISCARD
    assert one("SetDebugLogging", 1, ct.c_size_t(0), None) == OK
    one.fmu.library.fmi2FreeInstance(one.c)
    one.fmu.library.fmi2FreeInstance(None)


def test_stop_time(fmu_of):
    one = fmu_of("jenkins").instance().start(stop=1.0)
    assert one.step(0, 1) == OK and one.step(1, 0.5) == ERROR


def test_bad_instantiation_says_why(fmu_of):
    fmu = fmu_of("jenkins")
    for options, reason in [({"guid": "{0}"}, "GUID"), ({"kind": 0}, "co-simulation"),
                            ({"name": b""}, "name"), ({"location": "http://x"}, "file: URI"),
                            ({"location": "file:///nowhere"}, "nowhere")]:
        one = fmu.instance(**options)
        assert not one.c and reason in one.messages[-1][2]


def test_a_law_without_an_answer_discards_the_step(fmu_of):
    one = fmu_of("linear(k=10)").instance().start()
    state = ct.c_void_p()
    assert one("GetFMUstate", ct.byref(state)) == OK
    one.set(0, 1e308)  # the force is too large for a number
    assert one.step(0, 1) == DISCARD
    last = ct.c_double(-1)
    assert one("GetRealStatus", 2, ct.byref(last)) == OK and last.value == 0
    assert one.step(0, 1) == ERROR  # first back to a state
    assert one("SetFMUstate", state) == OK
    one.set(0, 1.0)
    assert one.step(0, 0.5) == OK


def test_export_refuses_what_it_cannot_do(tmp_path):
    for arguments in (["jenkins", "linear"], ["jenkis"], ["jenkins", "--set", "k=-1"]):
        answer = subprocess.run([COMMAND, "export-fmu", *arguments, "-o", str(tmp_path / "x.fmu")],
                                capture_output=True, text=True)
        assert answer.returncode == 2 and answer.stderr.startswith("microslip: ")
        assert not (tmp_path / "x.fmu").exists()
    answer = subprocess.run([COMMAND, "export-fmu", "jenkins"], capture_output=True, text=True)
    assert answer.returncode == 2 and "-o FILE.fmu is required" in answer.stderr


# ----------------------------------------------------------------------------------------- structures

STRUCTURE = """M = [1.0, 2.0]
K = [[3.0, -1.0], [-1.0, 1.5]]
C = [[0.02, 0.0], [0.0, 0.01]]
[[joint]]
model = "{model}"
between = [1, 2]
[[sensor]]
name = "gap"
between = [1, 2]
[[load]]
kind = "{kind}"
dof = 2
{load}
[[analysis]]
kind = "time"
until = 6.0
{time}
output = "out.csv"
"""
EVENTS, MIDPOINT = "step = 0.25", 'method = "midpoint"\nstep = 0.0625'


def structure(tmp_path, model="jenkins", kind="static", load="amplitude = 0.7", time=EVENTS):
    path = tmp_path / "frame.toml"
    path.write_text(STRUCTURE.format(model=model, kind=kind, load=load, time=time))
    return path


def rows_of(path):
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    names = [name.split(" ")[0] for name in lines[0].split(",")]
    return [dict(zip(names, map(float, line.split(",")))) for line in lines[1:]]


@pytest.mark.parametrize("model,time", [("jenkins", EVENTS), ("iwan4", EVENTS), ("coulomb", EVENTS),
                                        ("bouc-wen", MIDPOINT), ("maxwell", MIDPOINT)])
def test_a_structure_moves_as_in_respond(fmu_of, tmp_path, model, time):
    path = structure(tmp_path, model, "formula", 'force = "7"', time)
    command("respond", path, "-q", cwd=tmp_path)
    rows = {row["t"]: row for row in rows_of(tmp_path / "out.csv")}
    fmu = fmu_of(path)
    check_structure(fmu.description)
    names = ["x1", "x2", "v1", "v2", "x_gap", "energy"]
    one = fmu.instance().start(7.0)
    for i in range(24):
        assert one.step(0.25 * i, 0.25) == OK, one.messages
        got = dict(zip(names, one.get([fmu.references[name] for name in names])))
        for name in set(names) & set(rows[0.25 * (i + 1)]):
            # The error control of `events` steps to other places; the motion is the same.
            assert got[name] == pytest.approx(rows[0.25 * (i + 1)][name], abs=3e-7), (i, name)
        assert got["x_gap"] == pytest.approx(got["x2"] - got["x1"], abs=1e-15)
    assert got["energy"] > 0.01


def check_structure(root):
    check_description(adapted := xml.fromstring(xml.tostring(root)), through=False)
    assert adapted.find("CoSimulation").get("canInterpolateInputs") == "false"


def test_a_static_load_is_the_start_value(fmu_of, tmp_path):
    fmu = fmu_of(structure(tmp_path))
    rests = fmu.instance().start(0.7)  # in equilibrium under it
    assert rests.get(fmu.references["x2"]) == pytest.approx(0.5, abs=0.2)
    before = rests.get([fmu.references["x1"], fmu.references["x2"]])
    assert rests.step(0, 5) == OK
    after = rests.get([fmu.references["x1"], fmu.references["x2"]])
    assert after == pytest.approx(before, abs=1e-9)
    rests.set(0, 0.0)  # and moves when it is taken away
    assert rests.step(5, 1) == OK
    assert abs(rests.get(fmu.references["x2"]) - before[1]) > 0.05
    reals = {v.get("name"): v.find("Real") for v in fmu.description.find("ModelVariables")}
    assert float(reals["load1"].get("start")) == 0.7 and reals["load1"].get("unit") == "F"
    assert float(reals["joint1.phi"].get("start")) > 0 and reals["x1"].get("unit") == "L"
    base = fmu_of(structure(tmp_path, kind="base", load="amplitude = 1.0\nomega = 1.0"))
    reals = {v.get("name"): v.find("Real") for v in base.description.find("ModelVariables")}
    assert float(reals["load1"].get("start")) == 0 and reals["load1"].get("unit") == "L/T^2"


def test_steps_of_a_structure_are_repeated_to_the_bit(fmu_of, tmp_path):
    fmu = fmu_of(structure(tmp_path))
    one, plain = fmu.instance().start(0), fmu.instance(name=b"plain").start(0)
    all_outputs = [int(v.get("valueReference")) for v in fmu.description.find("ModelVariables")
                   if v.get("causality") == "output"]
    state = ct.c_void_p()
    for i in range(30):
        push = math.sin(0.7 * i)
        assert one("GetFMUstate", ct.byref(state)) == OK
        one.set(0, push + 2)
        assert one.step(0.3 * i, 0.3) == OK
        assert one("SetFMUstate", state) == OK
        for unit in (one, plain):
            unit.set(0, push)
            assert unit.step(0.3 * i, 0.3) == OK
        assert one.get(all_outputs) == plain.get(all_outputs)
    # As bytes, into an instance of its own; what follows is the same.
    size = ct.c_size_t()
    assert one("GetFMUstate", ct.byref(state)) == OK
    assert one("SerializedFMUstateSize", state, ct.byref(size)) == OK
    data = (ct.c_char * size.value)()
    assert one("SerializeFMUstate", state, data, size) == OK
    assert one("FreeFMUstate", ct.byref(state)) == OK
    other, read = fmu.instance(name=b"other"), ct.c_void_p()
    assert other("DeSerializeFMUstate", data, size, ct.byref(read)) == OK
    assert other("SetFMUstate", read) == OK
    assert other("FreeFMUstate", ct.byref(read)) == OK
    for unit in (one, other):
        unit.set(0, 0.25)
        assert unit.step(9.0, 0.5) == OK, unit.messages
    assert one.get(all_outputs) == other.get(all_outputs)


def test_parameters_of_the_joints_of_a_structure(fmu_of, tmp_path):
    fmu = fmu_of(structure(tmp_path))
    stiff = fmu.instance().start(0.1, **{"joint1.k": 1e4, "joint1.phi": 1e3})
    assert stiff.step(0, 3) == OK
    assert abs(stiff.get(fmu.references["x_gap"])) < 1e-4
    wrong = fmu.instance()
    assert wrong.set(fmu.references["joint1.k"], -1.0) == ERROR
    assert "joint1.k = -1 must lie in" in wrong.messages[-1][2]


def test_inputs_of_a_structure_are_held(fmu_of, tmp_path):
    one = fmu_of(structure(tmp_path)).instance().start(0)
    references, count = one.references(0)
    assert one("SetRealInputDerivatives", references, count, (ct.c_int * 1)(1),
               (ct.c_double * 1)(0.5)) == ERROR
    assert "held during a step" in one.messages[-1][2]


def test_export_of_a_structure_refuses_what_it_cannot_do(tmp_path):
    path = structure(tmp_path, time='method = "cvode"')
    for arguments, sentence in ((["--set", "k=1"], "exported alone"), ([], "cvode")):
        answer = subprocess.run([COMMAND, "export-fmu", str(path), *arguments, "-o",
                                 str(tmp_path / "x.fmu")], capture_output=True, text=True)
        assert answer.returncode == 2 and sentence in answer.stderr, answer.stderr
        assert not (tmp_path / "x.fmu").exists()
