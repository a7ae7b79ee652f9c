"""A strict master for FMUs of FMI 2.0 and 3.0: one set of calls over both interfaces. FMUs are loaded
with ctypes; nothing of microslip's Python module is used."""

import ctypes as ct
import os
import re
import subprocess
import xml.etree.ElementTree as xml
import zipfile
from pathlib import Path

COMMAND = os.environ["MICROSLIP_COMMAND"]
OK, WARNING, DISCARD, ERROR = 0, 1, 2, 3
F, FY, TANGENT, ENERGY, STORED = 10, 11, 12, 13, 14

FUNCTIONS_2 = """GetTypesPlatform GetVersion SetDebugLogging Instantiate FreeInstance SetupExperiment
EnterInitializationMode ExitInitializationMode Terminate Reset GetReal GetInteger GetBoolean GetString
SetReal SetInteger SetBoolean SetString GetFMUstate SetFMUstate FreeFMUstate SerializedFMUstateSize
SerializeFMUstate DeSerializeFMUstate GetDirectionalDerivative SetRealInputDerivatives
GetRealOutputDerivatives DoStep CancelStep GetStatus GetRealStatus GetIntegerStatus GetBooleanStatus
GetStringStatus""".split()
TYPES_3 = """Float32 Float64 Int8 UInt8 Int16 UInt16 Int32 UInt32 Int64 UInt64 Boolean String Binary
Clock""".split()
FUNCTIONS_3 = """GetVersion SetDebugLogging InstantiateModelExchange InstantiateCoSimulation
InstantiateScheduledExecution FreeInstance EnterInitializationMode ExitInitializationMode EnterEventMode
Terminate Reset GetNumberOfVariableDependencies GetVariableDependencies GetFMUState SetFMUState
FreeFMUState SerializedFMUStateSize SerializeFMUState DeserializeFMUState GetDirectionalDerivative
GetAdjointDerivative EnterConfigurationMode ExitConfigurationMode GetIntervalDecimal GetIntervalFraction
GetShiftDecimal GetShiftFraction SetIntervalDecimal SetIntervalFraction SetShiftDecimal SetShiftFraction
EvaluateDiscreteStates UpdateDiscreteStates EnterContinuousTimeMode CompletedIntegratorStep SetTime
SetContinuousStates GetContinuousStateDerivatives GetEventIndicators GetContinuousStates
GetNominalsOfContinuousStates GetNumberOfEventIndicators GetNumberOfContinuousStates EnterStepMode
GetOutputDerivatives DoStep ActivateModelPartition""".split()
FUNCTIONS_3 += [way + kind for way in ("Get", "Set") for kind in TYPES_3]


def command(*arguments, cwd=None):
    return subprocess.run([COMMAND, *map(str, arguments)], check=True, capture_output=True, text=True,
                          cwd=cwd).stdout


def refusal(*arguments):
    """What the command says when it refuses."""
    answer = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True)
    assert answer.returncode == 2 and answer.stderr.startswith("microslip: "), answer.stderr
    return answer.stderr


def variables_of(description):
    """Attributes of the variables in their order; those of <Real> are inside the element in FMI 2.0."""
    return [{"type": v[0].tag if len(v) else v.tag, **v.attrib,
             **{k: x for child in v for k, x in child.attrib.items()}}
            for v in description.find("ModelVariables")]


class Fmu:
    """An unpacked FMU, as a master sees it."""

    def __init__(self, path, folder):
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)  # compares all checksums
        self.folder = Path(folder)
        self.description = xml.parse(self.folder / "modelDescription.xml").getroot()
        self.version = int(self.description.get("fmiVersion")[0])
        self.prefix = f"fmi{self.version}"
        self.functions = {2: FUNCTIONS_2, 3: FUNCTIONS_3}[self.version]
        self.token = self.description.get({2: "guid", 3: "instantiationToken"}[self.version])
        identifier = self.description.find("CoSimulation").get("modelIdentifier")
        platform = {2: "linux64", 3: "x86_64-linux"}[self.version]
        self.library = ct.CDLL(str(self.folder / "binaries" / platform / f"{identifier}.so"))
        for name in self.functions:
            function = getattr(self.library, self.prefix + name)
            function.restype = (ct.c_void_p if name.startswith("Instantiate") else
                                ct.c_char_p if name in ("GetVersion", "GetTypesPlatform") else
                                None if name == "FreeInstance" else ct.c_int)
        self.variables = {v["name"]: v for v in variables_of(self.description)}
        self.references = {name: int(v["valueReference"]) for name, v in self.variables.items()}
        self.outputs = [int(v["valueReference"]) for v in self.variables.values()
                        if v["causality"] == "output"]

    def exported(self):
        symbols = subprocess.run(["nm", "-D", "--defined-only", self.library._name], check=True,
                                 capture_output=True, text=True).stdout
        return {line.split()[-1] for line in symbols.splitlines()}

    def function(self, name):
        return getattr(self.library, self.prefix + name)

    def instance(self, **options):
        return {2: Instance2, 3: Instance3}[self.version](self, **options)


class Instance:
    """What a master does with an instance, in either version."""

    def __call__(self, function, *arguments):
        return self.fmu.function(function)(self.c, *arguments)

    def references(self, which):
        which = which if isinstance(which, (list, tuple)) else [which]
        return (ct.c_uint * len(which))(*which), ct.c_size_t(len(which))

    def set(self, which, *values):
        return self("Set" + self.REAL, *self.references(which), (ct.c_double * len(values))(*values),
                    *self.sizes(len(values)))

    def get(self, which, expected=OK):
        count = len(which) if isinstance(which, (list, tuple)) else 1
        out = (ct.c_double * count)()
        assert self("Get" + self.REAL, *self.references(which), out, *self.sizes(count)) == expected
        return list(out) if isinstance(which, (list, tuple)) else out[0]

    def set_boolean(self, which, value):
        return self("SetBoolean", *self.references(which), (self.BOOLEAN * 1)(value), *self.sizes(1))

    def get_boolean(self, which):
        out = (self.BOOLEAN * 1)()
        assert self("GetBoolean", *self.references(which), out, *self.sizes(1)) == OK
        return bool(out[0])

    def start(self, u=0.0, stop=None, **parameters):
        for name, value in parameters.items():
            set_ = self.set_boolean if isinstance(value, bool) else self.set
            assert set_(self.fmu.references[name], value) == OK, self.messages
        assert self.enter(stop=stop) == OK
        assert self.set(0, u) == OK
        assert self("ExitInitializationMode") == OK
        return self

    def derivative(self, of, by, change):
        """Status and answer of a directional derivative."""
        seed, answer = (ct.c_double * 1)(change), (ct.c_double * 1)()
        status = self("GetDirectionalDerivative", *self.references(of), *self.references(by), seed,
                      *self.sizes(1), answer, *self.sizes(1))
        return status, answer[0]

    def sentence(self):
        return self.messages[-1][2]

    def take(self, state):
        return self("Get" + self.STATE, ct.byref(state))

    def put(self, state):
        return self("Set" + self.STATE, state)

    def release(self, state):
        return self("Free" + self.STATE, ct.byref(state))

    def as_bytes(self):
        state, size = ct.c_void_p(), ct.c_size_t()
        assert self.take(state) == OK
        assert self(f"Serialized{self.STATE}Size", state, ct.byref(size)) == OK
        data = (ct.c_uint8 * size.value)()
        assert self("Serialize" + self.STATE, state, data, ct.c_size_t(size.value - 1)) == ERROR
        assert self("Serialize" + self.STATE, state, data, size) == OK
        assert self.release(state) == OK
        return data

    def read(self, data, size=None, state=None):
        """Status of reading a state from bytes."""
        return self(self.READ + self.STATE, data, ct.c_size_t(len(data) if size is None else size),
                    ct.byref(ct.c_void_p() if state is None else state))

    def from_bytes(self, data):
        state = ct.c_void_p()
        assert self.read(data, state=state) == OK
        assert self.put(state) == OK
        assert self.release(state) == OK

    def free(self):
        self.fmu.function("FreeInstance")(self.c)


Logger2 = ct.CFUNCTYPE(None, ct.c_void_p, ct.c_char_p, ct.c_int, ct.c_char_p, ct.c_char_p, ct.c_char_p)
Logger3 = ct.CFUNCTYPE(None, ct.c_void_p, ct.c_int, ct.c_char_p, ct.c_char_p)


class Callbacks2(ct.Structure):
    _fields_ = [("logger", Logger2), ("allocate", ct.c_void_p), ("free", ct.c_void_p),
                ("finished", ct.c_void_p), ("environment", ct.c_void_p)]


class Instance2(Instance):
    REAL, STATE, READ, BOOLEAN = "Real", "FMUstate", "DeSerialize", ct.c_int

    def __init__(self, fmu, name=b"one", token=None, resources=None, kind=1):
        self.fmu, self.messages = fmu, []
        self.logger = Logger2(lambda env, who, status, category, message, text:
                              self.messages.append((status, category.decode(), text.decode())))
        self.callbacks = Callbacks2(self.logger, None, None, None, None)
        uri = (resources or (fmu.folder / "resources").as_uri()).encode()
        self.c = ct.c_void_p(fmu.library.fmi2Instantiate(
            name, kind, (token or fmu.token).encode(), uri, ct.byref(self.callbacks), 0, 1))

    def sizes(self, count):
        return ()

    def setup(self, start=0.0, stop=None):
        return self("SetupExperiment", 0, ct.c_double(0), ct.c_double(start), int(stop is not None),
                    ct.c_double(stop or 0))

    def enter(self, start=0.0, stop=None):
        status = self.setup(start, stop)
        return status if status != OK else self("EnterInitializationMode")

    def step(self, t, h):
        return self("DoStep", ct.c_double(t), ct.c_double(h), 1)

    @property
    def last(self):
        last = ct.c_double(-1)
        assert self("GetRealStatus", 2, ct.byref(last)) == OK
        return last.value


class Instance3(Instance):
    REAL, STATE, READ, BOOLEAN = "Float64", "FMUState", "Deserialize", ct.c_bool

    def __init__(self, fmu, name=b"one", token=None, resources=None, event_mode=False,
                 intermediate=0, kind="CoSimulation"):
        self.fmu, self.messages, self.last = fmu, [], None
        self.logger = Logger3(lambda environment, status, category, message:
                              self.messages.append((status, category.decode(), message.decode())))
        head = (name, (token or fmu.token).encode(),
                (resources or str(fmu.folder / "resources") + "/").encode(), ct.c_bool(False),
                ct.c_bool(True))
        more = {"CoSimulation": (ct.c_bool(event_mode), ct.c_bool(True),
                                 (ct.c_uint32 * max(intermediate, 1))(), ct.c_size_t(intermediate),
                                 None, self.logger, None),
                "ModelExchange": (None, self.logger),
                "ScheduledExecution": (None, self.logger, None, None, None)}[kind]
        self.c = ct.c_void_p(fmu.function("Instantiate" + kind)(*head, *more))

    def sizes(self, count):
        return (ct.c_size_t(count),)

    def enter(self, start=0.0, stop=None):
        return self("EnterInitializationMode", ct.c_bool(False), ct.c_double(0), ct.c_double(start),
                    ct.c_bool(stop is not None), ct.c_double(stop or 0))

    def step(self, t, h):
        flags, last = [ct.c_bool(True) for _ in range(3)], ct.c_double(-1)
        status = self("DoStep", ct.c_double(t), ct.c_double(h), ct.c_bool(True),
                      *map(ct.byref, flags), ct.byref(last))
        # No events, no end of the simulation, no early return: whatever happens.
        assert not any(flag.value for flag in flags)
        self.last = last.value
        assert status != OK or last.value == t + h
        return status


# ------------------------------------------------------------------------------ modelDescription.xml

def check_common(root, attributes, order, kinds):
    """The rules of both standards that concern what is written here. `attributes` and `order` are those
    of the schema, `kinds` the combinations of causality, variability and initial that may occur."""
    assert root.tag == "fmiModelDescription" and root.get("modelName")
    for element in root.iter():
        assert set(element.attrib) <= attributes.get(element.tag, set()), element.tag
    tags = [child.tag for child in root]
    assert tags == sorted(tags, key=order.index) and len(set(tags)) == len(tags)
    assert {"CoSimulation", "ModelVariables", "ModelStructure"} <= set(tags)
    simulation = root.find("CoSimulation")
    assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", simulation.get("modelIdentifier"))
    for name, value in simulation.attrib.items():
        if name.startswith(("can", "needs", "provides", "has", "might")):
            assert value in ("true", "false")
    for group in ("UnitDefinitions", "LogCategories"):
        names = [child.get("name") for child in root.find(group)]
        assert names and len(set(names)) == len(names)
    units = [unit.get("name") for unit in root.find("UnitDefinitions")]

    variables = variables_of(root)
    for key in ("name", "valueReference"):
        values = [v[key] for v in variables]
        assert len(set(values)) == len(values)
    for v in variables:
        assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*(\[\d+\])?(\.[A-Za-z_][A-Za-z0-9_]*(\[\d+\])?)*",
                            v["name"].replace("-", "_").replace("+", "_")), v["name"]
        assert v["description"] and 0 <= int(v["valueReference"]) < 2 ** 32
        assert v["unit"] in units if v["type"] != "Boolean" else v["start"] in ("true", "false")
        kind = (v["causality"], v["variability"], v.get("initial"))
        assert kind in kinds
        # Inputs and what is exact have a start value; what is calculated and time have none.
        assert ("start" not in v) == (kind[0] in ("output", "independent"))
        if v["type"] == "Boolean":
            assert "min" not in v and "max" not in v and "unit" not in v
            continue
        start = float(v.get("start", "0").replace("INF", "inf"))
        low, high = float(v.get("min", "-inf")), float(v.get("max", "inf"))
        assert low <= high and (kind[0] != "parameter" or low <= start <= high)


KINDS = {("parameter", "fixed", "exact"), ("input", "continuous", None),
         ("output", "continuous", "calculated")}


def check_faults(root, check, faults):
    """A description that is spoilt by any of these is refused by the check."""
    text = xml.tostring(root)
    check(xml.fromstring(text))
    for name, fault in faults.items():
        copy = xml.fromstring(text)
        fault(copy)
        try:
            check(copy)
        except (AssertionError, KeyError):
            continue
        raise AssertionError(f"this fault was not noticed: {name}")


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
