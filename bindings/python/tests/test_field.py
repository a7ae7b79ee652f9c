"""Many joints of one law at once."""

import numpy as np
import pytest

import microslip


def test_a_field_answers_as_its_joints_do():
    limits = np.linspace(0.2, 2, 50)
    law = microslip.jenkins(k=2, phi=1)
    field = law.field(50, phi=limits)
    joints = [microslip.jenkins(k=2, phi=phi).joint() for phi in limits]
    u = np.random.default_rng(1).normal(size=(20, 50))
    out = tuple(np.full(50, np.nan) for _ in range(3))
    for row in u:
        field.trial(row + 1)  # astray
        answer = field.trial(row, out=out)
        assert answer[0] is out[0]  # in place
        trials = [joint.trial(x) for joint, x in zip(joints, row)]
        for i, name in enumerate(("force", "tangent", "dissipated")):
            assert np.array_equal(out[i], [getattr(trial, name) for trial in trials])
        field.commit()
        for joint in joints:
            joint.commit()


def test_sums_of_whole_signals():
    scale = np.array([0.5, 1, 2])
    u = np.sin(np.linspace(0, 20, 400))
    law = microslip.lugre()
    energy, largest, loops = law.field(3).run(u, dt=0.05, scale=scale)
    for i, factor in enumerate(scale):
        h = law.simulate(factor * u, np.arange(1, 401) * 0.05)
        assert largest[i] == pytest.approx(np.abs(h.f).max(), rel=1e-12)
        assert energy[i] == pytest.approx(h.energy[-1], rel=1e-12)
    assert loops.tolist() == [3, 3, 3]  # sin turns at pi/2 + k pi: six times before 20
    each = law.field(3).run(np.outer(u, scale), dt=0.05)
    assert np.array_equal(each[0], energy)


def test_refusals_are_sentences():
    with pytest.raises(microslip.Error, match="u must be an array of 3 numbers"):
        microslip.jenkins().field(3).trial(np.zeros(4))
    with pytest.raises(microslip.Error, match="there is no field of linear"):
        microslip.linear().field(3)
    with pytest.raises(microslip.Error, match="needs dt above 0"):
        microslip.lugre().field(3).trial(np.zeros(3))
    with pytest.raises(microslip.Error, match="phi = -1"):
        microslip.jenkins().field(2, phi=[1, -1])


def test_eight_reversals_and_what_is_forgotten():
    field = microslip.iwan4().field(1)
    spiral = np.array([(-1) ** i * 2 * (1 - i / 20) for i in range(20)])
    field.run(spiral[:9])
    assert field.forgotten == 0
    field.run(spiral[9:])
    assert field.forgotten > 0
    assert len(field) == 1
