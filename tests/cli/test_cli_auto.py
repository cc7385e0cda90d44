"""``kernelwise fit`` where nothing is named: AutoKernel, its record, and what is printed of it."""

import hashlib
import json
import os
import shlex
import signal
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from command_line import run

from kernelwise import AutoKernelClassifier, AutoKernelRegressor
from kernelwise.cli import effort, models
from kernelwise.estimators.fold_fits import AUTO_ROWS
from kernelwise.insight.fit_record import FitRecord
from kernelwise.insight.headline import headline
from kernelwise.insight.record_words import record_in_words
from kernelwise.persistence import load_model


def doses(rows=70, seed=0):
    """Bytes of a table: a dose that decides, a mood that does not, gaps in both and the target."""
    generator = np.random.default_rng(seed)
    dose, mood = generator.random(rows) * 4, generator.normal(size=rows)
    sick = dose + generator.normal(size=rows) / 2 > 2
    lines = ["dose,mood,state"]
    for i in range(rows):
        state = "" if i in (0, 9) else ("ill" if sick[i] else "well")
        lines.append(f"{dose[i]:.3f},{'' if i == 5 else f'{mood[i]:.3f}'},{state}")
    return ("\n".join(lines) + "\n").encode()


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    """A folder with such a table, a model fitted to it, and what was said."""
    folder = tmp_path_factory.mktemp("doses")
    (folder / "doses.csv").write_bytes(doses())
    options = ("--target", "state", "--folds", 2, "--out", folder / "model.skops")
    result = run("fit", folder / "doses.csv", *options)
    assert result.exit_code == 0, result.output
    return folder, result


@pytest.fixture(scope="module")
def record(fitted):
    return load_model(fitted[0] / "model.skops")[0][-1].record_


def test_the_record_in_the_model_knows_the_table_and_the_command(fitted, record):
    folder, _ = fitted
    content = (folder / "doses.csv").read_bytes()
    assert record.target == "state" and record.table == "doses.csv"
    assert record.sha256 == hashlib.sha256(content).hexdigest()
    assert shlex.split(record.command) == [
        *("kernelwise", "fit", "doses.csv", "--target", "state", "--folds", "2")
    ]
    assert record.n_rows == 68 and record.error.folds == 2
    assert str(folder) not in record.as_json(), "the folders of a machine are nobody's business"


def test_the_command_of_the_record_repeats_the_fit(fitted, record, monkeypatch):
    monkeypatch.chdir(fitted[0])
    result = run(*shlex.split(record.command)[1:], "--json")
    again = FitRecord.from_json(json.dumps(json.loads(result.stdout)["record"]))

    def untimed(one):
        candidates = tuple(replace(candidate, seconds=0.0) for candidate in one.candidates)
        return replace(one, seconds=0.0, date=None, candidates=candidates)

    assert untimed(again) == untimed(record)


def test_what_fit_prints_is_the_record_and_explain_prints_the_same(fitted, record):
    folder, result = fitted
    words = record_in_words(record)
    assert words in result.stdout and "Predicting 'state' (ill, well)" in words
    assert result.stdout.index("Table: ") < result.stdout.index(words)
    explained = run("explain", folder / "model.skops")
    assert explained.exit_code == 0 and explained.stdout == words


def test_checks_of_the_file_come_first_and_none_is_said_twice(fitted, record):
    _, result = fitted
    assert "care KW301: " in result.stderr, "two rows lack the target"
    codes = [check.code for check in record.checks]
    assert codes[0] == "KW301" and "KW219" in codes
    found = [(check.code, check.text) for check in record.checks]
    assert len(set(found)) == len(found)
    serious = [check.severity for check in record.checks]
    assert serious == sorted(serious), "care before tip"


def test_few_rows_are_said_once_though_reading_and_the_fit_both_see_it(tmp_path):
    (tmp_path / "t.csv").write_bytes(doses(40))
    result = run("fit", tmp_path / "t.csv", "--target", "state", "--folds", 2, "--json")
    document = json.loads(result.stdout)
    assert [check["code"] for check in document["checks"]].count("KW403") == 1
    assert (
        "Only 38 different rows: the interval is wide; about 152 would halve it."
        in document["headline"]
    )


def test_the_document_keeps_its_names_and_has_the_record(fitted, record):
    document = json.loads(run("explain", fitted[0] / "model.skops", "--json").stdout)
    assert FitRecord.from_json(json.dumps(document["record"])) == record
    assert document["headline"] == headline(record)
    assert document["honest_error"]["value"] == record.error.value
    result = run("fit", fitted[0] / "doses.csv", "--target", "state", "--folds", 2, "--json")
    told = json.loads(result.stdout)
    assert told["honest_error"] == document["honest_error"] | {"is_useful": True}
    names = ("table", "rows", "target", "task", "numeric_columns", "categorical_columns", "checks")
    assert {*names, "kernel", "regularization", "C", "relevance", "confusion"} <= set(told)
    assert sum(map(sum, told["confusion"]["rows"])) == 68
    assert told["relevance"]["dose"] > 0.9 and told["checks"] == document["checks"]


def test_the_surest_wrong_rows_are_numbered_as_in_the_file(fitted, record):
    """Rows 0 and 9 have no target: the others keep their numbers."""
    table = pd.read_csv(fitted[0] / "doses.csv")
    assert len(record.surest_wrong) > 2
    for wrong in record.surest_wrong:
        assert table["state"][wrong.row] == wrong.truth != wrong.prediction


def test_what_was_piped_has_no_hash(tmp_path):
    options = ("--target", "state", "--folds", 0, "--json")
    document = json.loads(run("fit", "-", *options, input=doses(30)).stdout)
    record = document["record"]
    assert record["table"] == "standard input" and record["sha256"] is None
    assert record["command"] == "kernelwise fit - --target state --folds 0"
    assert document["headline"] == "How good it is on new rows was not estimated."
    assert "honest_error" not in document


def test_noise_is_not_to_be_used_and_strict_says_so(tmp_path):
    generator = np.random.default_rng(0)
    noise = pd.DataFrame({"x": generator.normal(size=60), "y": generator.choice([*"ab"], 60)})
    noise.to_csv(tmp_path / "noise.csv", index=False)
    arguments = ("fit", tmp_path / "noise.csv", "--target", "y", "--folds", 2)
    for options, code in (((), 0), (("--strict",), 3)):
        result = run(*arguments, *options)
        assert result.exit_code == code, result.output
        said = " ".join(result.stdout.split())
        assert "No better than always answering" in said and "do not use this model" in said


def test_a_rare_class_has_a_sentence_and_balanced_finds_it(tmp_path):
    generator = np.random.default_rng(0)
    y = np.arange(150) % 15 == 0
    x = generator.normal(size=150) + 1.5 * y
    table = pd.DataFrame({"x": x, "y": np.where(y, "rare", "common")})
    table.to_csv(tmp_path / "t.csv", index=False)
    found = []
    for more in ((), ("--balanced",)):
        result = run("fit", tmp_path / "t.csv", "--target", "y", "--folds", 2, "--json", *more)
        document = json.loads(result.stdout)
        line = document["confusion"]["rows"][1]
        found.append(line[1])
        assert document["record"]["counts"] == [140, 10] if not more else True
        if "Expect" in document["headline"]:
            share = round(100 * line[1] / sum(line))
            assert f"Of the rare class 'rare' it finds {share} in 100." in document["headline"]
        assert [check["code"] for check in document["checks"]].count("KW306") == 1
    assert found[1] > found[0]


def test_groups_weights_and_samples_reach_the_fit(tmp_path):
    generator = np.random.default_rng(0)
    labels = np.arange(24) % 2
    noise = pd.DataFrame(generator.normal(size=(24, 3)), columns=list("abc"))
    copies = pd.concat([noise.assign(y=labels, who=range(24))] * 3).sort_values("who")
    copies["a"] += 1e-3 * generator.normal(size=72)
    copies["w"] = np.arange(72) % 3 != 2
    copies.astype({"w": int}).to_csv(tmp_path / "copies.csv", index=False)
    found = []
    for more in (("--drop", "who,w", "--folds", 2), ("--groups", "who", "--weights", "w")):
        result = run("fit", tmp_path / "copies.csv", "--target", "y", *more, "--json")
        found.append(json.loads(result.stdout))
    assert found[0]["honest_error"]["value"] < 0.25 < 0.35 < found[1]["honest_error"]["value"]
    assert [one["record"]["n_rows"] for one in found] == [72, 48]
    options = ("--target", "y", "--drop", "who,w", "--sample", 40, "--folds", 0, "--json")
    assert json.loads(run("fit", tmp_path / "copies.csv", *options).stdout)["rows"] == 40


def test_a_hostile_name_cannot_steer_the_terminal(tmp_path):
    evil = "\x1b]0;owned\x07\u2028\u202e"
    lines = [f"x{evil},z,y"]
    lines += [f"{i * 7 % 31},{i * 5 % 13},{'ab'[i * 7 % 31 > 15]}" for i in range(60)]
    (tmp_path / "t.csv").write_text("\n".join(lines), encoding="utf-8")
    out = tmp_path / "m.skops"
    results = [
        run("fit", tmp_path / "t.csv", "--target", "y", "--folds", 0, "--out", out),
        run("explain", out),
        run("explain", out, tmp_path / "t.csv", "--row", 3),
    ]
    assert [result.exit_code for result in results] == [0, 0, 0]
    for result in results:
        assert "\\x1b]0;owned\\x07" in result.stdout
        assert not any(sign in result.output for sign in "\x1b\x07\u2028\u202e")


def test_a_time_limit_leaves_candidates_out_but_no_rows(fitted):
    folder, _ = fitted
    options = ("--target", "state", "--time-limit", "0.0001s", "--json")
    document = json.loads(run("fit", folder / "doses.csv", *options).stdout)
    assert document["rows"] == 68
    record = document["record"]
    assert len(record["candidates"]) == 2 and record["skipped"]["ard"] == "the time was up"
    assert any("were enough for 1 of 7 candidates" in note for note in document["notes"])
    assert any("nothing has judged the model" in note for note in document["notes"])


@pytest.mark.parametrize(
    ("options", "task", "expected"),
    [
        ((), "regression", {"folds": "auto", "max_time": None, "landmarks": "auto", "n_jobs": 1}),
        (("--folds", "3", "--jobs", "2"), "regression", {"folds": 3, "n_jobs": 2}),
        (("--landmarks", "none"), "classification", {"landmarks": None, "class_weight": None}),
        (("--landmarks", "50", "--balanced"), "classification", {"class_weight": "balanced"}),
        (("--time-limit", "2m", "--seed", "5"), "regression", {"max_time": 120, "random_state": 5}),
    ],
)
def test_options_are_those_of_autokernel(tmp_path, monkeypatch, options, task, expected):
    kind = {"classification": "ab", "regression": "12"}[task]
    rows = "".join(f"{i},{kind[i % 2]}.{i % 7}\n" for i in range(40))
    (tmp_path / "t.csv").write_text("x,y\n" + rows)
    seen = []

    def stop(pipeline, features, target, **_):
        seen.append(pipeline[-1])
        raise KeyboardInterrupt

    monkeypatch.setattr(models.Pipeline, "fit", stop)
    result = run("fit", tmp_path / "t.csv", "--target", "y", "--task", task, *options)
    assert result.exit_code == 130, result.output
    (estimator,) = seen
    assert type(estimator) is {"classification": AutoKernelClassifier}.get(
        task, AutoKernelRegressor
    )
    assert {name: estimator.get_params()[name] for name in expected} == expected


def test_long_work_is_announced(tmp_path, monkeypatch):
    generator = np.random.default_rng(0)
    table = pd.DataFrame(generator.normal(size=(1200, 2)), columns=["x", "y"])
    table.to_csv(tmp_path / "t.csv", index=False)
    monkeypatch.setattr(effort, "measured_unit", lambda: 1e-9)

    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(models.Pipeline, "fit", stop)
    arguments = ("fit", tmp_path / "t.csv", "--target", "y")
    seconds = effort.seconds_of_choice(1200, None, unit=1e-9)
    expected = f"this takes roughly {round(seconds / 60)} min; --time-limit 1m ends it sooner"
    assert expected in run(*arguments).stderr
    for quiet in (("--time-limit", "1m"), ("--sample", 900)):
        assert "this takes" not in run(*arguments, *quiet).stderr


def test_the_estimate_grows_with_rows_and_copies():
    seconds = effort.seconds_of_choice
    assert seconds(2000, 0, unit=1.0) == 8 * seconds(1000, 0, unit=1.0)
    assert seconds(1000, 0, unit=1e-11) == effort.OF_ALL_CANDIDATES * 1e-2
    ratio = seconds(AUTO_ROWS, None, unit=1.0) / seconds(AUTO_ROWS, 0, unit=1.0)
    assert ratio == pytest.approx(1 + 5 * 0.8**3)
    ratio = seconds(AUTO_ROWS + 1, None, unit=1.0) / seconds(AUTO_ROWS + 1, 0, unit=1.0)
    assert ratio == pytest.approx(1 + 0.8**3)
    assert seconds(100, 2, unit=1.0) / seconds(100, 0, unit=1.0) == pytest.approx(1.25)


def test_an_interrupted_fit_leaves_no_file(tmp_path):
    """Ctrl-C in the middle of a real fit, which says that it has begun."""
    (tmp_path / "t.csv").write_bytes(doses(900))
    out = tmp_path / "m.skops"
    command = ("-m", "kernelwise", "fit", tmp_path / "t.csv", "--target", "state", "--out", out)
    one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [sys.executable, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | one_thread,
    ) as process:
        for _ in range(2):
            assert process.stdout.readline().startswith(("Table: ", "Task: "))
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.endswith("error: interrupted: nothing was written\n")
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]
