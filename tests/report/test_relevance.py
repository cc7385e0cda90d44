"""Bars in the order of relevance, names that can be read, and what is left out in one line."""

import numpy as np
import pytest
from drawn import assert_readable, texts
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_hex

from kernelwise.report import relevance_bars, save_figure
from kernelwise.report.short_names import short_names
from kernelwise.report.style import BLUE, DARK, LIGHT, MIDDLE, text_width

NAMES = ["age", "sex", "bmi", "pressure"]
LETTERS = st.characters(min_codepoint=32, max_codepoint=383, exclude_categories=["Cc", "Cf"])
SHARES = [0.1, 0.0004, 0.6, 0.2996]


def bars(figure):
    """(middle, length, color) of each bar, from the top."""
    found = [
        (bar.get_y() + bar.get_height() / 2, bar.get_width(), to_hex(bar.get_facecolor()))
        for bar in figure.axes[0].patches
    ]
    return sorted(found)


def names(figure):
    return [label.get_text() for label in figure.axes[0].get_yticklabels()]


def test_the_most_relevant_feature_is_on_top():
    figure = relevance_bars(NAMES, SHARES)
    assert_readable(figure)
    (axes,) = figure.axes
    assert names(figure) == ["bmi", "pressure", "age", "sex"]
    assert list(axes.get_yticks()) == [0, 1, 2, 3]
    assert axes.get_ylim()[0] > axes.get_ylim()[1]
    assert [bar[:2] for bar in bars(figure)] == [
        pytest.approx(pair) for pair in [(0, 60), (1, 29.96), (2, 10), (3, 0.04)]
    ]
    assert {bar[2] for bar in bars(figure)} == {BLUE.lower()}
    percents = [text.get_text() for text in texts(figure, "percent")]
    assert percents == ["60.0", "30.0", "10.0", "< 0.1"]
    assert axes.get_xlabel() == "relevance, %" and axes.get_xlim()[0] == 0
    assert not texts(figure, "rest")


@pytest.mark.parametrize("selected", [[2, 3], np.array([3, 2]), {2, 3}])
def test_features_that_were_filtered_out_are_gray_and_marked(selected):
    figure = relevance_bars(NAMES, SHARES, selected)
    assert_readable(figure)
    assert [bar[2] for bar in bars(figure)] == [BLUE.lower()] * 2 + [LIGHT.lower()] * 2
    colors = [label.get_color() for label in figure.axes[0].get_yticklabels()]
    assert colors == [DARK, DARK, MIDDLE, MIDDLE]
    marked = texts(figure, "filtered")
    assert [(text.get_text(), text.xy[1]) for text in marked] == [
        ("filtered out", 2),
        ("filtered out", 3),
    ]


def test_nothing_is_marked_where_all_that_is_shown_was_selected():
    assert not texts(relevance_bars(NAMES, SHARES), "filtered")
    assert not texts(relevance_bars(NAMES, SHARES, [0, 1, 2, 3]), "filtered")
    assert not texts(relevance_bars(NAMES, SHARES, [2, 3], most=2), "filtered")
    assert len(texts(relevance_bars(NAMES, SHARES, []), "filtered")) == 4


def test_the_rest_is_counted_and_added_up():
    figure = relevance_bars(NAMES, SHARES, most=2)
    assert_readable(figure)
    assert names(figure) == ["bmi", "pressure"]
    (rest,) = texts(figure, "rest")
    assert rest.get_text() == "and 2 more (together 10.0 %)"
    assert rest.get_position() == (0, 2)
    (rest,) = texts(relevance_bars(NAMES, SHARES, most=3), "rest")
    assert rest.get_text() == "and 1 more (together < 0.1 %)"
    (rest,) = texts(relevance_bars("abc", [0, 1, 0], most=1), "rest")
    assert rest.get_text() == "and 2 more (together 0.0 %)"


def test_equally_relevant_features_stay_in_the_order_of_columns():
    assert names(relevance_bars("cabd", [0.2, 0.2, 0.4, 0.2])) == ["b", "c", "a", "d"]


@pytest.mark.parametrize("count", [1, 2, 20, 60])
@pytest.mark.parametrize("name", ["{}", "a measurement in $ of a very long name, the {}th of all"])
def test_any_number_of_long_names_can_be_read(count, name):
    random = np.random.default_rng(0)
    shares = random.dirichlet(np.full(count, 0.3))
    figure = relevance_bars(
        [name.format(j) for j in range(count)], shares, np.flatnonzero(shares > 0.02)
    )
    assert_readable(figure)
    assert len(set(names(figure))) == min(count, 20)


def test_the_same_bars_are_the_same_file(tmp_path):
    one, two = tmp_path / "one.svg", tmp_path / "two.svg"
    for path in (one, two):
        save_figure(relevance_bars(NAMES, SHARES, [2], most=3), path)
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize(
    ("given_names", "relevance", "options", "message"),
    [
        (NAMES, SHARES[:3], {}, "4 names were given for 3 features"),
        (NAMES, [0.1, 0.1, 0.1, 0.1], {}, "sum to 1.* the sum 0.4"),
        (NAMES, [0.6, 0.6, -0.2, 0], {}, "the smallest is -0.2"),
        (NAMES, [np.nan, 0, 0, 1], {}, "relevance: some numbers are missing"),
        ([], [], {}, "relevance: .* at least one number"),
        (NAMES, SHARES, {"most": 0}, "most must be a whole number of 1 or more, got 0"),
        (NAMES, SHARES, {"selected": [1, 4]}, r"column numbers from 0 to 3, got \[4\]"),
        (NAMES, SHARES, {"selected": ["bmi"]}, r"column numbers from 0 to 3, got \['bmi'\]"),
    ],
)
def test_what_is_no_relevance_is_refused(given_names, relevance, options, message):
    with pytest.raises(ValueError, match=message):
        relevance_bars(given_names, relevance, **options)


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.text(LETTERS, min_size=1, max_size=60), min_size=1, max_size=8), st.floats(0.5, 3)
)
def test_short_names_fit_and_short_ones_stay(given_names, inches):
    for name, label in zip(given_names, short_names(given_names, inches), strict=True):
        plain, shown = " ".join(name.split()), label.replace(r"\$", "$")
        assert text_width([shown]) <= inches
        if text_width([plain]) <= inches:
            assert shown == plain


def test_long_names_keep_what_tells_them_apart():
    assert short_names(["the temperature of the left sensor, outside"], 1.5) == [
        "the tempera…r, outside"
    ]
    alike = [f"the sensor in the {side} wing, highest temperature" for side in ("left", "right")]
    first, second = short_names([*alike, "humidity"], 1.5)[:2]
    assert first.startswith("…left wing") and second.startswith("…right wing")
    assert short_names([alike[0], alike[0]], 1.5) == [short_names(alike[:1], 1.5)[0]] * 2
