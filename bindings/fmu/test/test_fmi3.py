"""What only FMI 3.0 has: its description, and functions for what these FMUs do not have."""

import ctypes as ct
import re

import pytest

from master import ERROR, F, KINDS, OK, TYPES_3, check_common, check_faults, variables_of

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
    "Boolean": {"name", "valueReference", "description", "causality", "variability", "initial", "declaredType",
                "start"},
    "DefaultExperiment": {"startTime", "stopTime", "tolerance", "stepSize"},
    "Output": {"valueReference", "dependencies", "dependenciesKind"},
    "InitialUnknown": {"valueReference", "dependencies", "dependenciesKind"},
}
ORDER = ["ModelExchange", "CoSimulation", "ScheduledExecution", "UnitDefinitions", "TypeDefinitions",
         "LogCategories", "DefaultExperiment", "ModelVariables", "ModelStructure", "Annotations"]


def check_description(root, through=True):
    """The rules of section 2.4 and 4.4 of the standard, and of its schema, that concern what is
    written here."""
    check_common(root, ATTRIBUTES, ORDER, KINDS | {("independent", "continuous", None)})
    assert re.fullmatch(r"3\.(0|[1-9]\d*)(\.(0|[1-9]\d*))?(-.+)?", root.get("fmiVersion"))
    assert root.get("instantiationToken")
    assert root.get("variableNamingConvention") in ("flat", "structured")
    simulation = root.find("CoSimulation")
    # A state that can be written as bytes can be taken; intermediate update goes before early return.
    assert simulation.get("canGetAndSetFMUState") == "true" or \
        simulation.get("canSerializeFMUState") != "true"
    assert simulation.get("providesIntermediateUpdate") == "true" or \
        simulation.get("canReturnEarlyAfterIntermediateUpdate") != "true"
    assert int(simulation.get("maxOutputDerivativeOrder", "0")) >= 0
    assert all(v.tag in ("Float64", "Boolean") for v in root.find("ModelVariables"))
    variables = variables_of(root)
    assert [v["causality"] for v in variables].count("independent") == 1

    def references(causality):
        return [v["valueReference"] for v in variables if v["causality"] == causality]

    children = list(root.find("ModelStructure"))
    assert [c.tag for c in children] == sorted((c.tag for c in children),
                                               key=["Output", "InitialUnknown"].index)
    # Every output once; all of them are calculated, so each is an unknown of the initialization.
    for tag in ("Output", "InitialUnknown"):
        listed = [c.get("valueReference") for c in children if c.tag == tag]
        assert sorted(listed) == sorted(references("output"))
    for c in children:
        if c.tag == "Output":
            assert c.get("dependencies").split() == (references("input") if through else [])
        assert "dependenciesKind" not in c.attrib or \
            len(c.get("dependenciesKind").split()) == len(c.get("dependencies").split())


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


@pytest.fixture
def fmu_of(fmu_as):
    return lambda model, *arguments: fmu_as(3, model, *arguments)


def test_the_checks_of_the_description_can_fail(fmu_of):
    check_faults(fmu_of("jenkins").description, check_description, FAULTS)


def test_folders_and_documentation(fmu_of):
    fmu = fmu_of("jenkins")
    assert len(fmu.functions) == 75
    # Top-level folders that the standard knows, and a page that is a whole document.
    assert {p.name for p in fmu.folder.iterdir()} == {"modelDescription.xml", "binaries",
                                                     "documentation", "resources"}
    page = (fmu.folder / "documentation/index.html").read_text()
    assert all(name in page for name in fmu.references if name != "time") and "</html>" in page


def test_there_are_no_adjoint_derivatives(fmu_of):
    one = fmu_of("jenkins").instance().start()
    data, size = (ct.c_double * 1)(), ct.c_size_t(1)
    assert one("GetAdjointDerivative", *one.references(F), *one.references(0), data, size, data,
               size) == ERROR
    assert "providesAdjointDerivatives = false" in one.sentence()


def test_calls_that_only_this_version_has(fmu_of):
    one = fmu_of("jenkins").instance()
    time = one.fmu.references["time"]
    assert one.enter(start=float("nan")) == ERROR and one.enter(start=1, stop=0.5) == ERROR
    one.start()
    assert one.set(time, 1.0) == ERROR and "independent" in one.sentence()
    assert one("GetFloat64", *one.references(0), (ct.c_double * 2)(), ct.c_size_t(2)) == ERROR
    assert "all variables are scalar" in one.sentence()
    flag = ct.byref(ct.c_bool())
    assert one("DoStep", ct.c_double(0), ct.c_double(1), ct.c_bool(True), flag, flag, flag,
               None) == ERROR
    assert one.step(0, 0.25) == OK and one("Terminate") == OK
    assert one.get([F, time]) == [0, 0.25]  # may still be read


def test_variables_of_other_types(fmu_of):
    one = fmu_of("jenkins").instance().start()
    r, n = one.references(0)
    data, size, zero = (ct.c_double * 4)(), ct.c_size_t(1), ct.c_size_t(0)
    for kind in (kind for kind in TYPES_3 if kind != "Float64"):
        if kind == "Boolean":  # there could be one: a wrong reference is an error as for real numbers
            assert one.set_boolean(0, True) == ERROR and "no Boolean" in one.sentence()
            continue
        more = {"Binary": ((ct.c_size_t * 1)(), data, size), "Clock": (data,)}.get(kind, (data, size))
        for way in ("Get", "Set"):
            assert one(way + kind, r, n, *more) == ERROR
            assert one.sentence().startswith(f"fmi3{way}{kind}: this FMU has ")
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
        assert one.sentence().startswith(f"fmi3{name}: "), one.messages[-1]
    assert one.step(0, 1) == OK  # none of them did anything


def test_instantiation_that_only_this_version_refuses(fmu_of):
    fmu = fmu_of("jenkins")
    for options, reason in [({"event_mode": True}, "Event Mode"),
                            ({"intermediate": 1}, "providesIntermediateUpdate"),
                            ({"kind": "ModelExchange"}, "not for model exchange"),
                            ({"kind": "ScheduledExecution"}, "not for scheduled execution")]:
        one = fmu.instance(**options)
        assert not one.c and reason in one.sentence(), one.messages
