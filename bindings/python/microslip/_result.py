"""What all results have in common: columns of numbers, and how they are shown."""

import html
import re
import textwrap

import numpy as np

_WIDTH = 79
_LINES = 10
_ORIGIN = ("schema", "version", "command", "source", "seconds")  # where it came from, not what it is


def plain_name(name):
    """A name as it can stand behind a dot: "jenkins.k" is jenkins_k."""
    return re.sub(r"\W", "_", name)


def found_by_attribute(name, known):
    """The name in `known` that is meant by an attribute; None if there is none."""
    if name in known:
        return name
    return next((other for other in known if plain_name(other) == name), None)


def cut(text, width=_WIDTH):
    return text if len(text) <= width else text[:width - 1] + "…"


def wrapped(text, most):
    """At most so many lines, the last one with its rest left out."""
    lines = textwrap.wrap(text, _WIDTH, subsequent_indent="  ", break_long_words=False)
    if len(lines) > most:
        lines = [*lines[:most - 1], cut(lines[most - 1] + " …", _WIDTH)]
    return [cut(line) for line in lines]


def short(value):
    """A number in six digits, a text as it is."""
    if isinstance(value, (float, np.floating)):
        return f"{value:.6g}"
    return str(value)


def table_lines(columns, most):
    """Columns side by side, the first rows and the last one; columns that do not fit are left out."""
    rows = len(next(iter(columns.values())))
    shown = list(range(rows)) if rows < most else [*range(most - 3), None, rows - 1]
    texts = []
    used = 0
    for name, values in columns.items():
        cells = [name] + ["…" if i is None else short(np.asarray(values)[i].item()) for i in shown]
        width = max(map(len, cells))
        if used + width > _WIDTH - 3 and texts:
            texts.append(["…"] + [""] * len(shown))
            break
        texts.append([cell.rjust(width) for cell in cells])
        used += width + 2
    return ["  ".join(line).rstrip() for line in zip(*texts)]


class Result:
    """Named arrays of equal length (columns) and single values (facts). result["name"] is a column,
    dict(result) all of them."""

    def _columns(self):
        return {}

    def _facts(self):
        return {}

    def keys(self):
        """The names of the columns."""
        return list(self._columns())

    def __getitem__(self, name):
        columns = self._columns()
        if name not in columns:
            raise KeyError(f"there is no column {name!r}; there are: {', '.join(columns)}")
        return columns[name]

    def _ipython_key_completions_(self):
        return self.keys()

    def to_dict(self):
        """All columns as lists and all facts, ready for JSON."""
        plain = {name: np.asarray(values).tolist() for name, values in self._columns().items()}
        return {**self._facts(), **plain}

    def to_dataframe(self):
        """The columns as a pandas.DataFrame; needs pandas."""
        import pandas
        return pandas.DataFrame(self._columns())

    def _axes(self, axes):
        if axes is not None:
            return axes
        import matplotlib.pyplot as plt
        return plt.subplots()[1]

    def _title(self):
        return type(self).__name__

    def _head(self):
        """The first line of the text, and how many rows there are."""
        columns = self._columns()
        rows = f", {len(next(iter(columns.values())))} rows" if columns else ""
        return cut(self._title(), _WIDTH - len(rows)) + rows

    def __repr__(self):
        """At most ten lines: what it is, single values, some rows."""
        facts = ", ".join(f"{k} = {short(v)}" for k, v in self._facts().items()
                          if isinstance(v, (int, float, str, bool)) and v != "" and k not in _ORIGIN)
        columns = {k: v for k, v in self._columns().items() if np.ndim(v) == 1}
        lines = [self._head(), *wrapped(facts, 3 if columns else _LINES - 1)]
        if columns:
            lines += table_lines(columns, _LINES - len(lines))
        return "\n".join(lines)

    def _repr_html_(self):
        parts = [f"<b>{html.escape(self._title())}</b>"]
        facts = {k: v for k, v in self._facts().items() if not isinstance(v, (list, dict))}
        if facts:
            parts.append("<table>" + "".join(
                f"<tr><th>{html.escape(k)}</th><td>{html.escape(short(v))}</td></tr>"
                for k, v in facts.items()) + "</table>")
        columns = self._columns()
        if columns:
            head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
            rows = len(next(iter(columns.values())))
            body = "".join(
                "<tr>" + "".join(f"<td>{html.escape(short(np.asarray(c)[i].item()))}</td>"
                                 for c in columns.values()) + "</tr>"
                for i in range(min(rows, 8)))
            more = f"<p>… {rows} rows in all</p>" if rows > 8 else ""
            parts.append(f"<table><tr>{head}</tr>{body}</table>{more}")
        return "".join(parts)


class Table(Result):
    """A result whose columns are only known when it is there: table["x1"] and table.x1 are the same.
    Single values of `facts` are attributes too, where no column has the name."""

    columns: dict
    facts: dict

    def _columns(self):
        return self.columns

    def _facts(self):
        return self.facts

    def __getattr__(self, name):
        if not name.startswith("_") and "columns" in vars(self):
            for known in (self.columns, self.facts):
                meant = found_by_attribute(name, known)
                if meant is not None:
                    return known[meant]
            raise AttributeError(f"there is no column or value {name!r}; columns: "
                                 f"{', '.join(self.columns)}")
        raise AttributeError(name)

    def __dir__(self):
        return sorted({*super().__dir__(), *map(plain_name, (*self.columns, *self.facts))})
