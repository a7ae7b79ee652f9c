"""What programs of others rely on: types that a checker sees, names of what comes back, and numbers that are
refused instead of converted."""

import base64
import csv
import email
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

import microslip

SOURCE = Path(os.environ["MICROSLIP_SOURCE"])


@pytest.mark.parametrize("wrong", [None, ("iwan4(Fs=1", 'iwan4(Fz=1'), ("+ microslip.linear(k=0.1)", "+ 3")])
def test_mypy_checks_the_first_example_of_the_page(tmp_path, wrong):
    """Types of numpy are left out, since reading them takes ten seconds."""
    if not shutil.which("mypy"):
        pytest.skip("mypy is not installed")
    page = (SOURCE / "docs/python.md").read_text(encoding="utf-8")
    program = re.search(r"```python\nimport numpy as np, microslip\n(.*?)```", page, re.S).group(1)
    if wrong:
        assert program.count(wrong[0]) == 1
        program = program.replace(*wrong)
    program += "t = law.joint().trial(0.5)\nt.force + t.tangent + t.dissipated\n"
    # A name of its own: mypy's cache takes files of one size and one second for the same.
    example = f"example_{0 if wrong is None else len(wrong[0])}.py"
    (tmp_path / example).write_text("from typing import Any\nimport microslip\nnp: Any = None\n" + program)
    stubs = tmp_path / "stubs/microslip"
    stubs.mkdir(parents=True)
    shutil.copy(Path(microslip.__file__).with_suffix(".pyi"), stubs)
    done = subprocess.run(["mypy", "--strict", "--cache-dir", tmp_path.parent / "mypy", example], cwd=tmp_path,
                          env={**os.environ, "MYPYPATH": str(stubs.parent)}, capture_output=True, text=True)
    assert (done.returncode == 0) == (wrong is None), done.stdout


def test_a_trial_has_names():
    joint = microslip.jenkins(k=2, phi=0.5).joint()
    trial = joint.trial(1.0)
    force, tangent, dissipated = trial
    assert (trial.force, trial.tangent, trial.dissipated) == (force, tangent, dissipated) == (0.5, 0.0, 0.375)
    assert isinstance(trial, microslip.Trial) and isinstance(trial, tuple) and "force=0.5" in repr(trial)
    planar = microslip.jenkins_planar().joint().trial((1e-3, 0.0))
    assert planar.force.shape == (2,) and planar.tangent.shape == (2, 2)


def test_numbers_that_are_not_real_are_refused():
    law = microslip.jenkins()
    masked = np.ma.masked_greater([0.0, 1.0, 9.0], 5)
    for call in (law.simulate, lambda u: law.gradient(u, ["k"]), law.damping, lambda u: microslip.fit(u, [0, 1, 2]),
                 lambda u: microslip.loops([0, 1, 2], u), lambda u: microslip.loops({"u": [0, 1, 2], "f": u}),
                 lambda u: microslip.ringdown([0, 1, 2], u), lambda u: microslip.damping(law, u),
                 lambda u: microslip.respond({"M": [1.0], "K": u, "analysis": []})):
        with pytest.raises(microslip.Error, match="not complex"):
            call(np.array([0, 1j, 2]))
        with pytest.raises(microslip.Error, match="masked"):
            call(masked)
    nothing_masked = np.ma.masked_array([0.0, 1.0])
    assert np.array_equal(law.simulate(nothing_masked).f, law.simulate([0.0, 1.0]).f)


# ---------------------------------------------------------------------------------- wheel and archive

@pytest.fixture(scope="module")
def backend():
    sys.path.insert(0, str(SOURCE / "bindings/python/tools"))
    import build_backend
    return build_backend


@pytest.fixture(scope="module")
def wheel(backend, tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    build = Path(microslip.__file__).parents[2].relative_to(SOURCE)
    return folder / backend.build_wheel(folder, {"build-dir": str(build)})


def test_a_wheel_is_what_the_standard_says(wheel):
    with zipfile.ZipFile(wheel) as archive:
        info = f"microslip-{microslip.__version__}.dist-info"
        rows = list(csv.reader(io.StringIO(archive.read(f"{info}/RECORD").decode())))
        assert {row[0] for row in rows} == set(archive.namelist())
        for name, digest, size in rows[:-1]:
            data = archive.read(name)
            assert digest == "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            assert int(size) == len(data)
        assert rows[-1] == [f"{info}/RECORD", "", ""]
        metadata = email.message_from_bytes(archive.read(f"{info}/METADATA"))
        assert (metadata["Name"], metadata["Version"]) == ("microslip", microslip.__version__)
        assert metadata.get_all("Requires-Dist")[0] == "numpy" and "# microslip" in metadata.get_payload()
        tag = archive.read(f"{info}/WHEEL").decode().split("Tag: ")[1].strip()
        assert wheel.name == f"microslip-{microslip.__version__}-{tag}.whl"


def test_an_environment_needs_nothing_from_elsewhere(wheel, tmp_path):
    """Installed by pip without a network. What it loads comes from the wheel or is of every system."""
    site = tmp_path / "site"
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--target", site,
                    "--no-warn-conflicts", wheel], check=True, env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"})
    loaded = subprocess.run(
        [sys.executable, "-c", "import microslip, sys; print(microslip.jenkins(k=2, phi=9).simulate([0.0, 1.0]).f[1])\n"
         "print(microslip.__file__); print(open('/proc/self/maps').read())"],
        env={**os.environ, "PYTHONPATH": str(site)}, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    first, place, *maps = loaded.splitlines()
    assert first == "2.0" and place.startswith(str(site))
    libraries = {Path(line.split()[-1]) for line in maps if ".so" in line}
    carried = {path.name for path in (site / "microslip/libs").iterdir()}
    assert 0 < len(carried) <= 8
    for library in libraries:
        assert library.name not in carried or site in library.parents, library
    said = subprocess.run([site / "bin/microslip", "simulate", "jenkins", "--signal", "sin(t)", "--until", "1", "--step",
                           "0.5", "-o", "-"], env={**os.environ, "PYTHONPATH": str(site)}, capture_output=True, text=True)
    assert said.returncode == 0 and said.stdout.count("\n") > 3


def test_the_source_archive_holds_what_a_build_needs(backend, tmp_path):
    name = backend.build_sdist(tmp_path)
    assert name == f"microslip-{microslip.__version__}.tar.gz"
    with tarfile.open(tmp_path / name) as archive:
        names = {member.name.split("/", 1)[1] for member in archive.getmembers()}
    assert {"PKG-INFO", "pyproject.toml", "CMakeLists.txt", "bindings/python/tools/build_backend.py",
            "include/microslip/version.hpp"} <= names
    assert not any(name.startswith(("build/", "out/", ".git/")) for name in names)
