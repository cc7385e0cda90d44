"""``kernelwise explain``: a model in words, and why its rows are predicted as they are."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from command_line import CHEAP, run

from kernelwise import AutoKernelRegressor
from kernelwise.insight import row_effects
from kernelwise.persistence import load_model, save_model


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Thirty houses with decimal commas, and a model of AutoKernel and of a named kernel."""
    folder, generator = tmp_path_factory.mktemp("houses"), np.random.default_rng(0)
    area, garden = 50 + 100 * generator.random(30), generator.choice(["yes", "no"], 30)
    table = pd.DataFrame({"area": area.round(1), "garden": garden})
    table["price"] = (3 * area + 40 * (garden == "yes") + generator.normal(size=30)).round(2)
    table.to_csv(folder / "houses.csv", index=False, sep=";", decimal=",")
    for name, how in (("auto", ("--folds", 0)), ("named", CHEAP)):
        out = folder / f"{name}.skops"
        result = run("fit", folder / "houses.csv", "--target", "price", *how, "--out", out)
        assert result.exit_code == 0, result.output
    return folder


@pytest.mark.parametrize("name", ["auto", "named"])
def test_rows_are_explained_under_their_numbers(folder, name):
    model, table = folder / f"{name}.skops", folder / "houses.csv"
    result = run("explain", model, table, "--row", 17, "--row", 4)
    assert result.exit_code == 0, result.output
    first, second = result.stdout.strip().split("\n\n")
    assert first.startswith("Row 17: predicted ") and second.startswith("Row 4: predicted ")
    assert "'area' = " in first and max(map(len, result.stdout.splitlines())) <= 79
    document = json.loads(run("explain", model, table, "--row", 17, "--json").stdout)
    (told,) = document["explanations"]
    pipeline = load_model(model)[0]
    rows = pd.read_csv(table, sep=";", decimal=",")[["area", "garden"]]
    expected = row_effects(pipeline[-1], rows)
    assert told["row"] == 17 and document["target"] == "price"
    assert told["prediction"] == pytest.approx(pipeline.predict(rows)[17])
    assert list(told["effects"].values()) == pytest.approx(expected.effects[17])
    parts = sum(told["effects"].values()) + told["interaction"]
    assert told["output"] - told["typical"] == pytest.approx(parts)
    assert " ".join(told["words"].split()) == " ".join(first.split())


def test_without_row_numbers_the_first_twenty_are_explained(folder):
    result = run("explain", folder / "named.skops", folder / "houses.csv")
    assert "note: the first 20 of 30 rows; --row names others" in result.stderr
    starts = [line.partition(":")[0] for line in result.stdout.splitlines() if "Row " in line]
    assert starts == [f"Row {number}" for number in range(20)]


def test_a_row_that_looks_like_another_decimal_mark_is_read_as_the_table_is(folder, tmp_path):
    """The model's table had decimal commas; only the other rows tell that 80.125 is not 80125."""
    (tmp_path / "new.csv").write_text("area;garden\n80.125;no\n77.5;yes\n66.25;no\n")
    result = run("explain", folder / "auto.skops", tmp_path / "new.csv", "--row", 0, "--json")
    (told,) = json.loads(result.stdout)["explanations"]
    assert "'area' = 80.125" in told["words"]


def test_strange_rows_are_named_as_predict_does(folder, tmp_path):
    (tmp_path / "new.csv").write_text("area;garden\n8000,5;maybe\n77,5;yes\n")
    result = run("explain", folder / "auto.skops", tmp_path / "new.csv")
    assert result.exit_code == 0, result.output
    assert "care KW501: column 'area': 1 of 2 rows" in result.stderr
    assert "care KW502: column 'garden': 1 of 2 rows" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("auto.skops", "houses.csv", "--row", "30"), "--row 30: the table has the rows 0 to 29"),
        (("auto.skops", "houses.csv", "--row", "-1"), "--row -1: the table has the rows 0 to 29"),
        (("auto.skops", "--row", "3"), "--row 3: name the table that has it, after the model"),
        (("absent.skops",), "absent.skops: no such file"),
        (("auto.skops", "absent.csv"), "absent.csv: no such file"),
        (("houses.csv",), "is not a kernelwise model"),
    ],
)
def test_what_cannot_be_explained_is_refused_in_one_line(folder, monkeypatch, arguments, said):
    monkeypatch.chdir(folder)
    result = run("explain", *arguments)
    assert result.exit_code == 2 and said in result.stderr, result.output
    assert result.stderr.startswith("error: ") and result.stderr.count("\n") == 1


def test_show_is_gone():
    assert run("show", "model.skops").exit_code == 2


@pytest.mark.parametrize("spoiled", ["a text", {"n_rows": "many"}, {"candidates": None}])
def test_a_record_that_is_none_is_refused(folder, tmp_path, spoiled):
    pipeline, metadata = load_model(folder / "auto.skops")
    record = pipeline[-1].record_
    pipeline[-1].record_ = replace(record, **spoiled) if isinstance(spoiled, dict) else spoiled
    save_model(pipeline, tmp_path / "m.skops", metadata)
    result = run("explain", tmp_path / "m.skops")
    assert result.exit_code == 2 and "is damaged or was changed" in result.stderr


def test_a_model_from_python_is_explained_too(tmp_path):
    X = pd.DataFrame({"a": np.arange(20.0), "b": np.arange(20) % 3.0})
    model = AutoKernelRegressor(["gaussian"], folds=0, random_state=0).fit(X, X["a"] ** 2)
    save_model(model, tmp_path / "m.skops")
    assert run("explain", tmp_path / "m.skops").stdout == model.explain()
    X.to_csv(tmp_path / "t.csv", index=False)
    result = run("explain", tmp_path / "m.skops", tmp_path / "t.csv", "--row", 0)
    assert result.stdout == model.explain(X[:1])
