"""Tables of texts: every number is where its heading says."""

from made_results import changed
from paper_results import TABLE_2, TABLE_4, done, fold_results, not_done, trial_results

from kernelwise.evaluation.fold_records import Learnt
from kernelwise.papers import TABLES, compare_with_paper
from kernelwise.report.grids import Grid, companion_grid, cost_grid, paper_grid

RESULTS = [
    *done("banana", "RBF-LOO", [10.0, 12.0], cpu_seconds=0.126),
    *done("heart", "RBF-LOO", [40.0, 41.0, 42.0], cpu_seconds=0.5),
    *done("banana", "RBF-FLKL", [13.0, 14.0]),
    *done("heart", "RBF-FLKL", [17.0]),
    *done("banana", "LINEAR", [1.0, 2.0]),
    *done("heart", "LINEAR", [50.0, 51.0]),
    not_done("heart", "GP-ARD", "skipped", "too many rows"),
]
COMPARISON = compare_with_paper(TABLE_2, RESULTS)


def stripped(grid):
    return [tuple(text.strip() for text in line) for line in (grid.heading, *grid.lines)]


def test_ours_stands_beside_the_papers():
    assert stripped(paper_grid(COMPARISON)) == [
        ("ours / paper", "RBF-LOO", "RBF-XVAL", "RBF-FLKL"),
        ("banana", "11.00±1.00 / 10.61±0.05", "- / 10.59±0.05", "13.50±0.50 / 10.61±0.05"),
        ("heart", "41.00±0.58 / 16.55±0.35 **", "- / 16.59±0.37", "17.00 / 17.14±0.34"),
        ("mean rank", "1.50 / 1.00", "- / -", "1.50 / 2.00"),
    ]


def test_marks_do_not_shift_the_numbers():
    (_, banana, heart, ranks) = (line[1] for line in [("", "x"), *paper_grid(COMPARISON).lines])
    places = {line.rstrip(" *").rindex(".") - len(line) for line in (banana, heart, ranks)}
    assert len(places) == 1


def test_companions_have_their_rank_among_all():
    assert stripped(companion_grid(COMPARISON)) == [
        ("ours", "LINEAR", "GP-ARD"),
        ("banana", "1.50±0.50", "-"),
        ("heart", "50.50±0.50", "-"),
        ("rank among all", "2.00", "-"),
    ]


def test_without_ranks_there_is_no_line_of_them():
    alone = compare_with_paper(TABLE_4, done("heart", "RBF-XVAL", [16.0, 17.0]))
    assert [line[0] for line in paper_grid(alone).lines] == ["heart"]
    assert [line[0] for line in companion_grid(alone).lines] == ["heart"]


def test_costs_are_of_methods_that_were_run():
    assert stripped(cost_grid(COMPARISON)) == [
        ("CPU seconds", "RBF-LOO", "RBF-FLKL", "LINEAR"),
        ("banana", "0.13", "1.00", "1.00"),
        ("heart", "0.50", "1.00", "1.00"),
    ]


def folds_of(number):
    """Two methods of a table of the alignment paper on two data sets."""
    measures = {"support_vectors": 31.0, "training_alignment": 0.25, "test_alignment": 0.125}
    table = TABLES[f"alignment-table-{number}"]
    results = [
        changed(result, learnt=Learnt(measures=measures))
        for dataset in ("labor", "sonar")
        for method, accuracies in (("CV", [70.0, 72.0]), ("MSCKTA", [80.0, 82.0]))
        for result in fold_results(table, dataset, method, accuracies, cpu_seconds=0.5)
    ]
    return stripped(paper_grid(compare_with_paper(table, results)))


def columns_of(lines, *methods):
    places = [0, *(lines[0].index(method) for method in methods)]
    return [tuple(line[place] for place in places) for line in lines]


def test_accuracies_without_printed_spread_have_a_mean_over_the_data_sets():
    assert columns_of(folds_of(2), "CV", "SSV", "MSCKTA") == [
        ("ours / paper", "CV", "SSV", "MSCKTA"),
        ("labor", "71.00±1.00 / 90.33", "- / 64.67", "81.00±1.00 / 94.33"),
        ("sonar", "71.00±1.00 / 75.79", "- / 75.04", "81.00±1.00 / 77.71"),
        ("mean", "71.00 / 83.06", "- / 69.86", "81.00 / 86.02"),
        ("mean rank", "2.00 / 2.00", "- / -", "1.00 / 1.00"),
    ]


def test_a_summary_has_no_single_data_sets():
    assert columns_of(folds_of(3), "CV", "MSCKTA") == [
        ("ours / paper", "CV", "MSCKTA"),
        ("accuracy: mean", "71.00 / 83.06", "81.00 / 86.02"),
        ("accuracy: mean rank", "2.00 / 2.00", "1.00 / 1.00"),
        ("support vectors: mean", "31.00 / 292.15", "31.00 / 289.62"),
        ("support vectors: mean rank", "1.50 / 2.08", "1.50 / 3.81"),
        ("training alignment: mean", "0.250 / 0.221", "0.250 / 0.379"),
        ("training alignment: mean rank", "1.50 / 5.29", "1.50 / 1.00"),
        ("test alignment: mean", "0.125 / 0.211", "0.125 / 0.352"),
        ("test alignment: mean rank", "1.50 / 4.42", "1.50 / 1.08"),
    ]


def test_companions_have_a_mean_where_the_paper_has_one():
    table = TABLES["alignment-table-2"]
    results = [
        *fold_results(table, "labor", "ARD-FLKL", [90.0, 92.0]),
        *fold_results(table, "sonar", "ARD-FLKL", [80.0, 81.0]),
        *fold_results(table, "sonar", "ARD-ALIGN", [80.0, 81.0]),
    ]
    comparison = compare_with_paper(table, results)
    assert stripped(companion_grid(comparison)) == [
        ("ours", "ARD-ALIGN", "ARD-FLKL"),
        ("labor", "-", "91.00±1.00"),
        ("sonar", "80.50±0.50", "80.50±0.50"),
        ("mean", "-", "85.75"),
    ]


def test_seconds():
    lines = columns_of(folds_of(5), "CV", "MSCKTA")
    assert lines[1] == ("labor", "0.50±0.00 / 7.06", "0.50±0.00 / 30.87")
    assert lines[3][::2] == ("mean", "0.50 / 86.74")


def trials_of(number):
    """Two methods on one data set: three trials, and one of a companion."""
    table = TABLES[f"svm-table-{number}"]
    results = [
        *trial_results(table, "Pima", "LE1", [30.0, 33.0, 27.0], 6.0, evaluations=3),
        *trial_results(table, "Pima", "SPAN-LBFGS", [20.0], 6.0, evaluations=300),
    ]
    comparison = compare_with_paper(table, results)
    return [
        columns_of(stripped(paper_grid(comparison)), "LE1", "LE2", "EVID-GRAD")[1],
        stripped(companion_grid(comparison))[1],
    ]


def test_trials_have_their_deviation_and_the_lowest_in_brackets():
    assert trials_of(3) == [
        ("Pima", "30.00±3.00 (27.00) / 30.30±2.00", "- / 33.50±2.20", "- / 20.80±1.50"),
        ("Pima", "20.00 (20.00)"),
    ]


def test_the_lowest_trial_stands_alone():
    assert trials_of(4) == [("Pima", "27.00 / 27.80", "- / 28.40", "- / 19.30"), ("Pima", "20.00")]


def test_seconds_of_steps_have_three_digits():
    assert trials_of(1) == [
        ("Pima", "2.00±0.00 (2.00) / 10.0", "- / 9.00", "- / 1805"),
        ("Pima", "0.0200 (0.0200)"),
    ]


def test_markdown():
    grid = Grid(("set", "error"), (("a", " 1.00 / 2.00 * "), ("b", "3")))
    assert grid.markdown().splitlines() == [
        "| set | error |",
        "| --- | ---: |",
        "| a | 1.00 / 2.00 * |",
        "| b | 3 |",
    ]
