"""FMUs of either version, made by the command."""

from pathlib import Path

import pytest

from master import Fmu, command


@pytest.fixture(scope="session")
def known():
    """FMUs by what they were made from: each is made and loaded once, as a master loads it once."""
    return {}


@pytest.fixture
def fmu_as(known, tmp_path, tmp_path_factory):
    """make(version, model, options …): an unpacked FMU."""
    def make(version, model, *arguments):
        key = (version, *map(str, (model, *arguments)))
        from_file = any(Path(word).exists() for word in key[1:])  # whose content may change
        if from_file or key not in known:
            folder = tmp_path if from_file else tmp_path_factory.mktemp("known")
            number = len(list(folder.glob("*.fmu")))
            path = folder / f"joint {number}.fmu"  # a blank in the path
            command("export-fmu", model, "--fmi", version, *arguments, "-o", path)
            fmu = Fmu(path, folder / f"unpacked {number}")
            if from_file:
                return fmu
            known[key] = fmu
        return known[key]
    return make
