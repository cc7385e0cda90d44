"""Results as CSV: what is kept is kept exactly, and foreign files are refused."""

import csv
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_results import made

from kernelwise.evaluation.fold_records import FoldRecord, Learnt
from kernelwise.runs import Cell, CellResult
from kernelwise.runs.environment import environment
from kernelwise.runs.results_csv import COLUMNS, read_results, write_results

VERSION_1 = Path(__file__).with_name("version_1") / "results.csv"
OLD = VERSION_1.read_text()
NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\0"), max_size=8)
RATES = st.integers(1, 5000).flatmap(lambda n: st.integers(0, n).map(lambda wrong: wrong / n))
SECONDS = st.integers(1, 9999).map(lambda digits: digits / 1000)
FIVE_DIGITS = st.integers(1, 99999).map(lambda digits: digits / 100)
COUNTERS = st.dictionaries(st.sampled_from(["fits", "evaluations"]), st.integers(0, 10**12))
MEASURES = st.fixed_dictionaries({"support_vectors": st.integers(0, 999999).map(float)})
LEARNT = st.builds(
    Learnt,
    values=st.just(()) | st.lists(FIVE_DIGITS, min_size=1, max_size=4),
    regularization=st.none() | FIVE_DIGITS,
    C=st.none() | FIVE_DIGITS,
    measures=st.just({}) | MEASURES,
)
ENVIRONMENTS = st.sampled_from(["{}", environment(), json.dumps({"processor": 'a, "b" #: ü'})])
CELLS = st.builds(
    Cell,
    st.one_of(NAMES, st.just("# a comment?")),
    st.one_of(NAMES, st.sampled_from(["generated", "published"])),
    st.integers(0, 12),
    NAMES,
    st.integers(0, 2**63 - 1),
)
RECORDS = st.builds(
    FoldRecord,
    error=RATES,
    baseline=st.none() | RATES,
    inner_error=st.none() | RATES,
    n_train=st.integers(1, 10**9),
    n_test=st.integers(1, 10**9),
    wall_seconds=SECONDS,
    cpu_seconds=SECONDS,
    counters=COUNTERS,
    learnt=LEARNT,
    predictions_hash=st.text("0123456789abcdef", min_size=16, max_size=16),
)
DONE = st.builds(CellResult, CELLS, st.just("done"), record=RECORDS, environment=ENVIRONMENTS)
OTHERS = st.builds(
    CellResult,
    CELLS,
    st.sampled_from(["failed", "skipped"]),
    NAMES.filter(lambda text: text.splitlines() in ([], [text])),
    failed_after=st.none() | st.tuples(SECONDS, SECONDS),
    environment=ENVIRONMENTS,
)


@settings(deadline=None, max_examples=60)
@given(st.lists(DONE | OTHERS, max_size=6, unique_by=lambda result: result.cell), st.randoms())
def test_what_is_written_is_read_again(tmp_path_factory, results, random):
    path = tmp_path_factory.mktemp("results") / "results.csv"
    heading = {"command": "kernelwise reproduce 'a: b'", "splits": "generated, 2"}
    write_results(path, results, heading)
    again, read = read_results(path)
    assert again == sorted(results, key=lambda result: result.cell)
    assert {key: read[key] for key in heading} == heading
    written = path.read_bytes()
    random.shuffle(results)
    write_results(path, results, heading)
    assert path.read_bytes() == written
    write_results(path, again, heading)
    assert path.read_bytes() == written


def done(method="RBF-LOO", **values):
    values = {"error": 1 / 3, "environment": environment()} | values
    return made(Cell("ida_heart", "generated", 0, method), **values)


def test_error_rates_are_exact_and_kernel_values_have_five_digits(tmp_path):
    values = [1 / 3, 1e-7 / 3, float("inf")]
    found = done(baseline=0.1 + 0.2, values=values, regularization=2 / 3, C=2e5 / 3, kernel="ARD")
    write_results(tmp_path / "r.csv", [found], {})
    ((result,), _) = read_results(tmp_path / "r.csv")
    assert result.record.error == 1 / 3 and result.record.baseline == 0.1 + 0.2
    kept = Learnt(values=[0.33333, 3.3333e-8, float("inf")], regularization=0.66667, C=66667)
    assert result.record.learnt == kept


def test_measures_have_six_digits(tmp_path):
    measures = {"support_vectors": 1234.0, "test_alignment": 1 / 3, "training_alignment": -1e-7 / 3}
    write_results(tmp_path / "r.csv", [done(measures=measures)], {})
    (result,), _ = read_results(tmp_path / "r.csv")
    assert result.record.learnt.measures == {
        "support_vectors": 1234.0,
        "test_alignment": 0.333333,
        "training_alignment": -3.33333e-8,
    }


def test_comment_lines_say_where_the_results_come_from(tmp_path):
    other = json.dumps({"kernelwise": "0"})
    results = [done(), done("LINEAR", environment=other), done("FOREST")]
    write_results(tmp_path / "r.csv", results, {"command": "two\nlines"})
    lines = (tmp_path / "r.csv").read_text().splitlines()
    assert lines[:4] == [
        "# command: two lines",
        f"# environment 1: {environment()}",
        f"# environment 2: {other}",
        ",".join(COLUMNS),
    ]
    assert [row["environment"] for row in csv.DictReader(lines[3:])] == ["1", "2", "1"]
    again, heading = read_results(tmp_path / "r.csv")
    assert {result.cell.method: result.environment for result in again} == {
        "FOREST": environment(),
        "LINEAR": other,
        "RBF-LOO": environment(),
    }
    assert heading["environment 2"] == other


def test_of_a_message_the_first_line_is_kept_where_a_cell_is_not_done(tmp_path):
    failed = CellResult(done("FOREST").cell, "failed", "ValueError: no\nin x.py")
    write_results(tmp_path / "r.csv", [done(messages=("a warning",)), failed], {})
    again, _ = read_results(tmp_path / "r.csv")
    assert [result.message for result in again] == ["ValueError: no", ""]


GOOD = {
    "dataset": "ida_heart",
    "split": "generated",
    "number": "0",
    "method": "RBF-LOO",
    "seed": "0",
    "status": "done",
    "error": "0.5",
    "n_train": "80",
    "n_test": "20",
    "wall_seconds": "1",
    "cpu_seconds": "1",
    "environment": "1",
}


def table(**changes):
    row = dict.fromkeys(COLUMNS, "") | GOOD | changes
    return f"# environment 1: {{}}\n{','.join(COLUMNS)}\n{','.join(row.values())}\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is not a file of results: its columns are not dataset, split"),
        ("x,y\n1,2\n", "is not a file of results: its columns are not"),
        (b"\xff\xfe\x00", "cannot be read"),
        (table(status="finished"), "line 2 of its table: there is no status 'finished'"),
        (table(error=""), "a cell that is done has no error rate"),
        (table(error="half"), "could not convert string to float: 'half'"),
        (table(error="nan"), "a cell that is done has no error rate"),
        (table(seed="x"), "line 2 of its table: invalid literal"),
        (table(number="seventh"), "line 2 of its table: invalid literal"),
        (table(n_train=""), "line 2 of its table: .*missing .* 'n_train'"),
        (table(C="half"), "could not convert string to float: 'half'"),
        (OLD.replace("generated/0", "seventh"), "line 2 of its table: there is no split 'seventh'"),
        (OLD.replace("generated/0", "a/seventh"), "line 2 of its table: invalid literal"),
        (OLD.replace(",seed,", ",need,"), "its columns are not dataset, split, number"),
        (table(counters="fits"), "line 2 of its table"),
        (table(measures="features"), "line 2 of its table"),
        (table(measures="features=half"), "could not convert string to float: 'half'"),
        (table(environment="7"), "environment 7"),
        (table().replace("0.5", '"0.5'), "unexpected end of data"),
        (table()[:-8], "line 2 of its table"),
    ],
)
def test_foreign_and_damaged_files_are_refused(tmp_path, content, message):
    path = tmp_path / "r.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ValueError, match=message) as caught:
        read_results(path)
    assert str(path) in str(caught.value)


def test_the_file_that_the_damaged_ones_are_made_from_is_sound(tmp_path):
    (tmp_path / "r.csv").write_text(table())
    (result,), _ = read_results(tmp_path / "r.csv")
    assert result.record.error == 0.5


def test_files_written_before_splits_were_two_columns_and_before_c_are_read(tmp_path):
    results, heading = read_results(VERSION_1)
    assert heading["command"] == "kernelwise reproduce" and len(results) == 11
    first, *_, last = results
    assert first.cell == Cell("crabs", "generated", 0, "ARD-SPAN", 0)
    assert first.record.learnt.measures["support_vectors"] == 14 and first.record.learnt.C is None
    assert last.cell == Cell("ida_titanic", "generated", 2, "RBF-LOO")
    assert last.record.learnt == Learnt(values=[14.14], regularization=0.16997)
    assert [(r.cell.number, r.reason) for r in results if r.status == "skipped"] == [
        (10, "GP-ARD is tried on up to 250 rows, not 468")
    ]
    write_results(tmp_path / "new.csv", results, {})
    again, _ = read_results(tmp_path / "new.csv")
    assert again == sorted(results, key=lambda result: result.cell)


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    for path in (tmp_path / "absent.csv", tmp_path):
        with pytest.raises(ValueError, match="cannot be read"):
            read_results(path)
