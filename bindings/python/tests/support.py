"""What tests of the module share."""

import os
import subprocess
from pathlib import Path

import numpy as np

import microslip

SOURCE = Path(os.environ["MICROSLIP_SOURCE"])
COMMAND = Path(microslip.__file__).with_name("microslip")


def run_command(*arguments, cwd=None):
    return subprocess.run([str(COMMAND), *map(str, arguments)], cwd=cwd, check=True,
                          capture_output=True, text=True).stdout


def motion(rows=400):
    """Reversals of many sizes."""
    t = np.linspace(0, 12, rows)
    return t, 1.3 * np.sin(2 * t) + 0.7 * np.sin(5.3 * t) + 0.2 * t
