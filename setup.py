"""A wheel of the module that CMake has built: `make python` first, then

    python3 -m venv --system-site-packages env
    env/bin/pip install . --no-build-isolation

Debian's setuptools is enough; nothing is downloaded and nothing is compiled here.
"""

import re
import shutil
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

root = Path(__file__).resolve().parent
built = root / "build" / "release" / "python" / "microslip"
version = re.search(r'version = "([0-9.]+)"',
                    (root / "include/microslip/version.hpp").read_text()).group(1)


scratch = root / "build" / "wheel"  # nothing is left beside the sources
scratch.mkdir(parents=True, exist_ok=True)


class BuildPy(build_py):
    """Copies the built package: Python files, the extension, the command, what FMUs are made of."""

    def run(self):
        if not list(built.glob("_core.*.so")) or not (built / "microslip").exists():
            raise SystemExit(f"{built} has no built module; run 'make python' first")
        target = Path(self.build_lib) / "microslip"
        target.mkdir(parents=True, exist_ok=True)
        for file in built.iterdir():
            if file.is_file():
                shutil.copy2(file, target / file.name)
        shutil.copytree(built / "fmu", target / "fmu", dirs_exist_ok=True)


class Binary(Distribution):
    """A wheel for this platform."""

    def has_ext_modules(self):
        return True


setup(
    name="microslip",
    version=version,
    description="Frictional hysteresis: simulated, measured, fitted, reduced",
    packages=["microslip"],
    package_dir={"microslip": "bindings/python/microslip"},
    python_requires=">=3.9",
    install_requires=["numpy"],
    extras_require={"pictures": ["matplotlib"], "tables": ["pandas"]},
    cmdclass={"build_py": BuildPy},
    distclass=Binary,
    options={"build": {"build_base": str(scratch)}, "egg_info": {"egg_base": str(scratch)}},
)
