"""Tables that are never in memory as a whole: fitted, checked and predicted piece by piece."""

import hashlib
import json

import numpy as np
import pandas as pd
import pytest
from command_line import run

from kernelwise import LSSVMClassifier
from kernelwise.cli import options, progressing
from kernelwise.cli.options import InPieces, PieceOptions
from kernelwise.data import frame_pieces, text_chunks
from kernelwise.persistence import load_model
from kernelwise.scale.row_blocks import RowBlocks, watching_passes
from kernelwise.selections import growing
from kernelwise.solutions import Targets

ROWS = 4000
FAST = ("--kernel", "ard", "--landmarks", 50, "--target", "late", "--drop", "delay")


def flights(rows=ROWS, seed=0):
    random = np.random.default_rng(seed)
    wind, load = random.normal(size=(2, rows))
    airline = random.choice(["AA", "BB", "CC"], rows)
    delay = wind + (airline == "AA") + 0.3 * random.normal(size=rows)
    return pd.DataFrame(
        {
            "flight": [f"F{number}" for number in range(rows)],
            "wind": np.where(random.random(rows) < 0.02, np.nan, wind),
            "load": load,
            "airline": airline,
            "day": pd.Timestamp("2021-01-01") + pd.to_timedelta(random.integers(0, 700, rows), "D"),
            "delay": delay.round(4),
            "late": np.where(delay > 0.5, "yes", "no"),
        }
    )


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    """Row groups of a file in several pieces, short chunks, and a cheap start of a search."""
    monkeypatch.setattr(frame_pieces, "NUMBERS_IN_PIECE", 700)
    monkeypatch.setattr(frame_pieces, "LEAST_ROWS", 700)
    monkeypatch.setattr(text_chunks, "CHUNK", 40_000)
    monkeypatch.setattr(growing, "FIRST_ROWS", 200)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table as CSV, as Parquet of several row groups, and as a folder of Parquet files."""
    folder, table = tmp_path_factory.mktemp("flights"), flights()
    table.to_csv(folder / "flights.csv", index=False)
    table.to_parquet(folder / "flights.parquet", row_group_size=1000)
    (folder / "parts").mkdir()
    for part in range(2):
        rows = slice(part * ROWS // 2, (part + 1) * ROWS // 2)
        table.iloc[rows].to_parquet(folder / "parts" / f"{part}.parquet", row_group_size=1000)
    new = flights(1500, seed=1)
    new.loc[1400:, "airline"] = "DD"
    new.loc[3, "wind"] = 99.0
    new.to_csv(folder / "new.csv", index=False)
    new.to_parquet(folder / "new.parquet", row_group_size=400)
    return folder


@pytest.fixture(scope="module")
def model(folder):
    """A classifier fitted to the Parquet file in pieces, and what was said."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(growing, "FIRST_ROWS", 200)
        patch.setattr(frame_pieces, "NUMBERS_IN_PIECE", 700)
        patch.setattr(frame_pieces, "LEAST_ROWS", 700)
        out = folder / "model.skops"
        result = run("fit", folder / "flights.parquet", *FAST, "--in-pieces", "--out", out)
    assert result.exit_code == 0, result.output
    return out, result


def test_a_fit_in_pieces_says_what_a_fit_says(model):
    out, result = model
    assert "flights.parquet, 4000 rows," in result.stdout
    assert "classification of 'late', because it holds text" in result.stdout
    assert "4000 rows on 50 landmarks: this takes roughly" in result.stderr
    assert "KW205" in result.stderr, "the column of flight numbers is left out, and said"
    assert "on rows kept apart" in result.stdout and "Mistakes:" in result.stdout
    fitted, metadata = load_model(out)
    assert type(fitted) is LSSVMClassifier
    assert metadata.rows == ROWS and metadata.classes == ("no", "yes")
    assert metadata.honest_error["value"] == pytest.approx(fitted.honest_error_, rel=1e-9)
    table = flights()
    assert metadata.lowest["wind"] == table["wind"].min()
    assert metadata.highest["load"] == table["load"].max()
    assert metadata.categorical_columns == ("airline",)


@pytest.mark.parametrize("name", ["flights.csv", "parts"])
def test_text_and_folders_give_the_same_model(folder, model, tmp_path, name):
    out = tmp_path / "m.skops"
    result = run("fit", folder / name, *FAST, "--in-pieces", "--out", out)
    assert result.exit_code == 0, result.output
    one, other = load_model(model[0])[0], load_model(out)[0]
    # Days are counted from the first that was looked at, which differs.
    np.testing.assert_allclose(one.dual_coef_, other.dual_coef_, rtol=1e-3)
    assert one.honest_error_ == pytest.approx(other.honest_error_, abs=0.002)


def test_several_kernels_are_tried_in_pieces(folder, tmp_path):
    out = tmp_path / "m.skops"
    options = ("--target", "late", "--features", "wind,airline", "--landmarks", 20, "--in-pieces")
    result = run("fit", folder / "flights.parquet", *options, "--out", out, "--json")
    assert result.exit_code == 0, result.output
    document, model = json.loads(result.stdout), load_model(out)[0]
    content = (folder / "flights.parquet").read_bytes()
    record = model.record_
    assert record.sha256 == hashlib.sha256(content).hexdigest() and record.target == "late"
    assert record.n_rows == ROWS and "KW219" in {check.code for check in record.checks}
    assert document["honest_error"]["value"] == record.error.value < 0.3
    assert run("explain", out).stdout.startswith("Predicting 'late' (no, yes) from 2 features")


def test_weights_count_in_pieces(tmp_path):
    """A class whose rows weigh more is named more often."""
    table = flights().assign(weight=lambda t: np.where(t["late"] == "yes", 20.0, 1.0))
    table.to_parquet(tmp_path / "t.parquet", row_group_size=1000)
    shares = []
    for more in (("--weights", "weight"), ("--features", "wind,airline,load")):
        out = tmp_path / "m.skops"
        options = (*FAST, *more, "--in-pieces", "--folds", 0, "--out", out, "--force")
        result = run("fit", tmp_path / "t.parquet", *options)
        assert result.exit_code == 0 and "Honest error" not in result.output, result.output
        predicted = run("predict", out, tmp_path / "t.parquet", "--json")
        named = [row["prediction"] for row in json.loads(predicted.stdout)["predictions"]]
        shares.append(named.count("yes") / ROWS)
    assert shares[0] > shares[1] + 0.1


def test_a_folder_is_read_in_pieces_without_being_asked(folder):
    result = run("check", folder / "parts", "--target", "late", "--json")
    document = json.loads(result.stdout)
    assert document["rows"] == ROWS and document["target"] == "late"


@pytest.mark.parametrize("name", ["new.csv", "new.parquet"])
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_predictions_in_pieces_are_those_of_the_whole_table(folder, model, tmp_path, name, form):
    read = pd.read_csv if form == "csv" else pd.read_parquet
    tables, said = [], []
    for more in ((), ("--in-pieces",)):
        out = tmp_path / f"{len(more)}.{form}"
        options = ("--id", "flight,day", "--interval", 0.9, "--score", "--out", out, "--json")
        result = run("predict", model[0], folder / name, *options, *more)
        assert result.exit_code == 0, result.output
        tables.append(read(out))
        said.append(json.loads(result.stdout))
    pd.testing.assert_frame_equal(*tables, rtol=1e-9)
    assert len(tables[0]) == 1500 and tables[0]["flight"].is_unique
    assert all(said[0][part] == said[1][part] for part in ("confusion", "rows"))
    assert said[0]["score"] == pytest.approx(said[1]["score"])
    checks = [[(check["code"], check["text"]) for check in one["checks"]] for one in said]
    assert checks[0] == checks[1]
    texts = [text for code, text in checks[1] if code in ("KW501", "KW502")]
    assert any(text.startswith("column 'airline': 100 of 1500 rows") for text in texts)
    seen, new = flights()["wind"], pd.read_csv(folder / "new.csv")["wind"]
    beyond = int(((new < seen.min()) | (new > seen.max())).sum())
    assert any(text.startswith(f"column 'wind': {beyond} of 1500 rows") for text in texts)


def test_predictions_on_standard_output_have_one_header(folder, model):
    result = run("predict", model[0], folder / "new.parquet", "--in-pieces")
    lines = result.stdout.splitlines()
    assert len(lines) == 1501 and lines.count("prediction,probability_no,probability_yes") == 1


def test_no_more_than_a_piece_is_read_at_a_time(folder, model, monkeypatch):
    """Every frame that is predicted is a piece; the whole file is never asked for."""
    sizes = []
    read = frame_pieces.RowGroup.__call__

    def counted(piece):
        frame = read(piece)
        sizes.append(len(frame))
        return frame

    monkeypatch.setattr(frame_pieces.RowGroup, "__call__", counted)
    run("predict", model[0], folder / "new.parquet", "--in-pieces", "--out", folder / "p.csv")
    assert max(sizes) == 400
    (folder / "p.csv").unlink()


def test_a_check_reads_some_pieces_only(tmp_path, monkeypatch):
    path = tmp_path / "long.parquet"
    flights().to_parquet(path, row_group_size=100)
    read, asked = frame_pieces.RowGroup.__call__, []
    monkeypatch.setattr(
        frame_pieces.RowGroup, "__call__", lambda piece: asked.append(piece.group) or read(piece)
    )
    result = run("check", path, "--target", "late", "--in-pieces", "--json")
    document = json.loads(result.stdout)
    assert len(asked) == 16 and {0, 39} <= set(asked)
    assert document["rows"] == ROWS and document["rows_looked_at"] == 1600
    assert any(check["code"] == "KW205" for check in document["checks"])


def test_a_check_of_text_sees_no_repeated_rows(folder):
    result = run("check", folder / "flights.csv", "--target", "late", "--in-pieces", "--json")
    assert "KW402" not in {check["code"] for check in json.loads(result.stdout)["checks"]}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--machine", "svm"), "choose --machine lssvm"),
        (("--sample", "50"), "--sample needs the table in memory"),
        (("--folds", "5"), "--folds 5 needs the table in memory"),
        (("--groups", "airline"), "--groups needs the table in memory"),
        (("--dask", "nowhere"), "give 'local' or a scheduler's address"),
        (("--dask", "tcp://127.0.0.1:1"), "no Dask scheduler answers"),
    ],
)
def test_what_pieces_cannot_do_is_refused(folder, more, said, monkeypatch):
    monkeypatch.setattr("kernelwise.runs.executors.SECONDS_TO_ANSWER", 0.3)
    result = run("fit", folder / "flights.csv", "--target", "late", "--in-pieces", *more)
    assert result.exit_code == 2 and said in result.stderr, result.output


def test_files_that_are_too_long_for_the_memory_are_read_in_pieces(folder, monkeypatch):
    path = folder / "flights.csv"
    size = options.MEMORY_OF_A_BYTE * path.stat().st_size
    for free, wanted in ((size + 1, False), (size - 1, True), (None, False)):
        monkeypatch.setattr(options, "free_memory", lambda free=free: free)
        assert InPieces().are_wanted(path) is wanted
    assert InPieces(in_pieces=True).are_wanted(path) and InPieces().are_wanted(folder)
    assert PieceOptions(dask="local").are_wanted(path)
    assert not PieceOptions().are_wanted(folder / "absent.csv")


def test_a_pass_tells_how_far_it_is():
    rows = RowBlocks(np.ones((10_000, 1)), Targets.plain(np.ones(10_000)), n_threads=2)
    told = []
    with watching_passes(lambda done, rows: told.append((done, rows))):
        assert rows.reduce(lambda X, targets: float(X.sum())) == 10_000
    assert told == [(4096, 10_000), (8192, 10_000), (10_000, 10_000)]
    rows.reduce(lambda X, targets: float(X.sum()))
    assert len(told) == 3, "not after the context"


def test_progress_and_the_time_limit_see_passes(monkeypatch):
    said = []
    monkeypatch.setattr(progressing, "SECONDS_BETWEEN_LINES", 0)
    monkeypatch.setattr("kernelwise.cli.console.note", said.append)
    progress = progressing.FitProgress(1)
    progress.passing(4096, 10_000)
    assert not said, "a part of an evaluation"
    progress.passing(25_000, 100_000)
    assert "fit 1 of 1, 25% of a pass over 100000 rows" in said[0]
    progress.deadline = 0.0
    with pytest.raises(progressing.TimeUp):
        progress.passing(50_000, 100_000)


def test_the_bar_moves_with_the_rows_of_a_pass():
    progress, seen = progressing.FitProgress(1), []

    class Bar:
        task_ids = (0,)

        def update(self, _task, completed, description):
            seen.append(completed)

    progress.bar = Bar()
    progress.evaluated()
    for done in (25_000, 100_000, 50_000, 100_000):
        progress.passing(done, 100_000)
    assert progress.passes == 2
    assert np.all(np.diff(seen) > 0) and seen[0] < 0.05 and 0.5 < seen[-1] < 1
