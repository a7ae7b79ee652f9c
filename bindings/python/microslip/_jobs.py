"""Jobs in this process: a request as a dictionary, columns as arrays, the result as a dictionary."""

import json

from ._core import run_job


def job(kind, request, columns, progress=None):
    """The result of a job, see docs/jobs.md. Where the request expects a list of numbers it may name one of
    the columns, which go there without text.

    progress(done, total, text) is called in this thread now and then; False stops the job. Ctrl-C
    stops it too.
    """
    return json.loads(run_job(kind, json.dumps(request), columns, progress))


def number(value):
    """A number as the request wants it; what is none is refused there, with its name."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return value
    return int(value) if float(value).is_integer() else float(value)


def words(value):
    """A list of words; on the command line, commas outside brackets separate them."""
    texts = [value] if isinstance(value, str) else list(value)
    result, depth = [""], 0
    for char in ",".join(map(str, texts)):
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:
            result.append("")
        elif char != " ":
            result[-1] += char
    return [word for word in result if word]
