"""Laws: made by name or by expression, driven by arrays."""

import inspect
import json
import keyword
from functools import lru_cache

import numpy as np

from . import _core
from ._array import real_array
from ._core import Error
from ._result import Result, cut, plain_name

_FAMILIES = ("rate-independent", "rate-dependent", "planar")


@lru_cache(maxsize=None)
def _descriptions():
    return {d["name"]: d for d in json.loads(_core.laws())}


def law_names() -> list:
    """The names of all laws, as the command line writes them."""
    return list(_descriptions())


def describe(name) -> dict:
    """Everything that a law, a sum or a wrapper says about itself, as a dictionary."""
    return json.loads(_core.describe(name))


def _plain(value):
    """A value as JSON has it; arrays become lists, infinity becomes the text 'inf'."""
    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(x) for x in value]
    x = float(value)
    if np.isfinite(x):
        return x
    return "nan" if np.isnan(x) else "inf" if x > 0 else "-inf"


def _python_name(name):
    name = name.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def _meant(name, known):
    """The name in the table that a Python name stands for: lambda_ is lambda, jenkins_k is
    jenkins.k where there is no other."""
    if name in known:
        return name
    for other in known:
        if _python_name(other) == name or other.replace(".", "_").replace("-", "_") == name:
            return other
    return name


def _attribute(name):
    """A name of a parameter as it stands behind a dot: jenkins.k is jenkins_k, lambda is lambda_."""
    return _python_name(plain_name(name))


def _by_attribute(name, known):
    """The name that an attribute means; the end of a name is enough where only one has it."""
    meant = [other for other in known if other == name or _attribute(other) == name]
    ends = [other for other in known if _attribute(other.rpartition(".")[2]) == name]
    return meant[0] if meant else ends[0] if len(ends) == 1 else None


def _shown(value):
    """A number in full, of a long list the beginning."""
    if isinstance(value, list) and len(value) > 6:
        return f"[{', '.join(map(_shown, value[:3]))}, … {len(value)} in all]"
    return str(value)


def _spec(description, model, values):
    parameters, options = {}, {}
    known = [p["name"] for p in description["parameters"]]
    known_options = [o["name"] for o in description["options"]]
    for name, value in values.items():
        option = _meant(name, known_options)
        if option in known_options and _meant(name, known) not in known:
            options[option] = _plain(value)
        else:
            parameters[_meant(name, known)] = _plain(value)
    return {"model": model, "parameters": parameters, "options": options}


def law(expression, **values) -> "Law":
    """A law by name or by expression, for example law("jenkins(k=1,phi=0.5)+linear(k=0.1)").

    Values of parameters and options are given by name; law("iwan4", KT=2) is iwan4(KT=2). Inside a
    sum they are named after their term: law("jenkins+linear", **{"jenkins.k": 2}).
    """
    spec = _spec(describe(expression), expression, values)
    return Law(_core.Model.from_text(json.dumps(spec)))


def load_law(path, fit=None) -> "Law":
    """A law from a parameter file (JSON or TOML) or from the result of a fit; of several fits the
    best, or that of the law `fit`."""
    return Law(_core.Model.from_file(str(path), fit))


def _column(values, name):
    """Doubles of one dimension. Nothing is copied unless it has another type or a stride that is
    not a whole number of doubles."""
    array = real_array(values, name)
    if array.ndim == 1 and len(array) > 1 and (array.strides[0] % 8 or array.strides[0] == 0):
        array = np.ascontiguousarray(array)
        if array.strides[0] == 0:
            array = array.copy()
    if array.ndim != 1:
        raise Error(f"{name} must be an array of one dimension, not {array.ndim}")
    return array


class Law:
    """A law with its parameters. Immutable; made by microslip.jenkins(…), microslip.law(…), or
    by adding laws."""

    __slots__ = ("_model", "_cached")

    def __init__(self, model):
        self._model = model
        self._cached = None

    def __reduce__(self):
        return Law, (self._model,)

    def _document(self):
        if self._cached is None:
            self._cached = json.loads(self._model.text())
        return self._cached

    @property
    def description(self):
        """Everything that the law says about itself."""
        return json.loads(self._model.description())

    @property
    def name(self):
        """jenkins, or jenkins+linear of a sum."""
        return self.description["name"]

    @property
    def family(self):
        """rate-independent, rate-dependent or planar (several directions)."""
        return _FAMILIES[self._model.family]

    @property
    def directions(self):
        """Names of the directions of a law with several: ("x", "y"), ("t", "n"), ("x", "y", "n");
        empty for others. n is normal to a surface, positive where the surfaces approach."""
        return tuple(self.description["directions"]) if self._model.directions > 1 else ()

    @property
    def parameters(self):
        """All parameters by name."""
        return dict(self._document().get("parameters", {}))

    @property
    def options(self):
        """All numerical options by name."""
        return dict(self._document().get("options", {}))

    def to_dict(self):
        """{"model", "parameters", "options"}: the content of a parameter file."""
        return {"model": self.name, "parameters": self.parameters, "options": self.options}

    def save(self, path):
        """Writes the parameter file that load_law and the command's --params read."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._model.text())

    def with_(self, **values):
        """The same law with some values changed."""
        changed = _spec(self.description, self.name, values)
        known = self._document()
        spec = {"model": self.name,
                "parameters": {**known.get("parameters", {}), **changed["parameters"]},
                "options": {**known.get("options", {}), **changed["options"]}}
        return Law(_core.Model.from_text(json.dumps(spec)))

    def __getattr__(self, name):
        """Values of parameters and options: law.KT; of a sum law.jenkins_k, and law.k where only one
        term has it."""
        if not name.startswith("_"):
            for known in (self.parameters, self.options):
                meant = _by_attribute(name, known)
                if meant is not None:
                    return known[meant]
            raise AttributeError(f"{self.name} has no parameter {name!r}; it has: "
                                 f"{', '.join(map(_attribute, self.parameters))}")
        raise AttributeError(name)

    def __dir__(self):
        return sorted({*super().__dir__(), *map(_attribute, (*self.parameters, *self.options))})

    def __add__(self, other):
        if not isinstance(other, Law):
            return NotImplemented
        # The table of a sum lists the parameters of its terms one after the other.
        name = f"{self.name}+{other.name}"
        table = describe(name)
        spec = {"model": name}
        for kind in ("parameters", "options"):
            names = [p["name"] for p in table[kind]]
            values = [getattr(term, kind)[p["name"]]
                      for term in (self, other) for p in term.description[kind]]
            assert len(names) == len(values)
            spec[kind] = dict(zip(names, values))
        return Law(_core.Model.from_text(json.dumps(spec)))

    def __eq__(self, other):
        return isinstance(other, Law) and self.to_dict() == other.to_dict()

    def __hash__(self):
        return hash(json.dumps(self.to_dict(), sort_keys=True))

    def __repr__(self):
        values = ", ".join(f"{k}={_shown(v)}" for k, v in self.parameters.items())
        return cut(f"{self.name}({values})", 790)

    def _repr_html_(self):
        d = self.description
        rows = "".join(
            f"<tr><td>{p['name']}</td><td>{self.parameters[p['name']]}</td><td>{p['unit']}</td>"
            f"<td>{p['sentence']}</td></tr>" for p in d["parameters"])
        return (f"<b>{d['name']}</b>: {d['sentence']}<table><tr><th>name</th><th>value</th>"
                f"<th>unit</th><th>meaning</th></tr>{rows}</table>")

    # ------------------------------------------------------------------------------ histories

    def rest(self, at=0.0):
        """The state of rest at u = 0, or at another displacement; laws with several directions take
        one number for each."""
        count = self._model.directions
        return self._model.rest([float(x) for x in (at if np.ndim(at) else [at] * count)])

    def load(self, saved):
        """A state from the bytes of State.save."""
        return self._model.load(saved)

    def joint(self, state=None) -> _core.Joint:
        """A joint for a program that iterates: trial(u), commit()."""
        joint = _core.Joint(self._model)
        if state is not None:
            joint.state = state
        return joint

    def field(self, n, **each) -> _core.Field:
        """n joints of this law at once: trial(u), commit(), run(u). Parameters of `each` have a value
        for each joint, field(1000, phi=array); the others are those of the law."""
        known = [p["name"] for p in self.description["parameters"]]
        lists = [(_meant(name, known), np.asarray(values, float)) for name, values in each.items()]
        return _core.Field(self._model, n, lists)

    def simulate(self, u, t=None, *, drive="displacement", start="virgin", state=None,
                 progress=None) -> "History":
        """Drives the law along u, an array of displacements, of shape (rows, directions) for laws
        with several directions.

        t         times, strictly increasing; rate-dependent laws need them
        drive     "displacement", or "force": then u holds forces, and h.u what they move
        start     "virgin": at rest at u = 0, and driven to the first row; "first-row": at rest
                  there
        state     go on from this state instead, for example h.end of an earlier history
        progress  called as progress(done, rows) now and then; False stops

        Returns a History: arrays u, f, energy, and, computed when they are first asked for,
        tangent, stored and states.
        """
        return History(self, _Task(self, u, t, drive, start, state), progress)

    def gradient(self, u, parameters=None, t=None, *, start="virgin"):
        """Derivatives of the force with respect to parameters: an array rows × parameters.

        Parameters are given by name, elements of lists as "k[1]"; all numbers of the law if left
        out. Derivatives are exact (automatic differentiation), not finite differences.
        """
        if parameters is None:
            parameters = [p["name"] for p in self.description["parameters"]
                          if p["kind"] == "number"]
        known = [p["name"] for p in self.description["parameters"]]
        names = [_meant(name, known) for name in
                 ([parameters] if isinstance(parameters, str) else parameters)]
        u = _column(u, "u")
        origin = u[0] if _choice("start", start, ("virgin", "first-row")) == 1 and len(u) else None
        return self._model.gradient(u, None if t is None else _column(t, "t"), names, origin)

    def damping(self, amplitudes, omega=1.0, *, ratio=None, angle=None, normal=None, normal_phase=None,
                normal_mean=None, progress=None) -> "Damping":
        """Energy, stiffness and damping of the steady loop at each amplitude.

        ratio, angle, normal, normal_phase, normal_mean   the orbit of a law with several directions:
                  smaller over larger axis, its angle in degrees, and the motion against the surface
        progress  called as progress(done, total, text) after each amplitude; False stops
        """
        orbit = {"ratio": ratio, "angle": angle, "normal": normal, "normal_phase": normal_phase,
                 "normal_mean": normal_mean}
        return Damping(self, np.atleast_1d(real_array(amplitudes, "amplitudes")), float(omega),
                       progress, {k: v for k, v in orbit.items() if v is not None})


def _choice(name, value, choices):
    if value not in choices:
        raise Error(f"unknown choice '{value}' for {name}; there are: {', '.join(choices)}")
    return choices.index(value)


class _Task:
    """One history to compute: what it is driven by and from where."""

    def __init__(self, law, u, t, drive, start, state):
        self.model = law._model
        self.force = _choice("drive", drive, ("displacement", "force")) == 1
        first_row = _choice("start", start, ("virgin", "first-row")) == 1
        self.directions = law.directions
        self.components = None
        if self.directions:
            u = real_array(u, "u")
            count = len(self.directions)
            if u.ndim != 2 or u.shape[1] != count:
                raise Error(f"{law.name} has {count} directions: u must have the shape "
                            f"(rows, {count})")
            self.components = [_column(u[:, i], f"u{d}") for i, d in enumerate(self.directions)]
            u = u[:, 0]
        self.u = _column(u, "u")
        self.t = None if t is None else _column(t, "t")
        if first_row and self.force:
            raise Error("start = 'first-row' is for histories that are driven by displacement")
        if state is not None:
            self.state = self.model.adopted(state)
        elif first_row and len(self.u):
            self.state = self.model.rest([c[0] for c in self.components or [self.u]])
        else:
            self.state = law.rest()

    def item(self, state):
        return (self.model, state, self.u, self.t, None)

    def run(self, state, tangent, stored, states, progress):
        if self.components:
            if self.force:
                raise Error("laws with several directions cannot be driven by force")
            return self.model.run_vector(state, self.components, self.t, stored, states, progress)
        return self.model.run(state, self.u, self.t, None, self.force, tangent, stored, states,
                              progress)


class History(Result):
    """What a law answered: arrays u, f, energy (dissipated so far), t if it was given; tangent,
    stored (recoverable energy) and states by name are computed when they are first asked for. Of
    laws with several directions u and f have the shape (rows, directions). `end` is the state at the
    last row."""

    def __init__(self, law, task, progress=None, rows=None, end=None):
        self.law = law
        self._task = task
        self._more = None
        self.end = task.state.copy() if end is None else end
        if rows is None:
            rows = task.run(self.end, False, False, False, progress)
        self.t = task.t
        self.energy = rows["energy"]
        if task.components:
            self.u = np.column_stack(task.components)
            self.f = rows["f"]
        else:
            self.u = rows["u"] if task.force else task.u
            self.f = task.u if task.force else rows["f"]

    def _extra(self):
        if self._more is None:
            self._more = self._task.run(self._task.state.copy(), not self._task.components, True,
                                        True, None)
        return self._more

    @property
    def tangent(self):
        """df/du in the direction of the motion, of scalar laws."""
        if self._task.components:
            raise Error("only laws with one displacement have the column tangent")
        return self._extra()["tangent"]

    @property
    def stored(self):
        """Recoverable energy."""
        return self._extra()["stored"]

    @property
    def states(self):
        """The inner states of the law by name, an array each."""
        names, table = self._extra()["states"]
        return dict(zip(names, table))

    def _columns(self):
        columns = {} if self.t is None else {"t": self.t}
        if self._task.components:
            for kind, values in (("u", self.u), ("f", self.f)):
                columns.update((kind + d, values[:, i]) for i, d in
                               enumerate(self._task.directions))
        else:
            columns.update(u=self.u, f=self.f)
        return {**columns, "energy": self.energy}

    def _title(self):
        return repr(self.law)

    def plot(self, axes=None, **style):
        """Force against displacement; with several directions the orbit of the force."""
        axes = self._axes(axes)
        if self._task.components:
            axes.plot(self.f[:, 0], self.f[:, 1], label=self.law.name, **style)
            x, y = self._task.directions[:2]
            axes.set(xlabel=f"f{x}", ylabel=f"f{y}")
        else:
            axes.plot(self.u, self.f, label=self.law.name, **style)
            axes.set(xlabel="u", ylabel="f")
        return axes


def simulate_all(laws, u, t=None, *, drive="displacement", start="virgin", threads=0,
                 progress=None) -> list:
    """Many histories on all cores: a list of laws along one u, one law along a list of histories,
    or a list of each. Results do not depend on the number of threads (0: all of the machine).
    progress(done, rows) is called now and then; False stops."""
    one_law = isinstance(laws, Law)
    one_path = isinstance(u, np.ndarray) or not len(u) or np.ndim(u[0]) == 0
    count = 1 if one_law and one_path else len(u) if one_law else len(laws)
    if not one_law and not one_path and len(u) != len(laws):
        raise Error(f"there are {len(laws)} laws, but {len(u)} histories")
    laws = [laws] * count if one_law else list(laws)
    paths = [u] * count if one_path else list(u)
    times = [t] * count if t is None or one_path or np.ndim(t[0]) == 0 else list(t)
    tasks = [_Task(*args, drive, start, None) for args in zip(laws, paths, times)]
    ends = [task.state.copy() for task in tasks]
    if any(task.components for task in tasks):
        rows = [task.run(end, False, False, False, None) for task, end in zip(tasks, ends)]
        return [History(*args) for args in zip(laws, tasks, [None] * count, rows, ends)]
    rows = _core.run_batch([task.item(end) for task, end in zip(tasks, ends)],
                           drive == "force", False, False, False, threads, progress)
    return [History(*args) for args in
            zip(laws, tasks, [None] * count, rows, ends)]


class Damping(Result):
    """The steady loop of a law at each amplitude: arrays amplitude, energy (lost in a cycle),
    secant, a1, b1 (first harmonic), zeta_eff, damping, closed."""

    def __init__(self, law, amplitude, omega, progress=None, orbit=None):
        self.law, self.amplitude, self.omega = law, amplitude, omega
        names = ("energy", "secant", "a1", "b1", "zeta_eff", "damping", "closed")
        if law.directions or orbit:
            from ._jobs import job  # which needs Law
            whole = {"ratio": 0, "angle": 0, "normal": 0, "normal_phase": 0, "normal_mean": 0}
            for name, value in (orbit or {}).items():
                whole[name] = float(value)
            result = job("damping", {"laws": [law.to_dict()], "amplitudes": amplitude.tolist(),
                                     "omega": omega, "orbit": whole}, {}, progress)
            columns = result["laws"][0]["columns"]
            for name in names:
                setattr(self, name, np.asarray(columns[name]))
            return
        rows = []
        for a in amplitude:
            rows.append(law._model.harmonic(a, omega))
            if progress is not None and progress(len(rows), len(amplitude), f"amplitude {a:g}") is False:
                raise Error("interrupted")
        for name, values in zip(names, zip(*rows) if rows else [()] * len(names)):
            setattr(self, name, np.array(values))

    def _columns(self):
        return {name: getattr(self, name) for name in
                ("amplitude", "energy", "secant", "a1", "b1", "zeta_eff", "damping", "closed")}

    def _title(self):
        return f"damping of {self.law!r}"

    def plot(self, axes=None, **style):
        """Damping ratio of the loop against amplitude."""
        axes = self._axes(axes)
        axes.semilogx(self.amplitude, self.damping, label=self.law.name, **style)
        axes.set(xlabel="amplitude", ylabel="damping")
        return axes


# --------------------------------------------------------------- a function for each law

def _bounds(info):
    if info["kind"] == "expression":
        return "formula in " + ", ".join(info.get("variables", []))
    b = info["bounds"]
    lo = "-inf" if b["lower"] is None else f"{b['lower']:g}"
    hi = "inf" if b["upper"] is None else f"{b['upper']:g}"
    return f"{'(' if b['lower_open'] else '['}{lo}, {hi}{')' if b['upper_open'] else ']'}"


def _docstring(d):
    lines = [d["sentence"], "", "    " + d["equation"], "", f"A {d['family']} law.", "",
             "Parameters", "----------"]
    for p in d["parameters"]:
        lines.append(f"{_python_name(p['name'])} : {p['kind']}, unit {p['unit']}, in {_bounds(p)}, "
                     f"default {p['default']}")
        lines.append("    " + p["sentence"])
    if d["options"]:
        lines += ["", "Options (numerical)", "-------------------"]
        for o in d["options"]:
            allowed = " | ".join(o.get("choices") or []) or _bounds({**o, "kind": ""})
            lines.append(f"{_python_name(o['name'])} : {allowed}, default {o['default']}")
            lines.append("    " + o["sentence"])
    return "\n".join([*lines, "", "Source: " + d["citation"]])


def _function(d):
    name = d["name"]

    def make(**values):
        return Law(_core.Model.from_text(json.dumps(_spec(d, name, values))))

    make.__name__ = make.__qualname__ = _python_name(name)
    make.__module__ = "microslip"
    make.__doc__ = _docstring(d)
    make.__signature__ = inspect.Signature(
        [inspect.Parameter(_python_name(x["name"]), inspect.Parameter.KEYWORD_ONLY,
                           default=x["default"]) for x in (*d["parameters"], *d["options"])],
        return_annotation=Law)
    return make


def make_functions():
    return {_python_name(name): _function(d) for name, d in _descriptions().items()}


# ------------------------------------------------------------------------------------- wrappers

WRAPPERS = ("backlash", "scaled", "series", "rotated", "axis", "loaded")


def _around(law_, wrapper, values):
    inner = law(law_) if isinstance(law_, str) else law_
    if not isinstance(inner, Law):
        raise Error(f"{wrapper}: the first argument must be a law or an expression, not {type(law_).__name__}")
    # The table of a wrapper lists its own parameters, then those of the law inside.
    model = f"{wrapper}({inner.name})"
    own, table = describe(wrapper), describe(model)
    spec = _spec(own, model, values)
    for kind in ("parameters", "options"):
        known = [p["name"] for p in own[kind]]
        for name in spec[kind]:
            if name not in known:
                raise Error(f"{wrapper} has no {kind[:-1]} '{name}'; it has: {', '.join(known)}")
        spec[kind] = {**{p["name"]: p["default"] for p in own[kind]}, **spec[kind]}
        names = [p["name"] for p in table[kind] if p["name"] not in known]
        held = [getattr(inner, kind)[p["name"]] for p in inner.description[kind]]
        assert len(names) == len(held)
        spec[kind].update(zip(names, held))
    return Law(_core.Model.from_text(json.dumps(spec)))


def _wrapper(name):
    d = describe(name)

    def make(law, **values):
        return _around(law, name, values)

    make.__name__ = make.__qualname__ = name
    make.__module__ = "microslip"
    lines = _docstring(d).split("\n")
    at = next(i for i, line in enumerate(lines) if line == f"A {d['family']} law.")
    lines[at] = "law is a law, a sum of laws, or an expression such as \"jenkins(k=1)+linear(k=0.1)\"."
    make.__doc__ = "\n".join(line for line in lines if line != "Source: ")
    make.__signature__ = inspect.Signature(
        [inspect.Parameter("law", inspect.Parameter.POSITIONAL_OR_KEYWORD),
         *(inspect.Parameter(_python_name(x["name"]), inspect.Parameter.KEYWORD_ONLY, default=x["default"])
           for x in (*d["parameters"], *d["options"]))], return_annotation=Law)
    return make


def make_wrappers():
    return {name: _wrapper(name) for name in WRAPPERS}
