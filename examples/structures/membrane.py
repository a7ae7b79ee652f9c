#!/usr/bin/env python3
"""A square membrane with 100 joints to the ground, as large as you like: the model of the times in docs/respond.md.

    python3 membrane.py FOLDER [--side 316]

writes M.mtx, K.mtx, joints.csv and response.toml. The membrane has unit side, tension and mass and is held along
its edges; its first frequency is close to pi sqrt(2). Joints stand on a square of 10 by 10. Python's standard
library is enough.
"""

import argparse
import pathlib

RESPONSE = """M = "M.mtx"
K = "K.mtx"
joints = "joints.csv"
stuck_damping = [{ratios}]

[reduction]
modes = 20

[[load]]
kind = "harmonic"
dof = {middle}
amplitude = 0.1

[[analysis]]
kind = "frequency-response"
omega = [4.3, 4.8]
dof = {middle}
output = "response.csv"
"""


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("folder", type=pathlib.Path)
    p.add_argument("--side", type=int, default=316, help="free points along a side")
    o = p.parse_args()
    n = o.side
    if n < 21:
        raise SystemExit("--side must be 21 or more")
    o.folder.mkdir(parents=True, exist_ok=True)

    def number(i, j):  # points count from 0, degrees of freedom from 1
        return 1 + i * n + j

    head = "%%MatrixMarket matrix coordinate real symmetric\n"
    with open(o.folder / "M.mtx", "w", encoding="ascii") as file:
        file.write(head + f"{n * n} {n * n} {n * n}\n")
        mass = 1 / (n + 1) ** 2
        file.writelines(f"{i} {i} {mass!r}\n" for i in range(1, n * n + 1))
    with open(o.folder / "K.mtx", "w", encoding="ascii") as file:
        file.write(head + f"{n * n} {n * n} {n * n + 2 * n * (n - 1)}\n")
        for i in range(n):
            for j in range(n):
                file.write(f"{number(i, j)} {number(i, j)} 4\n")
                if i + 1 < n:
                    file.write(f"{number(i + 1, j)} {number(i, j)} -1\n")
                if j + 1 < n:
                    file.write(f"{number(i, j + 1)} {number(i, j)} -1\n")
    places = [round((2 * i + 1) * n / 20) for i in range(10)]
    with open(o.folder / "joints.csv", "w", encoding="ascii") as file:
        file.write("model,from,to,k,phi\n")
        file.writelines(f"jenkins,0,{number(i, j)},0.02,0.01\n" for i in places for j in places)
    (o.folder / "response.toml").write_text(
        RESPONSE.format(ratios=", ".join(["0.005"] * 20), middle=number(n // 2, n // 2)), encoding="ascii")


if __name__ == "__main__":
    main()
