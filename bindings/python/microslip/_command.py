"""Jobs on records and structures, from Python.

loops, fit and damping run in this process, where arrays go in without text. respond, joint, cracks, reduce,
reproduce and export_fmu, and options that name files, run the command `microslip` that was built
together with this module, and read its JSON, in which numbers have enough digits to be the same bits. There is one meaning of every option, and an error is the same sentence.
"""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from pathlib import Path

import numpy as np

from ._core import Error
from ._jobs import job, number, words
from ._law import Damping, Law, _column, _plain, load_law
from ._law import law as _law
from ._result import Result


def _executable():
    beside = Path(__file__).with_name("microslip")
    if beside.exists():
        return str(beside)
    found = shutil.which("microslip")
    if found:
        return found
    raise Error("the command 'microslip' was not found, neither beside this module nor on the PATH")


def _run(arguments, cwd=None, progress=None):
    """Standard output of the command; its sentence as an Error if it fails.

    progress(done, total, text) is called in this thread. If it returns False the command is
    interrupted as by Ctrl-C on a terminal; what it writes then is returned.
    """
    env = {**os.environ, "MICROSLIP_PROGRESS": "lines" if progress is not None else ""}
    process = subprocess.Popen([_executable(), *map(str, arguments)], cwd=cwd, env=env,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, encoding="utf-8")
    out, said, stopped = [], [], False
    reader = threading.Thread(target=lambda: out.append(process.stdout.read()))
    reader.start()
    try:
        for line in process.stderr:
            mark, part, text = (line.rstrip("\n").split(" ", 2) + ["", ""])[:3]
            if progress is None or mark != "progress:":
                said.append(line.rstrip("\n"))
            elif not stopped and progress(float(part), 1.0, text) is False:
                stopped = True
                process.send_signal(signal.SIGINT)
        process.wait()
    except BaseException:  # Ctrl-C, or an exception of the progress function
        process.terminate()
        process.wait()
        raise
    finally:
        reader.join()
        process.stdout.close()
        process.stderr.close()
    if process.returncode != 0 and not (stopped and out[0]):
        lines = [line for line in said if line.startswith("microslip: ")]
        error = Error(lines[-1][len("microslip: "):] if lines else
                      "interrupted" if stopped else "\n".join(said).strip())
        error.stopped = stopped or process.returncode == 1
        raise error
    return out[0]


def _json(arguments, cwd=None, progress=None):
    return json.loads(_run([*arguments, "--json"], cwd, progress))


def _options(options, lists=()):
    """--name VALUE from keywords; True is a flag, a list or a dictionary repeats the option."""
    words = []
    for name, value in options.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(flag)
        elif isinstance(value, dict):
            for key, item in value.items():
                low_high = isinstance(item, (tuple, list))
                text = ":".join(repr(float(x)) for x in item) if low_high else repr(float(item))
                words += [flag, f"{key}={text}"]
        elif isinstance(value, (list, tuple)):
            for item in value:
                words += [flag, str(item)]
        else:
            words += [flag, repr(value) if isinstance(value, float) else str(value)]
    return words


def _write_record(folder, u, f, t, name="record.csv", extra=None):
    columns = {} if t is None else {"t": _column(t, "t")}
    columns.update(u=_column(u, "u"), f=_column(f, "f"), **(extra or {}))
    return _write_columns(folder, columns, name)


def _write_columns(folder, columns, name):
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) != 1:
        raise Error("columns must have the same length: " +
                    ", ".join(f"{k} has {v} rows" for k, v in lengths.items()))
    path = Path(folder) / name
    rows = zip(*(column.tolist() for column in columns.values()))
    path.write_text(",".join(columns) + "\n" +
                    "\n".join(",".join(map(repr, row)) for row in rows) + "\n", encoding="utf-8")
    return path


def _columns(u, f, t, weight=None):
    given = {"t": t, "u": u, "f": f, "weight": weight}
    return {name: _column(column, name) for name, column in given.items() if column is not None}


def _record(columns):
    """A record of a request, by the names of its columns."""
    return {"name": "record.csv", **{name: name for name in columns}}


def _values(options, kinds):
    """The options of a request, each as what it is there."""
    return {name: kinds.get(name, lambda value: value)(value) for name, value in options.items()}


def _limits(bounds):
    return {name: {end: float(x) for end, x in zip(("low", "high"), pair) if x is not None}
            for name, pair in bounds.items()}


# ------------------------------------------------------------------------------------------ loops

class Loops(Result):
    """The loops of a record. `cycles` is a list of dictionaries (rows count from 1); arrays of
    their amplitude, energy, secant, …; `backbone_u`, `backbone_f`; everything else by the names of
    `microslip loops --json` in `facts`."""

    def __init__(self, document, u, f):
        self.facts = document
        self.u, self.f = u, f
        self.cycles = document["cycles"]
        self.warnings = document["warnings"]
        for name in self._names():
            setattr(self, name, np.array([np.nan if c[name] is None else c[name]
                                          for c in self.cycles]))
        self.backbone_u = np.array(document["backbone"]["u"])
        self.backbone_f = np.array(document["backbone"]["f"])

    def _names(self):
        if not self.cycles:
            return []
        return [k for k, v in self.cycles[0].items()
                if (isinstance(v, (int, float)) and not isinstance(v, bool)) and k != "inside"
                and all(c.get(k) is None or isinstance(c.get(k), (int, float))
                        for c in self.cycles)]

    def _columns(self):
        return {name: getattr(self, name) for name in self._names()}

    def _facts(self):
        return {k: v for k, v in self.facts.items() if k != "cycles"}

    def plot(self, axes=None, **style):
        """The record, and its backbone."""
        axes = self._axes(axes)
        axes.plot(self.u, self.f, lw=0.8, label="record", **style)
        center = self.facts["center"]
        if len(self.backbone_u):
            axes.plot(self.backbone_u + center["u"], self.backbone_f + center["f"], "k--",
                      label="backbone")
        axes.set(xlabel="u", ylabel="f")
        return axes


def loops(u, f, t=None, **options) -> Loops:
    """Reversals, closed loops, energy, stiffness, damping and backbone of a record.

    Options are those of `microslip loops`: threshold, bars.
    """
    u, f = _column(u, "u"), _column(f, "f")
    if set(options) <= {"threshold", "bars"}:
        columns = _columns(u, f, t)
        request = {"record": _record(columns), **{k: number(v) for k, v in options.items() if v is not None}}
        document = {**job("loops", request, columns), "command": "microslip.loops"}
    else:
        with tempfile.TemporaryDirectory() as folder:
            _write_record(folder, u, f, t)
            document = _json(["loops", "record.csv", "--quiet", *_options(options)], folder)
    return Loops(document, u, f)


# -------------------------------------------------------------------------------------------- fit

class Fit(Result):
    """One law fitted to a record: `law`, `parameters`, `standard_errors`, `rms_relative`,
    `energy_error`, `aicc`, `bic`, `holdout_rms_relative`, `status`, `message`. None where the
    record does not determine a number."""

    def __init__(self, entry):
        self.entry = entry
        for name in ("model", "parameters", "standard_errors", "rms", "rms_relative",
                     "energy_error", "aicc", "bic", "holdout_rms_relative", "status", "message"):
            setattr(self, name, entry.get(name))
        self.law = None
        if self.parameters:
            own = {k: v for k, v in self.parameters.items() if k not in ("offset", "gain", "offset_u")}
            self.law = _law(self.model, **own, **entry.get("options", {}))

    def _facts(self):
        return {k: v for k, v in self.entry.items() if k not in ("correlation", "profiles")}

    def _title(self):
        return f"fit of {self.model}"


class Fits(list):
    """The fits of a record, best first; `best`, `data`, `notes`, `seed`; `interrupted` if they are
    only the best so far. Fits["iwan4"] finds one by its law."""

    def __init__(self, document, u, f):
        super().__init__(Fit(entry) for entry in document["fits"])
        self.document = document
        self.data, self.notes, self.seed = document["data"], document["notes"], document["seed"]
        self.interrupted = document["interrupted"]
        self.u, self.f = u, f

    @property
    def best(self):
        return self[0]

    def __getitem__(self, key):
        if not isinstance(key, str):
            return super().__getitem__(key)
        for fit_ in self:
            if fit_.model == key:
                return fit_
        raise KeyError(key)

    def to_dict(self):
        return self.document

    def to_dataframe(self):
        import pandas
        return pandas.DataFrame([{"model": f.model, "status": f.status,
                                  "rms_relative": f.rms_relative, "aicc": f.aicc,
                                  **(f.parameters or {})} for f in self])

    def _repr_html_(self):
        rows = "".join(f"<tr><td>{f.model}</td><td>{f.status}</td><td>{f.rms_relative:.3%}</td>"
                       f"<td>{f.aicc:.1f}</td></tr>" for f in self if f.parameters)
        return ("<table><tr><th>law</th><th>status</th><th>rms / range</th><th>AICc</th></tr>"
                f"{rows}</table>")

    def plot(self, axes=None, **style):
        """The record and the best fit."""
        if axes is None:
            import matplotlib.pyplot as plt
            axes = plt.subplots()[1]
        axes.plot(self.u, self.f, ".", ms=2, color="0.6", label="record")
        if self.best.law is not None and self.best.law.family == "rate-independent":
            offset = self.best.parameters.get("offset", 0.0) or 0.0
            gain = self.best.parameters.get("gain", 1.0) or 1.0
            shift = self.best.parameters.get("offset_u", 0.0) or 0.0
            h = self.best.law.simulate(np.asarray(self.u) - shift)
            axes.plot(self.u, offset + gain * h.f, label=self.best.model, **style)
        axes.set(xlabel="u", ylabel="f")
        return axes


_FIT_OPTIONS = {"fix": lambda values: {k: float(v) for k, v in values.items()}, "free": words,
                "separate": words, "share": words, "profile": words, "start": str, "holdout": str,
                "starts": number, "seed": number, "time_budget": number, "threads": number,
                "elements": number, "robust": bool}


def _fit_request(models, options):
    """The request without its records; None where an option is written as on the command line, or names
    files, as only the command does."""
    given = {k: v for k, v in options.items() if v is not None and v is not False}
    bounds = given.pop("bounds", {})
    if not (set(given) <= set(_FIT_OPTIONS) and isinstance(bounds, dict)
            and isinstance(given.get("fix", {}), dict)):
        return None
    return {"models": words(models), "bounds": _limits(bounds), **_values(given, _FIT_OPTIONS)}


def fit(u, f, t=None, *, laws=(), weight=None, progress=None, **options) -> Fits:
    """Which law describes a record, with which parameters, how sure.

    laws      names or expressions; the command's choice if left out
    weight    how much each row counts
    progress  called as progress(done, total, text) now and then, text naming the law and its error
              so far; False ends the search, and the best fits so far are returned
    options   those of `microslip fit`: fix={"n": 1}, bounds={"n": (1, 3)}, free, start, starts,
              seed, time_budget, threads, robust, holdout, profile, elements
    The result depends on the seed, which is 1 unless given, and not on the number of threads.
    """
    names = [laws] if isinstance(laws, (str, Law)) else list(laws)
    names = [name.name if isinstance(name, Law) else name for name in names]
    request = _fit_request(names, options)
    if request is not None:
        columns = _columns(u, f, t, weight)
        document = job("fit", {"records": [_record(columns)], **request}, columns, progress)
        document["command"] = "microslip.fit"
        return Fits(document, columns["u"], columns["f"])
    models = [word for name in names for word in ("--model", name)]
    with tempfile.TemporaryDirectory() as folder:
        extra = {} if weight is None else {"weight": _column(weight, "weight")}
        _write_record(folder, u, f, t, extra=extra)
        if weight is not None:
            options["weight"] = "weight"
        document = _json(["fit", "record.csv", *models, *_options(options), "--quiet"], folder,
                         progress)
    if not document["fits"]:
        raise Error("interrupted before any law was fitted")
    return Fits(document, _column(u, "u"), _column(f, "f"))


# ---------------------------------------------------------------------------------------- damping

def _tuned(law, columns, quantities, omega, options, progress):
    """The law tuned to a damping curve."""
    curve = {"name": "target.csv", "amplitude": "amplitude",
             "quantities": {name: name for name in quantities}}
    given = {k: v for k, v in options.items() if v is not None and v is not False}
    bounds = given.pop("bounds", {})
    if set(given) <= {"at", "free", "weight", "relative"} and isinstance(bounds, dict):
        request = {"laws": [law._document()], "omega": omega,
                   "match": {"curve": curve, "quantity": quantities, "bounds": _limits(bounds),
                             **_values(given, {"at": number, "free": words, "weight": str})}}
        tuned = job("damping", request, {k: _column(v, k) for k, v in columns.items()}, progress)
        tuned = tuned["laws"][0]
        return _law(tuned["model"], **tuned["parameters"], **tuned["options"])
    with tempfile.TemporaryDirectory() as folder:
        law.save(Path(folder) / "law.json")
        _write_columns(folder, columns, "target.csv")
        _run(["damping", "--params", "law.json", "--match", "target.csv", "--omega", repr(omega),
              "--quantity", ",".join(quantities), "--save-params", "tuned.json", "--quiet",
              *_options(options)], folder, progress)
        return load_law(Path(folder) / "tuned.json")


def damping(law, amplitudes, omega=1.0, *, match=None, progress=None, **options) -> Damping:
    """Damping and stiffness of a law against amplitude; with `match`, a law or an expression, the
    law is first tuned to that one. Options are those of `microslip damping --match`: quantity (one or
    several, "zeta_eff,b1"), at, free, bounds, weight, relative. progress(done, total, text) is called now and then; False stops
    with an Error. Returns a Damping, whose `law` is the tuned one."""
    amplitudes = np.atleast_1d(np.asarray(amplitudes, dtype=float))
    if match is not None:
        target = _law(match) if isinstance(match, str) else match
        table = Damping(target, amplitudes, omega, progress)
        quantities = options.pop("quantity", "zeta_eff")
        quantities = quantities.split(",") if isinstance(quantities, str) else list(quantities)
        known = table._columns()
        for name in quantities:
            if name not in known:
                raise Error(f"quantity '{name}' must be one of {', '.join(list(known)[1:])}")
        columns = {"amplitude": table.amplitude, **{name: known[name] for name in quantities}}
        law = _tuned(law, columns, quantities, float(omega), options, progress)
    elif options:
        raise Error(f"{', '.join(options)}: these options belong to match")
    return law.damping(amplitudes, omega, progress=progress)


# ---------------------------------------------------------------------------------------- respond

class Response(Result):
    """One analysis of a structure: its table as arrays by name, response["x1"], and what the
    command says about it in `facts`."""

    def __init__(self, facts, columns):
        self.facts = facts
        self.kind = facts.get("kind")
        self.columns = {k: np.array([np.nan if x is None else x for x in v], dtype=float)
                        for k, v in columns.items()}

    def __getitem__(self, name):
        return self.columns[name]

    def _columns(self):
        return self.columns

    def _facts(self):
        return {k: v for k, v in self.facts.items() if k != "columns"}

    def _title(self):
        return str(self.kind)

    def plot(self, axes=None, y=None, **style):
        """A column against the first one; the second one if y is left out."""
        axes = self._axes(axes)
        names = list(self.columns)
        y = names[1] if y is None else y
        axes.plot(self.columns[names[0]], self.columns[y], **style)
        axes.set(xlabel=names[0], ylabel=y)
        return axes


class Responses(list):
    """The analyses of a structure in their order; `interrupted` if the last one is not at its
    end, or if some are missing."""

    interrupted = False

    def _repr_html_(self):
        return "".join(response._repr_html_() for response in self)

    def to_dict(self):
        return [response.to_dict() for response in self]


def _matrix_market(matrix, path):
    """Coordinates of what is not zero; numbers as the same bits."""
    if hasattr(matrix, "tocoo"):
        coo = matrix.tocoo()
        entries = zip(coo.row.tolist(), coo.col.tolist(), coo.data.tolist())
        shape = coo.shape
    else:
        dense = np.asarray(matrix, dtype=float)
        rows, columns = np.nonzero(dense)
        entries = zip(rows.tolist(), columns.tolist(), dense[rows, columns].tolist())
        shape = dense.shape
    lines = [f"{i + 1} {j + 1} {float(x)!r}" for i, j, x in entries]
    path.write_text("%%MatrixMarket matrix coordinate real general\n"
                    f"{shape[0]} {shape[1]} {len(lines)}\n" + "\n".join(lines) + "\n")


def _toml_value(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(k)} = {_toml_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return "[" + ", ".join(_toml_value(x) for x in np.asarray(value).tolist()) + "]"


def _toml(document, folder):
    """The TOML text of a dictionary; matrices and laws go into files of the folder."""
    plain, tables = [], []
    for key, value in document.items():
        if key in ("M", "C", "K") and (hasattr(value, "tocoo") or np.ndim(value) == 2):
            _matrix_market(value, Path(folder) / f"{key}.mtx")
            plain.append(f'{key} = "{key}.mtx"')
        elif isinstance(value, dict):
            tables.append(f"[{key}]\n" + "".join(f"{k} = {_toml_value(v)}\n"
                                                 for k, v in value.items()))
        elif isinstance(value, (list, tuple)) and value and isinstance(value[0], dict):
            for number, entry in enumerate(value, 1):
                entry = dict(entry)
                if isinstance(entry.get("model"), Law):
                    name = f"law{number}.json"
                    entry.pop("model").save(Path(folder) / name)
                    entry["params"] = name
                tables.append(f"[[{key}]]\n" + "".join(f"{k} = {_toml_value(v)}\n"
                                                       for k, v in entry.items()))
        else:
            plain.append(f"{key} = {_toml_value(value)}")
    return "\n".join([*plain, *tables]) + "\n"


def _document(source, folder, name):
    """A path stays where it is; a text or a dictionary becomes a file of the folder."""
    if isinstance(source, os.PathLike):
        return Path(source).resolve()
    if isinstance(source, str) and "\n" not in source and source.endswith(".toml"):
        return Path(source).resolve()
    if not isinstance(source, (str, dict)):
        raise Error(f"{name} must be the path of a TOML file, TOML text or a dictionary, not "
                    f"{type(source).__name__}")
    text = source if isinstance(source, str) else _toml(source, folder)
    path = Path(folder) / name
    path.write_text(text, encoding="utf-8")
    return path


def _read_columns(path):
    lines = [line for line in Path(path).read_text().splitlines() if not line.startswith("#")]
    names = lines[0].split(",")
    rows = [list(map(float, line.split(","))) for line in lines[1:]]
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}


def respond(structure, *, progress=None) -> Responses:
    """Ring-down, frequency response, nonlinear modes of a structure with joints.

    structure is the path of a TOML file, TOML text, or a dictionary with the same keys, in which
    M, C and K may be numpy arrays or scipy.sparse matrices and a joint's "model" may be a Law:

        microslip.respond({
            "M": np.diag([1.0, 1.0]), "K": [[2.0, -1.0], [-1.0, 1.0]],
            "joint": [{"model": microslip.jenkins(k=0.25, phi=0.2), "between": [0, 1]}],
            "load": [{"kind": "harmonic", "dof": 1, "amplitude": 0.2}],
            "analysis": [{"kind": "frequency-response", "omega": [0.5, 1.5]}]})

    progress(done, total, text) is called now and then, text naming the kind of the analysis, each
    of which counts from 0. If it returns False the analysis ends where it is, and what is done is
    returned.

    Returns the analyses in their order. Tables that the file sends to `output` are written there,
    from the current folder, and read back.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = _document(structure, folder, "structure.toml")
        document = _json(["respond", path, "--quiet"], progress=progress)
    result = Responses()
    result.interrupted = document["interrupted"]
    for facts in document["analyses"]:
        columns = facts.get("columns")
        if columns is None and facts.get("output"):
            columns = _read_columns(facts["output"])
        result.append(Response(facts, columns or {}))
    return result


# ---------------------------------------------------------------------------------- joint, cracks

class Loop(Result):
    """The loop of a joint or of a cracked plate: its table as arrays by name, loop["f"], and what the
    command says about it in `facts`, loop.facts["summary"]; `law` if it was asked for."""

    def __init__(self, facts, columns, law=None):
        self.facts, self.law = facts, law
        self.columns = {name: np.array(values) for name, values in columns.items()}

    def __getitem__(self, name):
        return self.columns[name]

    def _columns(self):
        return self.columns

    def _facts(self):
        return self.facts

    def plot(self, axes=None, **style):
        """The loop: force against displacement, or, of a plate, displacement against load."""
        axes = self._axes(axes)
        x, y = ("u", "f") if "u" in self.columns else ("f", "xi")
        axes.plot(self.columns[x], self.columns[y], **style)
        axes.set(xlabel=x, ylabel=y)
        return axes


def joint(source, *, sliders=False, progress=None) -> Loop:
    """The loop of a lap joint from geometry, or of any joint from matrices, as `microslip joint`.

    source    the path of a TOML file, TOML text, or a dictionary with the same keys
    sliders   also the system of sliders of a tied joint, as `law`
    progress  called as progress(done, total, text) now and then; False stops with an Error
    """
    with tempfile.TemporaryDirectory() as folder:
        path = _document(source, folder, "joint.toml")
        table, system = Path(folder) / "loop.csv", Path(folder) / "sliders.json"
        more = ["--sliders", system] if sliders else []
        document = _json(["joint", path, "-o", table, *more], progress=progress)
        return Loop(document, _read_columns(table), load_law(system) if sliders else None)


def cracks(source, *, progress=None) -> Loop:
    """The loop of a plate with frictional cracks, from geometry, as `microslip cracks`; arguments as
    those of joint."""
    with tempfile.TemporaryDirectory() as folder:
        path = _document(source, folder, "cracks.toml")
        table = Path(folder) / "loop.csv"
        document = _json(["cracks", path, "-o", table], progress=progress)
        return Loop(document, _read_columns(table))


# -------------------------------------------------------------------------------------------- FMUs

def export_fmu(model, path, *, fmi=2, name=None) -> None:
    """Writes a law, or a structure as `respond` takes it, as an FMU for co-simulation (FMI 2.0, or 3.0
    with fmi=3). `name` is what tools show."""
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(model, Law):
            model.save(Path(folder) / "law.json")
            what = ["--params", Path(folder) / "law.json"]
        else:
            what = [_document(model, folder, "structure.toml")]
        _run(["export-fmu", *what, "-o", Path(path).resolve(), *_options({"fmi": fmi, "name": name}),
              "--quiet"])


# ------------------------------------------------------------------------------ reduce, reproduce

class Reduction(Result):
    """Many sliders as a few states: `law`, and the errors in `facts`."""

    def __init__(self, facts, law):
        self.facts, self.law = facts, law
        self.singular_values = np.array(facts["singular_values"])

    def _facts(self):
        return self.facts

    def _columns(self):
        return {"singular_values": self.singular_values}

    def plot(self, axes=None, **style):
        """Singular values of the motion."""
        axes = self._axes(axes)
        axes.semilogy(np.arange(1, len(self.singular_values) + 1), self.singular_values, "o-",
                      **style)
        axes.set(xlabel="mode", ylabel="singular value")
        return axes


def reduce(system, *, progress=None) -> Reduction:
    """Reduces many sliders to a few states; `system` is the path of a TOML file, TOML text, or a
    dictionary with the same keys (see `microslip reduce --help-all`). progress(done, total, text) is
    called now and then; False stops with an Error."""
    with tempfile.TemporaryDirectory() as folder:
        path = _document(system, folder, "reduce.toml")
        output = Path(folder) / "reduced.json"
        document = _json(["reduce", path, "-o", output], progress=progress)
        return Reduction(document, load_law(output))


def reproductions() -> list:
    """The figures and tables of the literature that can be recomputed, as `reproduce --list`."""
    return _json(["reproduce", "--list"])


def reproduce(*identifiers, progress=None) -> dict:
    """Recomputes figures and tables of the literature; a dictionary with the verdicts.
    progress(done, total, text) is called now and then, text naming the entry; False stops with an
    Error."""
    return _json(["reproduce", *identifiers], progress=progress)
