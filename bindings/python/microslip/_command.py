"""Jobs on records and structures, from Python.

All of them but reproduce run in this process, where arrays go in and come out without text. That one, and
what names files to write, run the command `microslip` that was built together with this module, and read its
JSON, in which numbers have enough digits to be the same bits. There is one meaning of every option, and an
error is the same sentence.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import zipfile
from pathlib import Path

import numpy as np

from ._array import real_array
from ._core import Error
from ._help import documented
from ._jobs import file_job, file_request, job, number, plain, source_path, source_text, words
from ._law import Damping, Law, _column
from ._law import law as _law
from ._result import Result, Table, cut
from ._table import is_table, numbers_of, write_table


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


_CHOICE = re.compile(r"; --(\w) NAME says which one it is$")


def of_table(function, arguments, cwd, progress=None):
    """The JSON of a command whose record is a table: where its columns are not found, the sentence says what
    to write in Python."""
    try:
        return _json(arguments, cwd, progress)
    except Error as error:
        if not _CHOICE.search(str(error)):
            raise
        sentence = _CHOICE.sub(f"; take the columns out: {function}(table[…], table[…])", str(error))
        raise Error(sentence) from None


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


def _paths(files):
    """Options that name files: a file of the current folder, wherever the command runs."""
    return {name: str(Path(path).resolve()) for name, path in files.items() if path is not None}


def _given(column, function):
    if column is None:
        raise Error(f"{function} needs two columns, {function}(u, f), or one table with headings")
    return column


def _record_of(table):
    """The columns of a table that the command takes for u, f and, if there is one, t: it is asked with three
    rows below the same headings."""
    columns = list(numbers_of(table).items())
    with tempfile.TemporaryDirectory() as folder:
        path = write_table({name: [0.0, 1.0, 2.0] for name, _ in columns}, folder, "record.csv")
        said = _run(["loops", path]).split("\n", 1)[0]
    found = {name: int(place) - 1 for name, place in re.findall(r"\b([tuf]) is column (\d+)", said)}
    return {name: columns[place][1] for name, place in found.items()}


def _columns(u, f, t, weight=None):
    """The columns of a record that are there, as arrays."""
    given = {"t": t, "u": u, "f": f, "weight": weight}
    return {name: _column(column, name) for name, column in given.items() if column is not None}


def _record(columns, missing=None):
    """A record of a request, by the names of its columns; missing says what becomes of rows with NaN."""
    return {"name": "record.csv", **{name: name for name in columns}, **({"missing": missing} if missing else {})}


def _law_of(found):
    """A law of a result."""
    return _law(found["model"], **found.get("parameters", {}), **found.get("options", {}))


def values_of(options, kinds):
    """The options of a request, each as what it is there."""
    return {name: kinds.get(name, lambda value: value)(value) for name, value in options.items()}


def _ends(bound):
    """The two ends of a limit: a pair, or the text "0.1:3" of the command line."""
    if not isinstance(bound, str):
        return bound
    return [float(x) if x.strip() else None for x in bound.split(":", 1)]


def limits(bounds):
    """Limits of parameters as a request has them: {"n": (1, None)}, or as on the command line "n=1:"."""
    if isinstance(bounds, str):
        bounds = dict(one.split("=", 1) for one in bounds.split(","))
    return {name: {end: float(x) for end, x in zip(("low", "high"), _ends(pair)) if x is not None}
            for name, pair in (bounds or {}).items()}


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


@documented("loops")
def loops(u, f=None, t=None, *, threshold=None, bars=None, cells=None, missing=None, output=None, backbone=None,
          normalized=None, law=None, preisach=None, widened=None, plot=None) -> Loops:
    """Reversals, closed loops, energy, stiffness, damping and backbone of a record.

    u, f, t  arrays, or one table with headings (a pandas.DataFrame, a dictionary of arrays): loops(table)
    """
    numbers = {"threshold": threshold, "bars": bars, "cells": cells}
    files = _paths({"output": output, "backbone": backbone, "normalized": normalized, "law": law,
                    "preisach": preisach, "widened": widened, "plot": plot})
    table = is_table(u)
    if not table:
        columns = _columns(u, _given(f, "loops"), t)
        u, f = columns["u"], columns["f"]
        if not files:
            given = {k: number(v) for k, v in numbers.items() if v is not None}
            document = job("loops", {"record": _record(columns, missing), **given}, columns)
            return Loops({**document, "command": "microslip.loops"}, u, f)
    with tempfile.TemporaryDirectory() as folder:
        write_table(u if table else columns, folder, "record.csv")
        document = of_table("loops", ["loops", "record.csv", "--quiet", *_options({**numbers, "missing": missing, **files})], folder)
    record = _record_of(u) if table else columns
    return Loops(document, record["u"], record["f"])


# ---------------------------------------------------------------------------------------- damping

def _tuned(law, columns, quantities, omega, options, bounds, progress):
    """The law tuned to a damping curve."""
    curve = {"name": "target.csv", "amplitude": "amplitude",
             "quantities": {name: name for name in quantities}}
    given = {k: v for k, v in options.items() if v is not None and v is not False}
    kinds = {"at": number, "free": words, "weight": str}
    request = {"laws": [law._document()], "omega": omega,
               "match": {"curve": curve, "quantity": quantities, "bounds": limits(bounds), **values_of(given, kinds)}}
    tuned = job("damping", request, {k: _column(v, k) for k, v in columns.items()}, progress)["laws"][0]
    return _law_of(tuned)


@documented("damping")
def damping(law, amplitudes, omega=1.0, *, match=None, quantity=None, at=None, weight=None, free=None,
            bounds=None, relative=False, ratio=None, angle=None, normal=None, normal_phase=None, normal_mean=None,
            progress=None) -> Damping:
    """Damping and stiffness of a law against amplitude. quantity to relative belong to match, another law, an
    expression, or a table with `amplitude` and the quantities: the law is first tuned to that. Returns
    a Damping, whose `law` is the tuned one.

    ratio, angle, normal, normal_phase, normal_mean   the orbit of a law with several directions: smaller over
              larger axis, its angle in degrees, and the motion against the surface
    progress  called as progress(done, total, text) now and then; False stops with an Error
    """
    amplitudes = np.atleast_1d(real_array(amplitudes, "amplitudes"))
    options = {"at": at, "weight": weight, "free": free, "relative": relative}
    if match is not None:
        if is_table(match):
            known = numbers_of(match)
        else:
            known = Damping(_law(match) if isinstance(match, str) else match, amplitudes, omega, progress)._columns()
        quantities = words("zeta_eff" if quantity is None else quantity)
        for name in quantities:
            if name not in known or name == "amplitude":
                raise Error(f"quantity '{name}' must be one of {', '.join(n for n in known if n != 'amplitude')}")
        if "amplitude" not in known:
            raise Error(f"the table of match has no column 'amplitude'; it has: {', '.join(known)}")
        columns = {"amplitude": known["amplitude"], **{name: known[name] for name in quantities}}
        law = _tuned(law, columns, quantities, float(omega), options, bounds, progress)
    else:
        given = [k for k, v in {"quantity": quantity, "bounds": bounds, **options}.items() if v not in (None, False)]
        if given:
            raise Error(f"{', '.join(given)}: these options belong to match")
    return law.damping(amplitudes, omega, ratio=ratio, angle=angle, normal=normal,
                       normal_phase=normal_phase, normal_mean=normal_mean, progress=progress)


# ---------------------------------------------------------------------------------------- respond

class Response(Table):
    """One analysis of a structure: its table as arrays by name, response["x1"] or response.x1, and what the
    command says about it in `facts`."""

    def __init__(self, facts, columns):
        self.facts = facts
        self.kind = facts.get("kind")
        self.columns = {k: np.array(v, dtype=float) for k, v in columns.items()}

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
    """The analyses of a structure in their order, by number or by kind:
    responses["frequency-response"]. `interrupted` if the last one is not at its end, or if some are
    missing; `notes` on units that were converted and rows that were filled."""

    interrupted = False
    notes = ()

    def __getitem__(self, key):
        if not isinstance(key, str):
            return super().__getitem__(key)
        found = [i for i, response in enumerate(self) if response.kind == key]
        if len(found) == 1:
            return super().__getitem__(found[0])
        kinds = ", ".join(dict.fromkeys(str(response.kind) for response in self))
        raise KeyError(f"no analysis is a {key!r}; there are: {kinds}" if not found else
                       f"{len(found)} analyses are a {key!r}: take one by its number, {found}")

    def _ipython_key_completions_(self):
        return list(dict.fromkeys(response.kind for response in self))

    def __repr__(self):
        lines = [f"{len(self)} analys{'es' if len(self) != 1 else 'is'}" + (", interrupted" if self.interrupted else "")]
        lines += [cut(f"[{i}] {response._head()}: {', '.join(response.columns)}") for i, response in enumerate(self)]
        lines += [cut(f"note: {note}") for note in self.notes]
        return "\n".join(lines if len(lines) <= 10 else [*lines[:9], "…"])

    def _repr_html_(self):
        return "".join(response._repr_html_() for response in self)

    def to_dict(self):
        return [response.to_dict() for response in self]


def _document(source, folder, name):
    """A path stays where it is; a text or a dictionary becomes a file of the folder."""
    path = source_path(source)
    if path is not None:
        return Path(path).resolve()
    path = Path(folder) / name
    path.write_text(source_text(source, name), encoding="utf-8")
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
    document = _respond_here(structure, progress)
    if document is None:  # files are written by the command
        with tempfile.TemporaryDirectory() as folder:
            path = _document(structure, folder, "structure.toml")
            document = _json(["respond", path, "--quiet"], progress=progress)
    if document.get("failure") and not document["interrupted"]:
        raise Error(document["failure"])
    result = Responses()
    result.interrupted = document["interrupted"]
    result.notes = document.get("notes", [])
    for facts in document["analyses"]:
        columns = facts.get("columns")
        if columns is None and facts.get("output"):
            columns = _read_columns(facts["output"])
        result.append(Response(facts, columns or {}))
    return result


def _writes_files(analyses):
    return any(analysis.get("output") or analysis.get("plot") for analysis in analyses
               if isinstance(analysis, dict))


def _names_files(value):
    """Whether a structure as a dictionary names files, which the job does not read."""
    if isinstance(value, dict):
        return any(isinstance(entry, str) and key in _FILE_KEYS or _names_files(entry)
                   for key, entry in value.items())
    if isinstance(value, (list, tuple)):
        return any(_names_files(entry) for entry in value)
    return isinstance(value, str) and value.startswith("@")


_FILE_KEYS = ("M", "C", "K", "along", "mu", "params", "file", "springs", "joints", "directions")


def _respond_here(structure, progress):
    """The result of the job in this process; None where an analysis writes files."""
    name = "structure.toml"
    if isinstance(structure, dict) and not _names_files(structure):
        if _writes_files(structure.get("analysis", ())):
            return None
        columns = {}
        request = {"name": name, "structure": plain(structure, columns)}
        return job("respond", request, columns, progress)
    request = file_request("respond", structure, name)
    if _writes_files(json.loads(request)["structure"]["analyses"]):
        return None
    return job("respond", request, {}, progress)


# ---------------------------------------------------------------------------------- joint, cracks

class Loop(Table):
    """The loop of a joint or of a cracked plate: its table as arrays by name, loop["f"] or loop.f, and what
    the command says about it in `facts`, loop.facts["summary"]; `law` if it was asked for."""

    def __init__(self, facts, columns, law=None):
        self.facts, self.law = facts, law
        self.notes = facts.get("notes", [])
        self.columns = {name: np.array(values) for name, values in columns.items()}

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
    document = file_job("joint", source, "joint.toml", {"sliders": bool(sliders)}, progress)
    found = document.pop("sliders", None)
    columns = document.pop("columns")
    law = _law_of(found) if found else None
    return Loop({**document, "command": "microslip.joint"}, columns, law)


def cracks(source, *, progress=None) -> Loop:
    """The loop of a plate with frictional cracks, from geometry, as `microslip cracks`; arguments as
    those of joint."""
    document = file_job("cracks", source, "cracks.toml", progress=progress)
    columns = document.pop("columns")
    return Loop({**document, "command": "microslip.cracks"}, columns)


# -------------------------------------------------------------------------------------------- FMUs

def _fmu_folder():
    """The folder with the binaries of FMUs: beside this module, or where the command was installed."""
    beside = [Path(__file__).parent / "fmu"]
    found = shutil.which("microslip")
    if found:
        here = Path(found).resolve().parent
        beside += [here / "fmu", here.parent / "lib" / "microslip" / "fmu"]
    for folder in beside:
        if (folder / "linux64" / "microslip_fmu2.so").exists():
            return folder
    raise Error("the binary of FMUs, fmu/linux64/microslip_fmu2.so, was not found beside this module nor beside "
                "the command")


def _entry(name):
    """An entry of an archive without a time, so that the same law gives the same file."""
    entry = zipfile.ZipInfo(name)
    entry.create_system = 3
    entry.external_attr = (0o100755 if ".so" in name else 0o100644) << 16
    return entry


def export_fmu(model, path, *, fmi=2, name=None) -> None:
    """Writes a law, or a structure as `respond` takes it, as an FMU for co-simulation (FMI 2.0, or 3.0
    with fmi=3). `name` is what tools show."""
    if isinstance(model, Law):
        request = {"law": model.to_dict()}
    else:
        source = source_path(model)
        if source is not None and Path(path).exists() and Path(source).exists() and Path(path).samefile(source):
            raise Error(f"'{path}' is read and would be overwritten; choose another name")
        request = json.loads(file_request("export-fmu", model, "structure.toml"))
    request["fmi"] = str(fmi)
    if name is not None:
        request["name"] = name
    made = job("export-fmu", request, {})
    binaries = _fmu_folder()
    with zipfile.ZipFile(path, "w") as archive:
        for text in made["texts"]:
            archive.writestr(_entry(text["path"]), text["text"])
        for place in made["binaries"]:
            platform, folder = binaries / place["platform"], place["path"].rsplit("/", 1)[0]
            if not (platform / place["file"]).exists():
                continue
            archive.writestr(_entry(place["path"]), (platform / place["file"]).read_bytes())
            for library in sorted(platform.iterdir()):
                if not library.name.startswith("microslip_fmu"):
                    archive.writestr(_entry(f"{folder}/{library.name}"), library.read_bytes())


# ------------------------------------------------------------------------------ reduce, reproduce

class Reduction(Result):
    """Many sliders as a few states: `law`, and the errors in `facts`."""

    def __init__(self, facts, law):
        self.facts, self.law = facts, law
        self.notes = facts.get("notes", [])
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
    document = file_job("reduce", system, "reduce.toml", progress=progress)
    found = document.pop("reduced")
    law = _law_of(found)
    return Reduction({**document, "command": "microslip.reduce"}, law)


def reproductions() -> list:
    """The figures and tables of the literature that can be recomputed, as `reproduce --list`."""
    return _json(["reproduce", "--list"])


def reproduce(*identifiers, progress=None) -> dict:
    """Recomputes figures and tables of the literature; a dictionary with the verdicts.
    progress(done, total, text) is called now and then, text naming the entry; False stops with an
    Error."""
    return _json(["reproduce", *identifiers], progress=progress)
