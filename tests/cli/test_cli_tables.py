"""Tables as people have them, on the command line: what is seen, said and learned."""

import json
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest
from command_line import CHEAP, run

from kernelwise.cli import effort, models, progressing
from kernelwise.cli.durations import duration, seconds_of
from kernelwise.persistence import load_model


def test_a_semicolon_file_with_decimal_commas_dates_and_latin_1_fits_from_one_command(clinic):
    output = (clinic / "classes.txt").read_text()
    assert "klinik.csv, 60 rows, 5 numeric and 1 categorical columns" in output
    for code in ("KW107", "KW201", "KW202", "KW204", "KW206"):
        assert code in output
    assert "read as cp1252" in output and "separated by semicolons" in output
    metadata = load_model(clinic / "classes.skops")[1]
    columns = {column.name: column for column in metadata.columns}
    assert set(columns) == {"aufnahme", "dosis", "gewicht", "geschlecht"}
    assert columns["dosis"].decimal == "," and columns["aufnahme"].day_first
    assert metadata.honest_error["value"] < metadata.honest_error["baseline"] / 2
    assert {"balanced error", "AUC", "log loss"} <= set(metadata.honest_error)


def test_check_says_the_same_without_a_fit(clinic, monkeypatch):
    monkeypatch.setattr(models, "_learn", None)  # whoever fits fails
    result = run("check", clinic / "klinik.csv", "--target", "dauer")
    assert result.exit_code == 0 and not result.stderr
    for expected in ("care KW206", "tip KW204", "Dates:           'aufnahme'", "Checks: "):
        assert expected in result.stdout
    result = run("check", clinic / "klinik.csv", "--target", "dauer", "--json")
    document = json.loads(result.stdout)
    assert {"KW107", "KW206"} <= {check["code"] for check in document["checks"]}
    assert {check["severity"] for check in document["checks"]} == {"care", "tip"}
    assert document["task"] == "regression" and document["rows"] == 60


@pytest.mark.parametrize("as_json", [False, True])
def test_a_stop_ends_with_code_2_and_its_code(tmp_path, as_json):
    (tmp_path / "t.csv").write_text("a,b,a\n1,2,3\n4,5,6\n")
    options = ["--json"] if as_json else []
    result = run("check", tmp_path / "t.csv", "--target", "b", *options)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ") and result.stderr.count("\n") == 1
    assert "two columns named 'a'" in result.stderr and "(KW105)" in result.stderr
    if as_json:
        document = json.loads(result.stdout)
        assert document["code"] == "KW105" and "two columns" in document["error"]


def test_tables_come_from_standard_input(clinic):
    content = (clinic / "klinik.csv").read_bytes()
    result = run("check", "-", "--target", "dauer", input=content)
    assert result.exit_code == 0 and "standard input, 60 rows" in result.stdout
    result = run("predict", clinic / "days.skops", "-", input=content)
    assert result.exit_code == 0 and len(result.stdout.splitlines()) == 61


def test_how_a_file_is_written_can_be_named(tmp_path):
    (tmp_path / "t.txt").write_bytes("k:y\nä:1\nb:2\nnone:3\nb:1\nä:2\n".encode("cp850"))
    options = ("--delimiter", ":", "--encoding", "cp850", "--missing", "b")
    document = json.loads(
        run("check", tmp_path / "t.txt", "--target", "y", *options, "--json").stdout
    )
    (gaps,) = [check for check in document["checks"] if check["code"] == "KW215"]
    assert "'b' (2 rows) counted as gaps" in gaps["text"]
    refused = run("check", tmp_path / "t.txt", "--target", "y", "--decimal", ";")
    assert refused.exit_code == 2 and "decimal mark" in refused.stderr


def test_columns_can_be_chosen_and_typed(clinic):
    options = ("--features", "dosis,patient_id,geschlecht", "--categorical", "patient_id")
    result = run("check", clinic / "klinik.csv", "--target", "dauer", *options, "--json")
    document = json.loads(result.stdout)
    assert document["numeric_columns"] == ["dosis"]
    assert document["categorical_columns"] == ["patient_id", "geschlecht"]
    refused = run("check", clinic / "klinik.csv", "--target", "dauer", "--drop", "dosiss")
    assert refused.exit_code == 2 and "did you mean 'dosis'?" in refused.stderr


def test_weights_and_groups_reach_the_fit(tmp_path):
    """Rows of weight 0 are as good as absent; rows of a group are never split."""
    generator = np.random.default_rng(0)
    x = generator.normal(size=40)
    frame = pd.DataFrame({"x": x, "y": x**2 + 0.1 * generator.normal(size=40)})
    wrong = frame.assign(y=99.0)
    both = pd.concat([frame.assign(w=1), wrong.assign(w=0)], ignore_index=True)
    both.to_csv(tmp_path / "weighted.csv", index=False)
    frame.to_csv(tmp_path / "plain.csv", index=False)
    options = ("--target", "y", "--kernel", "gaussian", "--selection", "loo", "--folds", 0)
    for name, more in (("plain", ()), ("weighted", ("--weights", "w"))):
        out = tmp_path / f"{name}.skops"
        result = run("fit", tmp_path / f"{name}.csv", *options, *more, "--out", out)
        assert result.exit_code == 0, result.output
    found = [load_model(tmp_path / f"{name}.skops")[0] for name in ("plain", "weighted")]
    plain, weighted = (model.predict(frame[["x"]]) for model in found)
    np.testing.assert_allclose(plain, weighted, rtol=1e-6)

    labels = generator.integers(0, 2, 40)
    noise = pd.DataFrame(generator.normal(size=(40, 4)), columns=list("abcd"))
    copies = pd.concat([noise.assign(y=labels, who=range(40))] * 5).sort_values("who")
    copies["a"] += 1e-3 * generator.normal(size=200)
    copies.to_csv(tmp_path / "copies.csv", index=False)
    errors = []
    for more in (("--drop", "who"), ("--groups", "who")):
        result = run("fit", tmp_path / "copies.csv", "--target", "y", *CHEAP, *more, "--json")
        errors.append(json.loads(result.stdout)["honest_error"]["value"])
    assert errors[0] < 0.3 < 0.4 < errors[1]


def test_balanced_classes_find_the_rare_one(tmp_path):
    generator = np.random.default_rng(0)
    y = np.arange(240) % 12 == 0
    x = generator.normal(size=240) + 1.2 * y
    pd.DataFrame({"x": x, "y": np.where(y, "rare", "common")}).to_csv(tmp_path / "t.csv")
    recalls = []
    for more in ((), ("--balanced",)):
        result = run("fit", tmp_path / "t.csv", "--target", "y", *CHEAP, *more, "--json")
        document = json.loads(result.stdout)
        recalls.append(document["honest_error"]["recall of the rarest class"])
        assert any(check["code"] == "KW306" for check in document["checks"])
    assert recalls[0] < 0.2 < 0.4 < recalls[1]


def test_strict_ends_with_3_where_nothing_was_learned(tmp_path):
    generator = np.random.default_rng(0)
    noise = pd.DataFrame({"x": generator.normal(size=60), "y": generator.integers(0, 2, 60)})
    noise.to_csv(tmp_path / "noise.csv", index=False)
    for options, code in (((), 0), (("--strict",), 3)):
        result = run("fit", tmp_path / "noise.csv", "--target", "y", *CHEAP, *options)
        assert result.exit_code == code, result.output


def test_quiet_prints_nothing_and_json_prints_one_document(clinic):
    arguments = ("fit", clinic / "klinik.csv", "--target", "dauer", *CHEAP)
    quiet = run(*arguments, "--quiet")
    assert quiet.exit_code == 0 and quiet.output == ""
    document = json.loads(run(*arguments, "--json").stdout)
    assert {"rows", "checks", "honest_error", "relevance", "task"} <= set(document)
    assert sum(document["relevance"].values()) == pytest.approx(1)


def test_a_sample_is_said_and_kept(clinic, tmp_path):
    options = ("--target", "befund für arzt", "--drop", "dauer", *CHEAP, "--sample", 30)
    result = run("fit", clinic / "klinik.csv", *options, "--out", tmp_path / "m.skops")
    assert "a random sample of 30 of 60 rows" in result.stderr
    assert load_model(tmp_path / "m.skops")[1].rows == 30


def test_long_work_is_announced_and_a_limit_takes_a_sample(clinic, monkeypatch):
    """With pilots that claim a second at 250 rows and eight at 500, 2000 rows take minutes."""
    rows = 2000
    generator = np.random.default_rng(0)
    table = pd.DataFrame({"x": generator.normal(size=rows), "y": generator.normal(size=rows)})
    path = clinic / "long.csv"
    table.to_csv(path, index=False)
    monkeypatch.setattr(
        effort, "_seconds", lambda dataset, pipeline: (len(dataset.target) / 250) ** 3
    )
    learned = []

    def stop(self, features, target, **_):
        learned.append(len(target))
        raise KeyboardInterrupt

    monkeypatch.setattr(models.Pipeline, "fit", stop)
    arguments = ("fit", path, "--target", "y", "--kernel", "gaussian", "--selection", "loo")
    result = run(*arguments)
    assert result.exit_code == 130 and "this takes roughly" in result.stderr and learned == [2000]
    result = run(*arguments, "--time-limit", "100s")
    assert learned[1] < 700 and "learning from a random sample" in result.stderr
    expected = effort.Effort.__new__(effort.Effort)
    expected.folds, expected.jobs, expected.power, expected.unit, expected.rows = 5, 1, 3, 64, 1000
    possible = [n for n in range(200, 2000, 100) if expected.seconds(n) <= 70]
    assert learned[1] == possible[-1]


def test_the_time_limit_ends_a_fit_in_words(clinic, monkeypatch):
    arguments = ("fit", clinic / "klinik.csv", "--target", "dauer", *CHEAP)
    result = run(*arguments, "--time-limit", "0.000001s")
    assert result.exit_code == 2
    assert "passed before the model was fitted: allow more" in result.stderr

    class Late(progressing.FitProgress):
        def fitted(self):
            super().fitted()
            self.deadline = time.monotonic()

    monkeypatch.setattr(models, "FitProgress", Late)
    result = run(*arguments, "--time-limit", "1h")
    assert result.exit_code == 0 and "before the honest error was known" in result.stderr
    assert "Features by relevance" in result.stdout


def test_a_line_tells_of_progress_within_a_fit(clinic, monkeypatch):
    monkeypatch.setattr(progressing, "SECONDS_BETWEEN_LINES", 0)
    result = run("fit", clinic / "klinik.csv", "--target", "dauer", *CHEAP)
    lines = [line for line in result.stderr.splitlines() if "evaluations," in line]
    assert any("fit 1 of 3, 2 evaluations" in line for line in lines)
    assert any("fit 3 of 3" in line for line in lines)


def test_times():
    assert [seconds_of(text) for text in ("90", "90s", "1.5m", "10 min", "2h")] == [
        *(90, 90, 90, 600, 7200)
    ]
    for text in ("soon", "0s", "-5", "5d"):
        with pytest.raises(ValueError, match="write a time such as"):
            seconds_of(text)
    assert duration(45) == "45 s" and duration(600) == "10 min" and duration(7260) == "2 h 01 min"


def test_the_program_reads_a_pipe():
    text = "x,y\n" + "".join(f"{i * 7 % 31},{i % 2}\n" for i in range(60))
    command = [sys.executable, "-m", "kernelwise", "check", "-", "--target", "y", "--json"]
    result = subprocess.run(command, input=text, capture_output=True, text=True)
    assert result.returncode == 0 and json.loads(result.stdout)["rows"] == 60
