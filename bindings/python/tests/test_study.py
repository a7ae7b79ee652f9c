"""Studies from Python against what follows from their distributions."""

import numpy as np
import pytest

import microslip

STUDY = {"samples": 128, "seed": 2,
         "job": {"kind": "simulate", "signal": "2*sin(t)", "until": 6.5, "step": 0.1,
                 "laws": [{"model": "linear", "parameters": {"k": 1.0}}]},
         "vary": {"law[1].k": {"uniform": [1, 2]}},
         "collect": [{"name": "top", "value": "max(f)", "limit": 3.5},
                     {"name": "f", "on": {"t": [0, 6, 13]}}]}


def test_arrays_are_those_of_the_runs(tmp_path):
    result = microslip.study(STUDY, store=tmp_path / "s.study", threads=2)
    k = result.numbers["law[1].k"]
    assert k.shape == (128,) and result.values["f"].shape == (128, 13)
    np.testing.assert_allclose(result.values["top"], 2 * k, rtol=1e-12)
    abscissa, grid = result.grids["f"]
    assert abscissa == "t"
    inside = np.interp(grid, np.arange(0, 6.5, 0.1), 2 * np.sin(np.arange(0, 6.5, 0.1)))
    np.testing.assert_allclose(result.values["f"][5], k[5] * inside, atol=2e-3)
    assert result.answers["numbers"][0]["exceeds"]["probability"] == pytest.approx(0.25, abs=0.02)
    assert "128 runs of simulate" in repr(result)
    # What is there is not run again.
    again = microslip.study(STUDY, store=tmp_path / "s.study")
    assert np.array_equal(again.values["top"], result.values["top"])


def test_tables_of_others(tmp_path):
    pandas = pytest.importorskip("pandas")
    xarray = pytest.importorskip("xarray")
    result = microslip.study(STUDY, store=tmp_path / "s.study")
    frame = result.to_dataframe()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == ["law[1].k", "top", "failure"]
    data = result.to_xarray()
    assert isinstance(data, xarray.Dataset) and data["f"].dims == ("run", "t")


def test_what_is_wrong_is_an_error():
    with pytest.raises(microslip.Error, match="gauss"):
        microslip.study({**STUDY, "vary": {"law[1].k": {"gauss": [1, 2]}}})
    with pytest.raises(microslip.Error, match="path of a TOML file"):
        microslip.study(3)
