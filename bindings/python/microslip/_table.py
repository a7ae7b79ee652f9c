"""Tables of a person (a pandas.DataFrame, a dictionary of arrays, a numpy record array) as files, so
that the command finds columns and units by the headings, as it does in any file."""

from pathlib import Path

import numpy as np

from ._array import real_array
from ._core import Error


def is_table(thing):
    """Whether columns are found by name, as in a DataFrame, a dictionary or a record array."""
    named = hasattr(thing, "keys") and hasattr(thing, "__getitem__")
    return named or getattr(getattr(thing, "dtype", None), "names", None) is not None


def _cell(value):
    return repr(value) if np.isfinite(value) else ""  # an empty cell is a number that is missing


def _heading(name):
    text = str(name).replace("\n", " ").replace("\r", " ")
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',;"#\t') else text


def numbers_of(table):
    """The columns of a table that hold numbers, as arrays by name."""
    names = list(table.keys()) if hasattr(table, "keys") else list(table.dtype.names)
    columns = {}
    for name in names:
        if np.asarray(table[name]).dtype.kind in "OSUMm":
            try:
                np.asarray(table[name], dtype=np.float64)
            except (TypeError, ValueError):
                continue  # text, dates
        values = real_array(table[name], f"column {name}")
        if values.ndim == 1:
            columns[name] = values
    if not columns:
        raise Error("the table has no column of numbers")
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) != 1:
        raise Error("columns must have the same length: " +
                    ", ".join(f"{k} has {v} rows" for k, v in lengths.items()))
    return columns


def write_table(table, folder, name):
    """A CSV file of all columns of numbers; numbers read back as the same bits."""
    columns = numbers_of(table)
    rows = zip(*(column.tolist() for column in columns.values()))
    path = Path(folder) / name
    path.write_text(",".join(map(_heading, columns)) + "\n" +
                    "".join(",".join(map(_cell, row)) + "\n" for row in rows), encoding="utf-8")
    return path
