"""The command line as a user meets it: good runs, and one clear line for every bad input."""

import os
import shutil
import signal
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from kernelwise import cli
from kernelwise.cli import models
from kernelwise.persistence import load_model

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def run(*arguments):
    return CliRunner().invoke(cli.app, [str(argument) for argument in arguments])


def flowers(rows=40):
    """A table where class and quantity follow from two of four columns."""
    generator = np.random.default_rng(1)
    width, noise = generator.normal(size=(2, rows))
    color = generator.choice(["red", "blue"], rows)
    tall = width + (color == "red") > 0.4
    return pd.DataFrame(
        {
            "width": np.where(np.arange(rows) == 5, np.nan, width),
            "color": np.where(np.arange(rows) == 7, None, color),
            "noise": noise,
            "wild": generator.random(rows) > 0.5,
            "kind": np.where(tall, "tall", "small"),
            "height": 10 * width + 5 * (color == "red") + generator.normal(size=rows),
        }
    )


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """A folder with a table and a classifier fitted to it."""
    folder = tmp_path_factory.mktemp("flowers")
    table = flowers().drop(columns="height")
    table.to_csv(folder / "flowers.csv", index=False)
    result = run(
        *("fit", folder / "flowers.csv", "--target", "kind", "--out", folder / "model.skops"),
        *("--folds", 2),
    )
    assert result.exit_code == 0, result.output
    (folder / "fit.txt").write_text(result.output)
    return folder


@pytest.fixture
def folder(shared, tmp_path):
    """A copy of the shared folder that a test may change."""
    return shutil.copytree(shared, tmp_path / "flowers")


def assert_refused(result, message, folder=None, absent="new.skops"):
    """One line on standard error, exit code 2, no traceback, nothing written."""
    assert result.exit_code == 2, result.output
    notes = ("note: ", "care KW", "tip KW")
    errors = [line for line in result.stderr.splitlines() if not line.startswith(notes)]
    assert len(errors) == 1 and errors[0].startswith("error: "), result.stderr
    assert message in errors[0]
    assert "Traceback" not in result.output
    if folder is not None:
        assert not (folder / absent).exists()
        assert not list(folder.glob(".writing-*"))


def test_fit_says_what_it_learned(shared):
    output = (shared / "fit.txt").read_text()
    assert "flowers.csv, 40 rows, 2 numeric and 2 categorical columns" in output
    assert "classification of 'kind', because it holds text (2 different values)" in output
    for heading in ("\nHow good      Expect about", "\nChosen  ", "\nWhy  ", "\nCare  "):
        assert heading in output
    ranking = output[output.index("\nFeatures  ") :]
    assert ranking.index("width") < ranking.index("noise")
    assert "Saved:" in ranking
    metadata = load_model(shared / "model.skops")[1]
    assert metadata.classes == ("small", "tall") and metadata.rows == 40
    assert metadata.numeric_columns == ("width", "noise")
    assert metadata.categorical_columns == ("color", "wild")
    error = metadata.honest_error
    assert 0 <= error["lower"] <= error["value"] <= error["upper"] < error["baseline"]
    assert "Always answering 'tall' is wrong in 42 of 100." in " ".join(output.split())


def test_support_vectors_are_fitted_saved_and_predict(folder):
    table, model = folder / "flowers.csv", folder / "svm.skops"
    options = ("--target", "kind", "--machine", "svm", "--kernel", "gaussian", "--folds", 0)
    result = run("fit", table, *options, "--out", model)
    assert result.exit_code == 0, result.output
    assert "C:  " in result.output and "Support vectors:" in result.output
    assert run("predict", model, table, "--out", folder / "p.csv").exit_code == 0
    right = pd.read_csv(folder / "p.csv")["prediction"] == pd.read_csv(table)["kind"]
    assert right.mean() > 0.8
    quantity = run("fit", table, *options, "--target", "noise", "--out", folder / "new.skops")
    assert_refused(quantity, "--machine svm learns classes", folder)


def test_relevance_vectors_are_fitted_saved_and_predict(folder):
    table, model = folder / "flowers.csv", folder / "rvm.skops"
    options = ("--target", "kind", "--machine", "rvm", "--folds", 0)
    result = run("fit", table, *options, "--out", model)
    assert result.exit_code == 0, result.output
    assert "(relevance vectors)" in result.output and "Gaussian with length scale" in result.output
    assert run("predict", model, table, "--out", folder / "p.csv").exit_code == 0
    right = pd.read_csv(folder / "p.csv")["prediction"] == pd.read_csv(table)["kind"]
    assert right.mean() > 0.8


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_predict_matches_columns_by_name(folder, suffix):
    table = flowers()
    new = table[["wild", "noise", "color", "width"]].assign(extra=1)
    new.loc[0, "color"] = "pink"
    new.to_csv(folder / "new.csv", index=False)
    out = folder / f"predictions{suffix}"
    result = run("predict", folder / "model.skops", folder / "new.csv", "--out", out)
    assert result.exit_code == 0, result.output
    assert "note: columns the model does not use: extra" in result.stderr
    predictions = pd.read_csv(out) if suffix == ".csv" else pd.read_parquet(out)
    assert list(predictions) == ["prediction", "probability_small", "probability_tall"]
    assert (predictions["prediction"] == table["kind"]).mean() > 0.8
    probabilities = predictions.drop(columns="prediction")
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert (probabilities.idxmax(axis=1).str[12:] == predictions["prediction"]).all()


def test_regression_from_parquet_and_back(tmp_path):
    table = flowers(60).drop(columns="kind")
    table.to_parquet(tmp_path / "table.parquet")
    model, out = tmp_path / "model.skops", tmp_path / "predictions.parquet"
    options = ("--target", "height", "--folds", 2, "--out", model)
    result = run("fit", tmp_path / "table.parquet", *options)
    assert result.exit_code == 0, result.output
    assert "regression of 'height', because it holds decimal numbers" in result.output
    assert "Expect to be off by about" in result.output
    error = load_model(model)[1].honest_error
    assert error["value"] < error["baseline"] / 2
    result = run("predict", model, tmp_path / "table.parquet", "--out", out)
    assert result.exit_code == 0, result.output
    residuals = pd.read_parquet(out)["prediction"] - table["height"]
    assert np.sqrt(np.mean(residuals**2)) < error["baseline"] / 2


def test_the_demo_runs_as_a_program(tmp_path):
    result = subprocess.run(
        [sys.executable, "-m", "kernelwise", "demo", "--folds", "0"],
        capture_output=True,
        text=True,
        env=os.environ | ONE_THREAD,
        cwd=tmp_path,
    )
    assert result.returncode == 0, result.stderr
    for expected in ("breast cancer, 569 rows", "\nChosen   ", "worst texture"):
        assert expected in result.stdout
    said = "How good it is on new rows was not estimated."
    last = "Report:          kernelwise-demo.html"
    assert result.stdout.endswith(f"\n\n{said}\n{last}\n")
    assert said in (tmp_path / "kernelwise-demo.html").read_text(encoding="utf-8")
    assert "\x1b" not in result.stdout + result.stderr


@pytest.mark.parametrize("command", ["fit", "predict", "demo", "check", "explain", "report"])
def test_help_shows_an_example(command):
    result = run(command, "--help")
    assert result.exit_code == 0
    assert f"Example:  kernelwise {command} " in result.stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("x,y\n", "has a header but no rows"),
        ("x,y\n1,a\n", "only one row"),
        ("x,y\n1,a\n2,a\n3,a\n", "only one class, 'a'"),
        ("x,y\n1,a\n2,\n", "target 'y' has 1 value: learning needs several"),
        ("x,y\n1,a\ninf,b\n3,b\n", "column 'x' has inf in row 2"),
        ("x,y\n1,a\n1e300,b\n3,b\n", "column 'x' has 1e+300 in row 2"),
        ("x,y\n1e-300,a\n2e-300,b\n", "rescale it"),
        ("x,y\n1,a\n2,b,c\n", "table.csv, line 3: the row has 3 fields, but the header has only 2"),
        ("x,z,y\n1,2,a,\n2,3,b\n", "table.csv, line 2: the row has 4 fields"),
        ("x;y\n1;a\n2;b;c\n", "table.csv, line 3: the row has 3 fields, but the header has only 2"),
        ("x,Y\n1,a\n2,b\n", "no column 'y'"),
        ("y\na\nb\n", "no column besides the target 'y'"),
        ("x,y\n1,0.5\n2,0.5\n", "0.5 in every row"),
        ("x,y\n1,0.5\n2,inf\n", "target 'y' has inf in row 2"),
    ],
)
def test_bad_tables_are_refused_in_one_line(tmp_path, text, message):
    (tmp_path / "table.csv").write_text(text)
    out = tmp_path / "new.skops"
    result = run("fit", tmp_path / "table.csv", "--target", "y", "--out", out)
    assert_refused(result, message, tmp_path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--target", "kinds"], "did you mean 'kind'?"),
        (["--kernel", "nonsense"], "--kernel nonsense: choose one of ard, gaussian"),
        (["--kernel", "precomputed"], "--kernel precomputed: choose one of"),
        (["--selection", "nonsense"], "--selection nonsense: choose one of"),
        (
            ["--machine", "svm", "--selection", "loo"],
            "--selection loo: choose one of evidence, evidence-ep",
        ),
        (
            ["--task", "regression"],
            "regression needs numbers; choose classification (option --task)",
        ),
        (["--folds", "1"], "at least 2 folds"),
        (["--out", "new.pickle"], "must end in .skops"),
        (["--out", "absent/new.skops"], "does not exist: create it first"),
        (["--out", "."], "is a folder"),
        (["--out", "model.skops"], "overwrite with --force"),
        (["--out", "flowers.csv", "--force"], "is also an input"),
    ],
)
def test_bad_options_of_fit_are_refused_in_one_line(folder, monkeypatch, options, message):
    monkeypatch.chdir(folder)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    defaults = ["--target", "kind", "--out", "new.skops"]
    result = run("fit", "flowers.csv", *defaults, *options)
    assert_refused(result, message, folder)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--folds", "many"], "--folds"),
        (["--task", "guess"], "--task"),
        (["--nonsense"], "--nonsense"),
    ],
)
def test_usage_errors_exit_with_2(folder, options, message):
    out = folder / "new.skops"
    result = run("fit", folder / "flowers.csv", "--target", "kind", "--out", out, *options)
    assert result.exit_code == 2 and message in result.stderr
    assert "Traceback" not in result.output and not out.exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda table: table.drop(columns="width"), "lacks 1 column the model was fitted on"),
        (lambda table: table.rename(columns=str.upper), "lacks 4 columns"),
        (lambda table: table.assign(width="wide"), "'width' must hold numbers"),
        (lambda table: table.assign(width=np.inf), "'width' has inf in row 1"),
        (lambda table: table[:0], "no rows"),
    ],
)
def test_wrong_columns_are_refused_in_one_line(folder, change, message):
    change(flowers()).to_csv(folder / "new.csv", index=False)
    out = folder / "predictions.csv"
    result = run("predict", folder / "model.skops", folder / "new.csv", "--out", out)
    assert_refused(result, message, folder, absent="predictions.csv")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["absent.skops", "flowers.csv", "--out", "p.csv"], "absent.skops: no such file"),
        (["flowers.csv", "flowers.csv", "--out", "p.csv"], "is not a kernelwise model"),
        (["cut.skops", "flowers.csv", "--out", "p.csv"], "cut short"),
        (["model.skops", "absent.csv", "--out", "p.csv"], "absent.csv: no such file"),
        (["model.skops", "model.skops", "--out", "p.csv"], "is a zip archive, not a table"),
        (["model.skops", "flowers.csv", "--out", "p.xlsx"], "unknown kind of table"),
        (["model.skops", "flowers.csv", "--out", "absent/p.csv"], "does not exist"),
        (["model.skops", "flowers.csv", "--out", "fit.txt"], "overwrite with --force"),
        (["model.skops", "flowers.csv", "--out", "flowers.csv", "--force"], "also an input"),
    ],
)
def test_bad_arguments_of_predict_are_refused_in_one_line(folder, monkeypatch, arguments, message):
    monkeypatch.chdir(folder)
    content = (folder / "model.skops").read_bytes()
    (folder / "cut.skops").write_bytes(content[:1000])
    before = {path: path.read_bytes() for path in folder.iterdir()}
    assert_refused(run("predict", *arguments), message, folder)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_force_overwrites(folder):
    out = folder / "fit.txt"
    result = run("predict", folder / "model.skops", folder / "flowers.csv", "--out", out, "--force")
    assert result.exit_code == 0 and len(pd.read_csv(out)) == 40


def test_columns_that_tell_nothing_are_noted_and_do_no_harm(folder):
    table = flowers().drop(columns="height").assign(same=1.5, empty=np.nan, one="a")
    pd.concat([table, table]).to_csv(folder / "odd.csv", index=False)
    out = folder / "new.skops"
    result = run("fit", folder / "odd.csv", "--target", "kind", "--out", out, "--folds", 0)
    assert result.exit_code == 0, result.output
    assert "tip KW208: column 'same' has one value" in result.stderr
    assert "tip KW208: column 'empty' is empty" in result.stderr
    assert "Honest error" not in result.output


def test_a_class_of_one_row_does_not_cancel_the_honest_error(folder):
    table = flowers().drop(columns="height")
    table.loc[0, "kind"] = "rare"
    table.to_csv(folder / "rare.csv", index=False)
    result = run("fit", folder / "rare.csv", "--target", "kind", "--kernel", "gaussian")
    assert result.exit_code == 0, result.output
    assert "care KW302: classes with very few rows: 'rare' (1)" in result.stderr
    assert "by 5-fold cross-validation" in result.stdout
    assert "recall of the rarest class 0.0%" in result.stdout


def test_classes_that_are_all_rare_reduce_the_folds(folder):
    table = flowers().drop(columns="height")
    table["kind"] = ["tall"] * 37 + ["small"] * 3
    table.to_csv(folder / "rare.csv", index=False)
    result = run("fit", folder / "rare.csv", "--target", "kind", "--kernel", "gaussian")
    assert result.exit_code == 0, result.output
    assert "too few rows for 5 folds: 3 instead" in result.stderr


def test_too_many_rows_for_the_memory_are_sampled(folder, monkeypatch):
    monkeypatch.setattr(os, "sysconf", lambda name: 200)
    options = ("--target", "kind", "--folds", 0, "--kernel", "gaussian", "--selection", "loo")
    result = run("fit", folder / "flowers.csv", *options)
    assert result.exit_code == 0, result.output
    said = "tip KW401: 40 rows need more memory than is free (enough for about 28): learning from a"
    assert f"{said} random sample of 28 of 40 rows" in result.stderr


def test_jobs_do_not_change_the_result(folder):
    arguments = ("fit", folder / "flowers.csv", "--target", "kind", "--folds", 2, "--jobs", 2)
    result = run(*arguments, "--out", folder / "new.skops")
    assert result.exit_code == 0, result.output
    alone, together = (load_model(folder / name)[1] for name in ("model.skops", "new.skops"))
    assert alone == together


def test_an_interrupt_is_quiet_and_writes_nothing(folder, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(models, "_learn", interrupted)
    out = folder / "new.skops"
    result = run("fit", folder / "flowers.csv", "--target", "kind", "--out", out)
    assert result.exit_code == 128 + signal.SIGINT
    assert result.stderr == "error: interrupted: nothing was written\n"
    assert not out.exists()


def test_a_defect_is_reported_in_one_line(folder, monkeypatch):
    def defective(*_, **__):
        raise RuntimeError("surprise")

    monkeypatch.setattr(models, "_learn", defective)
    out = folder / "new.skops"
    arguments = ("fit", folder / "flowers.csv", "--target", "kind", "--out", out)
    result = run(*arguments)
    assert result.exit_code == 1
    assert result.stderr.startswith("error: RuntimeError: surprise (this is a defect")
    assert "Traceback" not in result.stderr
    told = run("--traceback", *arguments)
    assert told.exit_code == 1 and told.stderr.endswith(result.stderr)
    assert "Traceback" in told.stderr and "in defective" in told.stderr
    assert run(*arguments).stderr == result.stderr  # the option was for one command only
    monkeypatch.setenv("KERNELWISE_TRACEBACK", "1")
    assert run(*arguments).stderr == told.stderr


def test_missing_packages_are_named(tmp_path):
    """Without typer the program says what to install."""
    (tmp_path / "typer.py").write_text("raise ModuleNotFoundError(name='typer')")
    result = subprocess.run(
        [sys.executable, "-m", "kernelwise", "--help"],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
    )
    assert result.returncode == 1
    assert result.stderr == ("error: the command line needs typer: pip install 'kernelwise[cli]'\n")


def test_levels_not_seen_in_training_are_noted(shared, tmp_path):
    flowers().assign(color="green").to_csv(tmp_path / "green.csv", index=False)
    result = run(
        *("predict", shared / "model.skops", tmp_path / "green.csv", "--out", tmp_path / "out.csv")
    )
    assert result.exit_code == 0, result.output
    assert (
        "care KW502: column 'color': 40 of 40 rows have categories that the model has not seen"
        in result.output
    )


def test_a_model_no_better_than_nothing_is_called_that(tmp_path):
    noise = np.random.default_rng(0)
    pd.DataFrame({"x": noise.normal(size=60), "y": noise.choice(["a", "b"], 60)}).to_csv(
        tmp_path / "noise.csv", index=False
    )
    result = run(
        *("fit", tmp_path / "noise.csv", "--target", "y", "--out", tmp_path / "noise.skops"),
        *("--kernel", "gaussian", "--selection", "loo"),
    )
    assert result.exit_code == 0, result.output
    assert "Verdict:         not shown to be better than knowing nothing" in result.stdout
    assert "note: do not trust the relevances below" in result.stderr


def test_zero_jobs_are_refused(shared, tmp_path):
    result = run(
        *("fit", shared / "flowers.csv", "--target", "kind", "--out", tmp_path / "m.skops"),
        *("--jobs", 0),
    )
    assert result.exit_code == 2
    assert "--jobs 0" in result.output
    assert not list(tmp_path.iterdir())
