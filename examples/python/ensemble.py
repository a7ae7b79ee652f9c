"""Many joints that differ a little: the scatter of damping, on all cores, and what causes it.

    python3 ensemble.py [FOLDER]     leaves ensemble.png in the folder
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import microslip

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
rng = np.random.default_rng(7)

mean = microslip.iwan4(Fs=1, KT=1, chi=-0.5, beta=0.1)
laws = [mean.with_(Fs=rng.normal(1, 0.1), KT=rng.normal(1, 0.05), chi=rng.uniform(-0.7, -0.3))
        for _ in range(200)]

# One cycle after a first quarter; the energy lost in it.
quarter = 500
u = 0.8 * np.sin(np.linspace(0, 2.5 * np.pi, 5 * quarter + 1))
histories = microslip.simulate_all(laws, u)
lost = np.array([h.energy[-1] - h.energy[quarter] for h in histories])
print(f"energy of a cycle: {lost.mean():.4f} ± {lost.std():.4f}")

# To first order, from exact derivatives at the mean: dD = ∮ df/dp du.
names = ["Fs", "KT", "chi"]
gradient = mean.gradient(u, names)
by = [np.trapz(gradient[quarter:, i], u[quarter:]) for i in range(3)]
spread = np.array([0.1, 0.05, 0.4 / np.sqrt(12)])
for name, share in zip(names, np.abs(by) * spread):
    print(f"  scatter of {name} alone: {share:.4f}")
print(f"  all of them, first order: {np.linalg.norm(by * spread):.4f}")

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4))
for h in histories[:40]:
    left.plot(h.u, h.f, lw=0.4, color="C0")
left.set(xlabel="u", ylabel="f")
right.hist(lost, bins=25)
right.set(xlabel="energy of a cycle")
figure.savefig(folder / "ensemble.png", dpi=120)
