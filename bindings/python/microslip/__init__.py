"""Frictional hysteresis: simulated, measured, fitted, reduced, and put into vibrating structures.

    import numpy as np, microslip

    law = microslip.iwan4(Fs=1, KT=1, chi=-0.5, beta=0.1) + microslip.linear(k=0.1)
    h = law.simulate(np.sin(np.linspace(0, 20, 2001)))
    h.f, h.energy, h.tangent
    fits = microslip.fit(h.u, h.f, laws=["jenkins", "iwan4"])

Every law is a function of this module, made from the same table as the command line: its
docstring says what its parameters are, their units and bounds. A law whose name has a hyphen is
written with an underscore (bouc_wen), and so is a parameter that is a word of Python (lambda_).
backlash, scaled and series put something around a law.
"""

from ._core import Error, Field, Joint, State, Trial
from ._core import version as __version__
from ._law import Damping, History, Law, describe, law, law_names, load_law, simulate_all
from ._law import make_functions as _make_functions
from ._law import make_wrappers as _make_wrappers
from ._command import (Loop, Loops, Reduction, Response, Responses, cracks, damping,
                       export_fmu, joint, loops, reduce, reproduce, reproductions, respond)
from ._fit import Fit, Fits, fit
from ._identify import Identifications, Identified, identify
from ._ringdown import Ringdown, RingdownMode, ringdown

_functions = _make_functions()
_wrappers = _make_wrappers()
globals().update(_functions)
globals().update(_wrappers)

__all__ = ["Damping", "Error", "Field", "Fit", "Fits", "History", "Identifications", "Identified", "Joint", "Law", "Loop", "Loops",
           "Reduction", "Response", "Responses", "Ringdown", "RingdownMode", "State", "Trial", "cracks",
           "damping", "describe", "export_fmu", "fit", "identify", "joint", "law", "law_names", "load_law",
           "loops", "reduce", "reproduce", "reproductions", "respond", "ringdown", "simulate_all",
           *_functions, *_wrappers]
