"""The map of alignment: what is where, and the mark of the learned widths."""

import numpy as np
import pytest
from drawn import assert_readable, lines

from kernelwise.insight.alignment_surface import AlignmentSurface
from kernelwise.report import alignment_surface_plot, save_figure

FIRST, SECOND = np.linspace(-2, 2, 9), np.linspace(-1, 3, 7)


def surface(learnt=(0.5, 2.0), names=("age", "bmi"), values=None):
    """Highest at the wide end of the first feature and the narrow end of the second."""
    if values is None:
        values = 0.5 + 0.1 * FIRST[:, None] - 0.05 * SECOND
    return AlignmentSurface(names, FIRST, SECOND, values, learnt)


def level_at(figure, x, y):
    """The middle of the level that is painted at a place."""
    (filled,) = figure.axes[0].collections
    inside = [path.contains_point((x, y)) for path in filled.get_paths()]
    assert sum(inside) == 1
    return np.mean(filled.levels[inside.index(True) :][:2])


def marker_of(figure):
    (line,) = [line for line in figure.axes[0].lines if line.get_gid() == "best"]
    return line.get_marker()


def test_axes_are_the_features_and_the_colors_the_alignment():
    figure = alignment_surface_plot(surface())
    assert_readable(figure)
    axes, bar = figure.axes
    assert axes.get_xlabel().endswith("width of age")
    assert axes.get_ylabel().endswith("width of bmi")
    assert axes.get_xlim() == (-2, 2) and axes.get_ylim() == (-1, 3)
    assert bar.get_ylabel() == "alignment"
    (filled,) = axes.collections
    step = np.diff(filled.levels).max()
    for i, j in [(1, 1), (1, 5), (7, 1), (7, 5), (4, 3)]:
        x, y = FIRST[i] + 0.01, SECOND[j] + 0.01
        assert level_at(figure, x, y) == pytest.approx(0.5 + 0.1 * x - 0.05 * y, abs=step / 2)


def test_the_learnt_widths_are_marked():
    figure = alignment_surface_plot(surface())
    assert lines(figure, "best")[0] == pytest.approx(np.array([(0.5, 2.0)]))
    assert marker_of(figure) == "X"
    legend = figure.axes[0].get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["learned widths"]


@pytest.mark.parametrize(
    ("learnt", "place", "angle"),
    [
        ((0.5, np.inf), (0.5, 3), 0),
        ((0.5, -9), (0.5, -1), -180),
        ((np.inf, 2), (2, 2), -90),
        ((-7, 2), (-2, 2), 90),
        ((150, 20), (2, 3), -45),
        ((-150, 20), (-2, 3), 45),
    ],
)
def test_widths_beyond_the_edge_are_pointed_to(learnt, place, angle):
    """A triangle points up at angle 0; angles are counterclockwise."""
    figure = alignment_surface_plot(surface(learnt))
    assert_readable(figure)
    assert lines(figure, "best")[0][0] == pytest.approx(place)
    assert marker_of(figure) == (3, 0, pytest.approx(angle))
    legend = figure.axes[0].get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["learned widths (beyond the edge)"]


@pytest.mark.parametrize("values", [np.zeros((9, 7)), np.full((9, 7), 0.37), np.eye(9, 7) * 1e-9])
def test_a_flat_surface_is_drawn(values):
    assert_readable(alignment_surface_plot(surface(values=values)))


@pytest.mark.parametrize("scale", [1e-3, 1e-1, 0.9])
def test_small_differences_are_seen(scale):
    figure = alignment_surface_plot(surface(values=0.1 + scale * np.eye(9, 7)))
    assert_readable(figure)
    (filled,) = figure.axes[0].collections
    assert 12 <= len(filled.levels) <= 27


def test_long_names_are_shortened():
    names = tuple(f"a column whose name is so long that it is cut, {which}" for which in "ab")
    figure = alignment_surface_plot(surface(names=names))
    assert_readable(figure)
    assert figure.axes[0].get_xlabel() != figure.axes[0].get_ylabel()
    assert figure.axes[0].get_xlabel().endswith(", a")


def test_the_same_surface_is_the_same_file(tmp_path):
    one, two = tmp_path / "one.svg", tmp_path / "two.svg"
    for path in (one, two):
        save_figure(alignment_surface_plot(surface()), path)
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (np.zeros((7, 9)), r"each pair of 9 and 7 numbers .* shape \(7, 9\)"),
        (np.zeros(9), "values: an array of 2 dimension"),
        (np.full((9, 7), np.nan), "values: some numbers are missing"),
    ],
)
def test_what_is_no_surface_is_refused(values, message):
    with pytest.raises(ValueError, match=message):
        alignment_surface_plot(surface(values=values))
