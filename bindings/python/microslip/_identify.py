"""Numbers of a structure from vibration, as `microslip identify`."""

from ._help import documented
from ._jobs import file_job, words
from ._law import Law
from ._result import Table, cut, short


class Identified(Table):
    """One law, or the laws of one structure, with the numbers that were found: `parameters` and
    `standard_errors` by their addresses ("joint[1].phi"); a standard error is None where the measurements do
    not determine the number. All that is known of it is in `facts`."""

    def __init__(self, facts):
        self.facts = facts
        self.model = facts["model"]
        self.status = facts["status"]
        self.message = facts.get("message", "")
        self.parameters = facts.get("parameters")
        self.standard_errors = facts.get("standard_errors")
        self.columns = {}

    def _facts(self):
        return {k: v for k, v in self.facts.items() if not isinstance(v, (dict, list))}

    def _title(self):
        return self.model

    def __repr__(self):
        lines = [cut(f"{self.model}: {self.status}, misses {100 * self.facts['rms_relative']:.3g} %")]
        for name, error in (self.standard_errors or {}).items():
            sure = "not determined" if error is None else f"± {short(error)}"
            lines.append(cut(f"  {name:<22} {short(self.parameters[name])} {sure}"))
        return "\n".join(lines if len(lines) <= 10 else [*lines[:9], "  …"])


class Identifications(list):
    """The laws that were identified, best first, with `notes` on noise and doubts."""

    def __init__(self, document):
        super().__init__(Identified(fit) for fit in document["fits"])
        self.document = document
        self.notes = document.get("notes", [])
        self.interrupted = document.get("interrupted", False)

    @property
    def best(self):
        return self[0]

    def to_dict(self):
        return self.document


@documented("identify", {"models": "model"})
def identify(structure, *, models=(), starts=None, seed=None, time_budget=None,
             progress=None) -> Identifications:
    """Laws of joints and numbers of a structure from measured vibration.

    structure  the path of a TOML file, TOML text, or a dictionary with the same keys: a structure as for
               respond with "unknown" and "data", in which "columns" holds arrays:

        microslip.identify({
            "M": [2.0], "spring": [{"between": [0, 1], "k": 30.0}],
            "joint": [{"model": "jenkins", "between": [0, 1]}],
            "load": [{"kind": "static", "dof": 1, "amplitude": 0.0}],
            "unknown": {"joint[1].k": {}, "joint[1].phi": {}},
            "data": [{"kind": "record", "columns": {"t": t, "f": f, "x1": x}}]})

    progress   called as progress(done, total, text) now and then; False ends the search with the best so far
    """
    names = [models] if isinstance(models, (str, Law)) else list(models)
    options = {"models": words([name.name if isinstance(name, Law) else name for name in names]),
               "starts": starts, "seed": seed, "time_budget": time_budget}
    more = {name: value for name, value in options.items() if value not in (None, [])}
    document = file_job("identify", structure, "structure.toml", more, progress)
    return Identifications({**document, "command": "microslip.identify"})
