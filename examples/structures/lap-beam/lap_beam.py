#!/usr/bin/env python3
"""Two steel beams, bolted where they overlap, as a finite-element model with its table of contact pairs.

    python3 lap_beam.py FOLDER [--mesh 19 2 3] [--bolts 2]

writes into FOLDER

    beams.inp    the deck: two meshes that only touch, clamped at the left end. CalculiX (ccx beams)
                 writes its matrices, beams.mas and beams.sti, and beams.dof, which names their rows
    pairs.csv    a joint for each pair of nodes that face each other: friction along the beam, with
                 the limit that the pressure of two bolts gives it
    springs.csv  what holds the pairs together in the two other directions
    contacts.csv a joint with three directions for each pair: friction in the plane of the interface under a
                 normal force that changes with the motion and may vanish
    modes.toml, response.toml, contact.toml   what microslip respond is asked

Units: N, mm, t, s. Python's standard library is enough.
"""

import argparse
import math
import pathlib
import shutil

LENGTH, OVERLAP, WIDTH, THICKNESS = 304.0, 80.0, 25.0, 6.0
E, NU, DENSITY = 210e3, 0.3, 7.85e-9
BOLT_FORCE, FRICTION = 4000.0, 0.25  # N each
SPREAD = 9.0            # mm: the pressure below a bolt falls off like exp(-(r/SPREAD)^2 / 2)
TANGENTIAL, NORMAL = 6e4, 2e5  # N/mm for a cm^2 of the interface


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("folder", type=pathlib.Path)
    p.add_argument("--mesh", type=int, nargs=3, default=[19, 2, 3], metavar=("ALONG", "ACROSS", "THROUGH"),
                   help="quadratic elements of one beam; 5 of 19 along it lie in the overlap")
    p.add_argument("--bolts", type=int, default=2, help="at equal distances along the overlap")
    return p.parse_args()


class Mesh:
    """Elements with 20 nodes: corners, and the middles of edges. Nodes lie on a grid of half elements, at
    which at most one index is odd."""

    def __init__(self, along, across, through):
        if along % 19:
            raise SystemExit("--mesh: the number of elements along a beam must be a multiple of 19")
        self.n, self.inside = (along, across, through), 5 * along // 19
        self.number = {}
        for b in (0, 1):
            for i in range(2 * along + 1):
                for j in range(2 * across + 1):
                    for k in range(2 * through + 1):
                        if i % 2 + j % 2 + k % 2 <= 1:
                            self.number[b, i, j, k] = len(self.number) + 1

    def place(self, beam, i, j, k):
        n, m, h = self.n
        return (LENGTH * i / (2 * n) + (LENGTH - OVERLAP) * beam, WIDTH * j / (2 * m),
                THICKNESS * k / (2 * h) + THICKNESS * beam)

    def nodes_of(self, beam, i, j, k):
        """Of an element, in the order of CalculiX: lower corners, upper corners, middles of the lower, the
        upper and the upright edges."""
        at = lambda x, y, z: self.number[beam, 2 * i + x, 2 * j + y, 2 * k + z]
        corners = [(0, 0), (2, 0), (2, 2), (0, 2)]
        edges = [(1, 0), (2, 1), (1, 2), (0, 1)]
        return ([at(x, y, z) for z in (0, 2) for x, y in corners] + [at(x, y, z) for z in (0, 2) for x, y in edges] +
                [at(x, y, 1) for x, y in corners])

    def deck(self):
        n, m, h = self.n
        lines = ["** Two bolted beams, written by lap_beam.py; N, mm, t, s", "*NODE,NSET=NALL"]
        lines += ["%d,%.9g,%.9g,%.9g" % (number, *self.place(*key)) for key, number in self.number.items()]
        lines.append("*ELEMENT,TYPE=C3D20R,ELSET=EALL")
        elements = [(b, i, j, k) for b in (0, 1) for i in range(n) for j in range(m) for k in range(h)]
        for number, element in enumerate(elements, 1):
            words = [str(word) for word in (number, *self.nodes_of(*element))]
            lines += [",".join(words[:16]) + ",", ",".join(words[16:])]  # at most 16 entries a line
        lines += ["*MATERIAL,NAME=STEEL", "*ELASTIC", "%g,%g" % (E, NU), "*DENSITY", "%g" % DENSITY,
                  "*SOLID SECTION,ELSET=EALL,MATERIAL=STEEL", "*BOUNDARY"]
        lines += ["%d,1,3" % number for (b, i, j, k), number in self.number.items() if b == 0 and i == 0]
        return lines + ["*STEP", "*FREQUENCY,SOLVER=MATRIXSTORAGE", "*END STEP"]

    def pairs(self):
        """(lower node, upper node, x, y, area) of each pair; x counts from the beginning of the overlap. Areas
        are those around the points of the grid; what belongs to the middle of a face, where there is no
        node, goes to the four middles of its edges."""
        n, m, h = self.n
        rows, columns = 2 * self.inside, 2 * m
        for i in range(rows + 1):
            for j in range(columns + 1):
                if i % 2 and j % 2:
                    continue
                share = (0.5 if i in (0, rows) else 1.0) * (0.5 if j in (0, columns) else 1.0)
                if i % 2 or j % 2:
                    share += 0.25 * sum(0 < b < columns and b % 2 and 0 < a < rows and a % 2
                                        for a, b in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)))
                yield (self.number[0, 2 * (n - self.inside) + i, j, 2 * h], self.number[1, i, j, 0],
                       LENGTH * i / (2 * n), WIDTH * j / (2 * m), share * LENGTH * WIDTH / (4 * n * m))


def pressure(bolts, x, y):
    """Of the bolts, at places along the overlap, up to a factor."""
    return sum(math.exp(-((x - bolt) ** 2 + (y - WIDTH / 2) ** 2) / (2 * SPREAD ** 2)) for bolt in bolts)


def main():
    o = options()
    mesh = Mesh(*o.mesh)
    o.folder.mkdir(parents=True, exist_ok=True)
    (o.folder / "beams.inp").write_text("\n".join(mesh.deck()) + "\n")
    pairs = list(mesh.pairs())
    bolts = [OVERLAP * (i + 0.5) / o.bolts for i in range(o.bolts)]
    whole = sum(pressure(bolts, x, y) * area for _, _, x, y, area in pairs)
    joints, springs = ["model,name,from,to,k,phi"], ["name,from,to,k"]
    # From the upper node to the lower one, so that a positive difference presses.
    contacts = ["model,name,from,to,components,kt,kn,mu,N0"]
    for number, (lower, upper, x, y, area) in enumerate(pairs, 1):
        normal = len(bolts) * BOLT_FORCE * pressure(bolts, x, y) * area / whole
        contacts.append("contact-planar,p%d,%d,%d,1 2 3,%.6g,%.6g,%g,%.6g" % (
            number, upper, lower, TANGENTIAL * area / 100, NORMAL * area / 100, FRICTION, normal))
        joints.append("jenkins,p%d,%d.1,%d.1,%.6g,%.6g" % (number, lower, upper, TANGENTIAL * area / 100, FRICTION * normal))
        for direction, stiffness in ((2, TANGENTIAL), (3, NORMAL)):
            springs.append("p%d%s,%d.%d,%d.%d,%.6g" % (number, "yz"[direction - 2], lower, direction, upper, direction,
                                                       stiffness * area / 100))
    (o.folder / "pairs.csv").write_text("\n".join(joints) + "\n")
    (o.folder / "contacts.csv").write_text("\n".join(contacts) + "\n")
    (o.folder / "springs.csv").write_text("\n".join(springs) + "\n")
    for name in ("modes.toml", "response.toml", "contact.toml"):
        shutil.copy(pathlib.Path(__file__).resolve().parent / name, o.folder / name)
    n, _, h = mesh.n
    print("%d nodes, %d contact pairs; node at a corner of the free end: %d" %
          (len(mesh.number), len(pairs), mesh.number[1, 2 * n, 0, 2 * h]))


if __name__ == "__main__":
    main()
