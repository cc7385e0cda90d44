"""Rows where their coordinates are, classes that look different, gamma in the titles."""

from itertools import pairwise

import matplotlib
import numpy as np
import pytest
from drawn import assert_readable, draw
from matplotlib.colors import to_hex

from kernelwise.insight.feature_space import empirical_feature_space
from kernelwise.kernels import Gaussian
from kernelwise.report import feature_space_plot, save_figure
from kernelwise.report.feature_space import COLORS, MARKERS, MOST_CLASSES, PANEL

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(60, 3))
CLASSES = np.where(X[:, 0] > 0.8, "rare", np.where(X[:, 1] > 0, "common", "other"))
SPACES = {
    "one width": empirical_feature_space(Gaussian(1.0), X),
    "one width per feature": empirical_feature_space(Gaussian([1.0, 2.0, np.inf]), X, 3),
}


def spaces(count, name="kernel {}"):
    return {name.format(j): SPACES["one width"] for j in range(count)}


def drawn(axes):
    """Label of each collection with its places."""
    return {points.get_label(): np.asarray(points.get_offsets()) for points in axes.collections}


def legend_texts(figure):
    (legend,) = figure.legends
    return [text.get_text() for text in legend.get_texts()]


def looks(axes):
    """Color, and the marker's number of corners and first corner, of each collection."""
    return [
        (to_hex(points.get_facecolor()[0]), points.get_paths()[0].vertices.tobytes())
        for points in axes.collections
    ]


def test_every_row_is_where_its_coordinates_are():
    figure = feature_space_plot(SPACES, CLASSES)
    assert_readable(figure)
    assert len(figure.axes) == 2
    for axes, (name, space) in zip(figure.axes, SPACES.items(), strict=True):
        assert axes.get_title(loc="left") == name
        assert axes.get_title(loc="right") == f"γ = {space.share:.2f}"  # noqa: RUF001
        assert (axes.get_xlabel(), axes.get_ylabel()) == ("first coordinate", "second coordinate")
        found = drawn(axes)
        assert set(found) == {"common", "other", "rare"}
        for own, places in found.items():
            np.testing.assert_array_equal(places, space.coordinates[own == CLASSES, :2])
    assert legend_texts(figure) == ["common", "other", "rare"]


def test_rare_classes_lie_on_top():
    (axes, _) = feature_space_plot(SPACES, CLASSES).axes
    counts = {name: len(places) for name, places in drawn(axes).items()}
    by_height = sorted(axes.collections, key=lambda points: points.get_zorder())
    assert [points.get_label() for points in by_height] == sorted(counts, key=lambda n: -counts[n])


@pytest.mark.parametrize("count", [2, 9, 56])
def test_classes_differ_in_color_or_marker_and_neighbors_in_both(count):
    labels = np.array([f"class {j:02}" for j in range(count)])[np.arange(60) % count]
    figure = feature_space_plot(SPACES, labels)
    assert_readable(figure)
    found = looks(figure.axes[0])
    assert found == looks(figure.axes[1])
    assert len(set(found)) == count == len(legend_texts(figure))
    for (color, marker), (next_color, next_marker) in pairwise(found):
        assert color != next_color and marker != next_marker
    assert [color for color, _ in found[: len(COLORS)]] == [c.lower() for c in COLORS[:count]]


def test_all_colors_and_markers_make_the_most_classes():
    pairs = {(j % len(COLORS), j % len(MARKERS)) for j in range(MOST_CLASSES)}
    assert len(pairs) == MOST_CLASSES


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (np.arange(60) % 3, ["0", "1", "2"]),
        (np.arange(60) % 2 * 2.0 - 1, ["-1", "1"]),
        (np.arange(60) % 2 == 0, ["False", "True"]),
        (np.array(["b", "a"] * 30, dtype=object), ["a", "b"]),
        (["b", "a"] * 30, ["a", "b"]),
        (["only"] * 60, ["only"]),
    ],
)
def test_whole_numbers_truths_and_texts_are_classes(labels, expected):
    assert legend_texts(feature_space_plot(SPACES, labels)) == expected


@pytest.mark.parametrize("values", [X[:, 0] * 1e3, np.arange(60), [0.5, 1.5] * 30])
def test_quantities_have_a_color_bar(values):
    figure = feature_space_plot(SPACES, values, labels_name="blood sugar")
    assert_readable(figure)
    first, second, bar = figure.axes
    assert not figure.legends
    for axes, space in zip((first, second), SPACES.values(), strict=True):
        (points,) = axes.collections
        np.testing.assert_array_equal(points.get_array(), values)
        np.testing.assert_array_equal(points.get_offsets(), space.coordinates[:, :2])
    assert bar.get_ylabel() == "blood sugar"
    assert bar.get_ylim() == pytest.approx((np.min(values), np.max(values)))


def test_quantities_that_are_all_equal_are_drawn():
    assert_readable(feature_space_plot(SPACES, np.full(60, 0.5)))


@pytest.mark.parametrize("count", [1, 3, 4])
@pytest.mark.parametrize("name", ["{}", "an estimator of a long name with settings number {}"])
@pytest.mark.parametrize("labels", [CLASSES, X[:, 0]], ids=["classes", "quantities"])
def test_any_number_of_panels_can_be_read(count, name, labels):
    figure = feature_space_plot(spaces(count, name), labels)
    assert_readable(figure)
    assert sum(bool(axes.get_title(loc="left")) for axes in figure.axes) == count
    widths = [axes.get_window_extent().width / figure.dpi for axes in figure.axes[:count]]
    assert min(widths) > PANEL, "the legend or the color bar squeezes the panels"


def test_long_class_names_are_shortened_and_stay_apart():
    labels = [f"a class of a name so long that it is cut, the {j % 25}th kind" for j in range(60)]
    figure = feature_space_plot(spaces(1), labels, labels_name="the kind of $ each row")
    assert_readable(figure)
    assert len(set(legend_texts(figure))) == 25
    assert any("the kind of" in text for text, _ in draw(figure))


def test_the_same_spaces_are_the_same_file(tmp_path):
    one, two = tmp_path / "one.svg", tmp_path / "two.svg"
    for path in (one, two):
        save_figure(feature_space_plot(SPACES, CLASSES), path)
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize(
    ("given_spaces", "labels", "message"),
    [
        ({}, CLASSES, "at least one method"),
        (SPACES, CLASSES[:9], r"one width: two coordinates of each of the 9 labeled rows"),
        (SPACES, CLASSES.reshape(30, 2), "one class or number per row"),
        (SPACES, [None, *CLASSES[1:]], "some labels are missing"),
        (SPACES, [np.nan, *X[1:, 0]], "some labels are missing"),
        (SPACES, [np.inf, *X[1:, 0]], "labels: some numbers are missing or infinite"),
        (SPACES, [str(j) for j in range(60)], "60 classes cannot be distinguished .* at most 56"),
        (
            {"flat": empirical_feature_space(Gaussian(1.0), X, 1)},
            CLASSES,
            r"flat: two coordinates .* shape \(60, 1\)",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(given_spaces, labels, message):
    with pytest.raises(ValueError, match=message):
        feature_space_plot(given_spaces, labels)


def test_the_settings_of_the_caller_neither_matter_nor_change(tmp_path):
    save_figure(feature_space_plot(SPACES, CLASSES), tmp_path / "plain.svg")
    own = {"font.size": 20, "scatter.marker": "x", "image.cmap": "jet", "legend.frameon": True}
    with matplotlib.rc_context(own):
        before = dict(matplotlib.rcParams)
        save_figure(feature_space_plot(SPACES, CLASSES), tmp_path / "own.svg")
        assert dict(matplotlib.rcParams) == before
    assert (tmp_path / "own.svg").read_bytes() == (tmp_path / "plain.svg").read_bytes()
