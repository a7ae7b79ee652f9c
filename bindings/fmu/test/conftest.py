"""FMUs of either version, made by the command."""

import pytest

from master import Fmu, command


@pytest.fixture
def fmu_as(tmp_path):
    """make(version, model, options …): an unpacked FMU."""
    def make(version, model, *arguments):
        number = len(list(tmp_path.glob("*.fmu")))
        path = tmp_path / f"joint {number}.fmu"  # a blank in the path
        command("export-fmu", model, "--fmi", version, *arguments, "-o", path)
        return Fmu(path, tmp_path / f"unpacked {number}")
    return make
