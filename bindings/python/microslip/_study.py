"""Studies: thousands of runs of a job, from Python."""

import json
import os
import sqlite3
import tempfile
from pathlib import Path

import numpy as np

from ._command import _run
from ._core import Error
from ._jobs import plain


class StudyResult:
    """What `microslip.study` returns.

    `answers` is the dictionary of `microslip study --json`: means, quantiles, probabilities, bands, indices.
    `run`, `numbers` and `values` are arrays of all runs: what was drawn, by address, and what was collected, by
    name; curves have a row for each run. `failure` says why a run failed; its values are NaN.
    """

    def __init__(self, store, answers):
        self.store = Path(store)
        self.answers = answers
        connection = sqlite3.connect(f"{self.store.resolve().as_uri()}?mode=ro", uri=True)
        try:
            about = dict(connection.execute("SELECT key, value FROM study"))
            rows = connection.execute("SELECT i, failure, numbers, found FROM run WHERE i < ? ORDER BY i",
                                      (answers["runs"],)).fetchall()
        finally:
            connection.close()
        names = about["numbers"].splitlines()
        self.run = np.array([row[0] for row in rows], dtype=np.int64)
        self.failure = [row[1] or "" for row in rows]
        drawn = np.array([np.frombuffer(row[2], "<f8") for row in rows]).reshape(len(rows), len(names))
        found = np.array([np.frombuffer(row[3], "<f8") for row in rows])
        self.numbers = {name: drawn[:, k] for k, name in enumerate(names)}
        self.values, self.grids, place = {}, {}, 0
        curves = {curve["name"]: curve for curve in answers["curves"]}
        for entry in json.loads(about["study"])["collect"]:
            name = entry["name"]
            size = len(curves[name]["grid"]) if name in curves else 1
            part = found[:, place:place + size] if len(rows) else np.empty((0, size))
            if name in curves:
                self.grids[name] = (curves[name]["abscissa"], np.array(curves[name]["grid"]))
            self.values[name] = part if name in curves else part[:, 0]
            place += size

    def to_dataframe(self):
        """A row for each run; without curves. Needs pandas."""
        import pandas
        columns = {**self.numbers, **{k: v for k, v in self.values.items() if k not in self.grids},
                   "failure": self.failure}
        return pandas.DataFrame(columns, index=pandas.Index(self.run, name="run"))

    def to_xarray(self):
        """A dataset over `run` and the grids of curves. Needs xarray."""
        import xarray
        data, coordinates = {}, {"run": self.run}
        for name, values in {**self.numbers, **self.values}.items():
            if name in self.grids:
                abscissa, grid = self.grids[name]
                # Two curves may have different grids over the same column.
                axis = abscissa if abscissa not in coordinates or \
                    np.array_equal(coordinates[abscissa], grid) else f"{abscissa}_{name}"
                coordinates[axis] = grid
                data[name if name != axis else f"{name}_curve"] = (("run", axis), values)
            else:
                data[name] = ("run", values)
        data["failure"] = ("run", np.array(self.failure, dtype=object))
        return xarray.Dataset(data, coordinates)

    def __repr__(self):
        lines = [f"study {self.answers['study']}: {self.answers['done']} runs of {self.answers['kind']}, "
                 f"{self.answers['failed']} failed"]
        for number in self.answers["numbers"]:
            quantiles = dict(zip(number["levels"], number["quantiles"]))
            lines.append(f"  {number['name']}: mean {number['mean']:.6g}, 5 to 95 % "
                         f"{quantiles[0.05]:.6g} to {quantiles[0.95]:.6g}"
                         if number["count"] else f"  {number['name']}: no values")
        return "\n".join(lines)


def _shard(path, store, shard, threads):
    _run(["study", path, "--shard", shard, "--store", store, "--threads", threads, "--quiet"])
    return store


def study(source, store=None, threads=None, client=None, shards=None, progress=None):
    """Runs a job many times: bands, probabilities, sensitivities. See docs/study.md.

    source    the path of a TOML file, its text, or a dictionary with the same keys; files that it names lie
              beside the file, or in the current folder
    store     where the runs are kept; the name of the file with .study if left out, a temporary file of a text
              or dictionary. What is there already is not run again
    threads   how many runs at a time
    client    a Client of Dask (distributed): shards run on its workers, which see the same folder
    shards    into how many parts; four for each worker if left out
    """
    temporary = None
    if isinstance(source, os.PathLike) or (isinstance(source, str) and "\n" not in source and
                                           source.endswith(".toml")):
        path = Path(source)
        store = Path(store) if store else Path(path.stem + ".study")
    else:
        text = source if isinstance(source, str) else json.dumps(plain(source))
        if not isinstance(source, (str, dict)):
            raise Error("a study must be the path of a TOML file, TOML text or a dictionary, not "
                        f"{type(source).__name__}")
        handle, name = tempfile.mkstemp(suffix=".toml", prefix=".study-", dir=".")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        path = temporary = Path(name)
        if store is None:
            store = Path(tempfile.mkdtemp(prefix="microslip-")) / "runs.study"
        store = Path(store)
    try:
        words = ["study", path, "--store", store, "--json"]
        if client is not None:
            if shards is None:
                shards = 4 * max(1, len(client.scheduler_info()["workers"]))
            parts = [store.with_name(f"{store.stem}.{n}-of-{shards}.study") for n in range(1, shards + 1)]
            futures = [client.submit(_shard, str(path.resolve()), str(part.resolve()), f"{n}/{shards}",
                                     threads or 1, pure=False, retries=2)
                       for n, part in enumerate(parts, 1)]
            client.gather(futures)
            answers = _run([*words[:1], path, "--merge", *parts, *words[2:]], progress=progress)
        else:
            if threads:
                words += ["--threads", threads]
            answers = _run(words, progress=progress)
    finally:
        if temporary:
            temporary.unlink()
    return StudyResult(store, json.loads(answers))
