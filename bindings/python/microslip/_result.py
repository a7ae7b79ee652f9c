"""What all results have in common: columns of numbers, and how they are shown."""

import html

import numpy as np


class Result:
    """Named arrays of equal length (columns) and single values (facts)."""

    def _columns(self):
        return {}

    def _facts(self):
        return {}

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

    def __repr__(self):
        facts = ", ".join(f"{k}={v!r}" for k, v in self._facts().items()
                          if isinstance(v, (int, float, str, bool)) or v is None)
        columns = self._columns()
        rows = f"{len(next(iter(columns.values())))} rows of {', '.join(columns)}" if columns else ""
        return f"<{type(self).__name__}: {'; '.join(x for x in (facts, rows) if x)}>"

    def _repr_html_(self):
        def cell(x):
            return f"{x:.6g}" if isinstance(x, float) else html.escape(str(x))

        parts = [f"<b>{html.escape(self._title())}</b>"]
        facts = {k: v for k, v in self._facts().items() if not isinstance(v, (list, dict))}
        if facts:
            parts.append("<table>" + "".join(
                f"<tr><th>{html.escape(k)}</th><td>{cell(v)}</td></tr>" for k, v in facts.items())
                + "</table>")
        columns = self._columns()
        if columns:
            head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
            rows = len(next(iter(columns.values())))
            body = "".join(
                "<tr>" + "".join(f"<td>{cell(np.asarray(c)[i].item())}</td>"
                                 for c in columns.values()) + "</tr>"
                for i in range(min(rows, 8)))
            more = f"<p>… {rows} rows in all</p>" if rows > 8 else ""
            parts.append(f"<table><tr>{head}</tr>{body}</table>{more}")
        return "".join(parts)
