"""What `pip install .` and `python3 -m build` call (PEP 517): a wheel that CMake builds, and a source archive.

Nothing but Python and CMake is needed, and nothing is fetched. What the build itself needs are the Debian packages
of the sets `build` and `python` in scripts/install-dependencies.sh, or the same from elsewhere. The wheel carries the
shared libraries that it needs beyond those of every system, so it also runs where those packages are missing.

    pip install . -C build-dir=build/release        # another folder of the build; this one if left out
"""

import base64
import csv
import gzip
import hashlib
import io
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# Of every Linux; those of the compiler are as old as the compiler.
SYSTEM = re.compile(r"linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|resolv|gcc_s|stdc\+\+|z)\.so")


def _project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = (ROOT / "include/microslip/version.hpp").read_text(encoding="utf-8")
    return project, re.search(r'version = "([0-9.]+)"', text).group(1)


def _metadata():
    project, version = _project()
    extras = project["optional-dependencies"]
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {version}",
             f"Summary: {project['description']}", f"Author: {project['authors'][0]['name']}",
             f"License: {project['license']['text']}", f"Keywords: {','.join(project['keywords'])}",
             f"Requires-Python: {project['requires-python']}",
             *(f"Classifier: {text}" for text in project["classifiers"]),
             *(f"Requires-Dist: {name}" for name in project["dependencies"])]
    for extra, names in extras.items():
        lines += [f"Provides-Extra: {extra}",
                  *(f'Requires-Dist: {name}; extra == "{extra}"' for name in names)]
    readme = (ROOT / project["readme"]).read_text(encoding="utf-8")
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", readme])


def _entry_points():
    scripts = _project()[0]["scripts"]
    return "[console_scripts]\n" + "".join(f"{name} = {place}\n" for name, place in scripts.items())


def _name():
    project, version = _project()
    return f"{project['name']}-{version}"


def _tag():
    python = "cp" + "".join(map(str, sys.version_info[:2]))
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


# ------------------------------------------------------------------------------------------- wheel

def _build(config_settings):
    """The folder of the package that CMake has built."""
    build = ROOT / ((config_settings or {}).get("build-dir") or "build/release")
    if not (build / "CMakeCache.txt").exists():
        # The Python of this process, which in an environment knows numpy or not.
        knows_numpy = subprocess.run([sys.executable, "-c", "import numpy"], capture_output=True).returncode == 0
        python = [f"-DMICROSLIP_PYTHON={sys.executable}"] if knows_numpy else []
        subprocess.run(["cmake", "-S", ROOT, "-B", build, "-D", "CMAKE_BUILD_TYPE=Release",
                        "-D", "MICROSLIP_TESTS=OFF", *python], check=True)
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(os.cpu_count() or 1)
    subprocess.run(["cmake", "--build", build, "--target", "python", "--parallel", jobs], check=True)
    package = build / "python/microslip"
    suffix = sysconfig.get_config_var("SOABI")
    if not (package / f"_core.{suffix}.so").exists():
        made = ", ".join(path.name for path in package.glob("_core.*.so")) or "no module"
        raise SystemExit(f"{package} has {made}, and this Python needs _core.{suffix}.so")
    return package


def _libraries(binary):
    """The shared libraries that a binary loads and that not every system has."""
    text = subprocess.run(["ldd", binary], check=True, capture_output=True, text=True).stdout
    found = re.findall(r"^\s*(\S+) => (\S+)", text, re.M)
    missing = [name for name, path in found if path == "not"]
    if missing:
        raise SystemExit(f"{binary} needs {', '.join(missing)}, which was not found")
    return {name: Path(path) for name, path in found if not SYSTEM.match(name)}


def _wheel_files(package):
    files = {}
    for path in sorted(package.iterdir()):
        if path.is_file():
            files[f"microslip/{path.name}"] = path
    for path in sorted((package / "fmu").rglob("*")):
        if path.is_file():
            files[f"microslip/{path.relative_to(package)}"] = path
    for binary in [*package.glob("_core.*.so"), package / "microslip"]:
        for name, path in sorted(_libraries(binary).items()):
            files[f"microslip/libs/{name}"] = path
    return files


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = _wheel_files(_build(config_settings))
    info = f"{_name()}.dist-info"
    texts = {f"{info}/METADATA": _metadata(),
             f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: microslip\nRoot-Is-Purelib: false\n"
                              f"Tag: {_tag()}\n",
             f"{info}/entry_points.txt": _entry_points(),
             f"{info}/LICENSE": (ROOT / "LICENSE").read_text(encoding="utf-8")}
    record = io.StringIO()
    rows = csv.writer(record, lineterminator="\n")
    wheel = Path(wheel_directory) / f"{_name()}-{_tag()}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        def add(name, data, mode):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            rows.writerow([name, f"sha256={digest}", len(data)])
        for name, path in files.items():
            program = os.access(path, os.X_OK) or ".so" in name
            add(name, path.read_bytes(), 0o755 if program else 0o644)
        for name, text in texts.items():
            add(name, text.encode(), 0o644)
        rows.writerow([f"{info}/RECORD", "", ""])
        archive.writestr(f"{info}/RECORD", record.getvalue())
    return wheel.name


# -------------------------------------------------------------------------------------- source archive

def _source_files():
    """The files under version control, or, in an unpacked archive, all but what was built."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        names = [name for name in listed.stdout.split("\0") if name]
    else:
        names = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if path.is_file()]
        names = [name for name in names if name.split("/")[0] not in ("build", "out", ".git")
                 and "__pycache__" not in name and name != "PKG-INFO"]
    return sorted(name for name in names if (ROOT / name).is_file())


def build_sdist(sdist_directory, config_settings=None):
    path = Path(sdist_directory) / f"{_name()}.tar.gz"
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 6, file, 0) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        def add(name, data, mode):
            entry = tarfile.TarInfo(f"{_name()}/{name}")
            entry.size, entry.mode, entry.mtime = len(data), mode, 315532800  # 1980-01-01
            archive.addfile(entry, io.BytesIO(data))
        add("PKG-INFO", _metadata().encode(), 0o644)
        for name in _source_files():
            source = ROOT / name
            add(name, source.read_bytes(), 0o755 if os.access(source, os.X_OK) else 0o644)
    return path.name
