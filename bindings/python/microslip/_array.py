"""Numbers of a person as arrays of doubles. What is no real number is refused instead of converted."""

import numpy as np

from ._core import Error


def real_array(values, name):
    """Doubles, without a copy where they are doubles already."""
    if np.iscomplexobj(values):
        raise Error(f"{name} must be real numbers, not complex ones; take .real, .imag or abs() of it")
    if np.ma.is_masked(values):
        raise Error(f"{name} has masked values; leave out those rows (.compressed()) or give them numbers (.filled())")
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise Error(f"{name} must be an array of numbers") from None
