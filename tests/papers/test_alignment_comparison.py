"""Tables of accuracies, seconds and summaries beside the paper's: directions, means and words."""

import numpy as np
import pytest
from made_results import changed
from paper_results import fold_results, with_means

from kernelwise.evaluation import mean_ranks
from kernelwise.evaluation.fold_records import Learnt
from kernelwise.papers import TABLES, compare_with_paper

TABLE_2, TABLE_3, TABLE_5, TABLE_6, TABLE_7 = (
    TABLES[f"alignment-table-{number}"] for number in (2, 3, 5, 6, 7)
)
RUN = ("CV", "AMKL", "CKTA", "MSCKTA")
SOME = ("haberman", "pima", "labor", "sonar")


def printed(table, method, datasets=SOME):
    return [table.printed[dataset][method].mean for dataset in datasets]


def as_printed(table, datasets=SOME, methods=RUN, shift=0.0):
    """Two folds whose mean accuracy is the printed one, plus ``shift``."""
    return [
        result
        for dataset in datasets
        for method in methods
        for result in with_means(table, dataset, method, [-1.0 + shift, 1.0 + shift])
    ]


def test_accuracies_rank_the_highest_first():
    found = compare_with_paper(TABLE_2, as_printed(TABLE_2))
    expected = mean_ranks({method: -np.array(printed(TABLE_2, method)) for method in RUN})
    assert found.ranks.values == found.paper_ranks.values == expected.values
    assert found.ranks.order == expected.order
    assert found.all_ranks == found.ranks


def test_means_are_over_the_same_data_sets_on_both_sides():
    results = as_printed(TABLE_2, shift=0.5)
    mean_line, rank_line = compare_with_paper(TABLE_2, results).summary
    assert (mean_line.label, rank_line.label) == ("mean", "mean rank")
    for method in TABLE_2.columns:
        expected = np.mean(printed(TABLE_2, method))
        assert mean_line.paper[method] == pytest.approx(expected)
        if method in RUN:
            assert mean_line.ours[method] == pytest.approx(expected + 0.5)
    assert set(mean_line.ours) == set(rank_line.ours) == set(rank_line.paper) == set(RUN)
    assert compare_with_paper(TABLE_2, results).sentences()[1] == (
        "Mean accuracy in percent over the same data sets (4), ours minus the paper's: "
        "CV +0.50, AMKL +0.50, CKTA +0.50, MSCKTA +0.50."
    )


def test_a_method_that_lacks_a_data_set_has_no_mean():
    results = [r for r in as_printed(TABLE_2) if {"sonar", "CKTA"} - set(r.cell)]
    found = compare_with_paper(TABLE_2, results)
    assert set(found.summary[0].ours) == {"CV", "AMKL", "MSCKTA"} == set(found.ranks.methods)
    alone = compare_with_paper(TABLE_2, fold_results(TABLE_2, "labor", "ARD-FLKL", [90.0, 91.0]))
    assert alone.sentences() == [
        "0 of 0 means differ from the paper's by more than 3 points.",
        "Mean accuracy in percent over the same data sets (1), ours minus the paper's: "
        "none of its methods finished them all.",
    ]


def test_without_printed_spread_notable_differences_are_named():
    results = as_printed(TABLE_2, datasets=("haberman", "pima"))
    results += with_means(TABLE_2, "sonar", "CV", [3.2, 3.4])
    results += with_means(TABLE_2, "sonar", "CKTA", [-3.2, -3.0])
    results += with_means(TABLE_2, "labor", "CKTA", [20.1, 20.1])
    results += with_means(TABLE_2, "labor", "CV", [2.9, 3.0])
    found = compare_with_paper(TABLE_2, results)
    assert found.sentences()[0] == (
        "3 of 12 means differ from the paper's by more than 3 points: "
        "labor (CKTA +20.1); sonar (CV +3.3, CKTA -3.1)."
    )
    assert {entry.mark for entry in found.entries.values()} == {""}
    assert all(np.isnan(entry.p_value) for entry in found.entries.values())
    near = compare_with_paper(TABLE_2, as_printed(TABLE_2))
    assert near.sentences()[0] == "0 of 16 means differ from the paper's by more than 3 points."


def test_ten_folds_are_called_so():
    found = compare_with_paper(TABLE_2, as_printed(TABLE_2))
    assert found.splits == "ten stratified folds (not the paper's), 2 per data set"


def with_measures(method, vectors, training, test):
    """Two folds of each data set."""
    measures = {"support_vectors": vectors, "training_alignment": training, "test_alignment": test}
    return [
        changed(result, learnt=Learnt(measures=measures))
        for dataset in SOME
        for result in with_means(TABLE_3, dataset, method, [-1.0, 1.0])
    ]


def test_the_summary_table_has_means_and_ranks_of_four_quantities():
    results = [
        *with_measures("CV", 100.0, 0.1, 0.30),
        *with_measures("CKTA", 50.0, 0.2, 0.20),
        *with_measures("MSCKTA", 70.0, 0.3, 0.25),
    ]
    lines = {line.label: line for line in compare_with_paper(TABLE_3, results).summary}
    quantities = ("accuracy", "support vectors", "training alignment", "test alignment")
    assert list(lines) == [
        f"{name}: {what}" for name in quantities for what in ("mean", "mean rank")
    ]
    accuracy = lines["accuracy: mean"]
    assert accuracy.ours["CV"] == pytest.approx(np.mean(printed(TABLE_2, "CV")))
    assert accuracy.paper["SSV"] == pytest.approx(np.mean(printed(TABLE_2, "SSV")))
    assert lines["support vectors: mean"].ours == {"CV": 100, "CKTA": 50, "MSCKTA": 70}
    assert lines["support vectors: mean rank"].ours == {"CV": 3, "CKTA": 1, "MSCKTA": 2}
    assert lines["training alignment: mean rank"].ours == {"CV": 3, "CKTA": 2, "MSCKTA": 1}
    assert lines["test alignment: mean rank"].ours == {"CV": 1, "CKTA": 3, "MSCKTA": 2}
    assert lines["support vectors: mean"].paper["MSCKTA"] == 289.62
    assert lines["test alignment: mean rank"].paper["CV"] == 4.42
    assert lines["test alignment: mean"].decimals == 3


def test_methods_without_measures_are_missing_in_the_summary():
    results = as_printed(TABLE_3, methods=("CV", "MSCKTA"))
    lines = {line.label: line for line in compare_with_paper(TABLE_3, results).summary}
    assert lines["support vectors: mean"].ours == lines["support vectors: mean rank"].ours == {}
    assert set(lines["accuracy: mean"].ours) == {"CV", "MSCKTA"}


def timed(method, seconds):
    return [
        result
        for dataset, second in zip(SOME, seconds, strict=True)
        for result in fold_results(TABLE_5, dataset, method, [50.0, 50.0], cpu_seconds=second)
    ]


def test_seconds_are_compared_as_a_ratio():
    results = [*timed("CV", [1, 1, 1, 4]), *timed("MSCKTA", [0.5, 1, 3, 16])]
    found = compare_with_paper(TABLE_5, results)
    assert found.entries["sonar", "MSCKTA"].values == (16, 16)
    theirs = np.array([printed(TABLE_5, method) for method in ("MSCKTA", "CV")])
    whole, median = np.divide(*theirs.sum(axis=1)), np.median(theirs[0] / theirs[1])
    assert found.sentences()[0] == (
        "MSCKTA takes 2.93 times as long as CV in all, 2.00 times in the median over 4 data sets; "
        f"in the paper {whole:.2f} and {median:.2f}."
    )
    assert found.ranks.order == ("CV", "MSCKTA")
    alone = compare_with_paper(TABLE_5, timed("CV", [1, 1, 1, 4])).sentences()
    assert alone[0] == "MSCKTA and CV were not run on the same data set."


def test_a_table_of_one_method_has_a_mean_and_no_ranks():
    results = [
        changed(result, learnt=Learnt(measures={"features": 60.0}))
        for dataset in SOME
        for result in fold_results(TABLE_6, dataset, "MSCKTA", [90.0, 91.0])
    ]
    found = compare_with_paper(TABLE_6, results)
    (line,) = found.summary
    assert line.ours == {"MSCKTA": 60.0}
    assert line.paper == {"MSCKTA": pytest.approx(np.mean(printed(TABLE_6, "MSCKTA")))}
    assert len(found.sentences()) == 1


def test_deviations_over_ten_folds_are_tested():
    far = with_means(TABLE_7, "pima", "MSCKTA-RANDOM-3", [9.0, 10.0, 11.0])
    found = compare_with_paper(TABLE_7, far)
    entry = found.entries["pima", "MSCKTA-RANDOM-3"]
    assert entry.printed.standard_error == pytest.approx(0.73 / 10**0.5)
    assert entry.mark == "**"
    assert found.sentences()[0].startswith("1 of 1 means differ from the paper's at 5 % (*)")
