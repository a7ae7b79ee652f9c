"""Frequency response of two masses with a slipping joint, at several levels, from matrices.

    python3 frequency_response.py [FOLDER]     leaves response.png in the folder
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import microslip

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")

structure = {
    "M": np.diag([1.0, 1.0]),
    "K": np.array([[2.0, -1.0], [-1.0, 1.0]]),
    "C": 0.01 * np.eye(2),
    "joint": [{"model": microslip.jenkins(k=0.5, phi=0.2), "between": [0, 1]}],
    "load": [{"kind": "harmonic", "dof": 2, "amplitude": 0.1}],
}

figure, axes = plt.subplots()
for level in (0.25, 1, 4):
    load = [{**structure["load"][0], "amplitude": 0.1 * level}]
    analysis = [{"kind": "frequency-response", "omega": [0.4, 1.0], "harmonics": 5}]
    response = microslip.respond({**structure, "load": load, "analysis": analysis})[0]
    gain = response["x2"] / (0.1 * level)
    print(f"level {level}: largest gain {gain.max():.3g} at ω = "
          f"{response['omega'][gain.argmax()]:.4g}")
    axes.plot(response["omega"], gain, label=f"load × {level}")
axes.set(xlabel="ω", ylabel="amplitude / load")
axes.legend()
figure.savefig(folder / "response.png", dpi=120)
