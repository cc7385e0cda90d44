"""Our results beside a paper's: tests, marks, ranks, and whether the words fit the numbers."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_results import made
from paper_results import TABLE_2, TABLE_4, as_printed, done, not_done
from scipy.stats import ttest_ind_from_stats

from kernelwise.evaluation import holm_adjusted, mean_ranks
from kernelwise.papers import compare_with_paper
from kernelwise.runs import Cell, CellResult

HEART = TABLE_2.printed["heart"]["RBF-LOO"]


@settings(deadline=None)
@given(st.lists(st.integers(0, 60), min_size=2, max_size=30).filter(lambda e: len(set(e)) > 1))
def test_p_values_are_welchs(errors):
    for dataset in ("heart", "splice"):
        printed = TABLE_2.printed[dataset]["RBF-LOO"]
        assert printed.replicates == (20 if dataset == "splice" else 100)
        found = compare_with_paper(TABLE_2, done(dataset, "RBF-LOO", errors))
        entry = found.entries[dataset, "RBF-LOO"]
        assert entry.mean == pytest.approx(np.mean(errors))
        assert entry.standard_error == pytest.approx(np.std(errors, ddof=1) / len(errors) ** 0.5)
        expected = ttest_ind_from_stats(
            *(np.mean(errors), np.std(errors, ddof=1), len(errors)),
            *(printed.mean, printed.standard_error * printed.replicates**0.5, printed.replicates),
            equal_var=False,
        )
        assert entry.p_value == pytest.approx(expected.pvalue, rel=1e-9)


def test_marks_are_of_the_differences_alone_and_after_holms_correction():
    near, far = [16.4, 16.9, 16.5], [30.0, 31.0, 30.5]
    noticed = [18.0, 18.2, 17.8, 17.0]
    errors = {"RBF-LOO": far, "RBF-XVAL": noticed, "RBF-FLKL": near}
    results = [r for method, percents in errors.items() for r in done("heart", method, percents)]
    found = compare_with_paper(TABLE_2, results)
    entries = [found.entries["heart", method] for method in TABLE_2.columns]
    p_values = [entry.p_value for entry in entries]
    assert p_values[0] < p_values[1] < 0.05 < p_values[2]
    corrected = holm_adjusted(p_values)
    assert [entry.mark for entry in entries] == ["**", "**" if corrected[1] <= 0.05 else "*", ""]
    assert found.sentences()[0].startswith(
        "2 of 3 means differ from the paper's at 5 % (*), 2 higher and 0 lower than printed;"
    )


def test_a_difference_may_stand_alone_but_not_after_correction():
    """Thirteen means as printed beside one that is a little off."""
    datasets = [name for name in TABLE_2.datasets if name != "heart"]
    off = done("heart", "RBF-LOO", [HEART.mean - 2.4, HEART.mean - 1.2, HEART.mean - 1.5])
    found = compare_with_paper(TABLE_2, [*as_printed(datasets, methods=["RBF-LOO"]), *off])
    entry = found.entries["heart", "RBF-LOO"]
    assert 0.05 / 14 < entry.p_value <= 0.05 and entry.mark == "*"
    assert {e.mark for e in found.entries.values() if e.dataset != "heart"} == {""}
    assert found.sentences()[0] == (
        "1 of 14 means differ from the paper's at 5 % (*), 0 higher and 1 lower than printed; "
        "0 still do after correction for their number (**)."
    )


@pytest.mark.parametrize("errors", [[90.0], [90.0, 90.0], [100 / 3] * 3])
def test_without_spread_nothing_is_compared(errors):
    found = compare_with_paper(TABLE_2, done("heart", "RBF-LOO", errors))
    entry = found.entries["heart", "RBF-LOO"]
    assert np.isnan(entry.p_value) and entry.mark == ""
    assert np.isnan(entry.standard_error) == (len(errors) == 1)
    assert found.sentences() == [
        "No mean was compared with the paper's: that takes one of its methods, on two splits that "
        "differ in error."
    ]


def test_what_was_not_run_is_shown_from_the_paper():
    found = compare_with_paper(TABLE_2, done("heart", "LINEAR", [20.0, 22.0]))
    assert found.methods == ("RBF-LOO", "RBF-XVAL", "RBF-FLKL", "LINEAR")
    assert found.datasets == ("heart",)
    entry = found.entries["heart", "RBF-LOO"]
    assert entry.values == () and entry.printed == HEART and np.isnan(entry.mean)
    assert found.entries["heart", "LINEAR"].printed is None
    assert found.entries["heart", "LINEAR"].mark == ""
    assert found.ranks is None and found.paper_ranks is None and found.all_ranks is None


def test_mean_ranks_of_the_same_methods_on_the_same_data_sets():
    datasets = ["banana", "heart", "thyroid", "titanic"]
    found = compare_with_paper(TABLE_2, as_printed(datasets))
    printed = {
        method: [TABLE_2.printed[dataset][method].mean for dataset in datasets]
        for method in TABLE_2.columns
    }
    assert found.ranks == found.paper_ranks == found.all_ranks == mean_ranks(printed)
    assert len(found.sentences()) == 2, "all methods are the paper's: nothing to say twice"


def test_ranks_leave_out_methods_that_lack_a_data_set():
    datasets = ["banana", "heart", "thyroid"]
    results = [r for r in as_printed(datasets) if {"ida_heart", "RBF-XVAL"} - set(r.cell)]
    results.append(not_done("heart", "RBF-XVAL", "failed", "ValueError: no"))
    results += done("heart", "LINEAR", [1, 2]) + done("banana", "LINEAR", [1, 2])
    for dataset in datasets:
        results += done(dataset, "FOREST", [1, 2])
    found = compare_with_paper(TABLE_2, results)
    assert found.ranks.methods == found.paper_ranks.methods == ("RBF-LOO", "RBF-FLKL")
    assert found.all_ranks.methods == ("RBF-LOO", "RBF-FLKL", "FOREST")
    assert found.all_ranks.of("FOREST") == 1.0
    sentences = found.sentences()
    assert sentences[2].startswith("The 3 methods that finished every data set: ")
    assert sentences[3].startswith("Their mean ranks: FOREST 1.00, ")
    assert "not significantly different from FOREST: " in sentences[3] and "10 %" in sentences[3]


def test_failures_and_skipped_cells_are_told_with_reasons_and_counts():
    reason = "GP-ARD is tried on up to 250 rows, not {}"
    results = done("heart", "RBF-LOO", [10, 12, 14])
    results += [not_done("banana", "GP-ARD", "skipped", reason.format(400), n) for n in range(3)]
    results += [not_done("german", "GP-ARD", "skipped", reason.format(700))]
    results += [not_done("heart", "LINEAR", "failed", "ValueError: no\nwhere", n) for n in range(2)]
    results += [replace(done("heart", "LINEAR", [1, 2, 3])[2])]
    found = compare_with_paper(TABLE_2, results)
    assert found.problems == (
        "GP-ARD skipped: GP-ARD is tried on up to 250 rows, not 400 (3 cells); "
        "GP-ARD is tried on up to 250 rows, not 700 (1 cell)",
        "LINEAR failed: ValueError: no (2 cells)",
        "means over fewer splits than others': LINEAR on heart (1 of 3)",
    )


def test_many_reasons_are_cut_short():
    results = done("heart", "RBF-LOO", [10, 12])
    results += [not_done("heart", "LINEAR", "failed", f"reason {n}", n) for n in range(8)]
    (problem,) = compare_with_paper(TABLE_2, results).problems
    assert problem.endswith("reason 4 (1 cell); and 3 more")


GENERATED = "generated splits of the paper's sizes (not the published ones)"


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ({("heart", "generated"): 3}, f"{GENERATED}, 3 per data set"),
        (
            {("heart", "published"): 5, ("thyroid", "published"): 5},
            "published splits, 5 per data set",
        ),
        (
            {("heart", "generated"): 4, ("banana", "generated"): 4, ("image", "generated"): 2}
            | {
                ("splice", "generated"): 2,
                ("titanic", "generated"): 4,
                ("thyroid", "generated"): 1,
            },
            f"{GENERATED}, 4 per data set (1: thyroid; 2: image, splice)",
        ),
        (
            {("heart", "published"): 2, ("thyroid", "published"): 1},
            "published splits, 2 per data set (1: thyroid)",
        ),
        (
            {("heart", "published"): 1, ("heart", "generated"): 2, ("thyroid", "generated"): 2},
            f"a mixture of {GENERATED}, 2 per data set and "
            "published splits, 1 per data set on heart only",
        ),
        ({("heart", "random"): 2}, "random splits (not the paper's), 2 per data set"),
    ],
)
def test_splits_in_words(counts, words):
    results = [
        result
        for (dataset, kind), count in counts.items()
        for result in done(dataset, "RBF-LOO", [1.0] * count, kind)
    ]
    assert compare_with_paper(TABLE_2, results).splits == words


def test_published_splits_are_never_called_generated_ones():
    published = compare_with_paper(TABLE_2, done("heart", "RBF-LOO", [1, 2], "published")).splits
    generated = compare_with_paper(TABLE_2, done("heart", "RBF-LOO", [1, 2])).splits
    assert "generated" not in published and "not the published ones" in generated


def test_results_of_other_tables_are_left_out():
    mine = done("heart", "ARD-FLKL", [10, 12], table=TABLE_4)
    others = [
        *done("heart", "RBF-LOO", [90, 95]),  # a method of Table 2 alone
        *done("synthetic", "ARD-FLKL", [90, 95]),  # a data set of Table 3 alone
        made(Cell("patients.csv:1234", "5-fold", 0, "ARD-FLKL"), error=0.9),
        CellResult(Cell("patients.csv:1234", "5-fold", 0, "MIXED"), "failed", "no"),
    ]
    found = compare_with_paper(TABLE_4, [*others, *mine])
    assert repr(found) == repr(compare_with_paper(TABLE_4, mine))  # NaN is not NaN
    assert found.entries["heart", "ARD-FLKL"].values == (10, 12)
    with pytest.raises(ValueError, match="there are no results of first-level-table-4"):
        compare_with_paper(TABLE_4, others)


def test_cpu_time_is_the_median_of_a_fit():
    results = done("heart", "RBF-LOO", [1], cpu_seconds=9.0) + [
        replace(result, cell=result.cell._replace(number=number))
        for number, seconds in ((1, 1.0), (2, 2.0))
        for result in done("heart", "RBF-LOO", [1], cpu_seconds=seconds)
    ]
    assert compare_with_paper(TABLE_2, results).entries["heart", "RBF-LOO"].cpu_seconds == 2.0
