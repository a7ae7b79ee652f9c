"""What the help of the command says about its options, in docstrings. The build writes the texts into
_options.py (tools/make_options.py)."""

import inspect
import textwrap

try:
    from ._options import OPTIONS
except ImportError:  # while the build is under way
    OPTIONS = {}


def option_name(parameter):
    """from_ is --from, time_budget --time-budget."""
    return parameter.rstrip("_").replace("_", "-")


def documented(command, others=None):
    """Adds the text of `microslip COMMAND --help` for each option that the function has; `others` names
    those that are called differently there."""
    def add(function):
        texts = OPTIONS.get(command, {})
        lines = []
        for name, parameter in inspect.signature(function).parameters.items():
            option = (others or {}).get(name, option_name(name))
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY and option in texts:
                lines += textwrap.wrap(f"{name:12}  {texts[option]}", 96, initial_indent="    ",
                                       subsequent_indent=" " * 18)
        if lines:
            body = inspect.cleandoc(function.__doc__)
            function.__doc__ = f"{body}\n\nOptions, as 'microslip {command} --help' says them:\n\n" + "\n".join(lines) + "\n"
        return function
    return add
