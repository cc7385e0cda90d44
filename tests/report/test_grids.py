"""Tables of texts: every number is where its heading says."""

from experiments.paper_results import TABLE_2, TABLE_4, done, not_done
from kernelwise.experiments import compare_with_paper
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
    assert stripped(companion_grid(COMPARISON, ["LINEAR", "GP-ARD"])) == [
        ("ours", "LINEAR", "GP-ARD"),
        ("banana", "1.50±0.50", "-"),
        ("heart", "50.50±0.50", "-"),
        ("rank among all", "2.00", "-"),
    ]


def test_without_ranks_there_is_no_line_of_them():
    alone = compare_with_paper(TABLE_4, done("heart", "RBF-XVAL", [16.0, 17.0]))
    assert [line[0] for line in paper_grid(alone).lines] == ["heart"]
    assert [line[0] for line in companion_grid(alone, []).lines] == ["heart"]


def test_costs_are_of_methods_that_were_run():
    assert stripped(cost_grid(COMPARISON)) == [
        ("CPU seconds", "RBF-LOO", "RBF-FLKL", "LINEAR"),
        ("banana", "0.13", "1.00", "1.00"),
        ("heart", "0.50", "1.00", "1.00"),
    ]


def test_markdown():
    grid = Grid(("set", "error"), (("a", " 1.00 / 2.00 * "), ("b", "3")))
    assert grid.markdown().splitlines() == [
        "| set | error |",
        "| --- | ---: |",
        "| a | 1.00 / 2.00 * |",
        "| b | 3 |",
    ]
