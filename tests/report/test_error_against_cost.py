"""Marks, the Pareto front, and names that never lie on each other."""

import numpy as np
import pytest
from drawn import assert_readable, lines, texts
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelwise.evaluation import CostAndError
from kernelwise.report import error_against_cost
from kernelwise.report.cost import pareto_front

POINTS = {
    "boosting": CostAndError(1.2, 24.0, 23.4, 24.6),
    "nearest neighbors": (0.01, 27.0, 26.0, 28.0),
    "RBF-XVAL": (2.1, 23.6, 23.2, 24.1),
    "ARD-XVAL": (60, 24.8, 24.2, 25.4),
}

# Few values, so that marks often coincide.
points = st.lists(
    st.tuples(st.sampled_from([0.001, 1.0, 1.1, 900.0]), st.sampled_from([0.0, 20.0, 20.1, 50.0])),
    min_size=1,
    max_size=15,
).map(
    lambda pairs: {
        f"a method with a long name {j}": CostAndError(cost, error, error - 3, error + 3)
        for j, (cost, error) in enumerate(pairs)
    }
)


def test_marks_and_intervals_are_where_the_numbers_are():
    figure = error_against_cost(POINTS, xlabel="hours", ylabel="error")
    assert_readable(figure)
    (axes,) = figure.axes
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_xscale()) == ("hours", "error", "log")
    assert np.concatenate(lines(figure, "mark")) == pytest.approx(
        np.array([point[:2] for point in POINTS.values()])
    )
    ends = [interval[:, 1] for interval in lines(figure, "interval")]
    assert np.array(ends) == pytest.approx(np.array([point[2:] for point in POINTS.values()]))
    (front,) = lines(figure, "front")
    assert front == pytest.approx(np.array([(0.01, 27), (1.2, 24), (2.1, 23.6)]))


@given(points)
def test_the_front_holds_what_nothing_beats(points):
    """A method is on it if none costs at most as much and errs at most as much, but for twins."""

    def beaten(point):
        return any(
            other.cost <= point.cost and other.error <= point.error and other[:2] != point[:2]
            for other in points.values()
        )

    front = pareto_front(points)
    expected = {point[:2] for point in points.values() if not beaten(point)}
    assert [points[name][:2] for name in front] == sorted(expected)


@given(points)
@settings(max_examples=15, deadline=None)
def test_texts_are_apart_and_names_in_the_order_of_errors(points):
    figure = error_against_cost(points)
    assert_readable(figure)
    names = sorted(texts(figure, "name"), key=lambda text: text.get_position()[1])
    errors = [points[text.get_text().rpartition(" (")[0]].error for text in names]
    assert errors == sorted(errors)
    for text in names:
        assert 0 <= text.get_position()[1] <= 1


def test_default_axis_titles():
    (axes,) = error_against_cost(POINTS).axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("CPU seconds per fit", "mean error, %")


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ({}, "at least one method"),
        ({"a": (1, 2, 3)}, "a needs four finite numbers"),
        ({"a": (np.nan, 2, 1, 3)}, "a needs four finite numbers"),
        ({"a": (1, np.inf, 1, 3)}, "a needs four finite numbers"),
        ({"a": (-1, 2, 1, 3)}, "the cost of a must be positive, not -1"),
        ({"a": (0, 2, 1, 3)}, "the cost of a must be positive"),
        ({"a": (1, 4, 1, 3)}, "the error of a is outside its interval"),
    ],
)
def test_bad_points_are_refused(points, message):
    with pytest.raises(ValueError, match=message):
        error_against_cost(points)


@pytest.mark.parametrize("ratio", [1.02, 9, 11, 40, 2000])
@pytest.mark.parametrize("least", [0.0123, 2.7])
def test_the_axis_of_costs_has_labels_however_near_the_costs_are(least, ratio):
    figure = error_against_cost({"a": (least, 20, 19, 21), "b": (least * ratio, 25, 24, 26)})
    figure.canvas.draw()
    (axes,) = figure.axes
    low, high = axes.get_xlim()
    shown = [
        label.get_text()
        for label, place in zip(axes.get_xticklabels(), axes.get_xticks(), strict=True)
        if low <= place <= high
    ]
    assert len(shown) >= 2 and all(shown)
