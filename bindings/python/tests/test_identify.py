"""microslip.identify on a record of an integrator of its own."""

import numpy as np
import pytest

import microslip


def record(rows=400, row=0.05, parts=50):
    """m = 2, c = 0.4, k = 30, a joint of 20 that slides at 1.5, by Verlet's rule."""
    t = row * np.arange(rows)
    x = v = joint = 0.0
    out = []
    h = row / parts

    def force(at):
        return 4 * (np.sin(3.1 * at) + np.sin(5.3 * at + 1))

    for start in t:
        out.append(x)
        for k in range(parts):
            now = start + h * k
            v += 0.5 * h * (force(now) - 0.4 * v - 30 * x - joint) / 2
            x += h * v
            joint = min(max(joint + 20 * h * v, -1.5), 1.5)
            v += 0.5 * h * (force(now + h) - 0.4 * v - 30 * x - joint) / 2
    return t, force(t), np.array(out) + 1e-3 * np.random.default_rng(1).normal(size=rows)


def structure(t, f, x):
    return {"M": [2.0], "spring": [{"between": [0, 1], "k": 30.0}],
            "damper": [{"between": [0, 1], "c": 0.4}],
            "joint": [{"model": "jenkins", "between": [0, 1]}],
            "load": [{"kind": "static", "dof": 1, "amplitude": 0.0}],
            "unknown": {"joint[1].k": {}, "joint[1].phi": {}},
            "data": [{"kind": "record", "columns": {"t": t, "f": f, "x1": x}}]}


def test_arrays_give_numbers_with_errors():
    found = microslip.identify(structure(*record()), time_budget=30)
    best = found.best
    assert best.status == "converged"
    for name, truth in (("joint[1].k", 20), ("joint[1].phi", 1.5)):
        assert abs(best.parameters[name] - truth) < 4 * best.standard_errors[name] < 0.2 * truth
    assert "joint[1].phi" in repr(best) and len(repr(best).splitlines()) <= 10


def test_what_is_wrong_is_said():
    t, f, x = record(rows=40)
    problem = structure(t, f, x)
    problem["unknown"] = {"joint[1].Fs": {}}
    with pytest.raises(microslip.Error, match="Fs"):
        microslip.identify(problem)
