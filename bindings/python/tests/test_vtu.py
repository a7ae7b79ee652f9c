"""examples/structures/vtu.py: mode shapes and states of contacts for ParaView."""

import math
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[3] / "examples" / "structures" / "vtu.py"
DECK = """*NODE,NSET=NALL
1,0,0,0
2,1,0,0
3,1,1,0
4,0,1,0
5,0,0,1
6,1,0,1
7,1,1,1
8,0,1,1
9,0,0,1.5
*ELEMENT,TYPE=C3D8,ELSET=EALL
1,1,2,3,4,
5,6,7,8
"""


def run(folder, *arguments):
    subprocess.run([sys.executable, str(SCRIPT), *arguments], cwd=folder, check=True, capture_output=True)


def arrays(path):
    return {array.get("Name"): [float(word) for word in (array.text or "").split()]
            for array in ElementTree.parse(path).iter("DataArray")}


def test_mode_shapes(tmp_path):
    (tmp_path / "deck.inp").write_text(DECK)
    (tmp_path / "modes.csv").write_text(
        "# microslip\njoints,mode,omega,frequency,zeta,x5.1,phase5.1,x6.3,phase6.3\n"
        "1,1,6.28,1,0.01,0.5,0,0.25,%.17g\n" % math.pi)
    run(tmp_path, "modes", "deck.inp", "modes.csv", "shapes")
    found = arrays(tmp_path / "shapes.vtu")
    shape = found["mode 1, joints stuck, 1 Hz"]
    assert shape[3 * 4] == 0.5 and shape[3 * 5 + 2] == -0.25
    assert sum(map(abs, shape)) == 0.75
    assert found["connectivity"] == list(range(8)) and found["types"] == [12]
    assert found["places"][24:] == [0, 0, 1.5]


def test_states_of_contacts(tmp_path):
    (tmp_path / "deck.inp").write_text(DECK)
    (tmp_path / "contacts.csv").write_text(
        "model,name,from,to,components,kt,kn,mu,N0\ncontact-planar,a,9,5,1 2 3,1,1,0.5,2\n")
    # Rest; at the limit 0.5 (2 + 2) of |(1.2, 1.6)|; open.
    (tmp_path / "time.csv").write_text("t,x9.1,x9.2,x9.3,f1_x,f1_y,f1_n,energy\n0,0,0,0,0,0,0,0\n"
                                       "1,2,3,4,1.2,1.6,2,0\n2,0,0,0,0,0,-2,0\n")
    run(tmp_path, "time", "deck.inp", "time.csv", "contacts.csv", "motion")
    frames = [arrays(tmp_path / ("motion_contacts_%04d.vtu" % i)) for i in range(3)]
    assert [frame["state"] for frame in frames] == [[1], [2], [0]]
    assert [frame["normal force"] for frame in frames] == [[2], [4], [0]]
    assert frames[0]["places"] == [0, 0, 1.25]
    assert arrays(tmp_path / "motion_0001.vtu")["displacement"][24:] == [2, 3, 4]


def test_vtk_reads_them(tmp_path):
    vtk = pytest.importorskip("vtkmodules.vtkIOXML", reason="Debian package: python3-vtk9")
    (tmp_path / "deck.inp").write_text(DECK)
    (tmp_path / "modes.csv").write_text(
        "joints,mode,omega,frequency,zeta,x5.1,phase5.1\n1,1,6.28,1,0.01,0.5,0\n")
    run(tmp_path, "modes", "deck.inp", "modes.csv", "shapes")
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(os.fspath(tmp_path / "shapes.vtu"))
    reader.Update()
    grid = reader.GetOutput()
    assert grid.GetNumberOfPoints() == 9 and grid.GetNumberOfCells() == 1
    assert grid.GetPointData().GetArray(0).GetTuple3(4) == (0.5, 0, 0)
