"""Which law describes a record: the job `fit`."""

import math
import os
import tempfile

import numpy as np

from ._command import (_columns, _given, _options, _paths, _record, _record_of, limits,
                       of_table, values_of)
from ._core import Error
from ._help import documented
from ._jobs import job, number, words
from ._law import Law, _column
from ._law import law as _law
from ._result import Result, cut, wrapped
from ._table import is_table, write_table


def _percent(part):
    return "" if part is None else f"{100 * part:.2f} %"


class Fit(Result):
    """One law fitted to a record: `law`, `parameters`, `standard_errors`, `rms_relative`,
    `energy_error`, `aicc`, `bic`, `holdout_rms_relative`, `status`, `message`. None where the
    record does not determine a number. `parameters` are those of the first record; `files` lists those of
    each where several were fitted. `measurement` holds what was freed of offset, gain, offset_u, delay,
    drift and drift_u: {"delay": {"value": 0.004, "standard_error": 0.0001}}."""

    def __init__(self, entry):
        self.entry = entry
        for name in ("model", "parameters", "standard_errors", "rms", "rms_relative",
                     "energy_error", "aicc", "bic", "holdout_rms_relative", "status", "message"):
            setattr(self, name, entry.get(name))
        self.files = entry.get("files", [])
        self.measurement = entry.get("measurement", {})
        self.law = None
        if self.parameters:
            self.law = _law(self.model, **self.parameters, **entry.get("options", {}))

    def _facts(self):
        return {k: v for k, v in self.entry.items() if k not in ("correlation", "profiles")}

    def _title(self):
        return f"fit of {self.model}"

    def _numbers(self):
        """Parameters with their errors, as the command prints them."""
        for name, value in (self.parameters or {}).items():
            error = (self.standard_errors or {}).get(name)
            if not isinstance(value, (int, float)):
                yield f"{name}: {len(value)} values" if isinstance(value, list) else f"{name} = {value}"
            elif isinstance(error, (int, float)):
                yield f"{name} = {_rounded(value, error)} ± {error:.2g}"
            else:
                yield f"{name} = {value:.4g} (not determined)"

    def __repr__(self):
        error = "" if self.rms_relative is None else f", {_percent(self.rms_relative)} of the force range"
        numbers = list(self._numbers())
        lines = [cut(f"{self._title()}, {self.status}{error}")]
        lines += ["  " + cut(line, 77) for line in (numbers if len(numbers) <= 6 else [*numbers[:5], "…"])]
        return "\n".join([*lines, *wrapped(str(self.message or ""), 10 - len(lines))])


def _rounded(value, error):
    """A value to the second digit of its error."""
    if not 0 < error < math.inf:
        return f"{value:.6g}"
    digits = 2 + math.floor(math.log10(max(abs(value), error) / error)) if value else 2
    return f"{value:.{min(max(digits, 2), 16)}g}"


class Fits(list):
    """The fits of a record, best first; `best`, `data`, `notes`, `seed`; `interrupted` if they are
    only the best so far. fits["iwan4"] finds one by its law."""

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
        raise KeyError(f"{key!r} was not fitted; there are: {', '.join(fit_.model for fit_ in self)}")

    def _ipython_key_completions_(self):
        return [fit_.model for fit_ in self]

    def __repr__(self):
        rows = sum(data["rows"] for data in self.data.get("files") or [self.data])
        lines = [f"{len(self)} law{'s' * (len(self) != 1)} fitted to {rows} rows" +
                 ", interrupted" * self.interrupted,
                 f"{'law':18}  rms error  energy error  hold-out          AICc  status"]
        for fit_ in self[:7]:
            aicc = "" if fit_.aicc is None else f"{fit_.aicc:.1f}"
            lines.append(cut(f"{cut(fit_.model, 18):18}  {_percent(fit_.rms_relative):>9}  "
                             f"{_percent(fit_.energy_error):>12}  {_percent(fit_.holdout_rms_relative):>8}  "
                             f"{aicc:>12}  {fit_.status}", 82))
        return "\n".join(lines + ["…"] * (len(self) > 7))

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
            recorder = {name: number["value"] for name, number in self.best.measurement.items()}
            # Without delay and drift, which the record has and the law does not.
            h = self.best.law.simulate(np.asarray(self.u) - recorder.get("offset_u", 0.0))
            axes.plot(self.u, recorder.get("offset", 0.0) + recorder.get("gain", 1.0) * h.f,
                      label=self.best.model, **style)
        axes.set(xlabel="u", ylabel="f")
        return axes


_KINDS = {"fix": lambda values: {k: float(v) for k, v in values.items()}, "free": words,
          "separate": words, "share": words, "profile": words, "start": str, "sign": str, "holdout": str,
          "starts": number, "seed": number, "time_budget": number, "threads": number,
          "elements": number, "threshold": number, "robust": bool}


def _request(names, options, bounds):
    """The request without its records; None where something is written as on the command line."""
    given = {k: v for k, v in options.items() if k != "missing" and v is not None and v is not False}
    if not isinstance(given.get("fix", {}), dict):
        return None
    return {"models": words(names), "bounds": limits(bounds), **values_of(given, _KINDS)}


def _list_of_tables(thing, name):
    """One table or path, or several, as a list."""
    if thing is None:
        return []
    several = thing if isinstance(thing, (list, tuple)) else [thing]
    for one in several:
        if not (is_table(one) or isinstance(one, (str, os.PathLike))):
            raise Error(f"{name} must be a table with headings, a path, or a list of them, not {type(one).__name__}")
    return several


def _files_of(tables, folder, name):
    """Names of files: of tables those that are written into the folder, where the command runs."""
    return [write_table(table, folder, f"{name}{i}.csv").name if is_table(table) else os.path.abspath(table)
            for i, table in enumerate(tables, 1)]


def _covariates(covariate):
    """As on the command line: {"preload": [20, 40]} is preload=20,40."""
    if covariate is None or isinstance(covariate, (str, list)):
        return covariate
    return [f"{name}={','.join(str(v) for v in np.atleast_1d(values))}" for name, values in covariate.items()]


@documented("fit", {"laws": "model"})
def fit(u, f=None, t=None, *, laws=(), weight=None, start=None, sign=None, threshold=None, covariate=None,
        elements=None, fix=None, bounds=None, free=None, separate=None, share=None, starts=None, seed=None,
        time_budget=None, threads=None, robust=False, holdout=None, predict=None, profile=None, output=None,
        missing=None, report=None, plot=None, progress=None) -> Fits:
    """Which law describes a record, with which parameters, how sure.

    u, f, t   arrays, or one table with headings (a pandas.DataFrame, a dictionary of arrays), whose columns
              are found as in a file: fit(table); several records: fit([one, other], separate="Fs")
    weight    an array, or the name of a column of the table
    laws, free, separate, share, profile  names, in a list or separated by commas
    fix       {"n": 1}
    bounds    {"n": (1, 3)}; None where there is no limit
    covariate {"preload": [20, 40]}, a value for each record, those of predict behind them
    predict   a table or a path, or several
    output, report, plot  names of files to write
    progress  called as progress(done, total, text) now and then, text naming the law and its error so far;
              False ends the search, and the best fits so far are returned

    The result depends on the seed and not on the number of threads.
    """
    several = isinstance(u, (list, tuple)) and bool(u) and all(map(is_table, u))
    tables = list(u) if several else [u] if is_table(u) else []
    names = [laws] if isinstance(laws, (str, Law)) else list(laws)
    names = [name.name if isinstance(name, Law) else name for name in names]
    options = {"start": start, "sign": sign, "threshold": threshold, "elements": elements, "fix": fix,
               "free": free, "separate": separate, "share": share, "starts": starts, "seed": seed,
               "time_budget": time_budget, "threads": threads, "robust": robust, "holdout": holdout,
               "profile": profile, "missing": missing}
    files = _paths({"output": output, "report": report, "plot": plot})
    predict = _list_of_tables(predict, "predict")
    request = None
    if tables:
        if f is not None or t is not None:
            raise Error("a table has its columns inside; give fit(table), or the columns as fit(u, f, t)")
        if weight is not None and not isinstance(weight, str):
            raise Error("weight must be the name of a column of the table")
    else:
        columns = _columns(u, _given(f, "fit"), t, weight)
        if not files and not predict and covariate is None:
            request = _request(names, options, bounds)
    if request is not None:
        document = job("fit", {"records": [_record(columns, missing)], **request}, columns, progress)
        return Fits({**document, "command": "microslip.fit"}, columns["u"], columns["f"])
    if not tables and weight is not None:
        weight = "weight"
    ends = bounds if isinstance(bounds, (str, list)) else {name: _limit_text(pair) for name, pair in (bounds or {}).items()}
    if isinstance(ends, dict):
        ends = [f"{name}={text}" for name, text in ends.items()]
    with tempfile.TemporaryDirectory() as folder:
        records = _files_of(tables or [columns], folder, "record")
        more = {**options, "weight": weight, "covariate": _covariates(covariate), "bounds": ends or None,
                "predict": _files_of(predict, folder, "predict"), "model": names, **files}
        document = of_table("fit", ["fit", *records, *_options(more), "--quiet"], folder, progress)
    if not document["fits"]:
        raise Error("interrupted before any law was fitted")
    record = _record_of(tables[0]) if tables else columns
    return Fits(document, _column(record["u"], "u"), _column(record["f"], "f"))


def _limit_text(pair):
    return pair if isinstance(pair, str) else ":".join("" if x is None else repr(float(x)) for x in pair)
