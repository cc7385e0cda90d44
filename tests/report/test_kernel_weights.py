"""Weights of kernels with their intervals, shares of views, and bounds against sweeps."""

import numpy as np
import pytest
from drawn import assert_readable, lines

from kernelwise.report import bounds_plot, kernel_weights_plot, view_weights_plot

NAMES = ["Gaussian of width 1 on age", "Linear on sex", "Gaussian of width 8 on all columns"]
WEIGHTS = [0.2, -0.9, 0.5]
INTERVALS = [[0.1, 0.3], [-1.2, -0.6], [-0.1, 1.1]]


def labels(figure):
    return [label.get_text() for label in figure.axes[0].get_yticklabels()]


def test_the_largest_weight_of_either_sign_is_on_top():
    figure = kernel_weights_plot(NAMES, WEIGHTS, INTERVALS)
    assert_readable(figure)
    assert labels(figure) == [NAMES[1], NAMES[2], NAMES[0]]
    (dots,) = lines(figure, "weight")
    np.testing.assert_allclose(dots, [[-0.9, 0], [0.5, 1], [0.2, 2]])
    (drawn,) = [one for one in figure.axes[0].collections if one.get_gid() == "interval"]
    ends = [segment[:, 0].tolist() for segment in drawn.get_segments()]
    assert ends == [[-1.2, -0.6], [-0.1, 1.1], [0.1, 0.3]]
    assert "95 %" in figure.axes[0].get_xlabel()


def test_weights_beyond_the_most_are_counted():
    figure = kernel_weights_plot(NAMES, WEIGHTS, most=1)
    assert_readable(figure)
    assert labels(figure) == [NAMES[1]]
    assert figure.axes[0].get_title("left") == "and 2 more, none above 0.5 in size"
    assert "95 %" not in figure.axes[0].get_xlabel()


def test_views_have_the_shares_of_all_their_kernels():
    figure = view_weights_plot(["a", "b", "a", "b"], [0.1, 0.2, 0.3, 1.4])
    assert_readable(figure)
    assert labels(figure) == ["b", "a"]
    widths = [bar.get_width() for bar in figure.axes[0].patches]
    np.testing.assert_allclose(widths, [80, 20])


def test_curves_show_how_far_each_bound_is_below_the_highest():
    figure = bounds_plot({"plain": [-30.0, -20.0, -12.0], "with momentum": [-30.0, -11.0, -10.0]})
    assert_readable(figure)
    plain, quick = lines(figure, "bound")
    np.testing.assert_allclose(plain, [[1, 20], [2, 10], [3, 2]])
    np.testing.assert_allclose(quick, [[1, 20], [2, 1]])  # the third is the highest itself


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda: kernel_weights_plot(NAMES, WEIGHTS[:2]), "3 names"),
        (lambda: kernel_weights_plot(NAMES, WEIGHTS, [[0, 0.1]] * 3), "around each weight"),
        (lambda: kernel_weights_plot(NAMES, WEIGHTS, most=0), "most must be"),
        (lambda: view_weights_plot(["a"], [0.0]), "one of them above 0"),
        (lambda: view_weights_plot(["a"], [0.5, 0.5]), "1 views"),
        (lambda: bounds_plot({}), "at least one"),
        (lambda: bounds_plot({name: [0.0] for name in "abcde"}), "at most 4"),
    ],
)
def test_bad_input_is_refused_in_words(draw, words):
    with pytest.raises(ValueError, match=words):
        draw()
