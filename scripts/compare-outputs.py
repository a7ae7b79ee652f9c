#!/usr/bin/env python3
"""What two builds of the command say, compared: every number, key and file.

    scripts/compare-outputs.py OLD/microslip NEW/microslip [--tolerance 1e-12] [--only respond]

Runs the examples with both, in empty folders, and lists what differs: keys that came or went, texts, numbers
beyond the tolerance (relative to the largest number beside them; none unless given), files, exit codes. What
must differ is left out: versions, the command line, times. Ends with 1 if something differs.
"""

import argparse
import json
import math
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = {"version", "command", "seconds", "schema", "full_ns_per_row", "ns_per_row"}

CASES = [
    "models --json",
    "models jenkins",
    "models --relations --json",
    "simulate jenkins iwan4 --signal 2*sin(t) --until 12 --step 0.05 -o out.csv --json",
    "simulate bouc-wen(n=1.5)+linear --signal sin(t)*t --until 9 --step 0.1",
    "simulate sliders --signal 2*sin(t) --until 12 --step 0.05 --json",
    "loops data/bolted-joint.csv --json",
    "fit data/bolted-joint.csv --model jenkins --model iwan4 --model bouc-wen --time-budget 600 --json",
    "damping jenkins iwan4 --amplitudes 0.1:10:9 --json",
    "damping iwan4 --amplitudes 0.1:10:9 --match jenkins(k=2,phi=1) --json",
    "loops data/pinched.csv -o loops.csv --json",
    "loops data/drifting.csv --json",
    *(f"respond examples/structures/{name}.toml --json" for name in (
        "averaging", "modal-joints", "one-joint", "release", "ring-down", "slip-front", "two-masses",
        "jointed-rod", "hammer")),
    *(f"joint examples/joints/{name}.toml --json" for name in ("axial", "bending", "two-bolts")),
    *(f"cracks examples/cracks/{name}.toml --json" for name in ("inclined", "finite")),
    "reduce examples/reduce/iwan.toml --json",
    "export-fmu iwan4 --set KT=2 -o joint.fmu",
    "export-fmu examples/structures/ring-down.toml --fmi 3 -o structure.fmu",
    "reproduce --list --json",
    "reproduce mathis2020-fig2 --json",
    # What is refused, and how.
    "simulate jenkinss --signal sin(t) --until 1 --step 0.1",
    "simulate jenkins --set phi=-1 --signal sin(t) --until 1 --step 0.1",
    "respond nothing.toml",
    "fit nothing.csv",
]


def run(command, case, folder):
    for source in ("examples", "data"):
        shutil.copytree(ROOT / source, folder / source)
    before = {p for p in folder.rglob("*") if p.is_file()}
    done = subprocess.run([command, *case.split(" ")], cwd=folder, capture_output=True, text=True, timeout=900)
    files = {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*")
             if p.is_file() and p not in before}
    return done.returncode, done.stdout, done.stderr, files


def differences(a, b, place, tolerance, scale=0.0):
    """Lines that say where two values of JSON differ."""
    number = (int, float)
    if isinstance(a, dict) and isinstance(b, dict):
        for key in dict.fromkeys([*a, *b]):
            if key in LEFT_OUT:
                continue
            if key not in b or key not in a:
                yield f"{place}.{key}: {'gone' if key in a else 'new'}"
            else:
                yield from differences(a[key], b[key], f"{place}.{key}", tolerance)
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        size = max((abs(x) for x in a if isinstance(x, number)), default=0.0)
        for i, (x, y) in enumerate(zip(a, b)):
            yield from differences(x, y, f"{place}[{i}]", tolerance, size)
    elif isinstance(a, number) and isinstance(b, number) and not isinstance(a, bool):
        if not (a == b or abs(a - b) <= tolerance * max(abs(a), scale) or math.isnan(a) and math.isnan(b)):
            yield f"{place}: {a!r} became {b!r}"
    elif a != b:
        yield f"{place}: {str(a)[:60]!r} became {str(b)[:60]!r}"


def lines_of(text):
    """Lines of a text or table without those that name a version or a call, or the time that is left."""
    return [line for line in text.splitlines() if "microslip " not in line and not line.endswith(" left")]


def compared(old, new, tolerance):
    for what, a, b in (("exit code", old[0], new[0]), ("messages", lines_of(old[2]), lines_of(new[2]))):
        if a != b:
            yield f"{what}: {str(a)[:90]} became {str(b)[:90]}"
    try:
        yield from differences(json.loads(old[1]), json.loads(new[1]), "", tolerance)
    except ValueError:
        for a, b in zip(lines_of(old[1]), lines_of(new[1])):
            if a != b:
                yield f"{a[:60]!r} became {b[:60]!r}"
    for name in sorted({*old[3], *new[3]}):
        a, b = old[3].get(name), new[3].get(name)
        if a is None or b is None:
            yield f"file {name}: {'new' if a is None else 'gone'}"
        elif name.endswith(".fmu"):
            continue  # holds the engine
        elif lines_of(a.decode(errors="replace")) != lines_of(b.decode(errors="replace")):
            yield f"file {name} differs"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--tolerance", type=float, default=0.0)
    parser.add_argument("--only", default="", help="cases that begin with this")
    options = parser.parse_args()
    different = 0
    for case in (case for case in CASES if case.startswith(options.only)):
        found = []
        with tempfile.TemporaryDirectory() as a, tempfile.TemporaryDirectory() as b:
            old, new = run(options.old.resolve(), case, Path(a)), run(options.new.resolve(), case, Path(b))
            found += compared(old, new, options.tolerance)
        different += bool(found)
        ended = f"  (both end with {old[0]})" if old[0] == new[0] != 0 else ""
        print(f"{'differs' if found else 'same   '}  {case}{ended}")
        for line in found[:20]:
            print("    " + line)
        if len(found) > 20:
            print(f"    and {len(found) - 20} more")
        sys.stdout.flush()
    print(f"{different} differ" if different else "all the same")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
