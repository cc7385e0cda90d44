"""``kernelwise compare`` as a user meets it."""

import re
import shlex
import signal
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from made_results import made
from sklearn.datasets import load_diabetes, load_iris, load_wine
from typer.testing import CliRunner

from kernelwise import LSSVMClassifier, cli
from kernelwise.cli import comparing
from kernelwise.cli.next_step import fit_command, next_step
from kernelwise.compare.comparison import compare_methods
from kernelwise.methods import METHODS
from kernelwise.persistence import load_model
from kernelwise.runs import Cell, Store
from kernelwise.runs.results_csv import read_results

CHEAP = ("--methods", "linear,rbf-loo", "--folds", 3, "--repeats", 2)
CHEAPEST = ("--methods", "rbf-loo", "--folds", 2, "--repeats", 1)


def run(*arguments):
    return CliRunner().invoke(cli.app, ["compare", *map(str, arguments)])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with real tables in it."""
    monkeypatch.chdir(tmp_path)
    for name, load in (("iris", load_iris), ("wine", load_wine)):
        bunch = load(as_frame=True)
        kinds = bunch.data.assign(kind=bunch.target_names[bunch.target])
        kinds.to_csv(tmp_path / f"{name}.csv", index=False)
    load_diabetes(as_frame=True).frame[:150].to_csv(tmp_path / "diabetes.csv", index=False)
    return tmp_path


def lines_of(output):
    """The first two columns of the table by method: name and error."""
    found = re.findall(r"^(LINEAR|RBF-LOO|BOOSTING|GP-ARD)\S*\s+([\d.]+) ", output, re.MULTILINE)
    return {name: float(error) for name, error in found}


def outcomes(path):
    with Store(path) as store:
        return [result.outcome for result in store.results()]


def assert_refused(result, message, folder):
    """One line on standard error, exit code 2, nothing computed."""
    assert result.exit_code == 2, result.output
    notes = ("note: ", "care KW", "tip KW")
    errors = [line for line in result.stderr.splitlines() if not line.startswith(notes)]
    assert len(errors) == 1 and errors[0].startswith("error: "), result.stderr
    assert message in errors[0]
    assert "computed" not in result.output and "Traceback" not in result.output
    assert not list(folder.glob("*.sqlite")) or not outcomes(folder / "kernelwise-results.sqlite")


def test_classes_from_start_to_recommendation(folder):
    result = run(
        *("iris.csv", "--target", "kind", *CHEAP, "--csv", "r.csv", "--picture", "errors.png")
    )
    assert result.exit_code == 0, result.output
    assert "iris.csv, 150 rows, 4 numeric and 0 categorical columns" in result.output
    assert "12 computed, 0 known before, 0 failed, 0 skipped" in result.output
    assert "2 x 3 folds, the same for all methods" in result.output
    errors = lines_of(result.output)
    best = min(errors, key=errors.get)
    assert f"Lowest error: {best}, {errors[best]:.2f} %" in result.output
    assert "All are better than always predicting the most frequent class" in result.output
    assert "Recommendation: " in result.output
    assert re.search(r"^LINEAR +logistic regression", result.output, re.MULTILINE)
    assert "--kernel gaussian --selection loo" in result.output.splitlines()[-1]
    assert (folder / "errors.png").read_bytes().startswith(b"\x89PNG")
    written, heading = read_results(folder / "r.csv")
    assert len(written) == 12 and "command" in heading
    for method, error in errors.items():
        mean = 100 * np.mean([r.record.error for r in written if r.cell.method == method])
        assert error == pytest.approx(mean, abs=0.006)


def test_the_last_line_fits_what_is_recommended(folder):
    result = run("wine.csv", "--target", "kind", "--methods", "rbf-loo", "--folds", 3)
    line = result.output.splitlines()[-1].removeprefix("To fit it: ")
    assert line == (
        "kernelwise fit wine.csv --target kind --machine lssvm --kernel gaussian --selection loo "
        "--out model.skops"
    )
    fitted = CliRunner().invoke(cli.app, [*shlex.split(line)[1:], "--folds", "0"])
    assert fitted.exit_code == 0, fitted.output
    estimator = load_model(folder / "model.skops")[0][-1]
    expected = METHODS["RBF-LOO"].estimator("classification", 13, seed=0)
    assert estimator.set_params(categorical_features="from_dtype").get_params() == (
        expected.get_params()
    )


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_a_command_says_all_of_a_method_or_nothing(task):
    """A machine, kernel and selection by name; nothing else differs from the defaults."""
    named = {"lssvm": "LSSVM", "svm": "SVM", "rvm": "RVM"}
    for name, method in METHODS.items():
        if not method.learns(task):
            continue
        command = fit_command(name, task, ["my table.csv", "--target", "y"])
        made = method.estimator(task, 1, seed=0)
        changed = set(re.findall(r"(\w+)=", repr(made))) - {"kernel", "selection", "random_state"}
        sayable = method.categorical and name not in ("IKL", "IKL-ABS")
        assert (command is not None) == sayable
        if name == "AUTO":
            assert command == "kernelwise fit 'my table.csv' --target y --out model.skops"
            continue
        assert not (command and changed)
        if command:
            words = shlex.split(command)
            assert words[2] == "my table.csv" and words[-1] == "model.skops"
            assert type(made).__name__.startswith(named[words[6]])
            assert (words[8], words[10]) == (made.kernel, made.selection)


def test_a_parameter_that_is_no_option_has_no_command(monkeypatch):
    odd = replace(METHODS["RBF-LOO"], classifier=lambda _: LSSVMClassifier("gaussian", "loo", cv=3))
    monkeypatch.setitem(METHODS, "ODD", odd)
    assert fit_command("ODD", "classification", []) is None


def made_comparison(errors):
    found = [
        made(Cell("t", "5-fold", r, name), error=error, baseline=0.5)
        for name, column in errors.items()
        for r, error in enumerate(column)
    ]
    return compare_methods(found, "classification")


def test_a_method_of_others_has_a_line_of_python_and_ours_a_command():
    noise = np.tile([-0.01, 0.01], 5)
    comparison = made_comparison(
        {"FOREST": 0.1 + noise, "MKL-LS": 0.2 + noise, "MIXED": 0.3 - noise}
    )
    python, command = next_step(comparison, ["t.csv", "--target", "y"])
    assert python.startswith(
        "To fit it in Python, to numbers X and targets y: from kernelwise.methods import "
    )
    assert command.startswith("To fit MIXED, 20.00 points behind the lowest error: kernelwise fit")
    X, y = load_iris(return_X_y=True)
    names = {"X": X, "y": y}
    exec(python.partition("targets y: ")[2], names)
    assert type(names["model"]).__name__ == "RandomForestClassifier"
    useless = made_comparison({"FOREST": 0.1 + noise, "MIXED": 0.5 + noise})
    assert next_step(useless, ["t.csv"]) == [python]
    assert next_step(made_comparison({"FOREST": 0.5 + noise}), ["t.csv"]) == []


def test_quantities_in_units_of_the_target_and_a_vector_picture(folder):
    result = run("diabetes.csv", "--target", "target", *CHEAP, "--picture", "errors.svg")
    assert result.exit_code == 0, result.output
    assert "root mean squared, in units of 'target'" in result.output
    assert all(40 < error < 80 for error in lines_of(result.output).values())
    assert "always predicting the mean" in result.output and "points" not in result.output
    assert (folder / "errors.svg").read_text().count('id="interval"') == 2


def test_a_second_run_computes_nothing_and_more_repeats_go_on(folder):
    first = run("wine.csv", "--target", "kind", *CHEAP[:-1], 1)
    again = run("wine.csv", "--target", "kind", *CHEAP[:-1], 1)
    assert "6 computed, 0 known before" in first.output
    assert "0 computed, 6 known before" in again.output
    table = slice(first.output.index("method "), None)
    assert again.output[again.output.index("method ") :] == first.output[table]
    more = run("wine.csv", "--target", "kind", *CHEAP)
    assert "6 computed, 6 known before" in more.output
    other = run("wine.csv", "--target", "kind", *CHEAP[:-1], 1, "--seed", 1)
    assert "6 computed, 0 known before" in other.output


def test_another_order_of_rows_is_another_table(folder):
    run("iris.csv", "--target", "kind", *CHEAPEST)
    pd.read_csv("iris.csv")[::-1].to_csv("iris.csv", index=False)
    result = run("iris.csv", "--target", "kind", *CHEAPEST)
    assert "2 computed, 0 known before" in result.output


def test_an_interrupted_run_goes_on(folder, monkeypatch):
    calls, trial = [], comparing.TableTrial.__call__

    def interrupted(self, cell):
        calls.append(cell)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return trial(self, cell)

    monkeypatch.setattr(comparing.TableTrial, "__call__", interrupted)
    result = run("iris.csv", "--target", "kind", *CHEAP)
    assert result.exit_code == 128 + signal.SIGINT
    assert "interrupted: 3 finished cells are in kernelwise-results.sqlite" in result.stderr
    result = run("iris.csv", "--target", "kind", *CHEAP)
    assert "9 computed, 3 known before" in result.output


def test_jobs_do_not_change_the_numbers(folder):
    for jobs in (1, 2):
        result = run(
            *("iris.csv", "--target", "kind", *CHEAP, "--jobs", jobs, "--store", f"{jobs}.sqlite")
        )
        assert result.exit_code == 0, result.output
    assert outcomes(folder / "1.sqlite") == outcomes(folder / "2.sqlite")
    assert len(outcomes(folder / "1.sqlite")) == 12


def awkward(rows=90):
    """Categories, gaps, a constant column, and a class of three rows."""
    generator = np.random.default_rng(2)
    width, color = generator.normal(size=rows), generator.choice(["red", "blue"], rows)
    kind = np.where(width + (color == "red") > 0.4, "tall", "small").astype(object)
    kind[:3] = "rare"
    color = color.astype(object)
    color[5:9], width[20:25] = None, np.nan
    return pd.DataFrame({"width": width, "color": color, "same": 1, "kind": kind})


def test_categories_gaps_and_a_rare_class(folder):
    awkward().to_csv("odd.csv", index=False)
    result = run("odd.csv", "--target", "kind", "--methods", "LINEAR,rbf-loo", "--repeats", 1)
    assert result.exit_code == 0, result.output
    assert "3 folds instead of 5, so each fit learns from 67 %" in result.stderr
    assert "column 'same' has one value" in result.stderr
    assert "1 x 3 folds" in result.output
    assert "6 computed, 0 known before, 0 failed" in result.output


def test_groups_keep_copies_together(folder):
    """Labels are noise, but each row appears four times: only copies can be recognized."""
    generator = np.random.default_rng(0)
    table = pd.DataFrame(generator.normal(size=(30, 2)), columns=["a", "b"])
    table = table.assign(kind=generator.permutation(["x", "y"] * 15), patient=range(30))
    pd.concat([table] * 4).to_csv("copies.csv", index=False)
    options = ("--methods", "rbf-loo", "--folds", 3, "--repeats", 2)
    leaking = pd.read_csv("copies.csv").drop(columns="patient")
    leaking.to_csv("leaking.csv", index=False)
    leaked = run("leaking.csv", "--target", "kind", *options)
    honest = run("copies.csv", "--target", "kind", "--groups", "patient", *options)
    assert lines_of(leaked.output)["RBF-LOO"] < 20
    assert "Recommendation: RBF-LOO" in leaked.output
    assert lines_of(honest.output)["RBF-LOO"] > 30
    assert "30, by 'patient', never split" in honest.output
    assert "2 numeric and 0 categorical columns" in honest.output
    assert "No method is significantly better than always predicting" in honest.output
    assert "Recommendation: none of them" in honest.output
    assert "for a feature" not in honest.stderr and "kernelwise fit" not in honest.output
    pd.read_csv("copies.csv").assign(a=lambda t: t["a"] + 9 * (t["kind"] == "x")).to_csv("easy.csv")
    easy = run("easy.csv", "--target", "kind", "--groups", "patient", "--seed", 3, *options)
    assert "--target kind --seed 3 --groups patient --machine lssvm" in easy.output.splitlines()[-1]


def test_a_method_that_does_not_apply_is_skipped_with_its_reason(folder):
    load_diabetes(as_frame=True).frame[:400].to_csv("large.csv", index=False)
    options = ("--methods", "linear,gp-ard", "--folds", 3, "--repeats", 1)
    result = run("large.csv", "--target", "target", *options)
    assert result.exit_code == 0, result.output
    assert "3 computed, 0 known before, 0 failed, 3 skipped" in result.output
    assert "GP-ARD (0 of 3 splits)" in result.output
    assert "GP-ARD is tried on up to 250 rows" in result.stderr


def test_a_failing_method_is_told_and_tried_again(folder, monkeypatch):
    trial = comparing.TableTrial.__call__

    def failing(self, cell):
        if cell.method == "RBF-LOO":
            raise RuntimeError("no luck")
        return trial(self, cell)

    with monkeypatch.context() as patch:
        patch.setattr(comparing.TableTrial, "__call__", failing)
        result = run("iris.csv", "--target", "kind", *CHEAP)
    assert result.exit_code == 0, result.output
    assert "6 computed, 0 known before, 6 failed" in result.output
    assert "RBF-LOO failed: RuntimeError: no luck (6 cells)" in result.stderr
    assert "Recommendation: LINEAR, the only one compared" in result.output
    again = run("iris.csv", "--target", "kind", *CHEAP, "--retry-failed")
    assert "6 computed, 6 known before, 0 failed" in again.output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--target", "kinds"], "did you mean 'kind'?"),
        (["--methods", "nonsense"], "there is no method 'nonsense': choose from AUTO"),
        (["--methods", ","], "the list of names is empty"),
        (["--groups", "patient"], "the table has no column 'patient'"),
        (["--groups", "kind"], "is the target"),
        (["--groups", "gaps"], "group column 'gaps' is missing in 1 of 150 rows (first: row 3)"),
        (["--groups", "halves"], "has only 1 group: a class needs at least 2"),
        (["--folds", 1], "--folds 1: cross-validation needs at least 2"),
        (["--repeats", 0], "--repeats 0: cross-validation needs at least 1"),
        (["--jobs", 0], "--jobs 0"),
        (["--task", "regression"], "regression needs numbers"),
        (["--picture", "errors.gif"], "must end in .png, .svg, .pdf"),
        (["--picture", "absent/errors.png"], "does not exist"),
        (["--csv", "."], "is a folder"),
        (["--csv", "wine.csv"], "wine.csv is also an input or the store"),
        (["--store", "absent/s.sqlite"], "does not exist: create it first"),
        (["--store", "iris.csv"], "not a readable store"),
    ],
)
def test_bad_options_are_refused_before_any_fit(folder, options, message):
    wine = pd.read_csv("iris.csv")
    halves = np.where(wine["kind"] == "setosa", "one", "two")
    gaps = np.where(wine.index == 2, None, "a")
    wine.assign(halves=halves, gaps=gaps).to_csv("wine.csv", index=False)
    assert_refused(run("wine.csv", "--target", "kind", *CHEAP, *options), message, folder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x,y\n1,a\n2,a\n3,a\n", "only one class, 'a'"),
        ("x,y\n1,a\n2,a\n3,b\n", "class 'b' of target 'y' has only 1 row"),
        ("x,y\n1,0.5\n2,0.7\n", "only 2 rows: too few to compare methods"),
        ("x,y\n", "has a header but no rows"),
    ],
)
def test_tables_without_enough_rows_are_refused(folder, text, message):
    (folder / "small.csv").write_text(text)
    assert_refused(run("small.csv", "--target", "y"), message, folder)


def test_help_shows_an_example_and_the_methods():
    result = run("--help")
    assert result.exit_code == 0
    assert "Example:  kernelwise compare " in result.stdout
    assert "LINEAR" in result.stdout


def test_all_methods_can_be_asked_for():
    assert comparing._method_names("ALL") == list(comparing.METHODS)
    assert comparing._method_names("linear, Mixed") == ["linear", "Mixed"]
    assert set(comparing.DEFAULT_METHODS) <= set(comparing.METHODS)
