"""A report on methods compared on tables: from a store, the same as from the run itself."""

import json
import re

import pandas as pd
import pytest
from made_results import made

from kernelwise.compare.stored import KIND, ComparedTable, as_json, compared_tables, definition_of
from kernelwise.compare.words import in_words
from kernelwise.data import Dataset
from kernelwise.report.comparison_document import comparison_document
from kernelwise.report.html import as_html
from kernelwise.report.markdown import as_markdown
from kernelwise.runs import Cell, Store

ERRORS = {
    "RBF-LOO": [0.10, 0.12, 0.11, 0.13],
    "LINEAR": [0.20, 0.22, 0.21, 0.20],
    "FOREST": [0.15, 0.16, 0.14, 0.15],
}
DEFINITION = json.dumps({"task": "classification", "target": "state"})
ENVIRONMENT = json.dumps({"kernelwise": "0+1", "processor": "a <fast> one"})


def results_on(name, errors=ERRORS, seconds=1.0):
    return [
        made(
            Cell(f"{name}:01234567", "2-fold", number, method, 7),
            error=error,
            baseline=0.5,
            environment=ENVIRONMENT,
            cpu_seconds=seconds * (place + 1),
        )
        for place, (method, column) in enumerate(errors.items())
        for number, error in enumerate(column)
    ]


def table(name="t.csv", **options):
    return ComparedTable.of(results_on(name, **options), DEFINITION)


def ids(page):
    return re.findall(r'<details id="([\w-]+)"', page)


def test_a_store_gives_the_tables_that_were_compared(tmp_path):
    other = [made(Cell("ida_heart", "published", k, "LINEAR")) for k in range(3)]
    alone = results_on("few.csv", {"LINEAR": [0.3]})
    with Store(tmp_path / "s.sqlite") as store:
        for name in ("t.csv", "few.csv"):
            store.define(KIND, f"{name}:01234567", DEFINITION)
        store.add([*results_on("t.csv"), *other, *alone])
        (found,) = compared_tables(store)
    assert found == table()
    assert (found.name, found.target, found.folds, found.seed) == ("t.csv", "state", 2, 7)


def test_the_page_says_what_the_comparison_says_and_how_to_repeat_it():
    found = table()
    page = as_html(comparison_document([found]))
    assert ids(page) == ["verdict", "errors", "cost", "methods", "repeat"]
    (data,) = re.findall(r'<script type="application/json" id="record">(.*?)</script>', page)
    assert json.loads(data) == json.loads(as_json([found]))
    text = as_markdown(comparison_document([found]))
    for sentence in in_words(found.comparison):
        assert sentence in text
    command = (
        "kernelwise compare t.csv --target state --methods rbf-loo,forest,linear --folds 2 "
        "--repeats 2 --seed 7"
    )
    assert command in text and command in page
    assert "a &lt;fast&gt; one" in page and page.count("<svg") == page.count("<title ") == 2


def test_a_sample_is_called_one_and_drawn_again_by_the_command():
    frame = pd.DataFrame({"x": range(450), "state": ["a", "b"] * 225})
    known = definition_of(Dataset.from_frame(frame, "state").sample(90, 7))
    found = ComparedTable.of(results_on("t.csv"), known)
    assert found.sampled == (90, 450)
    text = as_markdown(comparison_document([found]))
    rows = found.comparison.rows
    assert text.count(f"{rows} rows, a random sample of 450") == 2
    assert "--seed 7 --sample 90" in text
    assert "sample" not in as_markdown(comparison_document([table()]))


def test_marks_belong_to_the_rows_of_their_methods():
    errors = {"LINEAR": [0.3, 0.3, None, 0.3], **ERRORS} | {"LINEAR": [0.05, 0.05]}
    document = comparison_document([table(errors=errors)])
    (figure,) = next(one for one in document.sections if one.id == "errors").parts
    names = [row[0].text for row in figure.table.rows]
    assert names[:3] == ["RBF-LOO", "FOREST", "LINEAR (2 of 4 splits)"]
    assert [names[row] for row in figure.rows] == [names[2], *names[:2]], "drawn by their error"


@pytest.mark.parametrize("count", [2, 5])
def test_mean_ranks_over_tables_are_tested_only_where_there_are_enough(count):
    tables = [table(f"t{k}.csv") for k in range(count)]
    page = as_html(comparison_document(tables))
    sections = [*(f"table-{k}" for k in range(1, count + 1)), "ranks", "methods", "repeat"]
    assert ids(page) == sections
    assert ("Nemenyi" in page) == (count == 5)
    assert ("too few to tell" in page) == (count == 2)


def test_nothing_to_compare_is_said():
    with pytest.raises(ValueError, match="no table has two finished splits"):
        comparison_document([])
