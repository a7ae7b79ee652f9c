#!/usr/bin/env python3
"""Results of `microslip respond` as files that ParaView opens (VTK's XML format for unstructured grids).

    python3 vtu.py modes DECK.inp MODES.csv NAME           NAME.vtu with a vector field for each row of the table:
                                                           displacements in phase and a quarter of a period later
    python3 vtu.py time DECK.inp TIME.csv CONTACTS.csv NAME [--every N]
                                                           NAME_0000.vtu, …: displacements, and of each contact its
                                                           state (0 open, 1 stuck, 2 slips) and its normal force

The deck names nodes and elements as CalculiX and Abaqus do (*NODE, *ELEMENT with C3D8, C3D20, C3D20R, C3D4, C3D10; others
are left out). The tables are those of kind = "modes" and kind = "time" with degrees of freedom that go by node and
direction (x17.3). CONTACTS.csv is the table of joints: columns from, to, mu, N0. Contacts are points of the second grid,
NAME_contacts_0000.vtu. Python's standard library is enough.
"""

import argparse
import csv
import math
import re

VTK_TYPES = {"C3D8": 12, "C3D8R": 12, "C3D20": 25, "C3D20R": 25, "C3D4": 10, "C3D10": 24}
NODES = {12: 8, 25: 20, 10: 4, 24: 10}


def read_deck(path):
    """Places of the nodes, and (VTK type, nodes) of the elements."""
    nodes, elements, kind, words = {}, [], None, []
    for line in open(path, encoding="utf-8"):
        line = line.strip()
        if line.startswith("**") or not line:
            continue
        if line.startswith("*"):
            keyword = line.upper().replace(" ", "")
            if keyword.startswith("*NODE,") or keyword == "*NODE":
                kind = "node"
            elif keyword.startswith("*ELEMENT,"):
                kind = VTK_TYPES.get(re.search(r"TYPE=([^,]*)", keyword).group(1))
            else:
                kind = None
            words = []
            continue
        words += [word for word in line.replace(" ", "").split(",") if word]
        if kind == "node":
            nodes[int(words[0])] = tuple(float(x) for x in (words[1:4] + ["0", "0"])[:3])
            words = []
        elif kind and len(words) == NODES[kind] + 1:
            elements.append((kind, [int(word) for word in words[1:]]))
            words = []
    return nodes, elements


def read_table(path):
    with open(path, encoding="utf-8") as file:
        rows = [row for row in csv.reader(line for line in file if not line.startswith("#"))]
    headings = [re.sub(r"\s*\[.*", "", heading.strip()) for heading in rows[0]]
    return headings, rows[1:]


def motion_columns(headings, letter="x"):
    """Column of the displacement of a node in a direction, 0 to 2."""
    found = {}
    for column, heading in enumerate(headings):
        match = re.fullmatch(letter + r"(\d+)\.([123])", heading)
        if match:
            found[int(match.group(1)), int(match.group(2)) - 1] = column
    if not found:
        raise SystemExit("the table has no columns such as " + letter + "17.3, node and direction")
    return found


def write_grid(path, places, elements, fields):
    """Fields: (name, values), a number or three for each place."""
    number = {node: i for i, node in enumerate(places)}
    cells = [(kind, [number[node] for node in of]) for kind, of in elements if all(node in number for node in of)]
    if not cells:  # points
        cells = [(1, [i]) for i in range(len(number))]

    def data(name, values, kind="Float64", components=1):
        return '<DataArray type="%s" Name="%s" NumberOfComponents="%d" format="ascii">%s</DataArray>\n' % (
            kind, name, components, " ".join(("%d" if kind[0] != "F" else "%.9g") % value for value in values))

    flat = lambda rows: [x for row in rows for x in row]
    offsets, end = [], 0
    for _, of in cells:
        end += len(of)
        offsets.append(end)
    with open(path, "w", encoding="utf-8") as file:
        file.write('<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian">\n'
                   '<UnstructuredGrid>\n<Piece NumberOfPoints="%d" NumberOfCells="%d">\n<PointData>\n' % (len(number), len(cells)))
        for name, values in fields:
            vector = values and isinstance(values[0], (list, tuple))
            file.write(data(name, flat(values) if vector else values, components=3 if vector else 1))
        file.write("</PointData>\n<Points>\n" + data("places", flat(places.values()), components=3) + "</Points>\n<Cells>\n")
        file.write(data("connectivity", flat(of for _, of in cells), "Int64"))
        file.write(data("offsets", offsets, "Int64") + data("types", [kind for kind, _ in cells], "UInt8"))
        file.write("</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n")


def modes(deck, table, name):
    places, elements = read_deck(deck)
    headings, rows = read_table(table)
    amplitude, phase = motion_columns(headings), motion_columns(headings, "phase")
    joints = {"0": "free", "1": "stuck", "2": "under static loads"}
    fields = []
    for row in rows:
        of = dict(zip(headings, row))
        title = "mode %s, joints %s, %.6g Hz" % (of["mode"], joints.get(of["joints"], of["joints"]), float(of["frequency"]))
        for part, turn in (("", 0.0), (", a quarter later", math.pi / 2)):
            values = [[0.0] * 3 for _ in places]
            number = {node: i for i, node in enumerate(places)}
            for (node, direction), column in amplitude.items():
                if node in number:
                    values[number[node]][direction] = float(row[column]) * math.cos(float(row[phase[node, direction]]) + turn)
            fields.append((title + part, values))
    write_grid(name + ".vtu", places, elements, fields)
    return [name + ".vtu"]


def state_of(mu, N0, force):
    """0 open, 1 stuck, 2 slips; and the normal force."""
    N = force[-1] + max(N0, 0.0)
    if N <= 1e-12 * (abs(N0) + abs(force[-1])):
        return 0, 0.0
    return (2 if math.hypot(*force[:-1]) >= mu * N * (1 - 1e-6) else 1), N


def in_time(deck, table, contacts, name, every):
    places, elements = read_deck(deck)
    headings, rows = read_table(table)
    where = motion_columns(headings)
    joint_headings, joints = read_table(contacts)
    joints = [dict(zip(joint_headings, (cell.strip() for cell in row))) for row in joints]
    forces = {}
    for column, heading in enumerate(headings):
        match = re.fullmatch(r"f(\d+)_(\w+)", heading)
        if match:
            forces.setdefault(int(match.group(1)), []).append(column)
    if len(forces) != len(joints):
        raise SystemExit("%d joints with several directions in the motion, %d in the table" % (len(forces), len(joints)))
    ends = [[int(joint[key]) for key in ("from", "to") if int(joint[key]) in places] for joint in joints]
    middles = {i: tuple(sum(places[node][k] for node in of) / len(of) for k in range(3)) for i, of in enumerate(ends)}
    written = []
    for frame, row in enumerate(rows[::every]):
        values = [[0.0] * 3 for _ in places]
        number = {node: i for i, node in enumerate(places)}
        for (node, direction), column in where.items():
            if node in number:
                values[number[node]][direction] = float(row[column])
        written.append("%s_%04d.vtu" % (name, frame))
        write_grid(written[-1], places, elements, [("displacement", values)])
        found = [state_of(float(joint["mu"]), float(joint["N0"]), [float(row[column]) for column in forces[key]])
                 for joint, key in zip(joints, sorted(forces))]
        written.append("%s_contacts_%04d.vtu" % (name, frame))
        write_grid(written[-1], middles, [], [("state", [float(state) for state, _ in found]),
                                              ("normal force", [N for _, N in found])])
    return written


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest="kind", required=True)
    shapes = kinds.add_parser("modes")
    motion = kinds.add_parser("time")
    for sub in (shapes, motion):
        sub.add_argument("deck")
        sub.add_argument("table")
    motion.add_argument("contacts")
    for sub in (shapes, motion):
        sub.add_argument("name")
    motion.add_argument("--every", type=int, default=1, help="only every N-th row")
    o = parser.parse_args()
    files = modes(o.deck, o.table, o.name) if o.kind == "modes" else in_time(o.deck, o.table, o.contacts, o.name, o.every)
    print("%d files, %s to %s" % (len(files), files[0], files[-1]))


if __name__ == "__main__":
    main()
