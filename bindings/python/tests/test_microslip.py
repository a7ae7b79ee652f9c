"""The Python module, as a person uses it. Numbers have their reason beside them."""

import ast
import inspect
import json
import pickle
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import microslip
from support import COMMAND, SOURCE, motion, run_command, stopped_by_ctrl_c

# ------------------------------------------------------------------------------------------- laws

def test_a_law_is_a_function_with_a_docstring_from_the_table():
    assert "phi : number, unit F" in microslip.jenkins.__doc__
    assert "bouc_wen" in dir(microslip) and "Source: " in microslip.bouc_wen.__doc__
    table = {d["name"]: d for d in json.loads(run_command("models", "--json"))}
    assert set(table) == set(microslip.law_names())
    for name in table:
        assert table[name]["sentence"] in getattr(microslip, name.replace("-", "_")).__doc__


def test_parameters_options_and_sums():
    law = microslip.jenkins(k=2, phi=0.5)
    assert law.parameters == {"k": 2.0, "phi": 0.5}
    both = law + microslip.linear(k=0.1)
    assert both.name == "jenkins+linear"
    assert both.parameters == {"jenkins.k": 2.0, "jenkins.phi": 0.5, "linear.k": 0.1}
    three = both + microslip.jenkins(k=7, phi=9)
    assert three.parameters["jenkins2.k"] == 7.0 and three.parameters["jenkins.k"] == 2.0
    assert law.with_(phi=0.25).parameters == {"k": 2.0, "phi": 0.25}
    assert law == microslip.law("jenkins(k=2,phi=0.5)") and law != law.with_(k=1)
    # Forces of a sum add.
    _, u = motion()
    assert np.allclose(both.simulate(u).f, law.simulate(u).f + 0.1 * u, rtol=0, atol=1e-14)


def test_a_parameter_that_is_a_word_of_python_gets_an_underscore():
    from microslip._law import _python_name
    for name in microslip.law_names():
        for info in microslip.describe(name)["parameters"]:
            assert _python_name(info["name"]).isidentifier()
    assert _python_name("lambda") == "lambda_"


def test_errors_are_the_sentences_of_the_command():
    history = ["--signal", "t", "--until", "1", "--step", "1"]
    cases = [(lambda: microslip.jenkins(k=-1), ["simulate", "jenkins", "--set", "k=-1", *history]),
             (lambda: microslip.law("jenkis"), ["models", "jenkis"])]
    for call, arguments in cases:
        with pytest.raises(microslip.Error) as caught:
            call()
        answer = subprocess.run([str(COMMAND), *arguments], capture_output=True, text=True)
        assert answer.returncode == 2
        assert answer.stderr == f"microslip: {caught.value}\n"
        assert not caught.value.stopped
    with pytest.raises(microslip.Error, match="phi"):
        microslip.jenkins(fhi=1)


def test_a_law_that_stops_says_at_which_row():
    with pytest.raises(microslip.Error, match="cannot carry this force") as caught:
        microslip.jenkins(k=1, phi=0.5).simulate([0.1, 0.2, 0.9], drive="force")
    assert caught.value.stopped and caught.value.row == 2


# -------------------------------------------------------------------------------------- histories

@pytest.mark.parametrize("name", microslip.law_names())
def test_every_law_answers_what_the_command_answers_to_the_bit(name, tmp_path):
    law = getattr(microslip, name.replace("-", "_"))()
    t, u = motion(120)
    u = 0.2 * u if law.description["driven"] == "force" else u  # more would slide as a whole
    header, columns = "t,u", [t, u]
    if law.directions:
        u = np.column_stack([u] + [0.5 * np.cos((i + 3) * t) for i in range(len(law.directions) - 1)])
        header = ",".join(["t"] + ["u" + d for d in law.directions])
        columns = [t, *u.T]
    rows = "\n".join(",".join(map(repr, row)) for row in zip(*(c.tolist() for c in columns)))
    (tmp_path / "in.csv").write_text(f"{header}\n{rows}\n")
    h = law.simulate(u, t)
    extra = "stored,states" if law.family == "planar" else "tangent,stored,states"
    run_command("simulate", name, "--input", "in.csv", "-o", "out.csv", "--columns", extra,
                "--quiet", cwd=tmp_path)
    lines = [x for x in (tmp_path / "out.csv").read_text().splitlines() if not x.startswith("#")]
    table = dict(zip(lines[0].split(","), np.array([x.split(",") for x in lines[1:]], float).T))
    mine = {**h.to_dict(), "stored": h.stored, **h.states}
    if law.family != "planar":
        mine["tangent"] = h.tangent
    assert set(table) == set(mine)
    for column in table:
        assert np.array_equal(table[column], np.asarray(mine[column]), equal_nan=True), column


def test_a_history_goes_on_from_its_end():
    law = microslip.iwan4() + microslip.bouc_wen()
    _, u = motion(1000)
    whole = law.simulate(u)
    first = law.simulate(u[:321])
    rest = law.simulate(u[321:], state=first.end)
    again = law.simulate(u[321:], state=law.load(first.end.save()))
    assert np.array_equal(whole.f[321:], rest.f) and np.array_equal(whole.energy[321:], rest.energy)
    assert np.array_equal(rest.f, again.f)
    # A state is a value: using it did not change it.
    assert np.array_equal(rest.f, law.simulate(u[321:], state=first.end).f)


def test_start_at_the_first_row():
    law = microslip.jenkins(k=1, phi=0.5)
    h = law.simulate([3.0, 3.25, 4.0], start="first-row")
    assert h.f.tolist() == [0.0, 0.25, 0.5]
    assert law.simulate([3.0]).f[0] == 0.5


def test_arrays_of_any_kind_of_memory():
    law = microslip.iwan4()
    _, u = motion(9000)
    f = law.simulate(u).f
    table = np.zeros((9000, 3))
    table[:, 1] = u
    record = np.zeros(9000, dtype=[("flag", "i1"), ("u", "f8")])
    record["u"] = u
    assert np.array_equal(law.simulate(table[:, 1]).f, f)
    assert np.array_equal(law.simulate(record["u"]).f, f)
    assert np.array_equal(law.simulate(u[::-1]).f, law.simulate(u[::-1].copy()).f)
    assert np.array_equal(law.simulate(list(u)).f, f)
    assert np.array_equal(law.simulate(np.broadcast_to(0.3, 5)).f, law.simulate([0.3] * 5).f)
    with pytest.raises(microslip.Error, match="one dimension"):
        law.simulate(table)
    with pytest.raises(microslip.Error, match="row 2 must be a finite number"):
        law.simulate([0, np.nan])
    with pytest.raises(microslip.Error, match="u must be an array of numbers"):
        law.simulate(["a", "b"])
    with pytest.raises(microslip.Error, match="t has 3 rows, but u has 2"):
        law.simulate([0, 1], t=[0, 1, 2])
    # Nothing is copied on the way in.
    assert np.shares_memory(law.simulate(u).u, u)
    assert len(law.simulate([]).f) == 0


def test_energy_balance():
    """Work = change of stored energy + dissipated, along fine steps."""
    _, u = motion(200001)
    h = microslip.iwan4().simulate(u)
    work = np.sum(0.5 * (h.f[1:] + h.f[:-1]) * np.diff(u))
    assert abs(work - (h.stored[-1] - h.stored[0]) - (h.energy[-1] - h.energy[0])) < 1e-6


def test_planar_law():
    law = microslip.jenkins_planar()
    path = np.column_stack([np.linspace(0, 3, 50), np.linspace(0, 4, 50)])
    h = law.simulate(path)
    assert h.f.shape == (50, 2)
    assert np.allclose(h.f[1:, 1] / h.f[1:, 0], 4 / 3, rtol=1e-12)
    with pytest.raises(microslip.Error, match="rows, 2"):
        law.simulate(path[:, 0])


def test_contact_in_three_directions():
    law = microslip.contact_planar(kt=2, kn=5, mu=0.5, N0=1)
    assert law.directions == ("x", "y", "n") and law.family == "planar"
    h = law.simulate([[0, 0, 0], [0.3, 0.4, 0], [0.3, 0.4, -0.1], [0.3, 0.4, -0.3]])
    # μN = 0.5, then 0.25, then open: the force keeps its direction; fn = 5 un, and −N0 when open.
    assert np.allclose(h.f, [[0, 0, 0], [0.3, 0.4, 0], [0.15, 0.2, -0.5], [0, 0, -1]])
    assert set(h.to_dict()) == {"ux", "uy", "un", "fx", "fy", "fn", "energy"}
    rest = law.simulate([[0.3, 0.4, 0.1]], start="first-row")
    assert np.array_equal(rest.f, [[0, 0, 0]])
    force, tangent, lost = law.joint().trial((3, 4, 0.2))
    assert force.shape == (3,) and tangent.shape == (3, 3) and lost > 0
    assert tangent[0, 2] > 0 and tangent[2, 0] == 0
    with pytest.raises(microslip.Error, match="has 3 directions"):
        law.simulate([[0, 0]])
    circle = microslip.jenkins_planar(k=2, phi=1).damping([2.0], ratio=1)
    assert circle.energy[0] == pytest.approx(2 * np.pi * 2 * (1 - 1 / 16) ** 0.5, rel=1e-5)
    with pytest.raises(microslip.Error, match="jenkins is a scalar law"):
        microslip.damping(microslip.jenkins(), [1.0], ratio=1)
    both = microslip.simulate_all(law, [np.ones((3, 3)), np.zeros((2, 3))])
    assert [len(x.f) for x in both] == [3, 2]


# ----------------------------------------------------------------------------------------- joints

def test_joint_in_a_host_that_iterates():
    joint = microslip.jenkins(k=1, phi=0.5).joint()
    assert joint.trial(2.0) == (0.5, 0.0, 0.75)  # phi (u - phi/k)
    assert joint.trial(0.125) == (0.125, 1.0, 0.0)
    joint.trial(2)
    joint.commit()
    saved = joint.state
    assert joint.trial(1.75)[0] == 0.25 and saved.energy == 0.75
    joint.trial(-2.0)
    joint.commit()
    joint.state = saved
    assert joint.trial(1.75)[0] == 0.25
    with pytest.raises(microslip.Error, match="finite"):
        joint.trial(float("nan"))
    with pytest.raises(microslip.Error, match="failed"):
        joint.commit()


def test_planar_and_rate_dependent_joints():
    force, tangent, lost = microslip.jenkins_planar().joint().trial((3e-3, 4e-3))
    assert force.shape == (2,) and tangent.shape == (2, 2) and lost == 0
    slow = microslip.kelvin_voigt().joint()
    assert slow.trial(1.0, 0.5)[0] != slow.trial(1.0, 5.0)[0]
    with pytest.raises(microslip.Error, match="dt must be positive"):
        slow.trial(1.0, 0.0)


# ------------------------------------------------------------------------------------ derivatives

def test_gradient_in_closed_form_and_against_differences():
    law = microslip.jenkins(k=2, phi=0.5)
    g = law.gradient([0.125, 1.0], ["k", "phi"])
    assert g.tolist() == [[0.125, 0.0], [0.0, 1.0]]
    law = microslip.iwan4(Fs=1, KT=1, chi=-0.5, beta=0.1)
    _, u = motion(300)
    g = law.gradient(u, ["Fs", "chi"])
    h = 1e-6
    for i, name in enumerate(["Fs", "chi"]):
        x = law.parameters[name]
        up, down = (law.with_(**{name: x + s}).simulate(u).f for s in (h, -h))
        assert np.max(np.abs((up - down) / (2 * h) - g[:, i])) < 1e-6
    assert law.gradient(u).shape == (300, 4)
    with pytest.raises(microslip.Error, match="unknown parameter"):
        law.gradient(u, ["Fz"])


def test_gradient_of_many_parameters_takes_several_passes():
    law = microslip.masing(k=[1, 2, 3, 4, 5], phi=[0.1, 0.5, 1, 2, 50])
    _, u = motion(50)
    names = [f"{p}[{i}]" for p in ("k", "phi") for i in range(1, 6)]
    g = law.gradient(u, names)
    assert g.shape == (50, 10)
    for i in (1, 5):
        assert np.array_equal(law.gradient(u, [f"phi[{i}]"])[:, 0], g[:, 4 + i])


def test_damping_of_jenkins():
    d = microslip.jenkins(k=1, phi=0.5).damping([0.25, 2.0])
    assert d.energy[0] == 0 and abs(d.energy[1] - 3) < 1e-12  # 4 phi (A - phi/k)
    tuned = microslip.damping(microslip.dahl(), [1.0], match="jenkins(k=4,phi=2)", free="sigma0",
                              quantity="energy")
    assert abs(tuned.energy[0] - microslip.jenkins(k=4, phi=2).damping(1.0).energy[0]) < 1e-6
    # Damping and stiffness together find both parameters again.
    both = microslip.damping(microslip.jenkins(), [0.4, 1.0, 2.0], match="jenkins(k=4,phi=2)",
                             quantity="zeta_eff,b1")
    assert both.law.parameters["k"] == pytest.approx(4) and both.law.parameters["phi"] == pytest.approx(2)
    with pytest.raises(microslip.Error, match="quantity 'zeta' must be one of energy"):
        microslip.damping(microslip.jenkins(), [1.0], match="jenkins(k=4,phi=2)", quantity="zeta")


# ------------------------------------------------------------------------- threads, Ctrl-C, memory

def test_many_histories_on_all_cores():
    _, u = motion(3000)
    laws = [microslip.bouc_wen(beta=b) for b in np.linspace(0.5, 0.9, 9)]
    together = microslip.simulate_all(laws, u, threads=4)
    for law, h in zip(laws, together):
        assert np.array_equal(h.f, law.simulate(u).f)
    paths = [u, 2 * u, u[:17]]
    for path, h in zip(paths, microslip.simulate_all(laws[0], paths)):
        assert np.array_equal(h.f, laws[0].simulate(path).f)


def test_other_threads_run_while_a_law_is_driven():
    u = np.tile(motion(1000)[1], 2000)
    ticks = []
    done = threading.Event()

    def count():
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    microslip.bouc_wen(n=1.5).simulate(u)
    done.set()
    thread.join()
    assert len(ticks) > 10


def test_progress_and_stop():
    u = np.sin(np.linspace(0, 1000, 3_000_000))
    law = microslip.bouc_wen(n=1.5)
    seen = []
    law.simulate(u, progress=lambda done, rows: seen.append((done, rows)))
    assert seen and seen == sorted(seen) and seen[0][1] == len(u)
    with pytest.raises(microslip.Error, match="interrupted"):
        law.simulate(u, progress=lambda done, rows: False)
    with pytest.raises(ZeroDivisionError):
        law.simulate(u, progress=lambda done, rows: 1 / 0)


def test_ctrl_c_stops_a_long_run():
    code = ("import numpy as np, microslip\n"
            "u = np.sin(np.linspace(0, 1e4, 20_000_000))\n"
            "law = microslip.bouc_wen(n=1.5)\n"
            "print('go', flush=True)\n"
            "while True: law.simulate(u)\n")
    assert "KeyboardInterrupt" in stopped_by_ctrl_c(code, after=0.3)


def test_pickling():
    law = microslip.iwan4(chi=-0.3) + microslip.linear(k=0.1)
    h = law.simulate(motion()[1])
    other_law, end = pickle.loads(pickle.dumps((law, h.end)))
    assert other_law == law
    u = np.linspace(0, 3, 50)
    assert np.array_equal(other_law.simulate(u, state=end).f, law.simulate(u, state=h.end).f)
    # A state that travelled alone fits a law made here.
    alone = pickle.loads(pickle.dumps(h.end))
    assert np.array_equal(law.simulate(u, state=alone).f, law.simulate(u, state=h.end).f)
    with pytest.raises(microslip.Error, match="this is a state of"):
        microslip.jenkins().simulate(u, state=alone)
    joint = law.joint(h.end)
    assert pickle.loads(pickle.dumps(joint)).trial(1.0) == joint.trial(1.0)


# -------------------------------------------------------------------- what the command does, here

def test_pictures():
    pytest.importorskip("matplotlib")
    h = microslip.iwan4().simulate(motion()[1])
    assert h.plot().lines
    assert h.law.damping([0.1, 1.0]).plot().lines
    assert microslip.loops(h.u, h.f).plot().lines


def test_dataframe():
    pandas = pytest.importorskip("pandas")
    frame = microslip.iwan4().simulate([0.0, 1.0]).to_dataframe()
    assert isinstance(frame, pandas.DataFrame) and list(frame) == ["u", "f", "energy"]


# ----------------------------------------------------------------------------- stubs and examples

def test_the_stubs_declare_what_there_is():
    """Parsed, not executed: every name of the module, every parameter of every law."""
    tree = ast.parse(Path(microslip.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    declared = {node.name: node for node in tree.body
                if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    assert set(declared) == set(microslip.__all__)
    for name in microslip.law_names():
        function = getattr(microslip, name.replace("-", "_"))
        stub = declared[function.__name__]
        assert [a.arg for a in stub.args.kwonlyargs] == list(inspect.signature(function).parameters)
    # What comes back is named, so that an editor can complete what follows.
    for name, kind in (("fit", "Fits"), ("respond", "Responses"), ("jenkins", "Law")):
        assert declared[name].returns.id == kind
    methods = {node.name for node in declared["Law"].body if isinstance(node, ast.FunctionDef)}
    assert {name for name in methods if not name.startswith("_")} == \
        {name for name in vars(microslip.Law) if not name.startswith("_")}


@pytest.mark.parametrize("script", sorted((SOURCE / "examples/python").glob("*.py")),
                         ids=lambda path: path.stem)
def test_worked_examples_run(script, tmp_path):
    pytest.importorskip("matplotlib")
    subprocess.run([sys.executable, script, tmp_path], check=True, timeout=300)
    assert list(tmp_path.glob("*.png"))
