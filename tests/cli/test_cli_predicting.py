"""Saved models on the command line: what they show, predict and are worth."""

import io
import json

import numpy as np
import pandas as pd
import pytest
from command_line import CHEAP, run

from kernelwise import LSSVMClassifier
from kernelwise.persistence import save_model


def test_show_tells_what_a_model_holds(clinic):
    result = run("explain", clinic / "classes.skops")
    assert result.exit_code == 0, result.output
    for expected in (
        "LSSVMClassifier fitted to 60 rows",
        "'befund für arzt' (classification)",
        "'gesund', 'krank'",
        "Dates:           'aufnahme'",
        "Gaussian with length scale",
        "Honest error:",
        "scikit-learn ",
        "dosis",
    ):
        assert expected in result.stdout
    document = json.loads(run("explain", clinic / "days.skops", "--json").stdout)
    assert document["target"] == "dauer" and document["columns"]["aufnahme"] == "date"
    assert document["relevance"]["dosis"] > 0.2 and document["versions"]["numpy"]


def test_predictions_keep_ids_and_have_intervals(clinic):
    result = run(
        *("predict", clinic / "days.skops", clinic / "klinik.csv", "--id", "patient_id,geschlecht"),
        *("--interval", "0.8", "--score"),
    )
    assert result.exit_code == 0, result.output
    table = pd.read_csv(io.StringIO(result.stdout))
    assert list(table) == ["patient_id", "geschlecht", "prediction", "lower", "upper"]
    assert list(table["patient_id"]) == [1000 + 3 * i for i in range(60)]
    truth = pd.read_csv(
        io.StringIO((clinic / "klinik.csv").read_bytes().decode("latin-1")), sep=";", decimal=","
    )["dauer"]
    inside = (table["lower"] <= truth) & (truth <= table["upper"])
    assert inside.mean() >= 0.8 and (table["lower"] < table["upper"]).all()
    error = np.sqrt(np.mean((truth - table["prediction"]) ** 2))
    assert f"error on 60 rows: {error:.4g} root mean squared" in result.stderr
    assert "MAE" in result.stderr and "R2" in result.stderr


def test_classes_are_scored_and_have_sets(clinic):
    result = run(
        *("predict", clinic / "classes.skops", clinic / "klinik.csv", "--json", "--score"),
        *("--interval", "0.9"),
    )
    document = json.loads(result.stdout)
    first = document["predictions"][0]
    assert set(first) == {"prediction", "probability_gesund", "probability_krank", "set"}
    assert first["prediction"] in first["set"].split("|")
    score = document["score"]
    assert score["rows"] == 60 and score["lower"] <= score["value"] <= score["upper"] < 0.4
    assert sum(map(sum, document["confusion"]["rows"])) == 60
    assert {"balanced error", "AUC", "log loss", "recall of the rarest class"} <= set(score)


def test_rows_without_a_target_are_predicted_but_not_scored(clinic, tmp_path):
    text = (clinic / "klinik.csv").read_bytes().decode("latin-1").splitlines()
    for i in (1, 5):
        text[i] = text[i].rpartition(";")[0] + ";"
    (tmp_path / "new.csv").write_text("\n".join(text))
    result = run("predict", clinic / "days.skops", tmp_path / "new.csv", "--score")
    assert result.exit_code == 0, result.output
    assert len(pd.read_csv(io.StringIO(result.stdout))) == 60
    assert "error on 58 rows" in result.stderr


def test_shifted_columns_and_new_categories_are_counted(clinic, tmp_path):
    text = (clinic / "klinik.csv").read_bytes().decode("latin-1").splitlines()
    changed = [text[0]]
    for line in text[1:11]:
        fields = line.split(";")
        fields[2], fields[4] = "400,5", "x"
        changed.append(";".join(fields))
    (tmp_path / "new.csv").write_text("\n".join(changed))
    result = run("predict", clinic / "classes.skops", tmp_path / "new.csv")
    assert "care KW501: column 'dosis': 10 of 10 rows are outside" in result.stderr
    assert "care KW502: column 'geschlecht': 10 of 10 rows have categories" in result.stderr
    assert "not seen in fit" not in result.stderr


def test_groups_reach_the_intervals_of_a_model(tmp_path):
    """A patient's own level is unknown for a new one: 90 % intervals must be wide enough for it."""
    generator = np.random.default_rng(0)

    def clinic(patients):
        level = np.repeat(3 * generator.normal(size=patients), 4)
        traits = np.repeat(generator.normal(size=(patients, 4)), 4, axis=0)
        frame = pd.DataFrame(traits + 0.01 * generator.normal(size=traits.shape))
        y = level + 0.1 * generator.normal(size=4 * patients)
        return frame.assign(y=y, who=np.repeat(np.arange(patients), 4))

    clinic(30).to_csv(tmp_path / "known.csv", index=False)
    new = clinic(100)
    new.to_csv(tmp_path / "new.csv", index=False)
    covered = []
    for more in (("--drop", "who"), ("--groups", "who")):
        out = tmp_path / f"{more[0]}.skops"
        options = ("--target", "y", "--kernel", "gaussian", "--selection", "loo", "--folds", 0)
        assert run("fit", tmp_path / "known.csv", *options, *more, "--out", out).exit_code == 0
        result = run("predict", out, tmp_path / "new.csv", "--interval", "0.9", "--quiet")
        ends = pd.read_csv(io.StringIO(result.stdout))
        covered.append(((ends["lower"] <= new["y"]) & (new["y"] <= ends["upper"])).mean())
    assert covered[0] < 0.6 < 0.8 < covered[1]


def test_odd_requests_are_answered(clinic, tmp_path):
    repeated = ("--features", "dosis,dosis")
    assert run("check", clinic / "klinik.csv", "--target", "dauer", *repeated).exit_code == 0
    frame = pd.DataFrame({"x": range(30), "y": [0.5, 1.5, 2.5] * 10, "when": pd.Timestamp(0)})
    table, model = tmp_path / "t.parquet", tmp_path / "m.skops"
    frame.to_parquet(table)
    document = json.loads(
        run("fit", table, "--target", "y", *CHEAP, "--json", "--out", model).stdout
    )
    assert document["kernel"].startswith("Gaussian") and document["regularization"] > 0
    result = run("predict", model, table, "--id", "when", "--json")
    assert json.loads(result.stdout)["predictions"][0]["when"].startswith("1970-01-01")


def test_models_from_python_are_shown_and_predict_in_their_own_terms(tmp_path):
    """Columns in any order, booleans and whole numbers as categories."""
    generator = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "kind": generator.choice(["u", "v"], 60),
            "a": generator.normal(size=60),
            "flag": generator.random(60) > 0.5,
            "code": pd.Categorical(generator.integers(1, 4, 60)),
        }
    )
    y = np.where(frame["a"] + frame["flag"] > 0.5, "p", "q")
    model = LSSVMClassifier("ard", "loo", honest=False).fit(frame, y)
    save_model(model, tmp_path / "m.skops")
    shown = json.loads(run("explain", tmp_path / "m.skops", "--json").stdout)["relevance"]
    expected = dict(zip(frame, model.relevance_, strict=True))
    assert shown == pytest.approx(expected)
    frame.to_csv(tmp_path / "new.csv", index=False)
    frame.to_parquet(tmp_path / "new.parquet")
    for name in ("new.csv", "new.parquet"):
        result = run("predict", tmp_path / "m.skops", tmp_path / name)
        found = pd.read_csv(io.StringIO(result.stdout))["probability_q"]
        np.testing.assert_allclose(found, model.predict_proba(frame)[:, 1], atol=1e-9)


def test_gaps_and_marks_are_named_for_the_score_too(clinic, tmp_path):
    text = (clinic / "klinik.csv").read_bytes().decode("latin-1").splitlines()
    for i in (1, 5):
        text[i] = text[i].rpartition(";")[0] + ";-999"
    (tmp_path / "new.csv").write_text("\n".join(text))
    options = ("--score", "--missing=-999,?", "--decimal", ",")
    result = run("predict", clinic / "days.skops", tmp_path / "new.csv", *options)
    assert result.exit_code == 0, result.output
    assert "error on 58 rows" in result.stderr
    refused = run("predict", clinic / "days.skops", tmp_path / "new.csv", "--id", "prediction")
    assert refused.exit_code == 2


def test_a_class_that_the_model_does_not_know_is_wrong(clinic, tmp_path):
    text = (clinic / "klinik.csv").read_bytes().decode("latin-1").splitlines()
    text[1] = text[1].replace("krank", "tot").replace("gesund", "tot")
    (tmp_path / "new.csv").write_text("\n".join(text))
    out = tmp_path / "p.csv"
    options = ("--score", "--json", "--out", out)
    result = run("predict", clinic / "classes.skops", tmp_path / "new.csv", *options)
    document = json.loads(result.stdout)
    assert document["confusion"]["classes"] == ["gesund", "krank", "tot"]
    assert sum(document["confusion"]["rows"][2]) == 1 and document["score"]["value"] >= 1 / 60
    assert "log loss" not in document["score"] and len(pd.read_csv(out)) == 60


def test_names_of_someone_else_cannot_steer_the_terminal(tmp_path):
    evil = "\x1b]0;owned\x07"
    rows = "".join(f"{i * 7 % 31},{i % 4},{'ab'[i % 3 == 0]}{evil}\n" for i in range(60))
    (tmp_path / "t.csv").write_text(f"x{evil},z,y{evil}\n" + rows)
    out = tmp_path / "m.skops"
    results = [
        run("check", tmp_path / "t.csv", "--target", f"y{evil}"),
        run("fit", tmp_path / "t.csv", "--target", f"y{evil}", *CHEAP, "--out", out),
        run("explain", out),
        run("explain", out, "--json"),
        run("fit", tmp_path / "t.csv", "--target", f"w{evil}"),
    ]
    assert [result.exit_code for result in results] == [0, 0, 0, 0, 2]
    assert not any("\x1b" in result.output or "\x07" in result.output for result in results)
    assert "\\x1b" in results[0].stdout


def test_a_useless_model_and_many_shifted_columns_are_said_in_a_line_each(tmp_path):
    generator = np.random.default_rng(3)
    noise = pd.DataFrame(generator.normal(size=(60, 4)), columns=list("abcd"))
    table, out = tmp_path / "noise.csv", tmp_path / "noise.skops"
    noise.assign(kind=generator.permutation(["ja", "nein"] * 30)).to_csv(table, index=False)
    assert run("fit", table, "--target", "kind", *CHEAP, "--out", out).exit_code == 0
    (100 + noise).to_csv(tmp_path / "new.csv", index=False)
    for command in ("predict", "explain"):
        said = run(command, out, tmp_path / "new.csv", *(("--row", 3) * (command == "explain")))
        rows = 1 if command == "explain" else 60
        assert said.exit_code == 0 and said.stderr.count("KW501") == 1, said.stderr
        assert "care KW503: this model is no better than always answering the most" in said.stderr
        outside = f"'a', 'b', 'c', 'd' (up to {rows} of {rows} rows in one)"
        assert f"4 columns have rows outside what the model has seen: {outside}" in said.stderr
