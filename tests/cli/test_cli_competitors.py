"""LightGBM beside scikit-learn's methods: where it is installed, and where it is not."""

import sys

import numpy as np
import pytest
from sklearn.metrics import r2_score
from typer.testing import CliRunner

from kernelwise import cli
from kernelwise.cli import comparing, reproducing
from kernelwise.methods import COMPETITORS, METHODS

HOW = "this needs the package lightgbm: pip install 'kernelwise[competitors]'"
LIGHTGBM = METHODS["LIGHTGBM"]


@pytest.fixture
def without_lightgbm(monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    width = np.random.default_rng(0).normal(size=60)
    lines = [f"{w:.3f},{'wide' if w > 0 else 'narrow'}" for w in width]
    (tmp_path / "t.csv").write_text("\n".join(["width,kind", *lines]))


def compare(*options):
    folds = ("--folds", "2", "--repeats", "1")
    return CliRunner().invoke(cli.app, ["compare", "t.csv", "--target", "kind", *folds, *options])


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_lightgbm_has_its_own_settings_one_thread_and_a_seed(task):
    lightgbm = pytest.importorskip("lightgbm")
    kind = lightgbm.LGBMClassifier if task == "classification" else lightgbm.LGBMRegressor
    made = LIGHTGBM.estimator(task, 3, seed=7)
    assert type(made) is kind and not LIGHTGBM.ours and LIGHTGBM.why_missing() == ""
    told = {"n_jobs": 1, "verbosity": -1, "random_state": 7}
    assert made.get_params() == kind().get_params() | told
    X = np.random.default_rng(0).normal(size=(200, 3))
    z = X[:, 0] + X[:, 1] ** 2
    if task == "classification":
        assert (made.fit(X, z > 1).predict(X) == (z > 1)).mean() > 0.95
    else:
        assert r2_score(z, made.fit(X, z).predict(X)) > 0.5


def test_others_need_no_package(without_lightgbm):
    assert LIGHTGBM.why_missing() == f"LIGHTGBM: {HOW}" and "LIGHTGBM" in COMPETITORS
    assert [name for name in METHODS if METHODS[name].why_missing()] == ["LIGHTGBM"]
    with pytest.raises(ImportError, match="pip install"):
        LIGHTGBM.estimator("classification", 3, 0)


def test_a_comparison_leaves_out_what_is_not_installed_and_says_why(
    table, without_lightgbm, monkeypatch
):
    few = ("RBF-LOO", "LIGHTGBM", "LINEAR")
    monkeypatch.setattr(comparing, "ALL_DEFAULT", ",".join(few))
    result = compare("--methods", ",".join(few))
    assert result.exit_code == 0, result.output
    assert result.stderr.count(f"note: left out: LIGHTGBM: {HOW}") == 1
    assert "LINEAR" in result.stdout and "LIGHTGBM" not in result.stdout


def test_what_is_asked_for_by_name_must_be_installed(table, without_lightgbm):
    result = compare("--methods", "linear,lightgbm")
    assert result.exit_code == 2 and f"error: LIGHTGBM: {HOW}" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_comparison_has_auto_first_and_lightgbm_among_its_methods(table):
    assert next(iter(METHODS)) == comparing.DEFAULT_METHODS[0] == "AUTO"
    assert "LIGHTGBM" in comparing.DEFAULT_METHODS
    assert comparing._installed([METHODS["LINEAR"]], "all") == [METHODS["LINEAR"]]


def test_auto_is_compared(table):
    result = compare("--methods", "auto,linear")
    assert result.exit_code == 0, result.output
    assert "AUTO    AutoKernel: kernel machines that are tried and stacked" in result.stdout


@pytest.mark.parametrize("asked", [(), ("--methods", "lightgbm,linear")])
def test_a_paper_table_runs_without_what_is_not_installed(asked, without_lightgbm, monkeypatch):
    seen = []
    monkeypatch.setattr(reproducing, "_cells", lambda *given: seen.append(given[-1]) or [])
    tables = ("first-level-table-2", "first-level-table-3")
    result = CliRunner().invoke(cli.app, ["reproduce", *tables, *asked])
    assert result.exit_code == 2
    if asked:
        assert f"error: LIGHTGBM: {HOW}" in result.stderr and not seen
        return
    assert result.stderr.count(f"note: left out: LIGHTGBM: {HOW}") == 1
    assert all("FOREST" in names and "LIGHTGBM" not in names for names in seen) and len(seen) == 2
