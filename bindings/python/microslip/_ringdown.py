"""Modes of measured free vibration: the job `ringdown`."""

import tempfile

import numpy as np

from ._command import _json, _options, _paths
from ._array import real_array
from ._core import Error
from ._help import documented
from ._jobs import job, number
from ._law import _column
from ._result import Result, cut
from ._table import is_table, numbers_of, write_table


class RingdownMode(Result):
    """One mode of a free decay: arrays `t`, `amplitude`, `omega`, `zeta`, `omega_error`,
    `zeta_error`; `frequency`, `half_band`, `window`, `shape`, `shape_change`."""

    _names = ("t", "amplitude", "omega", "zeta", "omega_error", "zeta_error")

    def __init__(self, entry):
        self.entry = entry
        for name in self._names:
            setattr(self, name, np.array(entry[name], dtype=float))
        self.shape = np.array(entry["shape"], dtype=float)
        for name in ("frequency", "half_band", "window", "shape_change"):
            setattr(self, name, entry[name])

    def _columns(self):
        return {name: getattr(self, name) for name in self._names}

    def _facts(self):
        return {k: v for k, v in self.entry.items() if k not in self._names}

    def _title(self):
        return f"mode at {self.frequency:.6g}"

    def _line(self):
        if not len(self.zeta):
            return f"{self._title()}: no points"
        ends = [f"zeta {self.zeta[i]:.4g} ± {self.zeta_error[i]:.2g} at {self.amplitude[i]:.3g}"
                for i in (0, -1)]
        return f"{self._title()}: {', '.join(dict.fromkeys(ends))}"

    def plot(self, axes=None, y="zeta", **style):
        """Damping ratio against amplitude, or another column."""
        axes = self._axes(axes)
        axes.semilogx(self.amplitude, getattr(self, y), **style)
        axes.set(xlabel="amplitude", ylabel=y)
        return axes


class Ringdown(list):
    """The modes of a free decay, the strongest first; `start` of the decay, `notes`."""

    def __init__(self, document):
        super().__init__(RingdownMode(entry) for entry in document["modes"])
        self.document = document
        self.start, self.notes = document["start"]["t"], document["notes"]

    def __repr__(self):
        lines = [f"{len(self)} mode{'s' * (len(self) != 1)} of a decay from t = {self.start:.6g}"]
        lines += [cut(mode._line()) for mode in self]
        return "\n".join(lines if len(lines) <= 10 else [*lines[:9], "…"])

    def to_dict(self):
        return self.document

    def _repr_html_(self):
        return "".join(mode._repr_html_() for mode in self)


@documented("ringdown")
def ringdown(t, x=None, *, at=None, modes=None, band=None, quantity=None, from_=None, to=None, missing=None,
             output=None, plot=None) -> Ringdown:
    """Frequency and damping against amplitude, mode by mode, from free vibration.

    t  times at equal steps; or one table of a column `t` and columns of motion: ringdown(table)
    x  the motion, or an array of rows and places
    output, plot  names of files to write
    """
    if is_table(t):
        if x is not None:
            raise Error("a table has its columns inside; give ringdown(table), or the columns as ringdown(t, x)")
        columns = numbers_of(t)
        if "t" not in columns:
            raise Error(f"the table has no column 't'; it has: {', '.join(map(str, columns))}; "
                        "ringdown(t, x) takes columns of any name")
        t = columns.pop("t")
        names, places = list(map(str, columns)), list(columns.values())
        if not names:
            raise Error("the table has a column t, but none of motion")
    elif x is None:
        raise Error("ringdown needs times and motion, ringdown(t, x), or one table with headings")
    else:
        x = real_array(x, "x")
        t = _column(t, "t")
        places = [_column(place, "x") for place in ([x] if x.ndim == 1 else x.T)]
        names = [f"x{i}" for i in range(1, len(places) + 1)]
    files = _paths({"output": output, "plot": plot})
    if files:
        options = {"modes": modes, "band": band, "quantity": quantity, "from_": from_, "to": to, "missing": missing,
                   "columns": ",".join(str(i + 2) for i in range(len(names)))}
        if np.size(at) and at is not None:
            options["at"] = ",".join(repr(float(f)) for f in np.atleast_1d(at))
        with tempfile.TemporaryDirectory() as folder:
            write_table({"t": t, **dict(zip(names, places))}, folder, "decay.csv")
            return Ringdown(_json(["ringdown", "decay.csv", "--quiet", *_options({**options, **files})], folder))
    if t.shape == places[0].shape and not (from_ is None and to is None):
        kept = np.ones(len(t), dtype=bool)
        kept &= True if from_ is None else t >= float(from_)
        kept &= True if to is None else t <= float(to)
        t, places = t[kept], [place[kept] for place in places]
    given = {"modes": modes, "band": band, "quantity": quantity, "missing": missing}
    request = {"name": "decay.csv", "t": "t", "find_start": from_ is None,
               "motions": [{"name": name, "values": f"x{i}"} for i, name in enumerate(names)],
               **{k: v if k in ("quantity", "missing") else number(v) for k, v in given.items() if v is not None}}
    if at is not None and np.size(at):
        request["at"] = [float(f) for f in np.atleast_1d(at)]
    document = job("ringdown", request, {"t": t, **{f"x{i}": place for i, place in enumerate(places)}})
    return Ringdown({**document, "command": "microslip.ringdown"})
