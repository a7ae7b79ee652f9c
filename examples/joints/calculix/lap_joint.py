#!/usr/bin/env python3
"""The same lap joint by CalculiX and by microslip.

Two plates overlap, are pressed together and pulled to and fro. CalculiX (ccx) writes the stiffness
matrix of the mesh without contact; microslip condenses it to the interface and follows the loop.
CalculiX computes the loop once more with its own contact elements, and the two are compared.

    lap_joint.py FOLDER [--ccx ccx] [--microslip microslip] [--stick-slope 1e6] ...

Units: N, mm, MPa. Python's standard library is enough.
"""

import argparse
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("folder", type=pathlib.Path, help="where files are written")
    p.add_argument("--ccx", default="ccx", help="the program CalculiX")
    p.add_argument("--microslip", default="microslip", help="the program microslip")
    p.add_argument("--mesh", type=int, nargs=2, default=[40, 3], metavar=("ALONG", "THROUGH"),
                   help="elements along a plate and through its thickness")
    p.add_argument("--across", type=int, default=1, help="elements across the width; 1: plane strain")
    p.add_argument("--friction", type=float, default=0.3)
    p.add_argument("--pressure", type=float, default=20.0)
    p.add_argument("--amplitude", type=float, default=0.015)
    p.add_argument("--rows", type=int, default=24, help="rows of a cycle")
    p.add_argument("--contact", default="face", choices=["face", "node"], help="contact of CalculiX")
    p.add_argument("--penalty", type=float, default=1e7, help="CalculiX' pressure for an overclosure of 1")
    p.add_argument("--stick-slope", type=float, default=1e6,
                   help="CalculiX' shear stress for an elastic slip of 1")
    p.add_argument("--matrices-only", action="store_true", help="leave out CalculiX' own contact")
    return p.parse_args()


LENGTH, OVERLAP, THICKNESS, WIDTH = 40.0, 20.0, 3.0, 10.0
E, NU = 70e3, 0.33


class Mesh:
    """Nodes of a plate lie on a grid i (along), j (across), k (through); plate 0 is the lower one."""

    def __init__(self, along, through, across):
        self.n, self.m, self.w = along, through, across
        if along % 2:
            sys.exit("the number of elements along a plate must be even")

    def node(self, plate, i, j, k):
        return 1 + ((plate * (self.n + 1) + i) * (self.w + 1) + j) * (self.m + 1) + k

    def element(self, plate, i, j, k):
        return 1 + ((plate * self.n + i) * self.w + j) * self.m + k

    def place(self, plate, i, j, k):
        return (LENGTH / self.n * i + (LENGTH - OVERLAP) * plate, WIDTH / self.w * j,
                THICKNESS / self.m * k + THICKNESS * plate)

    def overlap(self):
        """Columns of the interface: of the lower plate, of the upper plate."""
        half = self.n // 2
        return [(half + c, c) for c in range(half + 1)]

    def text(self):
        lines = ["*NODE,NSET=NALL"]
        for p in (0, 1):
            for i in range(self.n + 1):
                for j in range(self.w + 1):
                    for k in range(self.m + 1):
                        lines.append("%d,%.9g,%.9g,%.9g" % (self.node(p, i, j, k), *self.place(p, i, j, k)))
        lines.append("*ELEMENT,TYPE=C3D8I,ELSET=EALL")
        for p in (0, 1):
            for i in range(self.n):
                for j in range(self.w):
                    for k in range(self.m):
                        corners = [(i, j, k), (i + 1, j, k), (i + 1, j + 1, k), (i, j + 1, k)]
                        nodes = [self.node(p, *c) for c in corners]
                        nodes += [self.node(p, a, b, c + 1) for a, b, c in corners]
                        lines.append(",".join(map(str, [self.element(p, i, j, k)] + nodes)))
        lines += ["*MATERIAL,NAME=ALU", "*ELASTIC", "%g,%g" % (E, NU), "*DENSITY", "2.7e-9",
                  "*SOLID SECTION,ELSET=EALL,MATERIAL=ALU"]
        return lines

    def supports(self):
        lines = ["*BOUNDARY"]
        ij = [(j, k) for j in range(self.w + 1) for k in range(self.m + 1)]
        lines += ["%d,1" % self.node(0, 0, j, k) for j, k in ij]
        lines += ["%d,3" % self.node(1, self.n, j, k) for j, k in ij]
        for i in range(self.n + 1):
            lines += ["%d,3" % self.node(0, i, j, 0) for j in range(self.w + 1)]
        if self.w == 1:
            lines.append("NALL,2")
        else:  # a plane of symmetry
            for p in (0, 1):
                for i in range(self.n + 1):
                    lines += ["%d,2" % self.node(p, i, 0, k) for k in range(self.m + 1)]
        return lines

    def driven(self):
        return [self.node(1, self.n, j, k) for j in range(self.w + 1) for k in range(self.m + 1)]

    def clamping(self, pressure):
        """Forces of the pressure on the upper face, those of bilinear elements."""
        area = (OVERLAP / (self.n // 2)) * (WIDTH / self.w)
        force = {}
        for i in range(self.n // 2):
            for j in range(self.w):
                for a, b in ((0, 0), (1, 0), (1, 1), (0, 1)):
                    node = self.node(1, i + a, j + b, self.m)
                    force[node] = force.get(node, 0) - pressure * area / 4
        return force


def run(command, folder, log):
    start = os.times()
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    (folder / log).write_text(done.stdout)
    if done.returncode != 0 or "*ERROR" in done.stdout:
        sys.exit("%s failed; see %s" % (" ".join(map(str, command)), folder / log))
    end = os.times()  # of the processor: others may use the machine too
    return end.children_user + end.children_system - start.children_user - start.children_system


def write_matrices(mesh, o):
    deck = mesh.text() + mesh.supports() + ["*STEP", "*FREQUENCY,SOLVER=MATRIXSTORAGE", "*END STEP"]
    (o.folder / "matrices.inp").write_text("\n".join(deck) + "\n")
    return run([o.ccx, "matrices"], o.folder, "matrices.log")


def drive(o):
    u = [o.amplitude * math.sin(2 * math.pi * i / o.rows) for i in range(5 * o.rows // 4 + 1)]
    (o.folder / "drive.csv").write_text("u\n" + "\n".join("%.12g" % x for x in u) + "\n")
    return u


def write_joint(mesh, o):
    lines = ["from,to,x,y"]
    for lower, upper in mesh.overlap():
        for j in range(mesh.w + 1):
            x, y, _ = mesh.place(1, upper, j, 0)
            lines.append("%d,%d,%.9g,%.9g" % (mesh.node(0, lower, j, mesh.m), mesh.node(1, upper, j, 0), x, y))
    (o.folder / "pairs.csv").write_text("\n".join(lines) + "\n")
    forces = mesh.clamping(o.pressure)
    (o.folder / "forces.csv").write_text("dof,f\n" + "".join("%d.3,%.12g\n" % f for f in forces.items()))
    (o.folder / "driven.csv").write_text("dof\n" + "".join("%d.1\n" % n for n in mesh.driven()))
    (o.folder / "joint.toml").write_text("""# written by lap_joint.py
[matrices]
stiffness = "matrices.sti"
[contact]
pairs = "pairs.csv"
direction = [0, 0, 1]
mu = %g
normal = "unilateral"
[load]
driven = "driven.csv"
forces = "forces.csv"
input = "drive.csv"
""" % o.friction)


def write_contact(mesh, o, u):
    """CalculiX' own contact: one step for the clamping, one for each row of the drive."""
    surface = "ELEMENT" if o.contact == "face" else "NODE"
    deck = mesh.text() + mesh.supports()
    half = mesh.n // 2
    deck += ["*SURFACE,NAME=MASTER,TYPE=ELEMENT"]
    deck += ["%d,S2" % mesh.element(0, half + i, j, mesh.m - 1) for i in range(half) for j in range(mesh.w)]
    deck += ["*SURFACE,NAME=SLAVE,TYPE=%s" % surface]
    if o.contact == "face":
        deck += ["%d,S1" % mesh.element(1, i, j, 0) for i in range(half) for j in range(mesh.w)]
    else:
        deck += ["%d" % mesh.node(1, i, j, 0) for i in range(half + 1) for j in range(mesh.w + 1)]
    deck += ["*SURFACE INTERACTION,NAME=FRICTION", "*SURFACE BEHAVIOR,PRESSURE-OVERCLOSURE=LINEAR",
             "%g,%g" % (o.penalty, 10 * o.pressure), "*FRICTION", "%g,%g" % (o.friction, o.stick_slope),
             "*CONTACT PAIR,INTERACTION=FRICTION,TYPE=%s" %
             ("SURFACE TO SURFACE" if o.contact == "face" else "NODE TO SURFACE"), "SLAVE,MASTER"]
    deck += ["*NSET,NSET=DRIVEN"] + ["%d," % n for n in mesh.driven()]
    # The drive is held while the plates are pressed together.
    step = ["*BOUNDARY", "DRIVEN,1,1,%.12g", "*NODE PRINT,NSET=DRIVEN,TOTALS=ONLY", "RF", "*END STEP"]
    deck += ["*STEP,INC=1000", "*STATIC", "1,1"]
    deck += ["*CLOAD"] + ["%d,3,%.12g" % f for f in mesh.clamping(o.pressure).items()]
    deck += [line % 0 if "%" in line else line for line in step]
    for x in u[1:]:
        deck += ["*STEP,INC=1000", "*STATIC", "1,1"] + [line % x if "%" in line else line for line in step]
    (o.folder / "contact.inp").write_text("\n".join(deck) + "\n")
    seconds = run([o.ccx, "contact"], o.folder, "contact.log")
    forces = {}
    lines = (o.folder / "contact.dat").read_text().splitlines()
    for i, line in enumerate(lines):
        if "total force" in line:  # at the end of each increment; a step ends at a whole time
            forces[round(float(line.split()[-1]), 6)] = float(lines[i + 2].split()[0])
    missing = [k + 1 for k in range(len(u)) if k + 1 not in forces]
    if missing:
        sys.exit("CalculiX did not reach step %d of %d; see contact.log" % (missing[0], len(u)))
    return [forces[k + 1] for k in range(len(u))], seconds


def loss(u, f, rows):
    """Area of the last cycle, a polygon."""
    u, f = u[-rows - 1:], f[-rows - 1:]
    return sum(0.5 * (f[i] + f[i + 1]) * (u[i + 1] - u[i]) for i in range(rows))


def column(path, name):
    rows = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    place = [word.split(" ")[0] for word in rows[0].split(",")].index(name)
    return [float(row.split(",")[place]) for row in rows[1:]]


def main():
    o = options()
    if shutil.which(o.ccx) is None:
        sys.exit("CalculiX (%s) is not installed; on Debian: apt-get install calculix-ccx" % o.ccx)
    o.folder.mkdir(parents=True, exist_ok=True)
    o.microslip = shutil.which(o.microslip) and str(pathlib.Path(shutil.which(o.microslip)).resolve())
    if o.microslip is None:
        sys.exit("microslip was not found; --microslip says where it is")
    mesh = Mesh(*o.mesh, o.across)
    u = drive(o)
    matrices = write_matrices(mesh, o)
    write_joint(mesh, o)
    ours = run([o.microslip, "joint", "joint.toml", "-o", "loop.csv"], o.folder, "joint.log")
    f = column(o.folder / "loop.csv", "f")
    result = {"pairs": len(mesh.overlap()) * (mesh.w + 1), "matrix_seconds": matrices,
              "microslip_seconds": ours, "microslip_peak": max(f), "microslip_loss": loss(u, f, o.rows)}
    if not o.matrices_only:
        theirs, seconds = write_contact(mesh, o, u)
        result.update(calculix_seconds=seconds, calculix_peak=max(theirs), calculix_loss=loss(u, theirs, o.rows),
                      speed_ratio=seconds / max(ours, 0.01))
        (o.folder / "compare.csv").write_text(
            "u,f,f_calculix\n" + "".join("%.12g,%.12g,%.12g\n" % row for row in zip(u, f, theirs)))
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
