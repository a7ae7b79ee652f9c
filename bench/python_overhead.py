"""What Python costs: ratios of processor time inside one run.

    PYTHONPATH=build/release/python python3 bench/python_overhead.py build/release/libmicroslip.so

simulate     microslip.Law.simulate over the same rows as one call of the C function microslip_run
trial        one Joint.trial, in nanoseconds, law included
plain loop   the same Jenkins element written as a loop in Python, over simulate
solve_ivp    bouc-wen (n = 2) as a differential equation for scipy's solve_ivp, 20 cycles of 1000 rows,
             over simulate; its tolerances 1e-8 and 1e-10 leave the error that is printed below
"""

import ctypes as ct
import json
import sys
import time

import numpy as np
from scipy.integrate import solve_ivp

import microslip


def seconds(work, times=7):
    best = float("inf")
    for _ in range(times):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    return best


class Column(ct.Structure):
    _fields_ = [("data", ct.c_void_p), ("stride", ct.c_ssize_t)]


class Path(ct.Structure):
    _fields_ = [("rows", ct.c_size_t), ("t", Column), ("u", Column), ("uy", Column),
                ("drive", ct.c_int)]


class History(ct.Structure):
    _fields_ = [(n, Column) for n in ("u", "f", "fy", "energy", "tangent", "stored", "states")]
    _fields_ += [("states_row", ct.c_ssize_t), ("rows", ct.c_size_t)]


def c_run(library, name, u):
    """microslip_run from rest into new arrays, as a C program would do it."""
    model = ct.c_void_p()
    assert library.microslip_create(name.encode(), None, ct.c_size_t(0), ct.byref(model), None) == 0

    def work():
        state = ct.c_void_p()
        library.microslip_rest(model, ct.byref(state), None)
        f, energy = np.empty(len(u)), np.empty(len(u))
        path = Path(rows=len(u), u=Column(u.ctypes.data, 1))
        history = History(f=Column(f.ctypes.data, 1), energy=Column(energy.ctypes.data, 1))
        code = library.microslip_run(model, ct.byref(path), state, ct.byref(history), None, None, None)
        assert code == 0
        library.microslip_state_destroy(state)

    return work


def plain_loop(u, k, phi):
    f, before, out = 0.0, 0.0, []
    for x in u.tolist():
        f = max(-phi, min(phi, f + k * (x - before)))
        before = x
        out.append(f)
    return out


u = np.sin(np.linspace(0, 1e4, 1_000_000))
library = ct.CDLL(sys.argv[1])
answer = {}
for name in ("jenkins", "iwan4", "bouc-wen"):
    law = microslip.law(name)
    answer[f"simulate {name} / C"] = seconds(lambda: law.simulate(u)) / seconds(c_run(library, name, u))

joint = microslip.jenkins().joint()
count = 300_000


def trials():
    trial = joint.trial
    for _ in range(count):
        trial(0.1)


answer["trial, ns"] = seconds(trials, 3) / count * 1e9
law = microslip.jenkins(k=1, phi=0.5)
assert np.allclose(plain_loop(u[:1000], 1, 0.5), law.simulate(u[:1000]).f, atol=1e-12)
answer["plain loop / simulate"] = (seconds(lambda: plain_loop(u, 1, 0.5), 1) /
                                   seconds(lambda: law.simulate(u)))
law = microslip.bouc_wen(n=2)
t = np.linspace(0, 40 * np.pi, 20_001)


def by_solve_ivp():
    def slope(at, z):
        v = np.cos(at)
        return v - 0.5 * np.abs(v) * np.abs(z) * z - 0.5 * v * z**2

    z = solve_ivp(slope, (t[0], t[-1]), [0.0], t_eval=t, rtol=1e-8, atol=1e-10).y[0]
    return 0.1 * np.sin(t) + 0.9 * z


exact = law.simulate(np.sin(t)).f
answer["solve_ivp / simulate"] = seconds(by_solve_ivp, 1) / seconds(lambda: law.simulate(np.sin(t)))
answer["error of solve_ivp"] = float(np.max(np.abs(by_solve_ivp() - exact)))
for name, value in answer.items():
    print(f"{name:28} {value:.3g}")
if len(sys.argv) > 2:
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(answer, file, indent=2)
