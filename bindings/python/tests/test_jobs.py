"""Jobs from Python: progress, stops, and results that are those of the command."""

import json
import os
import zipfile

import numpy as np
import pytest

import microslip
from support import SOURCE, motion, run_command, stopped_by_ctrl_c


class Seen(list):
    """A progress function that keeps what it is told, and asks to stop when `stop` says so."""

    def __init__(self, stop=lambda done, text: False):
        self.stop = stop

    def __call__(self, done, total, text):
        self.append((done / total, text))
        return not self.stop(done / total, text)

    def check(self, word):
        parts = [part for part, _ in self]
        assert parts and parts == sorted(parts) and 0 <= parts[0] and parts[-1] == 1
        assert any(word in text for _, text in self), self


# As a dictionary of `respond`; a second of work when it is not stopped.
LONG_RING_DOWN = {
    "M": [1.0], "K": [0.75],
    "joint": [{"model": "jenkins", "set": {"k": 0.25, "phi": 0.2}, "between": [0, 1]}],
    "load": [{"kind": "harmonic", "dof": 1, "amplitude": 0.2, "omega": 0.9}],
    "analysis": [{"kind": "time", "until": 1e5, "step": 0.5}]}


def test_progress_of_what_the_command_does():
    _, u = motion(4000)
    h = microslip.bouc_wen(n=1.5).simulate(u)
    seen = Seen()
    fits = microslip.fit(h.u, h.f, laws=["jenkins", "bouc-wen"], progress=seen)
    assert not fits.interrupted and len(fits) == 2
    seen.check("bouc-wen")
    seen = Seen()
    short = {**LONG_RING_DOWN, "analysis": [{"kind": "time", "until": 100}]}
    assert not microslip.respond(short, progress=seen).interrupted
    seen.check("time")
    seen = Seen()
    microslip.reproduce("mathis2020-fig2", progress=seen)
    seen.check("mathis2020-fig2")
    seen = Seen()
    microslip.iwan4().damping([0.1, 1.0, 2.0], progress=seen)
    assert [part for part, _ in seen] == [1 / 3, 2 / 3, 1]
    seen = Seen()
    microslip.reduce(SOURCE / "examples/reduce/iwan.toml", progress=seen)
    seen.check("reduced model")


def test_progress_stops_and_keeps_what_is_done():
    _, u = motion(20000)
    h = microslip.bouc_wen(n=1.5).simulate(u)
    best = Seen(stop=lambda done, text: text.endswith("%"))
    fits = microslip.fit(h.u, h.f, laws=["linear", "bouc-wen", "iwan4", "bouc-wen-degrading"], progress=best)
    assert fits.interrupted and 1 <= len(fits) < 4
    responses = microslip.respond(LONG_RING_DOWN, progress=Seen(stop=lambda done, text: done > 0.05))
    assert responses.interrupted and 0 < responses[0]["t"][-1] < 1e5
    never = Seen(stop=lambda done, text: True)
    for call in (lambda: microslip.reproduce("all", progress=never),
                 lambda: microslip.iwan4().damping([1.0, 2.0], progress=never)):
        with pytest.raises(microslip.Error, match="interrupted"):
            call()
    with pytest.raises(ZeroDivisionError):
        microslip.respond(LONG_RING_DOWN, progress=lambda done, total, text: 1 / 0)


def test_ctrl_c_stops_what_the_command_does():
    code = ("import os, microslip\n"
            "try: microslip.reproduce('all', progress=lambda *now: print('go', flush=True))\n"
            "except KeyboardInterrupt:\n"
            "    try: os.waitpid(-1, os.WNOHANG)\n"
            "    except ChildProcessError: print('nothing is left running')\n")
    assert "nothing is left running" in stopped_by_ctrl_c(code)


def without_names(document):
    """What does not depend on who called."""
    return {k: v for k, v in document.items() if k not in ("command", "seconds")}


def test_jobs_in_this_process_say_what_the_command_says(tmp_path):
    t, u = motion(600)
    h = (microslip.jenkins(k=2, phi=0.5) + microslip.linear(k=0.1)).simulate(u)
    rows = "\n".join(f"{a!r},{b!r},{c!r}" for a, b, c in zip(t.tolist(), u.tolist(), h.f.tolist()))
    (tmp_path / "record.csv").write_text("t,u,f\n" + rows + "\n")
    options = ["--starts", "4", "--time-budget", "1000", "--json"]
    by_command = json.loads(run_command("fit", "record.csv", "--model", "jenkins,iwan4", "--free", "offset",
                                        "--fix", "k=2", "--bounds", "phi=0.1:3", *options, cwd=tmp_path))
    here = microslip.fit(u, h.f, t, laws=["jenkins", "iwan4"], free="offset", fix={"k": 2},
                         bounds={"phi": (0.1, 3)}, starts=4, time_budget=1000).document
    assert without_names(here) == without_names(by_command)
    assert here["schema"] == "microslip.fit/1"
    by_command = json.loads(run_command("loops", "record.csv", "--bars", "7", "--json", cwd=tmp_path))
    assert without_names(microslip.loops(u, h.f, t, bars=7).facts) == without_names(by_command)


def test_a_stop_of_a_fit_leaves_this_process_ready_for_the_next():
    _, u = motion(2000)
    h = microslip.bouc_wen(n=1.5).simulate(u)
    with pytest.raises(ZeroDivisionError):
        microslip.fit(h.u, h.f, progress=lambda done, total, text: 1 / 0)
    with pytest.raises(microslip.Error, match="none of the laws has a parameter 'nonsense'"):
        microslip.fit(h.u, h.f, laws=["jenkins", "linear"], fix={"nonsense": 1})
    code = ("import numpy as np, microslip\n"
            "u = np.sin(np.linspace(0, 300, 60_000)) * np.linspace(1, 2, 60_000)\n"
            "h = microslip.bouc_wen_degrading().simulate(u)\n"
            "print('go', flush=True)\n"
            "microslip.fit(h.u, h.f, laws=['bouc-wen', 'bouc-wen-degrading', 'iwan4'], time_budget=600)\n")
    assert "KeyboardInterrupt" in stopped_by_ctrl_c(code, after=0.5)


def test_loops_fit_and_results():
    _, u = motion(600)
    h = microslip.jenkins(k=2, phi=0.5).simulate(u)
    found = microslip.loops(h.u, h.f)
    assert len(found.cycles) == len(found.energy) > 0
    assert abs(found.facts["initial_stiffness"] - 2) < 1e-6
    fits = microslip.fit(h.u, h.f, laws=["jenkins", "linear"], time_budget=20)
    assert fits.best.model == "jenkins"
    assert abs(fits.best.law.parameters["phi"] - 0.5) < 1e-6
    assert fits["linear"].rms_relative > 0.01
    with pytest.raises(microslip.Error, match="same length"):
        microslip.fit(u, u[:3])
    for result in (h, found, fits, fits.best, h.law.damping([1.0])):
        assert "<" in result._repr_html_() and result.to_dict()
        json.dumps(result.to_dict())
    assert "<table>" in h.law._repr_html_()


def test_respond_from_text_matrices_and_laws():
    text = (SOURCE / "examples/structures/one-joint.toml").read_text()
    text = "\n".join(x for x in text.splitlines() if not x.startswith(("output", "plot", "levels")))
    from_text = microslip.respond(text)[0]
    from_matrices = microslip.respond({
        "M": np.eye(1), "K": np.array([[0.75]]), "C": np.array([[0.01]]),
        "joint": [{"model": microslip.jenkins(k=0.25, phi=0.2), "between": [0, 1]}],
        "load": [{"kind": "harmonic", "dof": 1, "amplitude": 0.2}],
        "analysis": [{"kind": "frequency-response", "omega": [0.7, 1.2], "harmonics": 7}]})[0]
    # 2.5911 is the peak that codes for harmonic balance agree on; see the file.
    for response in (from_text, from_matrices):
        assert abs(np.max(response["x1"]) - 2.5911) < 2e-3
    assert np.array_equal(from_text["x1"], from_matrices["x1"])
    with pytest.raises(microslip.Error, match="structure.toml"):
        microslip.respond("M = [1.0]\nnonsense = 3\n")
    with pytest.raises(microslip.Error, match="must be the path of a TOML file.*not int"):
        microslip.respond(3)


def test_ringdown():
    t = np.arange(0, 200, 0.05)
    decay = [np.exp(-z * w * t) * np.cos(w * np.sqrt(1 - z * z) * t) for w, z in ((3, 0.01), (7, 0.004))]
    x = np.column_stack([decay[0] + 0.5 * decay[1], 2 * decay[0] - decay[1]])
    modes = microslip.ringdown(t, x)
    assert [round(2 * np.pi * mode.frequency) for mode in modes] == [3, 7]
    for mode, w, z, shape in zip(modes, (3, 7), (0.01, 0.004), ([0.5, 1], [-0.5, 1])):
        assert mode.zeta[:5] == pytest.approx(z, rel=1e-2)
        assert mode.omega[:5] == pytest.approx(w * np.sqrt(1 - z * z), rel=1e-4)
        assert mode.shape == pytest.approx(shape, abs=1e-3)
        assert "zeta" in mode._repr_html_()
    one = microslip.ringdown(t, x[:, 0], at=3 / (2 * np.pi), band=0.2, from_=10)
    assert len(one) == 1 and one.start == pytest.approx(10)
    with pytest.raises(microslip.Error, match="row 3: t = 2.7 is not evenly spaced"):
        microslip.ringdown([0, 1, 2.7, 3, 4], [1, 0, -1, 0, 1])


def test_loops_from_geometry():
    source = (SOURCE / "examples/joints/axial.toml").read_text()
    source = source.replace("[contact]", "mesh = [60, 4]\n[contact]")
    seen = Seen()
    loop = microslip.joint(source, sliders=True, progress=seen)
    seen.check("")
    summary = loop.facts["summary"]
    assert loop["f"].max() == summary["f_max"] and loop["energy"][-1] == summary["dissipated"]
    # The system of sliders is the same joint; it is driven by u and answers with the force.
    h = loop.law.simulate(loop["u"])
    assert np.allclose(h.f, loop["f"], rtol=0, atol=1e-9 * summary["f_max"])
    plate = microslip.cracks(SOURCE / "examples/cracks/inclined.toml")
    assert plate["xi"].max() == plate.facts["summary"]["xi_max"]
    assert "<table>" in plate._repr_html_() and json.dumps(plate.to_dict())
    with pytest.raises(microslip.Error, match="cracks.toml"):
        microslip.cracks("nonsense = 3\n")


def test_export_as_fmu(tmp_path):
    law = microslip.jenkins(k=2, phi=0.5)
    structure = {"M": [1.0], "K": [0.75], "joint": [{"model": law, "between": [0, 1]}],
                 "load": [{"kind": "static", "dof": 1, "amplitude": 0.1}]}  # no analysis is needed
    for model in (law, structure):
        for fmi, folder in ((2, "linux64"), (3, "x86_64-linux")):
            microslip.export_fmu(model, tmp_path / "unit.fmu", fmi=fmi, name="unit")
            with zipfile.ZipFile(tmp_path / "unit.fmu") as archive:
                assert f"binaries/{folder}/unit.so" in archive.namelist()
                assert f'fmiVersion="{fmi}.0"' in archive.read("modelDescription.xml").decode()
    with pytest.raises(microslip.Error, match="unknown choice '1' for request.fmi"):
        microslip.export_fmu(law, tmp_path / "unit.fmu", fmi=1)
    # The command writes the same file, and it is not started for this.
    (tmp_path / "law.json").write_text(json.dumps({"model": "jenkins", "parameters": {"k": 2, "phi": 0.5}}))
    run_command("export-fmu", "--params", "law.json", "-o", "theirs.fmu", "--quiet", cwd=tmp_path)
    file = tmp_path / "beam.toml"
    file.write_text("M = [1.0]\nK = [0.75]\n[[joint]]\nmodel = \"jenkins(k=2,phi=0.5)\"\nbetween = [0, 1]\n"
                    "[[load]]\nkind = \"impulse\"\ndof = 1\namplitude = 3.0\nduration = 0.5\n"
                    "[[analysis]]\nkind = \"time\"\nuntil = 6\nstep = 0.25\n")
    for model, given in ((law, ["--params", "law.json"]), (file, ["beam.toml"])):
        for fmi in (2, 3):
            run_command("export-fmu", *given, "--fmi", fmi, "-o", "theirs.fmu", "--quiet", cwd=tmp_path)
            microslip.export_fmu(model, tmp_path / "mine.fmu", fmi=fmi)
            with zipfile.ZipFile(tmp_path / "mine.fmu") as mine, zipfile.ZipFile(tmp_path / "theirs.fmu") as theirs:
                assert mine.namelist() == theirs.namelist()
                assert all(mine.read(entry) == theirs.read(entry) for entry in mine.namelist())
    with pytest.raises(microslip.Error, match="would be overwritten"):
        microslip.export_fmu(file, file)
    assert file.read_text().startswith("M = ")


class Coordinates:
    """What scipy.sparse matrices have in common."""

    def __init__(self, dense):
        self.shape = dense.shape
        self.row, self.col = np.nonzero(dense)
        self.data = dense[self.row, self.col]

    def tocoo(self):
        return self


def test_sparse_matrices_and_motion_in_time():
    K = np.array([[2.0, -1.0], [-1.0, 1.0]])
    problem = {"M": np.eye(2), "K": K,
               "joint": [{"model": microslip.jenkins(k=0.5, phi=0.1), "between": [0, 1]}],
               "analysis": [{"kind": "time", "until": 5.0, "step": 0.1, "x0": [1.0, 0.5]}]}
    dense = microslip.respond(problem)[0]
    sparse = microslip.respond({**problem, "M": Coordinates(np.eye(2)), "K": Coordinates(K)})[0]
    assert np.array_equal(dense["x1"], sparse["x1"]) and dense["t"][-1] == 5
    assert dense["x1"][0] == 1 and np.all(np.diff(dense["energy"]) >= 0)


def test_reduce_and_reproduce():
    reduction = microslip.reduce("""
[system]
kind = "random"
n = 20
seed = 1
[[load]]
signal = "sin(t)+0.4*sin(4.16753*t)"
until = 10
step = 0.05
[reduce]
modes = 2
after_reversals = 1
model = "zonotope"
""")
    assert reduction.law.name == "zonotope"
    assert len(reduction.law.simulate(np.sin(np.linspace(0, 9, 50))).f) == 50
    assert microslip.reproductions()
