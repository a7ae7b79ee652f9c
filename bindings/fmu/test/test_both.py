"""What FMUs of FMI 2.0 and 3.0 have in common: answers of `simulate` and `respond`, parameters, states,
rejected steps, and calls that are refused."""

import ctypes as ct
import math

import pytest

import test_fmi2
import test_fmi3
from master import (DISCARD, ENERGY, ERROR, EVENTS, F, FY, MIDPOINT, OK, STORED, TANGENT, command,
                    refusal, rows_of, structure)

CHECK = {2: test_fmi2.check_description, 3: test_fmi3.check_description}


@pytest.fixture(params=[2, 3], ids=["fmi2", "fmi3"])
def fmu_of(request, fmu_as):
    return lambda model, *arguments: fmu_as(request.param, model, *arguments)


# -------------------------------------------------------------------------------------- the file

@pytest.mark.parametrize("model", ["jenkins", "iwan4+viscous", "masing", "bouc-wen-planar", "maxwell",
                                   "backlash(jenkins)"])
def test_description_and_symbols_follow_the_standard(fmu_of, model):
    fmu = fmu_of(model)
    CHECK[fmu.version](fmu.description)
    assert fmu.exported() == {fmu.prefix + name for name in fmu.functions}
    assert fmu.function("GetVersion")() == f"{fmu.version}.0".encode()


def test_licences_of_all_that_is_carried(fmu_of):
    fmu = fmu_of("jenkins")
    text = (fmu.folder / "documentation/licenses/license.txt").read_text(encoding="utf-8")
    carried = [path.name for path in fmu.folder.glob("binaries/*/lib*.so*")]
    names = {"libfmt": "fmt", "libtomlplusplus": "toml++", "libz": "zlib"}
    assert carried and all(f"\n{names[name.split('.so')[0]]} " in text for name in carried)
    assert text.count("SPDX-License-Identifier") >= 11


def test_parameters_have_unit_bounds_and_start(fmu_of):
    of = fmu_of("iwan4", "--set", "KT=2", "--set", "chi=-0.25").variables
    assert float(of["KT"]["start"]) == 2 and of["KT"]["unit"] == "F/L"
    assert float(of["chi"]["start"]) == -0.25
    assert float(of["chi"]["min"]) == -1 and float(of["chi"]["max"]) == 0


@pytest.mark.parametrize("version", [2, 3])
def test_the_same_joint_gives_the_same_file(tmp_path, version):
    for name in ("a.fmu", "b.fmu"):
        command("export-fmu", "jenkins", "--fmi", version, "-o", tmp_path / name)
    assert (tmp_path / "a.fmu").read_bytes() == (tmp_path / "b.fmu").read_bytes()


def test_both_versions_describe_the_same_variables(fmu_as):
    old, new = (fmu_as(version, "iwan4", "--set", "chi=-0.25") for version in (2, 3))
    assert set(new.variables) == {*old.variables, "time"} and new.token == old.token
    for name, v in old.variables.items():
        for key in ("valueReference", "description", "causality", "variability", "initial", "unit",
                    "min", "max", "start"):
            assert v.get(key) == new.variables[name].get(key), (name, key)


def test_export_refuses_what_it_cannot_do(tmp_path):
    x = tmp_path / "x.fmu"
    for arguments in (["jenkins", "linear"], ["jenkis"], ["jenkins", "--set", "k=-1"]):
        refusal("export-fmu", *arguments, "-o", x)
    assert "-o FILE.fmu is required" in refusal("export-fmu", "jenkins")
    sentence = refusal("export-fmu", "jenkins", "--fmi", "1", "-o", x)
    assert "--fmi" in sentence and "2, 3" in sentence
    path = structure(tmp_path, time='method = "cvode"')
    assert "exported alone" in refusal("export-fmu", path, "--set", "k=1", "-o", x)
    assert "cvode" in refusal("export-fmu", path, "-o", x)
    assert not x.exists()


# -------------------------------------------------------------------------------------- simulation

@pytest.mark.parametrize("model", ["jenkins", "iwan4", "bouc-wen", "maxwell", "lugre",
                                   "jenkins+linear"])
def test_steps_answer_what_simulate_answers(fmu_as, model, tmp_path):
    u, h = [0.01 * i * math.sin(0.3 * i) for i in range(150)], 0.125  # sums without rounding
    lines = "\n".join(f"{h * i!r},{x!r}" for i, x in enumerate(u))
    (tmp_path / "in.csv").write_text("t,u\n" + lines + "\n")
    out = command("simulate", model, "--input", "in.csv", "--columns", "tangent,stored", "-o", "-",
                  cwd=tmp_path)
    rows = [line.split(",") for line in out.splitlines() if line and line[0] not in "#t"]
    old, new = (fmu_as(version, model).instance().start(u[0]) for version in (2, 3))
    for i, row in enumerate(rows):
        for one in (old, new):
            if i > 0:
                assert one.set(0, u[i]) == OK and one.step(h * (i - 1), h) == OK
        assert old.get([F, TANGENT, STORED]) == [float(row[k]) for k in (2, 4, 5)], i
        assert old.get(ENERGY) == pytest.approx(float(row[3]), rel=1e-12, abs=1e-15)
        assert old.get(old.fmu.outputs) == new.get(old.fmu.outputs)
        assert new.get(new.fmu.references["time"]) == h * i


def test_planar(fmu_of):
    one = fmu_of("jenkins-planar").instance().start()
    assert one.set([0, 1], 3e-3, 4e-3) == OK and one.step(0, 1) == OK
    fx, fy = one.get([F, FY])
    assert fy / fx == pytest.approx(4 / 3, rel=1e-12)


def test_contact(fmu_of):
    fmu = fmu_of("contact-planar")
    one = fmu.instance().start()
    ux, uy, un = (fmu.references[name] for name in ("ux", "uy", "un"))
    fx, fy, fn = (fmu.references[name] for name in ("fx", "fy", "fn"))
    assert one.set([ux, uy, un], 0.3, 0.4, 1.0) == OK and one.step(0, 1) == OK
    assert one.get([fx, fy, fn]) == pytest.approx([0.3, 0.4, 1.0], rel=1e-12)
    assert one.set([un], -3.0) == OK and one.step(1, 1) == OK
    assert one.get([fx, fy, fn]) == [0, 0, -1]


def test_parameters_are_set_before_the_end_of_initialization(fmu_of):
    fmu = fmu_of("jenkins", "--set", "k=1", "--set", "phi=0.5")
    one = fmu.instance().start(0.0, k=4.0, phi=8.0)
    assert one.get(fmu.references["k"]) == 4
    one.set(0, 1.0)
    assert one.step(0, 1) == OK and one.get(F) == 4
    assert one.set(fmu.references["k"], 2.0) == ERROR and "fixed parameter" in one.sentence()
    fresh = fmu.instance()
    assert fresh.set(fmu.references["k"], -1.0) == ERROR
    assert "jenkins.k = -1 must lie in" in fresh.sentence()


def test_directional_derivative_is_the_tangent(fmu_of):
    one = fmu_of("jenkins(k=3,phi=1)").instance().start()
    assert one.derivative(F, 0, 2.0) == (OK, 6)
    assert one.derivative(ENERGY, 0, 2.0)[0] == ERROR


# -------------------------------------------------------------------------------- states and rejection

def test_a_rejected_step_is_repeated_from_a_state(fmu_of):
    one = fmu_of("iwan4").instance().start()
    plain = one.fmu.instance().start()
    state = ct.c_void_p()
    for i in range(40):
        u = math.sin(0.5 * i)
        assert one.take(state) == OK
        one.set(0, u + 3)  # the master goes too far …
        assert one.step(0.1 * i, 0.1) == OK
        assert one.put(state) == OK  # … and takes it back
        for joint in (one, plain):
            joint.set(0, u)
            assert joint.step(0.1 * i, 0.1) == OK
        assert one.get(one.fmu.outputs) == plain.get(one.fmu.outputs)
    assert one.release(state) == OK and not state
    assert one.release(state) == OK


def test_states_as_bytes_and_between_instances(fmu_of):
    one = fmu_of("iwan4+jenkins").instance().start(0.0)
    for i in range(10):
        one.set(0, math.sin(i))
        assert one.step(i, 1) == OK
    data = one.as_bytes()
    other = one.fmu.instance(name=b"two")
    other.from_bytes(data)
    for joint in (one, other):
        joint.set(0, -2.0)
        assert joint.step(10, 1) == OK
    assert one.get(one.fmu.outputs) == other.get(one.fmu.outputs)
    for place in (20, len(data) // 2, len(data) - 1):
        data[place] ^= 1
        assert other.read(data) == ERROR
        data[place] ^= 1
    assert other.read(data) == OK


def test_instances_do_not_share_anything(fmu_as):
    for version in (2, 3):
        fmu = fmu_as(version, "jenkins(k=1,phi=0.5)")
        joints = [fmu.instance(name=str(i).encode()).start(phi=0.5 + i) for i in range(3)]
        for joint in joints:
            joint.set(0, 100.0)
            assert joint.step(0, 1) == OK
        assert [joint.get(F) for joint in joints] == [0.5, 1.5, 2.5]
        for joint in joints:
            joint.free()
    # Other FMUs, of both versions, in the same process.
    assert fmu_as(3, "linear(k=7)").instance().start(1.0).get(F) == 7
    assert fmu_as(2, "linear(k=9)").instance().start(1.0).get(F) == 9


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
    state = ct.c_void_p()
    assert one.take(state) == OK
    one.set(0, 1e308)  # the force is too large for a number
    assert one.step(0.5, 1) == DISCARD and one.last == 0.5
    assert one.messages[-1][:2] == (DISCARD, "logStatusDiscard")
    if one.fmu.version == 2:
        assert one.step(0.5, 1) == ERROR  # first back to a state
        assert one.put(state) == OK
    else:
        assert one.get(F) == 0  # the instance stays where it was, and goes on from there
    one.set(0, 1.0)
    assert one.step(0.5, 0.25) == OK and one.get(F) == 10
    assert one.release(state) == OK


# --------------------------------------------------------------------------------------- invalid calls

def test_calls_in_the_wrong_order_are_errors(fmu_of):
    one = fmu_of("jenkins").instance()
    assert one.step(0, 1) == ERROR and "not allowed" in one.sentence()
    assert one("ExitInitializationMode") == ERROR and one("Terminate") == ERROR
    one.get(F, expected=ERROR)
    one.start()
    assert one.enter() == ERROR
    assert one.step(0.5, 1) == ERROR and "the instance is at t = 0" in one.sentence()
    assert one.step(0, 0) == ERROR and one.step(0, -1) == ERROR
    assert one.step(0, float("nan")) == ERROR
    assert one.set(F, 1.0) == ERROR and one.set(0, float("nan")) == ERROR
    assert one.set(77, 1.0) == ERROR
    one.get(77, expected=ERROR)
    assert one("Get" + one.REAL, None, ct.c_size_t(1), None, *one.sizes(1)) == ERROR
    assert one.step(0, 0.25) == OK and one.step(0.25, 1.5) == OK  # any size of step
    assert one("Terminate") == OK and one("Terminate") == ERROR
    assert one.step(1.75, 1) == ERROR
    assert one.get(F) == 0  # may still be read
    assert one("SetDebugLogging", 1, ct.c_size_t(0), None) == OK
    one.free()
    one.fmu.function("FreeInstance")(None)
    assert one.fmu.function("Terminate")(None) == ERROR


def test_stop_time(fmu_of):
    one = fmu_of("jenkins").instance().start(stop=1.0)
    assert one.step(0, 1) == OK and one.step(1, 0.5) == ERROR


def test_bad_instantiation_says_why(fmu_of):
    fmu = fmu_of("jenkins")
    nowhere = {2: "file:///nowhere", 3: "/nowhere/"}[fmu.version]
    token = {2: "GUID", 3: "token"}[fmu.version]
    for options, reason in [({"token": "{0}"}, token), ({"name": b""}, "name"),
                            ({"resources": nowhere}, "nowhere")]:
        one = fmu.instance(**options)
        assert not one.c and reason in one.sentence(), one.messages


# ----------------------------------------------------------------------------------------- structures

@pytest.mark.parametrize("model,time", [("jenkins", EVENTS), ("iwan4", EVENTS), ("coulomb", EVENTS),
                                        ("bouc-wen", MIDPOINT), ("maxwell", MIDPOINT)])
def test_a_structure_moves_as_in_respond(fmu_as, tmp_path, model, time):
    """With the load as an input, instead of the history in the file."""
    path = structure(tmp_path, model, "formula", 'force = "7"', time)
    command("respond", path, "-q", cwd=tmp_path)
    rows = {row["t"]: row for row in rows_of(tmp_path / "out.csv")}
    fmus = [fmu_as(version, path) for version in (2, 3)]
    for fmu in fmus:
        CHECK[fmu.version](fmu.description, through=False)
    assert fmus[0].description.find("CoSimulation").get("canInterpolateInputs") == "false"
    old, new = (fmu.instance().start(7.0, own_loads=False) for fmu in fmus)
    names = ["x1", "x2", "v1", "v2", "x_gap", "energy"]
    for i in range(24):
        for one in (old, new):
            assert one.step(0.25 * i, 0.25) == OK, one.messages
        assert old.get(old.fmu.outputs) == new.get(old.fmu.outputs)
        got = dict(zip(names, old.get([old.fmu.references[name] for name in names])))
        for name in set(names) & set(rows[0.25 * (i + 1)]):
            # The error control of `events` steps to other places; the motion is the same.
            assert got[name] == pytest.approx(rows[0.25 * (i + 1)][name], abs=3e-7), (i, name)
        assert got["x_gap"] == pytest.approx(got["x2"] - got["x1"], abs=1e-15)
    assert got["energy"] > 0.01


def test_a_structure_with_fixed_steps_moves_as_in_respond(fmu_of, tmp_path):
    path = structure(tmp_path, "bouc-wen", "formula", 'force = "7"', MIDPOINT)
    command("respond", path, "-q", cwd=tmp_path)
    fmu = fmu_of(path)
    one = fmu.instance().start(7.0, own_loads=False)
    for i, row in enumerate(rows_of(tmp_path / "out.csv")[1:]):
        assert one.step(0.0625 * i, 0.0625) == OK
        for name in ("x1", "x2", "v1", "v2"):
            # The same steps; sums of forces are rounded in another order.
            assert one.get(fmu.references[name]) == pytest.approx(row[name], rel=1e-11, abs=1e-12), i


IMPULSE = "amplitude = 3.0\nduration = 0.5"
FORMULA = 'force = "7*sin(3*t)*exp(-t/4)"'


@pytest.mark.parametrize("model,kind,load,time", [
    ("jenkins", "impulse", IMPULSE, EVENTS), ("jenkins", "impulse", "amplitude = 3.0", EVENTS),
    ("coulomb", "formula", FORMULA, EVENTS), ("bouc-wen", "formula", FORMULA, MIDPOINT),
    ("jenkins", "base", "amplitude = 2.0\nomega = 1.5", EVENTS)])
def test_a_structure_moves_by_the_loads_of_its_file(fmu_of, tmp_path, model, kind, load, time):
    """Inputs stay at zero: what moves it is the history in the file."""
    path = structure(tmp_path, model, kind, load, time)
    command("respond", path, "-q", cwd=tmp_path)
    rows = {row["t"]: row for row in rows_of(tmp_path / "out.csv")}
    fmu = fmu_of(path)
    CHECK[fmu.version](fmu.description, through=False)
    one, still = fmu.instance().start(), fmu.instance(name=b"still").start(own_loads=False)
    which = fmu.references["own_loads"]
    assert one.get_boolean(which) and not still.get_boolean(which)
    assert one.set_boolean(which, False) == ERROR and "fixed parameter" in one.sentence()
    assert one.set_boolean(0, True) == ERROR and "no Boolean" in one.sentence()
    names = ["x1", "x2", "v1", "v2"]
    largest = 0
    for i in range(24):
        if i == 7:  # also from bytes, in an instance of its own
            data = one.as_bytes()
            one = fmu.instance(name=b"again")
            one.from_bytes(data)
        for instance in (one, still):
            assert instance.step(0.25 * i, 0.25) == OK, instance.messages
        row = rows[0.25 * (i + 1)]
        got = one.get([fmu.references[name] for name in names])
        assert got == pytest.approx([row[name] for name in names], abs=2e-6), i
        largest = max(largest, abs(got[1]))
    assert largest > 0.1 and not any(still.get([fmu.references[name] for name in names]))


def test_tools_are_offered_the_times_of_the_file(fmu_of, tmp_path):
    def experiment(fmu):
        of = fmu.description.find("DefaultExperiment")
        return [float(of.get(name)) for name in ("startTime", "stopTime", "stepSize")]
    assert experiment(fmu_of(structure(tmp_path, time=EVENTS))) == [0, 6, 0.25]
    assert experiment(fmu_of(structure(tmp_path, time=""))) == [0, 6, 0.06]
    assert experiment(fmu_of("jenkins")) == [0, 1, 0.01]


def test_the_command_says_what_acts_by_itself(tmp_path):
    moved = structure(tmp_path, kind="impulse", load=IMPULSE)
    assert "own_loads" in command("export-fmu", moved, "-o", tmp_path / "a.fmu")
    assert "own_loads" not in command("export-fmu", structure(tmp_path), "-o", tmp_path / "b.fmu")


@pytest.mark.parametrize("model,names", [("ellipsoid", ("f", "u")), ("jenkins", ("u", "f"))])
def test_names_say_what_is_given_and_what_is_returned(fmu_of, model, names):
    of = fmu_of(model).variables
    given, returned = (of[name] for name in names)
    assert given["causality"] == "input" and returned["causality"] == "output"
    assert (given["unit"], returned["unit"]) == (("F", "L") if names[0] == "f" else ("L", "F"))
    assert f"d{names[1]}/d{names[0]}" in of["tangent"]["description"]


def test_a_master_that_sets_inputs_at_the_start_of_a_step_is_one_step_late(fmu_as):
    """What docs/fmu.md says, and its two ways round."""
    h, motion = 0.05, math.sin

    def error(fmu, h, lead=False, slope=False):
        one = fmu.instance().start(motion(0.0))
        worst = 0
        for i in range(round(6 / h)):
            one.set(0, motion(h * (i + lead)))
            if slope:
                change = (ct.c_double * 1)((motion(h * (i + 1)) - motion(h * i)) / h)
                assert one("SetRealInputDerivatives", *one.references(0), (ct.c_int * 1)(1), change) == OK
            assert one.step(h * i, h) == OK
            worst = max(worst, abs(one.get(F) - motion(h * (i + 1))))
        return worst

    fmu = fmu_as(2, "linear(k=1)")
    late = error(fmu, h)
    assert late == pytest.approx(h, rel=0.02)  # a step times the largest velocity, 1
    assert error(fmu, h / 2) == pytest.approx(late / 2, rel=0.02)
    assert error(fmu, h, slope=True) < 1e-14 and error(fmu, h, lead=True) < 1e-14


def test_a_static_load_is_the_start_value(fmu_of, tmp_path):
    fmu = fmu_of(structure(tmp_path))
    both = [fmu.references["x1"], fmu.references["x2"]]
    rests = fmu.instance().start(0.7)  # in equilibrium under it
    before = rests.get(both)
    assert before[1] == pytest.approx(0.5, abs=0.2)
    assert rests.step(0, 5) == OK
    assert rests.get(both) == pytest.approx(before, abs=1e-9)
    rests.set(0, 0.0)  # and moves when it is taken away
    assert rests.step(5, 1) == OK
    assert abs(rests.get(fmu.references["x2"]) - before[1]) > 0.05
    of = fmu.variables
    assert float(of["load1"]["start"]) == 0.7 and of["load1"]["unit"] == "F"
    assert float(of["joint1.phi"]["start"]) > 0 and of["x1"]["unit"] == "L"
    base = fmu_of(structure(tmp_path, kind="base", load="amplitude = 1.0\nomega = 1.0")).variables
    assert float(base["load1"]["start"]) == 0 and base["load1"]["unit"] == "L/T^2"


def test_steps_of_a_structure_are_repeated_to_the_bit(fmu_of, tmp_path):
    fmu = fmu_of(structure(tmp_path))
    one, plain = fmu.instance().start(0), fmu.instance(name=b"plain").start(0)
    state = ct.c_void_p()
    for i in range(30):
        push = math.sin(0.7 * i)
        assert one.take(state) == OK
        one.set(0, push + 2)
        assert one.step(0.3 * i, 0.3) == OK
        assert one.put(state) == OK
        for unit in (one, plain):
            unit.set(0, push)
            assert unit.step(0.3 * i, 0.3) == OK
        assert one.get(fmu.outputs) == plain.get(fmu.outputs)
    assert one.release(state) == OK
    other = fmu.instance(name=b"other")
    data = one.as_bytes()
    other.from_bytes(data)  # into an instance of its own; what follows is the same
    for unit in (one, other):
        unit.set(0, 0.25)
        assert unit.step(9.0, 0.5) == OK, unit.messages
    assert one.get(fmu.outputs) == other.get(fmu.outputs)
    # A history that is cut, at whichever byte, is not taken for a shorter one.
    for cut in range(8, 8 * 20, 8):
        assert other.read(data, len(data) - cut) == ERROR
    assert "damaged" in other.sentence()


def test_a_state_of_a_structure_does_not_grow_with_time(fmu_of, tmp_path):
    one = fmu_of(structure(tmp_path)).instance().start(0)
    sizes = []
    for i in range(200):
        one.set(0, math.sin(0.7 * i))
        assert one.step(0.3 * i, 0.3) == OK
        if i in (20, 199):
            sizes.append(len(one.as_bytes()))
    assert sizes[1] < 1.2 * sizes[0]


@pytest.mark.parametrize("model,between,directions", [
    ("contact", "[[0, 1], [0, 2]]", "tn"), ("contact-planar", "[[0, 1], [0, 3], [0, 2]]", "xyn"),
    ("jenkins-planar", "[[0, 1], [0, 3]]", "xy")])
def test_a_joint_with_several_directions_moves_as_in_respond(fmu_of, tmp_path, model, between,
                                                             directions):
    path = tmp_path / "s.toml"
    path.write_text("M = [1.0, 1.0, 1.0]\nK = [3.0, 4.0, 5.0]\n[[joint]]\n"
                    f"model = \"{model}\"\nbetween = {between}\n"
                    + "".join(f"[[load]]\nkind = \"formula\"\ndof = {dof}\nforce = \"{force}\"\n"
                              for dof, force in ((1, "4*sin(2*t)"), (2, "2*sin(3*t)"), (3, "3*cos(t)")))
                    + "[[analysis]]\nkind = \"time\"\nuntil = 6\nstep = 0.01\n"
                    "method = \"midpoint\"\noutput = \"out.csv\"\n")
    command("respond", path, "-q", cwd=tmp_path)
    rows = rows_of(tmp_path / "out.csv")
    assert len(rows) == 601
    fmu = fmu_of(path)
    one = fmu.instance().start()
    forces = [f"f1_{d}" for d in directions]
    for i, row in enumerate(rows[1:]):
        if i == 250:  # the memory of the joint goes along
            data = one.as_bytes()
            one = fmu.instance(name=b"again")
            one.from_bytes(data)
        assert one.step(0.01 * i, 0.01) == OK, one.messages
        for name in ("x1", "x2", "x3"):
            assert one.get(fmu.references[name]) == pytest.approx(row[name], rel=1e-9, abs=1e-10), i
    assert max(abs(row[forces[0]]) for row in rows) > 0.1


def test_an_interface_is_not_left_out_but_refused(tmp_path):
    path = tmp_path / "interface.toml"
    for method in ("midpoint", "newmark", "hht", "generalized-alpha", "events"):
        path.write_text("M = [1.0, 1.0]\nK = [1.0, 1.0]\n[[interface]]\nkind = \"two-sided\"\n"
                        "between = [1, 2]\nn = 4\nK_eq = 1.0\nM_eq = 0.1\nmu = 0.1\n[[load]]\n"
                        "kind = \"static\"\ndof = 1\namplitude = 0.1\n[[analysis]]\nkind = \"time\"\n"
                        f"until = 1\nstep = 0.1\nmethod = \"{method}\"\n")
        assert "cannot be combined with" in refusal("export-fmu", path, "-o", tmp_path / "x.fmu")


def test_parameters_of_the_joints_of_a_structure(fmu_of, tmp_path):
    fmu = fmu_of(structure(tmp_path))
    stiff = fmu.instance().start(0.1, **{"joint1.k": 1e4, "joint1.phi": 1e3})
    assert stiff.step(0, 3) == OK
    assert abs(stiff.get(fmu.references["x_gap"])) < 1e-4
    wrong = fmu.instance()
    assert wrong.set(fmu.references["joint1.k"], -1.0) == ERROR
    assert "joint1.k = -1 must lie in" in wrong.sentence()
