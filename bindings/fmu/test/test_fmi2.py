"""What only FMI 2.0 has: its description, derivatives of inputs, the status of a step."""

import ctypes as ct

import pytest

from master import DISCARD, ERROR, F, KINDS, OK, check_common, check_faults, structure, variables_of

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
    "Boolean": {"declaredType", "start"},
    "DefaultExperiment": {"startTime", "stopTime", "tolerance", "stepSize"},
    "Unknown": {"index", "dependencies", "dependenciesKind"},
}
ORDER = ["ModelExchange", "CoSimulation", "UnitDefinitions", "TypeDefinitions", "LogCategories",
         "DefaultExperiment", "VendorAnnotations", "ModelVariables", "ModelStructure"]


def check_description(root, through=True):
    """The rules of section 2.2 and 4.3 of the standard that concern what is written here."""
    check_common(root, ATTRIBUTES, ORDER, KINDS)
    assert root.get("fmiVersion") == "2.0" and root.get("guid")
    for v in root.find("ModelVariables"):
        assert v.tag == "ScalarVariable" and [child.tag for child in v] in (["Real"], ["Boolean"])
    structure_ = root.find("ModelStructure")
    assert [child.tag for child in structure_] == ["Outputs", "InitialUnknowns"]
    variables = variables_of(root)

    def indices(causality):
        return [str(i) for i, v in enumerate(variables, 1) if v["causality"] == causality]

    # All outputs are calculated, so they are unknowns of the initialization, in ascending order.
    for child in structure_:
        assert [u.get("index") for u in child] == indices("output")
    for unknown in structure_.find("Outputs"):
        assert unknown.get("dependencies").split() == (indices("input") if through else [])


FAULTS = {
    "version": lambda r: r.set("fmiVersion", "3.0"),
    "guid": lambda r: r.attrib.pop("guid"),
    "identifier": lambda r: r.find("CoSimulation").set("modelIdentifier", "a-b"),
    "attribute": lambda r: r.find("CoSimulation").set("surprise", "1"),
    "order": lambda r: r.append(r[0]),
    "same reference": lambda r: r.find("ModelVariables")[1].set("valueReference", "0"),
    "start of an output": lambda r: r.find("ModelVariables")[1].find("Real").set("start", "0"),
    "initial of an input": lambda r: r.find("ModelVariables")[0].set("initial", "exact"),
    "start out of bounds": lambda r: r.find("ModelVariables")[-1].find("Real").set("min", "1e9"),
    "unit": lambda r: r.find("ModelVariables")[-1].find("Real").set("unit", "furlong"),
    "output not listed": lambda r: r.find("ModelStructure")[0].remove(r.find("ModelStructure")[0][0]),
    "unknown not listed": lambda r: r.find("ModelStructure")[1].remove(r.find("ModelStructure")[1][0]),
    "dependency": lambda r: r.find("ModelStructure")[0][0].set("dependencies", "2"),
}


@pytest.fixture
def fmu_of(fmu_as):
    return lambda model, *arguments: fmu_as(2, model, *arguments)


def test_the_checks_of_the_description_can_fail(fmu_of):
    check_faults(fmu_of("jenkins").description, check_description, FAULTS)


def test_types_platform(fmu_of):
    assert fmu_of("jenkins").library.fmi2GetTypesPlatform() == b"default"


def test_derivative_of_the_input(fmu_of):
    one = fmu_of("jenkins(k=1,phi=10)").instance().start()
    slope = (ct.c_double * 1)(0.5)

    def set_derivative(order):
        return one("SetRealInputDerivatives", *one.references(0), (ct.c_int * 1)(order), slope)

    assert set_derivative(1) == OK
    assert one.step(0, 2) == OK and one.get(F) == 1.0 and one.get(0) == 1.0
    assert set_derivative(2) == ERROR


def test_inputs_of_a_structure_are_held(fmu_of, tmp_path):
    one = fmu_of(structure(tmp_path)).instance().start(0)
    assert one("SetRealInputDerivatives", *one.references(0), (ct.c_int * 1)(1),
               (ct.c_double * 1)(0.5)) == ERROR
    assert "held during a step" in one.sentence()


def test_calls_that_only_this_version_has(fmu_of):
    one = fmu_of("jenkins").instance().start()
    assert one("EnterInitializationMode") == ERROR and one.setup() == ERROR
    assert one("CancelStep") == ERROR
    assert one("GetInteger", *one.references(0), (ct.c_int * 1)()) == ERROR
    assert one("GetInteger", None, ct.c_size_t(0), None) == OK
    assert one.step(0, 1.75) == OK and one.last == 1.75
    assert one("GetStatus", 0, ct.byref(ct.c_int())) == DISCARD


def test_instantiation_that_only_this_version_refuses(fmu_of):
    fmu = fmu_of("jenkins")
    for options, reason in [({"kind": 0}, "co-simulation"), ({"resources": "http://x"}, "file: URI")]:
        one = fmu.instance(**options)
        assert not one.c and reason in one.sentence(), one.messages
