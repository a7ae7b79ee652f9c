"""Which law describes a measured loop, with which parameters, how sure?

    python3 fit_a_record.py [FOLDER]     leaves fit.png in the folder
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import microslip

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")

# A record as a laboratory would bring it: an Iwan joint under growing cycles, with noise.
t = np.linspace(0, 8, 1200)
u = 0.4 * t * np.sin(2 * np.pi * t / 2)
joint = microslip.iwan4(Fs=1, KT=2, chi=-0.4, beta=0.3)
noise = np.random.default_rng(1).normal(0, 0.005, len(u))
f = joint.simulate(u).f + noise

loops = microslip.loops(u, f)
print(f"{len(loops.cycles)} loops, initial stiffness {loops.facts['initial_stiffness']:.3g}")

fits = microslip.fit(u, f, laws=["jenkins", "iwan4", "bouc-wen"], time_budget=30)
for fit in fits:
    print(f"{fit.model:10} {fit.status:13} rms {fit.rms_relative:.2%} of the range")
best = fits.best
for name, value in best.law.parameters.items():
    error = best.standard_errors[name]
    print(f"  {name} = {value:.4g}" + (f" ± {error:.2g}" if error else ""))

axes = fits.plot()
axes.legend()
axes.figure.savefig(folder / "fit.png", dpi=120)
