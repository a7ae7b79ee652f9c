"""Modes of measured free vibration: the job `ringdown`."""

import tempfile

import numpy as np

from ._command import _json, _options, _write_columns
from ._jobs import job, number
from ._law import _column
from ._result import Result


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

    def to_dict(self):
        return self.document

    def _repr_html_(self):
        return "".join(mode._repr_html_() for mode in self)


def ringdown(t, x, *, at=(), **options) -> Ringdown:
    """Frequency and damping against amplitude, mode by mode, from free vibration.

    t  times at equal steps
    x  the motion, or an array of rows and places
    at  frequencies of the modes, periods in a unit of time; peaks of the spectrum if left out

    Options are those of `microslip ringdown`: modes, band, quantity, from_, to.
    """
    x = np.asarray(x, dtype=float)
    t = _column(t, "t")
    places = [_column(place, "x") for place in ([x] if x.ndim == 1 else x.T)]
    names = [f"x{i}" for i in range(1, len(places) + 1)]
    if set(options) <= {"modes", "band", "quantity", "from_", "to"}:
        given = {k: v for k, v in options.items() if v is not None}
        first, last = given.pop("from_", None), given.pop("to", None)
        if t.shape == places[0].shape and not (first is None and last is None):
            kept = np.ones(len(t), dtype=bool)
            kept &= True if first is None else t >= float(first)
            kept &= True if last is None else t <= float(last)
            t, places = t[kept], [place[kept] for place in places]
        request = {"name": "decay.csv", "t": "t", "find_start": first is None,
                   "motions": [{"name": name, "values": name} for name in names],
                   **{k: v if k == "quantity" else number(v) for k, v in given.items()}}
        if np.size(at):
            request["at"] = [float(f) for f in np.atleast_1d(at)]
        document = job("ringdown", request, {"t": t, **dict(zip(names, places))})
        return Ringdown({**document, "command": "microslip.ringdown"})
    columns = {"t": t, **dict(zip(names, places))}
    options["columns"] = ",".join(names)
    if np.size(at):
        options["at"] = ",".join(repr(float(f)) for f in np.atleast_1d(at))
    with tempfile.TemporaryDirectory() as folder:
        _write_columns(folder, columns, "decay.csv")
        return Ringdown(_json(["ringdown", "decay.csv", "--quiet", *_options(options)], folder))
