"""A joint inside a time integration of one's own: Newmark's rule with Newton's method.

    python3 joint_in_newmark.py [FOLDER]     leaves ring_down.png in the folder
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import microslip

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")


def ring_down(law, velocity, dt=0.02, steps=3000, mass=1.0):
    """A mass on a joint after an impulse; every trial starts from the last commit."""
    joint = law.joint()
    x, v, force = 0.0, velocity, 0.0
    motion = np.empty(steps)
    for i in range(steps):
        a = -force / mass
        new = x + dt * v
        for _ in range(20):
            force, tangent, _ = joint.trial(new, dt)
            residual = mass * (4 / dt**2 * (new - x - dt * v) - a) + force
            change = -residual / (4 * mass / dt**2 + tangent)
            new += change
            if abs(change) < 1e-13:
                break
        force = joint.trial(new, dt)[0]
        joint.commit()
        v = 2 / dt * (new - x) - v
        x = motion[i] = new
    return motion, v, joint


law = microslip.iwan4(Fs=1, KT=1, chi=-0.5, beta=0.1)
motion, v, joint = ring_down(law, velocity=1.0)

# The energy of the impulse is still moving, stored or dissipated.
state = joint.state
balance = 0.5 * v**2 + state.stored + state.energy
print(f"energy: {balance:.6f} of 0.5, {state.energy:.3f} dissipated")
assert abs(balance - 0.5) < 1e-3

figure, axes = plt.subplots()
axes.plot(0.02 * np.arange(1, len(motion) + 1), motion)
axes.set(xlabel="t", ylabel="x")
figure.savefig(folder / "ring_down.png", dpi=120)
