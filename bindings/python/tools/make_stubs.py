"""Writes microslip/__init__.pyi from the table of laws and the signatures of the module.

    PYTHONPATH=build/release/python python3 bindings/python/tools/make_stubs.py [FILE]

The build writes the file into the package.
"""

import inspect
import sys
import textwrap

import microslip
from microslip._law import _descriptions, _python_name

_KINDS = {"number": "float", "list": "Sequence[float]", "matrix": "Sequence[Sequence[float]]",
          "expression": "str | float"}


def law_stub(d, first=None):
    arguments = [f"{_python_name(p['name'])}: {_KINDS[p['kind']]} = ..." for p in d["parameters"]]
    arguments += [f"{_python_name(o['name'])}: {'str' if o.get('choices') else 'float'} = ..."
                  for o in d["options"]]
    star = (f"{first}, " if first else "") + ("*, " if arguments else "")
    name, inside = _python_name(d["name"]), star + ", ".join(arguments)
    if len(name) + len(inside) > 80:
        lines = textwrap.wrap(inside, 92, initial_indent="    ", subsequent_indent="    ",
                              break_long_words=False)
        inside = "\n" + "\n".join(lines) + "\n"
    return f'def {name}({inside}) -> Law:\n    """{d["sentence"]}"""\n'


def signature(function):
    parameters = []
    for p in inspect.signature(function).parameters.values():
        default = p.default if p.default is inspect.Parameter.empty else ...
        kind = inspect.Parameter.empty if p.name in ("self", "cls") else "_Any"
        parameters.append(p.replace(annotation=kind, default=default))
    text = str(inspect.Signature(parameters)).replace("'_Any'", "Any").replace("_Any", "Any")
    return text.replace("Ellipsis", "...")


def returned(function):
    """The type that a function says it returns."""
    kind = inspect.signature(function).return_annotation
    if kind is inspect.Signature.empty:
        return "Any"
    name = kind if isinstance(kind, str) else "None" if kind is None else kind.__name__
    return {"dict": "dict[str, Any]", "list": "list[Any]"}.get(name, name)


def first_line(thing):
    return (inspect.getdoc(thing) or "").split("\n")[0]


# Operators that a person writes, with the types of what they take and return.
_OPERATORS = {"__add__": "(self, other: Law) -> Law", "__getitem__": "(self, key: Any) -> Any",
              "__eq__": "(self, other: object) -> bool", "__hash__": "(self) -> int",
              "__len__": "(self) -> int", "__iter__": "(self) -> Iterator[Any]",
              "__contains__": "(self, key: object) -> bool"}


def class_stub(cls):
    if cls is microslip.Trial:
        return (f'class Trial(NamedTuple):\n    """{first_line(cls)}"""\n    force: Any\n    tangent: Any\n'
                "    dissipated: float\n")
    base = "list[Any]" if list in cls.__mro__ else "Exception" if cls is microslip.Error else None
    lines = [f"class {cls.__name__}{f'({base})' if base else ''}:",
             f'    """{first_line(cls)}"""']
    shown = {}
    for ancestor in reversed(cls.__mro__):
        if ancestor.__module__.startswith("microslip"):
            shown.update(vars(ancestor))
    for name, member in sorted(shown.items()):
        if name.startswith("_"):
            continue
        if isinstance(member, property):
            lines += ["    @property", f"    def {name}(self) -> Any: ..."]
        elif inspect.isfunction(member):
            lines.append(f"    def {name}{signature(member)} -> {returned(member)}: ...")
    lines += {"State": ["    def copy(self) -> State: ...", "    def save(self) -> bytes: ..."],
              "Joint": ["    def trial(self, u: Any, dt: float = ...) -> Trial: ...",
                        "    def commit(self) -> None: ..."],
              "Field": ["    def trial(self, u: Any, dt: float = ..., out: Any = ...) -> tuple[Any, Any, Any]: ...",
                        "    def commit(self) -> None: ...",
                        "    def run(self, u: Any, dt: float = ..., scale: Any = ...) -> tuple[Any, Any, Any]: ..."],
              "Error": ["    stopped: bool", "    row: int | None"]}.get(cls.__name__, [])
    # Attributes that are set when there is a result; columns and parameters by name.
    if cls.__name__ not in ("State", "Joint", "Field", "Error"):
        lines.append("    def __getattr__(self, name: str) -> Any: ...")
    lines += [f"    def {name}{kinds}: ..." for name, kinds in _OPERATORS.items()
              if name in shown and shown[name] is not None]
    return "\n".join(lines) + "\n"


def stubs():
    parts = ["# Written by bindings/python/tools/make_stubs.py from the table of laws.\n"
             "from collections.abc import Iterator, Sequence\nfrom typing import Any, NamedTuple\n\n__version__: str\n"]
    laws = {**microslip._functions, **microslip._wrappers}
    names = [n for n in microslip.__all__ if n not in laws]
    for name in names:
        thing = getattr(microslip, name)
        if inspect.isclass(thing):
            parts.append(class_stub(thing))
    for name in names:
        thing = getattr(microslip, name)
        if not inspect.isclass(thing):
            parts.append(f"def {name}{signature(thing)} -> {returned(thing)}:\n"
                         f'    """{first_line(thing)}"""\n')
    parts += [law_stub(d) for d in _descriptions().values()]
    parts += [law_stub(microslip.describe(name), "law: Law | str") for name in microslip._wrappers]
    return "\n".join(parts)


if __name__ == "__main__":
    text = stubs()
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w", encoding="utf-8") as file:
            file.write(text)
    else:
        print(text, end="")
