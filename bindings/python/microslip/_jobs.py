"""Jobs in this process: a request as a dictionary, columns as arrays, the result as a dictionary."""

import json
import os

import numpy as np

from ._array import real_array
from ._core import Error, job_request, run_job
from ._law import Law


def job(kind, request, columns, progress=None):
    """The result of a job, see docs/jobs.md. Where the request expects a list of numbers it may name one of
    the columns, which go there without text; so do those of the result, which become arrays.

    progress(done, total, text) is called in this thread now and then; False stops the job. Ctrl-C
    stops it too.
    """
    text = request if isinstance(request, str) else json.dumps(request)
    text, arrays = run_job(kind, text, columns, progress)
    return _with_arrays(json.loads(text), arrays)


def _with_arrays(value, arrays):
    if isinstance(value, list):
        for entry in value:
            _with_arrays(entry, arrays)
    elif isinstance(value, dict):
        for key, entry in value.items():
            if key == "columns" and isinstance(entry, dict):
                value[key] = {name: arrays.get(x, x) if isinstance(x, str) else x
                              for name, x in entry.items()}
            else:
                _with_arrays(entry, arrays)
    return value


def file_job(kind, source, name, more=None, progress=None):
    """The result of a job whose request is a file that a person writes: `source` is its path, its text or a
    dictionary with the same keys. `more` are further keys of the request."""
    request = json.loads(file_request(kind, source, name))
    return job(kind, {**request, **(more or {})}, {}, progress)


def file_request(kind, source, name):
    """The text of a request from what a person writes; files that it names lie beside `name`."""
    path = source_path(source)
    if path is not None:
        return job_request(kind, None, os.fspath(path))
    return job_request(kind, source_text(source, name), name)


def source_path(source):
    """The path that a source is, or None."""
    if isinstance(source, os.PathLike):
        return source
    one_line = isinstance(source, str) and "\n" not in source
    return source if one_line and source.endswith(".toml") else None


def source_text(source, name):
    """A text as it is, a dictionary as JSON."""
    if isinstance(source, str):
        return source
    if not isinstance(source, dict):
        raise Error(f"{name} must be the path of a TOML file, TOML text or a dictionary, not "
                    f"{type(source).__name__}")
    return json.dumps(plain(source))


def plain(value, columns=None, place=""):
    """What a dictionary of Python says, as JSON can say it. A matrix becomes { rows, row, column, value }, a
    law its model and values. Arrays become names of `columns`, if these are given, and lists otherwise."""
    def array(numbers, name):
        numbers = np.ascontiguousarray(real_array(numbers, name))
        if columns is None:
            return numbers.tolist()
        columns[name] = numbers
        return name

    def matrix(rows, row, column, numbers):
        return {"rows": int(rows), "row": array(np.asarray(row) + 1, place + "/row"),
                "column": array(np.asarray(column) + 1, place + "/column"),
                "value": array(numbers, place + "/value")}

    if hasattr(value, "tocoo"):
        coo = value.tocoo()
        return matrix(coo.shape[0], coo.row, coo.col, coo.data)
    if isinstance(value, Law):
        return value.to_dict()
    if isinstance(value, dict):
        value = dict(value)
        if isinstance(value.get("model"), Law):
            law = value.pop("model").to_dict()
            value = {**value, "model": law["model"],
                     "set": {**law["parameters"], **law["options"], **value.get("set", {})}}
        return {str(key): plain(entry, columns, f"{place}/{key}") for key, entry in value.items()}
    key = place.rsplit("/", 1)[-1]
    if key in ("M", "C", "K") and not isinstance(value, str) and np.ndim(value) == 2:
        dense = real_array(value, key)
        row, column = np.nonzero(dense)
        if dense.shape[0] == dense.shape[1]:
            return matrix(dense.shape[0], row, column, dense[row, column])
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "c" or np.ma.is_masked(value):
            real_array(value, place.lstrip("/"))
        lists_by_name = columns is not None and value.ndim == 1 and value.dtype.kind in "fiu"
        return array(value, place) if lists_by_name and key in _LISTS else value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (list, tuple)):
        return [plain(entry, columns, f"{place}/{i}") for i, entry in enumerate(value)]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise Error(f"{value!r} is no number, text or list")


# Keys of a structure that may name a column instead of a list.
_LISTS = ("M", "C", "K", "damping", "stuck_damping", "along", "t", "f", "a", "mu", "amplitudes",
          "omegas", "phases", "at", "levels", "x0", "v0")


def number(value):
    """A number as the request wants it; what is none is refused there, with its name."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return value
    return int(value) if float(value).is_integer() else float(value)


def words(value):
    """A list of words; on the command line, commas outside brackets separate them."""
    texts = [value] if isinstance(value, str) else list(value)
    result, depth = [""], 0
    for char in ",".join(map(str, texts)):
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:
            result.append("")
        elif char != " ":
            result[-1] += char
    return [word for word in result if word]
