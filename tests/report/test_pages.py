"""Pages of paper tables: legends that fit the figures, and the pictures a table needs."""

import pytest
from paper_results import trial_results

from kernelwise.papers import TABLES, compare_with_paper
from kernelwise.report.pages import write_page

ERRORS = {"LE1": [5.0, 9.0, 30.0], "SPAN": [4.0, 4.5, 4.2], "SPAN-LBFGS": [3.9, 4.1, 3.8]}


def page_of(number, folder, datasets=("Pima", "Twonorm")):
    table = TABLES[f"svm-table-{number}"]
    results = [
        result
        for dataset in datasets
        for method, percents in ERRORS.items()
        for result in trial_results(table, dataset, method, percents)
    ]
    path = folder / f"{table.name}.md"
    written = write_page(compare_with_paper(table, results), results, {"results": "svm.csv"}, path)
    return path.read_text(), [path.name for path in written]


def test_repeated_searches_have_a_histogram_for_each_data_set(tmp_path):
    text, names = page_of(3, tmp_path)
    assert [name for name in names if "trials" in name] == [
        "svm-table-3-trials-Pima.svg",
        "svm-table-3-trials-Twonorm.svg",
    ]
    caption = (
        "Twonorm: error in percent of all trials, in bins of 2. "
        "Lines: our mean and, dashed, the paper's."
    )
    assert f"![{caption}](svm-table-3-trials-Twonorm.svg)\n\n{caption}" in text
    drawn = (tmp_path / "svm-table-3-trials-Twonorm.svg").read_text()
    assert drawn.count("3 trials, mean") == 3, "a panel for each method that was run"
    assert "3 trials, mean 14.67, paper 13.50" in drawn


@pytest.mark.parametrize(
    ("number", "legend"),
    [
        (
            1,
            "over trials (and the lowest of the trials): ours / the paper's; -: not run. The paper",
        ),
        (3, "over trials (and the lowest of the trials): ours / the paper's; -: not run. A star"),
        (4, "\nLowest error in percent of all trials: ours / the paper's; -: not run. Mean ranks"),
    ],
)
def test_the_legend_says_what_the_figures_are(tmp_path, number, legend):
    text, names = page_of(number, tmp_path)
    assert legend in text
    assert ("## Cost" in text) == any(name.endswith("-cost.svg") for name in names) == (number == 3)
    assert any("trials" in name for name in names) == (number == 3)


def test_the_name_of_a_page(tmp_path):
    table = TABLES["svm-table-3"]
    comparison = compare_with_paper(table, trial_results(table, "Pima", "LE1", [5.0, 9.0]))
    with pytest.raises(ValueError, match=r"page.html: the name of a page must end in \.md"):
        write_page(comparison, [], {}, tmp_path / "page.html")


def test_a_split_that_is_not_published_is_never_called_so(tmp_path):
    text, _ = page_of(3, tmp_path, datasets=("Crabs",))
    (splits,) = [line for line in text.splitlines() if line.startswith("Splits: ")]
    assert splits == (
        "Splits: generated splits of the paper's sizes (not the published ones), "
        "3 trials on one per data set."
    )
    assert "That of Crabs is not published" in text
