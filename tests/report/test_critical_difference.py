"""The diagram of mean ranks: where names, bars and the ruler are."""

from itertools import pairwise

import numpy as np
import pytest
from drawn import assert_readable, lines, texts
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelwise.evaluation import MeanRanks, mean_ranks, nemenyi
from kernelwise.report import critical_difference_diagram
from kernelwise.report.rank_diagram import OVERHANG

# Cawley & Talbot, "Kernel Learning at the First Level of Inference", Table 3.
PAPER = MeanRanks(("ARD-LOO", "ARD-XVAL", "ARD-FLKL"), (37 / 14, 30 / 14, 17 / 14), 14)


def random_ranking(k, n_datasets=12, seed=0, spread=0.4, name="method with a rather long name {}"):
    """Methods that get worse by ``spread``, on errors with one digit, so with ties."""
    random = np.random.default_rng(seed)
    errors = random.normal(size=(k, n_datasets)) + spread * np.arange(k)[:, None]
    return mean_ranks({name.format(j): np.round(row, 1) for j, row in enumerate(errors)})


def to_rank(figure, x):
    """The axis is a line from the first to the last rank."""
    ((start, _), (end, _)) = lines(figure, "axis")[0]
    n_ticks = len(lines(figure, "tick"))
    return 1 + (np.asarray(x) - start) / (end - start) * (n_ticks - 1)


def test_the_paper_figure_3():
    found = nemenyi(PAPER, 0.1)
    figure = critical_difference_diagram(PAPER, found)
    assert_readable(figure)
    assert to_rank(figure, [mark[0, 0] for mark in lines(figure, "mark")]) == pytest.approx(
        sorted(PAPER.values)
    )
    (bar,) = lines(figure, "group")
    ends = bar[:, 0] + [OVERHANG, -OVERHANG]
    assert to_rank(figure, ends) == pytest.approx([30 / 14, 37 / 14])
    (ruler,) = lines(figure, "ruler")
    assert np.diff(to_rank(figure, ruler[:, 0])) == pytest.approx(found.critical_difference)
    shown = {text.get_text() for text in figure.axes[0].texts}
    assert {"critical difference 0.776 (level 0.1)", "mean rank", "1.21", "2.14", "2.64"} <= shown


@pytest.mark.parametrize("k", range(2, 16))
@pytest.mark.parametrize("name", ["{}", "elliptical Gaussian kernel with criterion number {}"])
def test_texts_are_inside_and_apart(k, name):
    ranking = random_ranking(k, name=name)
    assert_readable(critical_difference_diagram(ranking, nemenyi(ranking)))
    assert_readable(critical_difference_diagram(ranking))


@pytest.mark.parametrize("k", [2, 5, 15])
def test_a_ruler_longer_than_the_axis_has_room(k):
    ranking = mean_ranks({str(j): [j, j] for j in range(k)})
    figure = critical_difference_diagram(ranking, nemenyi(ranking, 0.001))
    assert_readable(figure)
    (ruler,) = lines(figure, "ruler")
    assert ruler[1, 0] > lines(figure, "axis")[0][1, 0]
    assert ruler[1, 0] < figure.axes[0].get_xlim()[1]


@given(st.integers(2, 15), st.integers(2, 40), st.integers(0, 99), st.sampled_from([0.0, 0.2, 1.0]))
@settings(max_examples=20, deadline=None)
def test_names_follow_the_ranks_and_bars_the_groups(k, n_datasets, seed, spread):
    ranking = random_ranking(k, n_datasets, seed, spread)
    found = nemenyi(ranking)
    figure = critical_difference_diagram(ranking, found)
    names = texts(figure, "name")
    left = [text for text in names if text.get_ha() == "right"]
    right = [text for text in names if text.get_ha() == "left"]
    for side in (left, right):
        side.sort(key=lambda text: -text.get_position()[1])
    read = [text.get_text() for text in left] + [text.get_text() for text in reversed(right)]
    assert tuple(read) == ranking.order
    bars = lines(figure, "group")
    expected = [[ranking.of(group[0]), ranking.of(group[-1])] for group in found.groups]
    ends = [to_rank(figure, bar[:, 0] + [OVERHANG, -OVERHANG]) for bar in bars]
    assert np.ravel(ends) == pytest.approx(np.ravel(expected))
    for bar, other in ((a, b) for i, a in enumerate(bars) for b in bars[:i]):
        assert bar[0, 1] != other[0, 1] or bar[0, 0] > other[1, 0] or other[0, 0] > bar[1, 0]


@given(st.integers(2, 15), st.integers(0, 99))
@settings(max_examples=20, deadline=None)
def test_leader_lines_meet_nowhere_below_the_bars(k, seed):
    """Horizontal parts against vertical parts, also for tied ranks."""
    ranking = random_ranking(k, 3, seed)
    leaders = lines(critical_difference_diagram(ranking, nemenyi(ranking)), "leader")
    feet = sorted(leader[2, 0] for leader in leaders)
    assert all(after - before > 0.05 for before, after in pairwise(feet))
    for leader in leaders:
        (foot, level), (end, _) = leader[3:]
        for other in leaders:
            (x, top), (_, bottom) = other[2:4]
            crosses = min(foot, end) <= x <= max(foot, end) and bottom <= level <= top
            assert other is leader or not crosses


def test_methods_of_equal_rank_keep_a_bar():
    ranking = mean_ranks({name: [1, 1, 1] for name in "abcdefghijklmno"})
    figure = critical_difference_diagram(ranking, nemenyi(ranking))
    assert_readable(figure)
    (bar,) = lines(figure, "group")
    assert to_rank(figure, bar[:, 0].mean()) == pytest.approx(8)
    assert bar[1, 0] - bar[0, 0] == pytest.approx(2 * OVERHANG)


def test_without_a_test_there_are_no_bars_and_no_ruler():
    figure = critical_difference_diagram(PAPER)
    assert not lines(figure, "group") and not lines(figure, "ruler")
    assert {text.get_text() for text in texts(figure, "name")} == set(PAPER.methods)


@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.2])
def test_the_level_on_the_ruler_is_that_of_the_test(alpha):
    ranking = random_ranking(4)
    figure = critical_difference_diagram(ranking, nemenyi(ranking, alpha))
    assert any(f"(level {alpha})" in text.get_text() for text in texts(figure, None))


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="at least two methods"):
        critical_difference_diagram(MeanRanks(("a",), (1.0,), 3))
    with pytest.raises(ValueError, match="must be finite"):
        critical_difference_diagram(MeanRanks(("a", "b"), (1.0, float("nan")), 3))
    with pytest.raises(ValueError, match=r"the test compared \['a', 'b'\]"):
        other = nemenyi(mean_ranks({"a": [1, 2], "b": [2, 3]}))
        critical_difference_diagram(PAPER, other)
