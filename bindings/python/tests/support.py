"""What tests of the module share."""

import os
import signal
import subprocess
import sys
import time
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


def stopped_by_ctrl_c(code, after=0.0):
    """What a Python program prints that says that it has begun and is interrupted so many seconds later."""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    process.stdout.readline()
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    return "".join(process.communicate(timeout=60))
