"""What a person types and sees: names, completion, options, texts, tables."""

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import microslip
from microslip._help import option_name

SOURCE = Path(os.environ["MICROSLIP_SOURCE"])
COMMAND = Path(microslip.__file__).with_name("microslip")


def record(rows=600):
    """A Jenkins element with k = 2, phi = 0.5, over reversals of many sizes."""
    t = np.linspace(0, 12, rows)
    u = 1.3 * np.sin(2 * t) + 0.7 * np.sin(5.3 * t) + 0.2 * t
    return t, u, microslip.jenkins(k=2, phi=0.5).simulate(u).f


class Frame:
    """What a pandas.DataFrame has in common with a dictionary: keys() and table[name]; no pandas is needed."""

    def __init__(self, **columns):
        self._columns = columns

    def keys(self):
        return self._columns.keys()

    def __getitem__(self, name):
        return self._columns[name]


# ------------------------------------------------------------------------------------- attributes

def test_parameters_of_a_law_are_attributes():
    law = microslip.iwan4(Fs=1, KT=3, chi=-0.5, beta=0.1)
    assert law.KT == 3 and "KT" in dir(law) and "simulate" in dir(law)
    both = law + microslip.jenkins(k=2, phi=0.5) + microslip.jenkins(k=7, phi=9)
    assert both.jenkins_k == 2 and both.jenkins2_k == 7 and both.KT == 3
    assert {"jenkins_k", "jenkins2_phi", "iwan4_KT"} <= set(dir(both))
    with pytest.raises(AttributeError, match="has no parameter 'k'; it has: .*jenkins2_k"):
        both.k  # two terms have one
    with pytest.raises(AttributeError, match="has no parameter 'kt'"):
        law.kt
    for name in microslip.law_names():
        law = getattr(microslip, name.replace("-", "_"))()
        for parameter, value in law.parameters.items():
            mine = parameter + "_" if parameter == "lambda" else parameter
            assert mine in dir(law)
            # No parameter of a law hides behind a method.
            assert getattr(law, mine) == value, (name, parameter)


def test_wrappers_are_functions():
    inner = microslip.jenkins(k=2, phi=0.5) + microslip.linear(k=0.1)
    law = microslip.backlash(inner, gap=0.3)
    assert law == microslip.law("backlash(jenkins(k=2,phi=0.5)+linear(k=0.1),gap=0.3)")
    assert law.gap == 0.3 and law.phi == 0.5
    twice = microslip.scaled(microslip.backlash("jenkins(k=2)", gap=0.2), output_gain=3)
    assert twice == microslip.law("scaled(backlash(jenkins(k=2),gap=0.2),output_gain=3)")
    front = microslip.series(microslip.slip_front(EA=3), compliance=0.1)
    assert front.simulate([0.1]).f[0] == microslip.law("series(slip-front(EA=3),compliance=0.1)").simulate([0.1]).f[0]
    assert "gap : number, unit L" in microslip.backlash.__doc__ and "A gap in front" in microslip.backlash.__doc__
    both = microslip.contact_planar(N0=2) + microslip.axis(microslip.jenkins(k=3), direction=3)
    assert both.directions == ("x", "y", "n")
    assert microslip.rotated("bouc-wen-park", angle=0.3).directions == ("x", "y")
    assert microslip.loaded("jenkins", N="2+sin(t)", N_ref=2).family == "rate-dependent"
    with pytest.raises(microslip.Error, match="backlash has no parameter 'gab'; it has: gap"):
        microslip.backlash(inner, gab=1)
    with pytest.raises(microslip.Error, match="scaled: the first argument must be a law or an expression, not int"):
        microslip.scaled(3)
    # All wrappers that the command lists.
    said = subprocess.run([str(COMMAND), "models"], capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"^(\w+) +wrapper ", said, re.M)) == set(microslip._wrappers)


def test_columns_of_a_response_are_attributes_and_analyses_have_names():
    problem = {"M": [1.0], "K": [0.75], "C": [0.05],
               "joint": [{"model": microslip.jenkins(k=0.25, phi=0.2), "between": [0, 1]}],
               "load": [{"kind": "harmonic", "dof": 1, "amplitude": 0.2, "omega": 0.9}],
               "analysis": [{"kind": "frequency-response", "omega": [0.8, 1.0], "harmonics": 3},
                            {"kind": "time", "until": 2.0, "step": 0.5}, {"kind": "time", "until": 4.0, "step": 0.5}]}
    responses = microslip.respond(problem)
    response = responses["frequency-response"]
    assert response is responses[0] and response.omega is response["omega"]
    assert {"omega", "x1", "plot"} <= set(dir(response)) and "x1" in response._ipython_key_completions_()
    assert set(dict(response)) == set(response.columns)
    with pytest.raises(KeyError, match=r"2 analyses are a 'time': take one by its number, \[1, 2\]"):
        responses["time"]
    with pytest.raises(KeyError, match="no analysis is a 'mode'; there are: frequency-response, time"):
        responses["mode"]
    with pytest.raises(AttributeError, match="no column or value 'x7'; columns: omega"):
        response.x7
    with pytest.raises(KeyError, match="there is no column 'x7'; there are: omega"):
        response["x7"]
    assert repr(responses).startswith("3 analyses\n[0] frequency-response, ")


# ----------------------------------------------------------------------------------------- tables

def test_a_fit_of_a_table_finds_its_columns_as_in_a_file():
    t, u, f = record()
    frame = Frame(Remark=["text"] * len(t), **{"Force (kN)": f, "Time [s]": t, "Displacement, LVDT 2 [mm]": u})
    for table in (frame, {"t": t, "f": f, "u": u}, {"u": list(u), "f": list(f)},
                  np.rec.fromarrays([u, f], names="u,f")):
        fits = microslip.fit(table, laws="jenkins", starts=4)
        assert fits.best.law.k == pytest.approx(2) and fits.best.law.phi == pytest.approx(0.5)
        assert np.array_equal(fits.u, u) and np.array_equal(fits.f, f)
    fits = microslip.fit(frame, laws="jenkins", starts=4)
    assert (fits.data["u_unit"], fits.data["f_unit"], fits.data["time"]) == ("mm", "kN", True)
    found = microslip.loops(frame)
    assert np.array_equal(found.cycles, microslip.loops(u, f, t).cycles) and np.array_equal(found.u, u)
    with pytest.raises(microslip.Error, match=r"no column 'u' .*'Weg'.*; take the columns out: fit\(table"):
        microslip.fit({"Weg": u, "f": f})
    with pytest.raises(microslip.Error, match="the table has no column of numbers"):
        microslip.fit({"u": ["a", "b"]})
    with pytest.raises(microslip.Error, match=r"fit needs two columns, fit\(u, f\), or one table"):
        microslip.fit(u)
    with pytest.raises(microslip.Error, match="same length: u has 600 rows, f has 3 rows"):
        microslip.fit({"u": u, "f": f[:3]})
    with pytest.raises(microslip.Error, match="a table has its columns inside"):
        microslip.fit(frame, f)


def test_several_tables_are_several_records(tmp_path):
    t, u, _ = record()
    low, high = ({"u": u, "f": microslip.jenkins(k=2, phi=phi).simulate(u).f} for phi in (0.5, 0.8))
    fits = microslip.fit([low, high], laws="jenkins", separate="phi", starts=4, output=tmp_path / "fit.json")
    assert fits.best.parameters["k"] == pytest.approx(2)
    assert [one["parameters"]["phi"] for one in fits.best.files] == pytest.approx([0.5, 0.8])
    assert repr(fits).startswith("1 law fitted to 1200 rows")
    assert (tmp_path / "fit.json").exists()
    # Forces and displacements that scale together: phi of the second record is that of the first times 1.6.
    other = {"u": u, "f": 1.6 * microslip.jenkins(k=2, phi=0.5).simulate(u / 1.6).f}
    fits = microslip.fit([low, other], laws="jenkins", covariate={"preload": [5, 8]}, starts=4)
    assert fits.best.rms_relative < 1e-9


def test_a_ringdown_of_a_table_and_damping_of_data():
    t = np.arange(0, 200, 0.05)
    x = np.exp(-0.03 * t) * np.cos(3 * t)
    named = microslip.ringdown({"t": t, "tip": x})
    assert np.array_equal(named[0].zeta, microslip.ringdown(t, x)[0].zeta)
    assert named.document["modes"][0]["amplitude_of"] == "tip"
    with pytest.raises(microslip.Error, match="the table has no column 't'; it has: time, x"):
        microslip.ringdown({"time": t, "x": x})
    target = microslip.jenkins(k=4, phi=2).damping([0.4, 1.0, 2.0])
    for match in (target, {"amplitude": target.amplitude, "energy": target.energy}):
        tuned = microslip.damping(microslip.jenkins(k=4), [1.0], match=match, free="phi", quantity="energy")
        assert tuned.law.phi == pytest.approx(2)
    with pytest.raises(microslip.Error, match="quantity, at: these options belong to match"):
        microslip.damping(microslip.jenkins(), [1.0], at=1, quantity="energy")


def test_files_that_a_result_is_written_to_are_those_of_the_current_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    t, u, f = record()
    microslip.loops(u, f, t, backbone="backbone.csv")
    microslip.fit(u, f, laws="jenkins", starts=2, output="fit.json")
    decay = np.exp(-0.01 * np.arange(4000)) * np.cos(np.arange(4000))
    microslip.ringdown(np.arange(4000.0), decay, output="decay.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backbone.csv", "decay.csv", "fit.json"]


def test_notes_on_files_reach_results(tmp_path):
    (tmp_path / "load.csv").write_text("t,f\n0,0\n1,\n2,1\n3,0\n")
    (tmp_path / "s.toml").write_text("""
        M = [1.0]
        K = [1.0]
        [[load]]
        kind = "record"
        dof = 1
        file = "load.csv"
        [[analysis]]
        kind = "time"
        until = 3
        step = 0.5
        """)
    responses = microslip.respond(tmp_path / "s.toml")
    assert any("1 of 4 rows has no number in f" in note for note in responses.notes)
    assert "note: " in repr(responses)
    (tmp_path / "u.csv").write_text("u\n" + "\n".join("nan" if i == 7 else str(0.01 * np.sin(0.3 * i)) for i in range(40)) + "\n")
    (tmp_path / "joint.toml").write_text("""
        [plates]
        length = 40.0
        overlap = 20.0
        thickness = 3.0
        width = 10.0
        E = 70e3
        nu = 0.33
        mesh = [4, 2]
        [contact]
        mu = 0.3
        pressure = "20"
        normal = "tied"
        [load]
        input = "u.csv"
        """)
    loop = microslip.joint(tmp_path / "joint.toml")
    assert len(loop["u"]) == 39 and "1 of 40 rows has no number in u" in loop.notes[0]


def test_tables_of_the_command_are_read_by_numpy_and_pandas(tmp_path):
    """The headings are the first line; notes follow as lines that begin with #."""
    path = tmp_path / "answer.csv"
    subprocess.run([str(COMMAND), "simulate", "jenkins", "--set", "k=2", "--signal", "sin(t)", "--until", "20",
                    "--step", "0.1", "-o", str(path), "-q"], check=True)
    lines = path.read_text().splitlines()
    assert lines[0] == "t,u,f,energy" and lines[1].startswith("# microslip: ")
    table = np.genfromtxt(path, delimiter=",", names=True)
    assert table.dtype.names == ("t", "u", "f", "energy")
    assert np.array_equal(table["f"], microslip.jenkins(k=2).simulate(table["u"]).f)
    pandas = pytest.importorskip("pandas")
    # Without options its reader keeps twelve digits of seventeen (its own limit).
    assert np.allclose(pandas.read_csv(path, comment="#")["f"], table["f"], rtol=1e-12, atol=0)


# ---------------------------------------------------------------------------------------- options

# Options of the command that a function does not have, and why.
ARRAYS = {"u", "f", "t", "rows", "from", "to"}  # arrays and tables are cut in Python
COMMAND_LINE = {"json", "quiet", "help", "help-all"}
POSTERIOR = {"posterior", "sampler", "prior", "draws", "chains", "corner"}  # of the command alone so far
ABSENT = {"fit": ARRAYS | COMMAND_LINE | POSTERIOR,
          "loops": ARRAYS | COMMAND_LINE,
          # The law and its amplitudes are arguments; what is made of the result is arrays.
          "damping": COMMAND_LINE | {"omega", "set", "params", "fit", "covariate", "method", "amplitudes", "log",
                                     "save-params", "output", "uncertainty", "plot"},
          "ringdown": COMMAND_LINE | {"columns", "t", "rows"}}
RENAMED = {"fit": {"laws": "model"}}


@pytest.mark.parametrize("command", ABSENT)
def test_options_are_those_of_the_command(command):
    function = getattr(microslip, command)
    parameters = inspect.signature(function).parameters.values()
    assert not any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters)
    mine = {RENAMED.get(command, {}).get(p.name, option_name(p.name)) for p in parameters
            if p.kind is inspect.Parameter.KEYWORD_ONLY}
    said = subprocess.run([str(COMMAND), command, "--help"], capture_output=True, text=True, check=True).stdout
    theirs = set(re.findall(r"^  (?:-\w, )?--([\w-]+)", said, re.M))
    assert mine - {"progress"} == theirs - ABSENT[command]
    # The docstring says of each what the help says.
    for name in mine - {"progress"}:
        text = microslip._help.OPTIONS[command][name]
        assert text and text in re.sub(r"\s+", " ", function.__doc__), name
    with pytest.raises(TypeError, match="unexpected keyword argument 'sart'"):
        function([1], [1], sart=1)


# ------------------------------------------------------------------------------------------ texts

def test_results_print_in_ten_lines():
    t, u, f = record()
    law = microslip.iwan4() + microslip.bouc_wen()
    many = microslip.masing(k=np.arange(1.0, 501), phi=np.arange(1.0, 501))
    fits = microslip.fit(u, f, laws=["jenkins", "linear", "masing"], starts=2)
    decay = np.exp(-0.03 * t) * np.cos(30 * t)
    results = [law, many, law.simulate(u), law.simulate(u[:1]), law.simulate([]), many.simulate(u, t),
               law.damping([0.1, 0.2]), microslip.loops(u, f), microslip.loops(u[:9], f[:9]), fits, *fits,
               microslip.ringdown(t, decay), *microslip.ringdown(t, decay),
               microslip.reduce(SOURCE / "examples/reduce/iwan.toml"),
               microslip.respond({"M": [1.0], "K": [1.0], "analysis": [{"kind": "modes"}]})]
    for result in results:
        text = repr(result)
        assert 1 <= len(text.splitlines()) <= 10 and str(result) == text
        assert max(map(len, text.splitlines())) <= (800 if isinstance(result, microslip.Law) else 82), text
    assert repr(fits).splitlines()[0] == "3 laws fitted to 600 rows"
    assert re.search(r"jenkins +0.00 %.* converged", repr(fits))
    assert "k = 2 ± " in repr(fits["jenkins"])
    assert repr(law.simulate(u)).splitlines()[-1].split()[0] == f"{u[-1]:.6g}"
    assert repr(many) == ("masing(k=[1.0, 2.0, 3.0, … 500 in all], phi=[1.0, 2.0, 3.0, … 500 in all])")


def test_the_command_is_a_module_and_a_script():
    said = subprocess.run([sys.executable, "-m", "microslip", "--version"], capture_output=True, text=True)
    assert said.returncode == 0 and microslip.__version__ in said.stdout
    wrong = subprocess.run([sys.executable, "-m", "microslip", "respnd"], capture_output=True, text=True)
    assert wrong.returncode == 2 and wrong.stderr.startswith("microslip: ")
    assert callable(__import__("microslip.__main__", fromlist=["main"]).main)
