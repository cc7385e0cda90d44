"""``kernelwise reproduce`` as a user meets it: a run, the same again, and every wrong option."""

from dataclasses import replace

import pytest
from sklearn.linear_model import LogisticRegression
from typer.testing import CliRunner

from kernelwise import cli
from kernelwise.cli import console
from kernelwise.cli.running import duration, progress_in_words
from kernelwise.methods import METHODS
from kernelwise.papers import TABLES
from kernelwise.report.grids import Grid
from kernelwise.runs import Progress, Store
from kernelwise.runs.results_csv import read_results

SMALL = ("--datasets", "heart,thyroid,titanic", "--methods", "rbf-loo,LINEAR")
GENERATED = "generated splits of the paper's sizes (not the published ones)"


def run(*arguments, **environment):
    variables = {"KERNELWISE_DATA": None} | environment
    runner = CliRunner(env=variables)
    return runner.invoke(cli.app, ["reproduce", *map(str, arguments)])


def assert_refused(result, message):
    """One line on standard error, exit code 2, no traceback."""
    assert result.exit_code == 2, result.output
    (error,) = [line for line in result.stderr.splitlines() if not line.startswith("note: ")]
    assert error.startswith("error: ") and message in error
    assert "Traceback" not in result.output


@pytest.fixture(scope="module")
def shared(data_folder, tmp_path_factory):
    """A folder with the store, the CSV file and the output of a small real run."""
    folder = tmp_path_factory.mktemp("run")
    result = run(
        *("first-level-table-2", *SMALL, "--replicates", 2, "--data-dir", data_folder),
        *("--store", folder / "s.sqlite", "--csv", folder / "r.csv"),
    )
    assert result.exit_code == 0, result.output
    (folder / "output.txt").write_text(result.stdout)
    return folder


def lines_of(output, heading):
    """The lines of the table that begins with ``heading``, as cells."""
    lines = output.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith(heading))
    table = []
    for line in lines[first:]:
        if not line:
            break
        table.append([cell.strip() for cell in line.split("  ") if cell.strip()])
    return table


def test_a_run_sets_ours_beside_the_papers(shared):
    output = (shared / "output.txt").read_text()
    assert "12 computed, 0 known before, 0 failed, 0 skipped; kept in" in output
    assert f"Splits:          {GENERATED}, 2 per data set\n" in output
    assert "Mean error in percent ± its standard error over splits" in output
    paper = lines_of(output, "ours / paper")
    assert paper[0] == ["ours / paper", "RBF-LOO", "RBF-XVAL", "RBF-FLKL"]
    assert [line[0] for line in paper[1:]] == ["heart", "thyroid", "titanic"]
    results, _ = read_results(shared / "r.csv")
    for dataset, ours, *others in paper[1:]:
        printed = TABLES["first-level-table-2"].printed[dataset]
        one, two = (
            100 * r.record.error
            for r in results
            if (r.cell.dataset, r.cell.method) == (f"ida_{dataset}", "RBF-LOO")
        )
        expected = f"{(one + two) / 2:.2f}±{abs(one - two) / 2:.2f} / "
        expected += f"{printed['RBF-LOO'].mean:.2f}±{printed['RBF-LOO'].standard_error:.2f}"
        assert ours.rstrip(" *") == expected
        assert others[0] == (
            f"- / {printed['RBF-XVAL'].mean:.2f}±{printed['RBF-XVAL'].standard_error:.2f}"
        )
    companions = lines_of(output, "ours  ")
    assert companions[0] == ["ours", "LINEAR"] and companions[-1][0] == "rank among all"
    marks = sum("*" in cell for line in paper for cell in line)
    compared = sum(line[1].count("±") == 2 and "±0.00 /" not in line[1] for line in paper[1:])
    assert f"{marks} of {compared} means differ from the paper's at 5 % (*)" in output
    assert "Welch" in output and "Holm" in output
    assert f"Results:         {shared / 'r.csv'}" in output


def test_the_same_again_computes_nothing_and_shows_the_same(shared, data_folder):
    result = run(
        *("first-level-table-2", *SMALL, "--replicates", 2, "--store", shared / "s.sqlite"),
        KERNELWISE_DATA=str(data_folder),
    )
    assert result.exit_code == 0, result.output
    first = (shared / "output.txt").read_text().splitlines()
    again = result.stdout.splitlines()
    assert again[0].startswith("Cells:           0 computed, 12 known before, 0 failed, 0 skipped")
    assert again[1:] == first[1:-1]


def test_more_replicates_compute_only_what_is_new(shared, data_folder, tmp_path):
    (tmp_path / "s.sqlite").write_bytes((shared / "s.sqlite").read_bytes())
    result = run(
        *("first-level-table-2", "--datasets", "titanic", "--methods", "LINEAR"),
        *("--replicates", 3, "--store", tmp_path / "s.sqlite", "--data-dir", data_folder),
    )
    assert result.exit_code == 0, result.output
    assert "1 computed, 2 known before" in result.output
    assert "3 per data set" in result.output and "heart" not in result.output


def test_results_of_a_file_are_shown_without_data_or_store(shared, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("first-level-table-2", "--from", shared / "r.csv", "--csv", "copy.csv")
    assert result.exit_code == 0, result.output
    first = (shared / "output.txt").read_text().splitlines()
    assert result.stdout.splitlines()[:-1] == first[1:-1]
    assert [path.name for path in tmp_path.iterdir()] == ["copy.csv"]
    again = read_results(tmp_path / "copy.csv")[0]
    assert again == read_results(shared / "r.csv")[0]
    other = run("first-level-table-4", "--from", shared / "r.csv")
    assert_refused(other, "there are no results of first-level-table-4")


def test_results_of_a_file_are_taken_into_another_store(shared, data_folder, tmp_path):
    """Only the cells asked for; what the file lacks is computed."""
    options = ("--store", tmp_path / "s.sqlite", "--data-dir", data_folder)
    result = run(
        *("first-level-table-2", "--datasets", "titanic", "--methods", "LINEAR"),
        *("--replicates", 3, "--take", shared / "r.csv", "--csv", tmp_path / "r.csv", *options),
    )
    assert result.exit_code == 0, result.output
    assert "1 computed, 2 known before" in result.stdout
    with Store(tmp_path / "s.sqlite") as store:
        assert {cell.dataset for cell in store.finished()} == {"ida_titanic"}
    before, after = (
        {r.cell: r for r in read_results(path)[0]}
        for path in (shared / "r.csv", tmp_path / "r.csv")
    )
    assert len(after) == 3 and len(before.keys() & after.keys()) == 2
    assert all(after[cell] == before[cell] for cell in before.keys() & after.keys())


def test_published_splits_are_called_so_and_sets_without_them_left_out(data_folder, tmp_path):
    result = run(
        *("first-level-table-2", "--datasets", "diabetis,thyroid,titanic", "--methods", "LINEAR"),
        *("--replicates", 2, "--splits", "published", "--data-dir", data_folder),
        *("--store", tmp_path / "s.sqlite"),
    )
    assert result.exit_code == 0, result.output
    assert "Splits:          published splits, 2 per data set (1: thyroid)\n" in result.output
    assert "note: no published splits of diabetis: left out" in result.stderr
    assert "note: fewer published splits than asked for: thyroid 1" in result.stderr
    assert "generated" not in result.output
    assert [line[0] for line in lines_of(result.output, "ours / paper")[1:]] == [
        "thyroid",
        "titanic",
    ]
    with Store(tmp_path / "s.sqlite") as store:
        assert {cell[1:3] for cell in store.finished()} == {("published", 0), ("published", 1)}
    nothing = run(
        *("first-level-table-2", "--datasets", "diabetis", "--splits", "published"),
        *("--data-dir", data_folder, "--store", tmp_path / "s.sqlite"),
    )
    assert_refused(nothing, "there is nothing to run")


@pytest.fixture(scope="module")
def aligned(data_folder, tmp_path_factory):
    """A folder with the CSV file and the output of two tables of the alignment paper."""
    folder = tmp_path_factory.mktemp("aligned")
    result = run(
        *("alignment-table-2", "alignment-table-5", "--datasets", "labor,appendicitis"),
        *("--methods", "CKTA,MSCKTA,ARD-ALIGN", "--replicates", 2, "--data-dir", data_folder),
        *("--store", folder / "s.sqlite", "--csv", folder / "alignment.csv"),
    )
    assert result.exit_code == 0, result.output
    (folder / "output.txt").write_text(result.stdout)
    return folder


def test_a_table_has_its_own_splits_and_tables_share_cells(aligned):
    output = (aligned / "output.txt").read_text()
    assert "12 computed, 0 known before, 0 failed, 0 skipped; kept in" in output
    assert output.count("Splits:          ten stratified folds (not the paper's), 2 per") == 2
    assert "Mean accuracy in percent ± its standard error over splits" in output
    assert "Mean CPU seconds of a fit ± its standard error over splits" in output
    assert "Welch" not in output, "the paper prints no spread"
    assert "means differ from the paper's by more than 3 points" in output
    with Store(aligned / "s.sqlite") as store:
        assert {cell[1:3] for cell in store.finished()} == {("folds", 0), ("folds", 1)}
        kept = {result.cell: result.record.learnt.measures for result in store.results()}
    for result in read_results(aligned / "alignment.csv")[0]:
        measures = result.record.learnt.measures
        assert measures == pytest.approx(kept[result.cell], rel=1e-5)
        assert bool(measures) == (result.cell.method != "ARD-ALIGN")
    accuracies, seconds = output.split("Table:           alignment-table-5")
    assert [line[0] for line in lines_of(accuracies, "ours / paper")] == [
        *("ours / paper", "appendicitis", "labor", "mean", "mean rank")
    ]
    assert "MSCKTA and CV were not run on the same data set." in seconds


def test_a_summary_and_its_page_are_made_from_the_cells_of_another_table(aligned, tmp_path):
    options = ("--from", aligned / "alignment.csv", "--pages", tmp_path / "pages")
    result = run("alignment-table-3", "alignment-table-6", *options)
    assert result.exit_code == 0, result.output
    summary, features = result.stdout.split("Table:           alignment-table-6")
    lines = lines_of(summary, "ours / paper")
    assert [line[0] for line in lines[1::2]] == [
        f"{name}: mean"
        for name in ("accuracy", "support vectors", "training alignment", "test alignment")
    ]
    ours, paper = lines[5][-1].split(" / ")  # of MSCKTA
    found = [
        result.record.learnt.measures["training_alignment"]
        for result in read_results(aligned / "alignment.csv")[0]
        if result.cell.method == "MSCKTA"
    ]
    assert float(ours) == pytest.approx(sum(found) / 4, abs=5e-4) and paper == "0.379"
    assert "Mean ranks are" not in features, "one method has no rank"
    pages = sorted(path.name for path in (tmp_path / "pages").iterdir())
    assert pages == [
        *("alignment-table-3-ranks.svg", "alignment-table-3.md", "alignment-table-6.md")
    ]
    text = (tmp_path / "pages" / "alignment-table-6.md").read_text()
    assert "Mean percentage of the varying features that the kernel uses ±" in text
    assert "The paper prints no standard errors." in text
    assert "## Cost" not in text and "## Pictures" not in text


def test_results_are_compared_once(aligned, tmp_path, monkeypatch):
    compared, compare = [], cli.reproducing.compare_with_paper

    def counted(table, results):
        compared.append(table.name)
        return compare(table, results)

    for module in ("kernelwise.cli.reproducing", "kernelwise.papers.comparison"):
        monkeypatch.setattr(f"{module}.compare_with_paper", counted)
    options = ("--from", aligned / "alignment.csv", "--pages", tmp_path / "pages")
    result = run("alignment-table-2", "alignment-table-5", *options, "--csv", tmp_path / "a.csv")
    assert result.exit_code == 0, result.output
    assert compared == ["alignment-table-2", "alignment-table-5"]
    heading = (tmp_path / "pages" / "alignment-table-2.md").read_text()
    assert "- results: `a.csv`" in heading, "the page is made from the file that was written"


def test_a_table_without_the_methods_asked_for_is_left_out(data_folder, tmp_path):
    result = run(
        *("alignment-table-2", "alignment-table-6", "--datasets", "labor", "--methods", "CKTA"),
        *("--replicates", 1, "--data-dir", data_folder, "--store", tmp_path / "s.sqlite"),
    )
    assert result.exit_code == 0, result.output
    assert "note: alignment-table-6 has none of these methods: left out" in result.stderr
    assert (
        "1 computed" in result.stdout and "Table:           alignment-table-6" not in result.stdout
    )


def test_trials_are_seeds_of_one_split_and_each_data_set_has_its_kind(data_folder, tmp_path):
    result = run(
        *("svm-table-1", "--datasets", "Crabs,Pima", "--methods", "SVM", "--replicates", 3),
        *("--data-dir", data_folder, "--store", tmp_path / "s.sqlite"),
        *("--csv", tmp_path / "svm.csv", "--pages", tmp_path / "pages"),
    )
    assert result.exit_code == 0, result.output
    assert "6 computed" in result.stdout and result.stderr == ""
    assert f"{GENERATED}, 3 trials on one per data set on Crabs only" in result.stdout
    assert "published splits, 3 trials on one per data set on Pima only" in result.stdout
    results = read_results(tmp_path / "svm.csv")[0]
    assert [result.cell for result in results] == [
        (dataset, split, 0, "SVM", seed)
        for dataset, split in (("crabs", "generated"), ("pima_ripley", "published"))
        for seed in range(3)
    ]
    heading, *lines = lines_of(result.stdout, "ours / paper")
    assert heading[1] == "SVM" and [line[0] for line in lines] == ["Crabs", "Pima"]
    for (_, figures, *_), printed in zip(lines, ("0.810", "1.23"), strict=True):
        assert "±" in figures and figures.endswith(f" / {printed}"), "evaluations are counted"
    assert (tmp_path / "pages" / "svm-table-1.md").exists()


def test_trials_need_a_split(data_folder, tmp_path):
    result = run(
        *("svm-table-1", "--datasets", "Crabs", "--methods", "SVM", "--splits", "published"),
        *("--data-dir", data_folder, "--store", tmp_path / "s.sqlite"),
    )
    assert_refused(result, "there is nothing to run")
    assert "note: no published splits of Crabs: left out" in result.stderr


def test_there_are_only_ten_folds(data_folder, tmp_path):
    result = run(
        *("first-level-table-2", "--datasets", "heart", "--methods", "LINEAR", "--splits", "folds"),
        *("--replicates", 11, "--data-dir", data_folder, "--store", tmp_path / "s.sqlite"),
    )
    assert result.exit_code == 0, result.output
    assert "note: fewer folds splits than asked for: heart 10" in result.stderr
    assert (
        "Splits:          ten stratified folds (not the paper's), 10 per data set" in result.stdout
    )


def test_skipped_cells_are_explained(data_folder, tmp_path):
    result = run(
        *("first-level-table-2", "--datasets", "diabetis", "--methods", "GP-ARD,LINEAR"),
        *("--replicates", 1, "--data-dir", data_folder, "--store", tmp_path / "s.sqlite"),
    )
    assert result.exit_code == 0, result.output
    assert "1 computed, 0 known before, 0 failed, 1 skipped" in result.output
    assert "note: GP-ARD skipped: GP-ARD is tried on up to 250 rows, not 468" in result.stderr
    assert "No mean was compared with the paper's" in result.output


def test_failed_cells_are_explained_and_tried_again_when_asked(data_folder, tmp_path, monkeypatch):
    broken = replace(METHODS["LINEAR"], classifier=lambda _: LogisticRegression(C=-1))
    monkeypatch.setitem(METHODS, "LINEAR", broken)
    options = (
        *("first-level-table-2", "--datasets", "heart,titanic", "--methods", "LINEAR,RBF-LOO"),
        *("--replicates", 1, "--data-dir", data_folder, "--store", tmp_path / "s.sqlite"),
    )
    first, again, retried = run(*options), run(*options), run(*options, "--retry-failed")
    for result, counts in (
        (first, "2 computed, 0 known before, 2 failed"),
        (again, "0 computed, 4 known before, 0 failed"),
        (retried, "0 computed, 2 known before, 2 failed"),
    ):
        assert result.exit_code == 0, result.output
        assert counts in result.stdout
        assert "note: LINEAR failed: " in result.stderr and "'C' parameter" in result.stderr
        assert "(2 cells)" in result.stderr and "Traceback" not in result.output


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (89, "89 s"), (90, "2 min"), (5300, "88 min"), (5400, "1 h 30 min")],
)
def test_durations(seconds, text):
    assert duration(seconds) == text


def test_progress_in_words():
    assert progress_in_words(Progress(total=4, known=1)) == ""
    assert progress_in_words(Progress(4, 0, done=1, seconds_left=30.2)) == "about 30 s left"
    assert progress_in_words(Progress(4, 0, failed=2, seconds_left=600)) == (
        "2 failed, about 10 min left"
    )


@pytest.mark.parametrize("arguments", [("--list",), ()])
def test_the_list_without_data(arguments):
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    for name, table in TABLES.items():
        assert f"{name}: {table.caption}" in result.stdout
        assert f"needs {len(table.datasets)} data sets, 0 found" in result.stdout
        if table.files:
            assert f"    a file of your own: {table.files}" in result.stdout
        else:
            assert f"about {table.cpu_minutes:g} CPU minutes per replicate" in result.stdout
    assert "shown from the paper, not run: DAMOULAS-2008" in result.stdout
    assert "note: name the folder of the benchmark sets by --data-dir" in result.stderr


def test_the_list_says_what_is_found(data_folder, tmp_path):
    result = run("--list", "--data-dir", data_folder)
    assert result.stdout.count("needs 14 data sets, 14 found\n") == 2
    assert "needs 13 data sets, 13 found\n" in result.stdout and result.stderr == ""
    (tmp_path / "ida_heart.npz").touch()
    some = run("--list", "--data-dir", tmp_path)
    assert "needs 13 data sets, 1 found; missing: banana, breast_cancer, diabetis" in some.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["first-level-tabel-3"],
            "no paper table 'first-level-tabel-3': did you mean first-level-table-3",
        ),
        (["nonsense"], "choose from first-level-table-2, first-level-table-3, first-level-table-4"),
        (["--methods", "RBF-LOO,XYZ"], "there is no method 'XYZ': choose from AUTO"),
        (["--methods", "ARD-LOO"], "first-level-table-2 has no method 'ARD-LOO'"),
        (["--methods", ","], "the list of names is empty"),
        (["--datasets", "hart"], "has no data set 'hart': choose from banana"),
        (["--replicates", "0"], "--replicates 0: use 1 or more"),
        (["--replicates", "-3"], "--replicates -3: use 1 or more"),
        (["--splits", "other"], "--splits other: choose from generated, published, folds, thirds,"),
        (["--jobs", "0"], "--jobs 0: use at least one process"),
        (["--dask", "garbage"], "--dask garbage: give 'local' or a scheduler's address"),
        (["--data-dir", "absent"], "correct its name, or KERNELWISE_DATA (option --data-dir)"),
        (["--csv", "absent/r.csv"], "the folder absent does not exist: create it first"),
        (["--csv", "."], "is a folder: give the name of a file"),
        (["--csv", "s.sqlite"], "--csv s.sqlite is also an input or the store"),
        (["--csv", "table.csv", "--from", "table.csv"], "is also an input or the store"),
        (["--from", "table.csv"], "table.csv is not a file of results"),
        (["--from", "absent.csv"], "absent.csv cannot be read"),
        (["--take", "absent.csv"], "absent.csv cannot be read"),
        (["--take", "table.csv"], "table.csv is not a file of results"),
        (["--from", "table.csv", "--take", "table.csv"], "leave out --datasets, --methods and"),
        (
            ["--from", "table.csv", "--methods", "LINEAR"],
            "leave out --datasets, --methods and --take",
        ),
        (["--from", "table.csv", "--replicates", "0"], "--replicates 0"),
        (["--store", "absent/s.sqlite"], "the folder of the store absent/s.sqlite does not exist"),
        (["--store", "table.csv"], "is not a readable store"),
    ],
)
def test_wrong_options_are_refused_before_any_work(
    data_folder, tmp_path, monkeypatch, options, message
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.csv").write_text("x,y\n1,2\n")
    table = (
        [] if not options[0].startswith("--") else ["first-level-table-2", "--store", "s.sqlite"]
    )
    assert_refused(run(*table, *options, KERNELWISE_DATA=str(data_folder)), message)
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]


def test_data_that_is_not_there_is_said_before_any_work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("first-level-table-3")
    assert_refused(result, "no set is called 'ida_banana'")
    assert "KERNELWISE_DATA (option --data-dir)" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_wide_table_loses_nothing(capsys, monkeypatch):
    """In a file all columns are in one line; on a terminal in parts that fit."""
    grid = Grid(("set", *"ABCDE"), (("one", *["12.34±0.56"] * 5), ("zwei", *["7"] * 5)))
    console.show_grid(grid)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["set", *"ABCDE"] and len({len(line) for line in lines}) == 1
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "30")
    console.show_grid(grid)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 30 and len(lines) == 9
    assert [line.split() for line in lines[::3]] == [["set", *pair] for pair in ("AB", "CD", "E")]
    assert "\n".join(lines).count("12.34±0.56") == 5


def test_help_shows_an_example():
    result = run("--help")
    assert result.exit_code == 0
    assert "Example:  kernelwise reproduce first-level-table-3 --replicates 20" in result.stdout
