#!/usr/bin/env python3
"""The joint behind the modes of a measured decay: from frequency and damping against amplitude to the first
harmonic of the force of a joint, which `microslip damping --match` takes.

    python3 joint_of_modes.py MODES.csv JOINT.csv --mass M --stiffness K [--damping C] [--mode 1] [--least 0.2]

MODES.csv is what `microslip ringdown -o` writes. M, K, C are the modal mass, stiffness and damping without
the joint, for the motion that was measured, and the joint moves with it. At each amplitude A

    b1 = (M omega^2 - K) A         in phase: what the joint adds to the stiffness
    a1 = (2 zeta M omega - C) omega A    against the motion: what it loses, pi A a1 in a cycle

Rows whose damping is not known to the part --least are left out.
"""

import argparse
import csv


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("modes")
    p.add_argument("joint")
    p.add_argument("--mass", type=float, required=True)
    p.add_argument("--stiffness", type=float, required=True)
    p.add_argument("--damping", type=float, default=0)
    p.add_argument("--mode", type=int, default=1)
    p.add_argument("--least", type=float, default=0.2)
    o = p.parse_args()
    with open(o.modes, newline="", encoding="utf-8") as file:
        rows = [{name.split(" [")[0]: float(value) for name, value in row.items()}
                for row in csv.DictReader(line for line in file if not line.startswith("#"))]
    kept = []
    for row in rows:
        A, omega, zeta = row["amplitude"], row["omega"], row["zeta"]
        if row["mode"] == o.mode and row["zeta_error"] < o.least * abs(zeta):
            kept.append((A, (2 * zeta * o.mass * omega - o.damping) * omega * A,
                         (o.mass * omega ** 2 - o.stiffness) * A))
    if not kept:
        raise SystemExit(f"{o.modes} has no row of mode {o.mode} whose damping is known to {o.least:g} of itself")
    with open(o.joint, "w", encoding="utf-8") as file:
        file.write("amplitude,a1,b1\n" + "".join("%.9g,%.9g,%.9g\n" % row for row in kept))
    print(f"{len(kept)} of {len(rows)} rows, amplitudes {kept[-1][0]:.3g} to {kept[0][0]:.3g}")


if __name__ == "__main__":
    main()
