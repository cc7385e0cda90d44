"""Long tables from the command line: all their rows, on landmarks, announced and judged."""

import json

import numpy as np
import pandas as pd
import pytest
from command_line import run

from kernelwise import LSSVMClassifier, LSSVMRegressor
from kernelwise.cli import landmark_effort, limits, own_judgment
from kernelwise.cli.landmark_effort import LandmarkEffort
from kernelwise.cli.own_judgment import JudgedClassifier, JudgedRegressor, without_memory
from kernelwise.evaluation import Unseen, error_of_unseen
from kernelwise.memory import landmark_bytes
from kernelwise.persistence import load_model
from kernelwise.selections import growing

ROWS = 4000
FAST = ("--kernel", "ard", "--landmarks", 60)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A CSV file of 4000 rows with a quantity and a class."""
    random = np.random.default_rng(0)
    X = random.normal(size=(ROWS, 3))
    y = np.sin(2 * X[:, 0]) + X[:, 1] + 0.3 * random.normal(size=ROWS)
    frame = pd.DataFrame(X, columns=list("abc")).assign(
        color=random.choice(["red", "blue"], ROWS),
        y=y.round(4),
        late=np.where(y > 0.8, "yes", "no"),
    )
    path = tmp_path_factory.mktemp("long") / "long.csv"
    frame.to_csv(path, index=False)
    return path


@pytest.fixture(autouse=True)
def quick_start(monkeypatch):
    """One scale for all features from few rows: the dearest part of a short fit."""
    monkeypatch.setattr(growing, "FIRST_ROWS", 200)


@pytest.fixture
def judged_by_itself(monkeypatch):
    monkeypatch.setattr(limits, "ROWS_TO_KEEP_APART", 3500)


def test_all_rows_are_used_and_the_fit_judges_itself(table, judged_by_itself, tmp_path):
    out = tmp_path / "m.skops"
    options = ("--target", "y", "--drop", "late", *FAST, "--out", out)
    result = run("fit", table, *options)
    assert result.exit_code == 0, result.output
    assert "4000 rows on 60 landmarks: this takes roughly" in result.stderr
    assert "sample" not in result.output
    assert "on rows kept apart" in result.stdout
    assert "60 rows stand for all, fitted in 2 passes" in result.stdout
    model, metadata = load_model(out)
    final = model[-1]
    assert type(final) is LSSVMRegressor and not hasattr(final, "unseen")
    assert metadata.rows == ROWS and metadata.honest_error["folds"] == 1
    assert metadata.honest_error["value"] == pytest.approx(final.honest_error_, rel=1e-9)
    assert 0.25 < metadata.honest_error["lower"] < final.honest_error_
    shown = run("explain", out, "--json")
    document = json.loads(shown.stdout)
    assert document["landmarks"] == 60 and document["passes"] == 2
    assert document["effective_parameters"] == pytest.approx(final.effective_parameters_)


def test_folds_that_are_asked_for_fit_again(table, judged_by_itself):
    options = ("--target", "late", "--drop", "y", *FAST, "--json")
    own, again = (
        json.loads(run("fit", table, *options, *more).stdout) for more in ((), ("--folds", 2))
    )
    assert (own["honest_error"]["folds"], again["honest_error"]["folds"]) == (1, 2)
    assert own["honest_error"]["value"] == pytest.approx(again["honest_error"]["value"], abs=0.03)
    # A fifth of the rows judges the one, all rows the other.
    assert sum(map(sum, own["confusion"]["rows"])) == own["rows_kept_apart"]
    assert own["rows_kept_apart"] == pytest.approx(ROWS / 5, rel=0.1)
    assert sum(map(sum, again["confusion"]["rows"])) == ROWS
    assert again["estimate"]["seconds"] > own["estimate"]["seconds"]


def test_what_a_fit_remembers_is_what_judged_it():
    random = np.random.default_rng(1)
    X = random.normal(size=(3200, 2))
    quantity = X[:, 0] + 0.5 * random.normal(size=3200)
    label = np.where(quantity > 0.5, "b", "a")
    for kind, y in ((JudgedRegressor, quantity), (JudgedClassifier, label)):
        model = kind("gaussian", landmarks=30, random_state=0).fit(X, y)
        seen = model.unseen
        error, others = error_of_unseen(seen), np.delete(y, seen.rows)
        assert error.value == pytest.approx(model.honest_error_, rel=1e-9)
        same = seen.truth == (y[seen.rows] if y is label else pytest.approx(y[seen.rows]))
        assert np.all(same)
        count = len(seen.rows)
        assert 600 < count < 680
        # The rows are those of one model: no factor for fits that share their rows.
        if kind is JudgedClassifier:
            width = 1.96 * np.sqrt(error.value * (1 - error.value) / count)
            most_common = np.mean(seen.truth != "a")
            assert error.baseline == pytest.approx(most_common)
            assert seen.probabilities.shape == (count, 2)
        else:
            squares = (seen.truth - seen.predictions) ** 2
            width = 1.96 * squares.std() / np.sqrt(count) / (2 * error.value)
            deviations = seen.truth - others.mean()
            assert error.baseline == pytest.approx(np.sqrt((deviations**2).mean()))
        assert (error.upper - error.lower) / 2 == pytest.approx(width, rel=0.1)
        plain = without_memory(model)
        assert type(plain) in (LSSVMClassifier, LSSVMRegressor)
        np.testing.assert_array_equal(plain.predict(X[:50]), model.predict(X[:50]))


def test_rows_of_groups_count_as_fewer():
    random = np.random.default_rng(2)
    truth = np.repeat(random.normal(size=50), 8)
    mean = np.full(400, 0.1)
    seen = Unseen(np.arange(400), truth, np.zeros(400), None, mean, None)
    plain, grouped = (
        error_of_unseen(seen, groups) for groups in (None, np.repeat(np.arange(50), 8))
    )
    assert grouped.value == plain.value
    assert grouped.upper - grouped.lower > 2 * (plain.upper - plain.lower)


def test_kernels_chosen_with_all_rows_judge_nothing():
    X = np.random.default_rng(3).normal(size=(3200, 2))
    model = JudgedRegressor("gaussian", landmarks=20, honest=False).fit(X, X[:, 0])
    assert model.unseen is None and own_judgment.honest_error_of(model) is None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--machine", "svm", "--landmarks", "50"), "choose --machine lssvm"),
        (("--machine", "rvm", "--landmarks", "auto"), "--machine rvm needs all rows"),
        (("--landmarks", "1"), "write auto, none, or a number of at least 2"),
        (("--landmarks", "many"), "write auto, none, or a number"),
        (("--landmarks", "50", "--selection", "alignment"), "or --landmarks none"),
        (("--landmarks", "none", "--selection", "gcv"), "--selection gcv needs landmarks"),
    ],
)
def test_landmarks_that_make_no_sense_are_refused(table, options, said):
    result = run("fit", table, "--target", "y", *options)
    assert result.exit_code == 2 and said in result.stderr


def test_without_landmarks_an_exact_fit_is_announced(table, monkeypatch):
    monkeypatch.setattr(limits, "most_rows", lambda: 100)
    options = ("--target", "y", "--drop", "late", "--kernel", "gaussian", "--folds", 0)
    result = run("fit", table, *options, "--landmarks", "none")
    assert "learning from a random sample of 100 of 4000 rows" in result.stderr
    result = run("fit", table, *options, "--landmarks", 40)
    assert result.exit_code == 0 and "sample" not in result.stderr


def test_a_fit_without_room_says_what_to_do(table, monkeypatch):
    monkeypatch.setattr(limits, "free_memory", lambda: 10_000_000)
    result = run("fit", table, "--target", "y", "--landmarks", 500)
    assert result.exit_code == 2
    assert "fewer --landmarks, or read the table with --in-pieces" in result.stderr


def test_a_time_limit_takes_fewer_landmarks_then_fewer_rows(table, monkeypatch):
    unit = 1e-10
    monkeypatch.setattr(landmark_effort, "measured_unit", lambda: unit)
    effort = LandmarkEffort(1, unit=unit)
    options = ("fit", table, "--target", "y", "--drop", "late", "--kernel", "ard", "--folds", 0)
    enough = effort.seconds(ROWS, 500) / limits.PLANNED_ON_LANDMARKS * 1.01
    result = run(*options, "--time-limit", f"{enough:.2f}s", "--json")
    document = json.loads(result.stdout)
    assert document["landmarks"] == 500 and document["rows"] == ROWS
    assert any("2000 landmarks would take about" in note for note in document["notes"])
    little = effort.seconds(2000, 200) / limits.PLANNED_ON_LANDMARKS * 1.01
    assert effort.seconds(ROWS, 200) > limits.PLANNED_ON_LANDMARKS * little
    document = json.loads(run(*options, "--time-limit", f"{little:.2f}s", "--json").stdout)
    assert document["landmarks"] == 200 and document["rows"] == 2000


def test_several_kernels_are_tried_on_landmarks_and_a_limit_takes_fewer(table, monkeypatch):
    monkeypatch.setattr(landmark_effort, "measured_unit", lambda: 1e-10)
    three = LandmarkEffort(1, unit=1e-10, n_machines=3)
    assert three.seconds(ROWS, 60) == pytest.approx(
        3 * LandmarkEffort(1, unit=1e-10).seconds(ROWS, 60)
    )
    enough = three.seconds(ROWS, 200) / limits.PLANNED_ON_LANDMARKS * 1.01
    options = (
        "--target",
        "late",
        "--drop",
        "y,color,c",
        "--time-limit",
        f"{enough:.2f}s",
        "--json",
    )
    document = json.loads(run("fit", table, *options).stdout)
    assert document["landmarks"] == 200 and document["rows"] == ROWS
    assert any("2000 landmarks would take about" in note for note in document["notes"])
    names = {candidate["name"] for candidate in document["record"]["candidates"]}
    assert "ard-laplacian" in names and names <= {"stack", "ard-laplacian", "ard", "linear"}
    assert document["honest_error"]["folds"] == 1
    assert document["rows_kept_apart"] == pytest.approx(ROWS / 5, rel=0.1)


def test_the_estimate_grows_as_the_work_does():
    effort = LandmarkEffort(1, unit=1e-11)
    seconds = effort.seconds
    # Beyond the last stage only passes grow: rows x landmarks^2, twice.
    more = seconds(300_000, 1000) - seconds(200_000, 1000)
    assert more == pytest.approx(2 * 1e5 * 1000**2 * 1e-11)
    # Learning costs the same from there on, but not before.
    assert seconds(100_000, 2) == pytest.approx(seconds(50_000, 2), rel=1e-3)
    assert seconds(5000, 2) < seconds(16_000, 2) < 0.6 * seconds(50_000, 2)
    assert LandmarkEffort(2, unit=1e-11).seconds(50_000, 2) > seconds(50_000, 2)
    halves = LandmarkEffort(1, n_threads=2, unit=1e-11)
    assert halves.seconds(50_000, 500) == pytest.approx(seconds(50_000, 500) / 2)
    # Folds: four fifths of the rows five times, two at a time.
    both = seconds(100_000, 500, folds=5, jobs=2)
    assert both == pytest.approx(seconds(100_000, 500) + 2.5 * seconds(80_000, 500))
    # Many landmarks are not squared.
    assert seconds(10**6, 20_000) < 4.5 * seconds(10**6, 10_000)
    assert LandmarkEffort(1, numbers=1e9, unit=1e-11).seconds(10**6, 2) > seconds(10**6, 2) + 50


def test_the_speed_is_measured():
    assert 1e-13 < landmark_effort.measured_unit() < 1e-8


def test_the_memory_of_a_fit_on_landmarks():
    assert landmark_bytes(10, 3, 0) == 8 * 4 * 30
    assert landmark_bytes(0, 3, 100, threads=2) - landmark_bytes(0, 3, 100) == 8 * 3 * 4096 * 100
    assert landmark_bytes(0, 3, 100, folds=7) - landmark_bytes(0, 3, 100) == 8 * 2 * 100**2
