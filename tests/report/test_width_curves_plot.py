"""The panels of judgments: what is drawn where, and what is said about the best widths."""

from dataclasses import replace

import numpy as np
import pytest
from drawn import assert_readable, lines, texts
from matplotlib.colors import to_hex

from kernelwise.insight import WidthCurves
from kernelwise.report import save_figure, width_curves_plot
from kernelwise.report.style import ORANGE

WIDTHS = np.array([0.5, 1.0, 2.0, 4.0, 8.0])
CURVES = WidthCurves(
    widths=WIDTHS,
    log_evidence=np.array([-90.0, -70.0, -75.0, -80.0, -85.0]),
    priced_evidence=np.array([-190.0, -130.0, -95.0, -88.0, -92.0]),
    log_validity=np.array([40.0, 10.0, -20.0, -50.0, np.nan]),
    held_out_error=np.array([0.4, 0.3, 0.185, 0.2, 0.25]),
    n_vectors=np.array([120, 31, 9, 4, 0]),
    relative=False,
    classification=True,
)
NAMES = ["log_evidence", "priced_evidence", "log_validity", "held_out_error"]


@pytest.fixture(scope="module")
def figure():
    return width_curves_plot(CURVES)


def panels(figure):
    return figure.axes[1:]


def test_each_judgment_is_a_curve_in_a_panel_of_its_own(figure):
    assert_readable(figure)
    for axes, name in zip(panels(figure), NAMES, strict=True):
        (curve,) = [line for line in axes.lines if line.get_gid() == name]
        unit = 100 if name == "held_out_error" else 1
        np.testing.assert_allclose(curve.get_xdata(), WIDTHS)
        np.testing.assert_allclose(curve.get_ydata(), unit * getattr(CURVES, name))
        assert axes.get_xscale() == "log"
        assert axes.get_xlim() == figure.axes[0].get_xlim()
    assert [axes.get_title("left") for axes in panels(figure)] == [
        "log evidence",
        "log evidence, less a price per vector",
        "log kernel validity",
        "held-out error, %",
    ]
    assert panels(figure)[-1].get_xlabel() == "width (length scale)"


def test_the_best_of_each_is_marked_and_said_with_the_error_it_leads_to(figure):
    marks = [mark[0].tolist() for mark in lines(figure, "preferred")]
    assert marks == [[1.0, -70.0], [4.0, -88.0], [0.5, 40.0], [2.0, 18.5]]
    said = [axes.get_title("right") for axes in panels(figure)]
    assert said == [
        "best at 1: error 30.0 %",
        "best at 4: error 20.0 %",
        "best at 0.5: error 40.0 %",
        "best at 2: error 18.5 %",
    ]
    for axes, (width, _) in zip(panels(figure), marks, strict=True):
        (line,) = [line for line in axes.lines if line.get_linestyle() == "--"]
        assert line.get_xdata() == [width, width]
        assert to_hex(line.get_color()) == ORANGE.lower()


def test_quantities_have_errors_in_their_own_units():
    errors = np.array([83.4, 73.9, 66.7, 55.65, 56.2])
    figure = width_curves_plot(replace(CURVES, held_out_error=errors, classification=False))
    assert_readable(figure)
    last = panels(figure)[-1]
    assert last.get_title("left") == "held-out error, root mean square"
    assert last.get_title("right") == "best at 4: error 55.65"
    np.testing.assert_allclose(lines(figure, "held_out_error")[0][:, 1], errors)


def test_numbers_of_relevance_vectors_stand_over_their_widths(figure):
    found = texts(figure, "count")
    assert [text.get_text() for text in found] == ["120", "31", "9", "4", "0"]
    assert [text.get_position()[0] for text in found] == WIDTHS.tolist()
    assert figure.axes[0].get_title("left") == "relevance vectors"


def test_where_there_is_no_room_numbers_are_left_out():
    count = 100
    curves = replace(
        CURVES,
        widths=np.geomspace(0.1, 100, count),
        n_vectors=np.full(count, 300),
        **{name: np.linspace(1, 2, count) for name in NAMES},
    )
    figure = width_curves_plot(curves)
    assert_readable(figure)
    assert 5 < len(texts(figure, "count")) < 40


@pytest.mark.parametrize(
    ("widths", "shown"),
    [
        (2 * WIDTHS, {"1", "2", "5", "10"}),
        (np.array([3.0, 3.1, 3.2, 3.3, 3.4]), {"3", "3.1", "3.2", "3.3", "3.4"}),
        (np.geomspace(1e-3, 1e3, 5), {"0.001", "0.1", "1000"}),
        (np.geomspace(2e5, 3e6, 5), {"200000", "1e+06", "2e+06"}),
    ],
    ids=["usual", "narrow", "wide", "large"],
)
def test_widths_are_plain_numbers(widths, shown):
    figure = width_curves_plot(replace(CURVES, widths=widths))
    assert_readable(figure)
    axes = panels(figure)[-1]
    low, high = axes.get_xlim()
    labels = zip(axes.get_xticks(), axes.get_xticklabels(), strict=True)
    found = {label.get_text() for place, label in labels if low <= place <= high}
    assert shown <= found and len(found) < 12


def test_one_width_alone_can_be_drawn():
    one = {name: getattr(CURVES, name)[:1] for name in ("widths", "n_vectors", *NAMES)}
    assert_readable(width_curves_plot(replace(CURVES, **one)))


def test_a_judgment_without_values_has_no_panel():
    figure = width_curves_plot(replace(CURVES, log_validity=np.full(5, np.nan)))
    assert_readable(figure)
    assert len(panels(figure)) == 3
    assert not lines(figure, "log_validity")


def test_widths_of_several_scales_are_relative():
    figure = width_curves_plot(replace(CURVES, relative=True))
    assert_readable(figure)
    assert panels(figure)[-1].get_xlabel() == "width (length scales over those given)"


def test_the_same_curves_are_the_same_file(figure, tmp_path):
    one, two = tmp_path / "one.svg", tmp_path / "two.svg"
    save_figure(figure, one)
    save_figure(width_curves_plot(CURVES), two)
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"widths": WIDTHS[::-1]}, "widths must be positive and increase"),
        ({"widths": WIDTHS - 0.5}, "widths must be positive and increase"),
        ({"widths": np.full(5, np.nan)}, "widths: some numbers are missing"),
        ({"log_evidence": np.full(5, np.nan)}, "log_evidence: some numbers are missing"),
        ({"held_out_error": np.ones(4)}, r"held_out_error must have .* the 5 widths.*\(4,\)"),
        ({"log_validity": np.ones(4)}, r"log_validity must have .* the 5 widths"),
    ],
)
def test_what_is_no_set_of_curves_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        width_curves_plot(replace(CURVES, **change))
