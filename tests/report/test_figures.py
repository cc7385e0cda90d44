"""Histograms, error intervals, and figures in files."""

import subprocess
import sys

import matplotlib
import numpy as np
import pytest
from drawn import assert_readable, lines
from matplotlib.figure import Figure

from kernelwise.evaluation import ErrorInterval, corrected_resampled_interval, mean_ranks, nemenyi
from kernelwise.report import (
    critical_difference_diagram,
    error_against_cost,
    error_intervals,
    histograms,
    parameter_box_plots,
    save_figure,
)

RANDOM = np.random.default_rng(0)
TRIALS = {"ARD-FLKL": RANDOM.normal(17.6, 3, 100), "ARD-XVAL": RANDOM.normal(20.2, 4, 60)}
RANKING = mean_ranks({"good": [1, 2, 3, 4], "bad": [2, 1, 4, 5], "worst": [3, 4, 5, 6]})
FIGURES = {
    "ranks": lambda: critical_difference_diagram(RANKING, nemenyi(RANKING)),
    "boxes": lambda: parameter_box_plots({"a": np.exp(np.eye(4)), "b": np.eye(4)}),
    "trials": lambda: histograms(TRIALS, xlabel="error, %", reference={"ARD-FLKL": 17.65}),
    "cost": lambda: error_against_cost({"a": (1, 2, 1, 3), "b": (9, 1, 0, 2)}),
    "errors": lambda: error_intervals(intervals(3), baseline=0.4),
}


def intervals(count, name="method {}"):
    return {
        name.format(j): corrected_resampled_interval(
            0.3 - 0.01 * j + TRIALS["ARD-XVAL"] / 1e3, 90, 10
        )
        for j in range(count)
    }


def bars(axes):
    return np.array([(bar.get_x(), bar.get_width(), bar.get_height()) for bar in axes.patches])


def test_histograms_share_their_bins_and_hold_all_trials():
    figure = histograms(
        TRIALS, xlabel="error, %", reference={"ARD-FLKL": 17.65}, reference_name="paper"
    )
    assert_readable(figure)
    first, second = figure.axes
    assert bars(first)[:, :2] == pytest.approx(bars(second)[:, :2])
    for axes, values in zip(figure.axes, TRIALS.values(), strict=True):
        assert bars(axes)[:, 2].sum() == pytest.approx(100)
        start, width, share = bars(axes)[3]
        inside = ((values >= start) & (values < start + width)).sum()
        assert share == pytest.approx(100 * inside / len(values))
    means = [line[0, 0] for line in lines(figure, "mean")]
    assert means == pytest.approx([values.mean() for values in TRIALS.values()])
    (reference,) = lines(figure, "reference")
    assert reference[0, 0] == 17.65
    assert first.get_title(loc="right").endswith("paper 17.65")
    assert second.get_xlabel() == "error, %"


@pytest.mark.parametrize("count", [1, 3, 12])
def test_many_histograms_with_long_names_are_readable(count):
    trials = {
        f"a method with quite a long name, the {j}th of all": [j, j + 1] for j in range(count)
    }
    figure = histograms(trials, xlabel="error", reference=dict.fromkeys(trials, 1.5))
    assert_readable(figure)


def test_bins_of_a_width_begin_at_its_multiples_and_hold_all_trials():
    figure = histograms({"a": [3.9, 4.0, 7.5], "b": [11.0, 12.0]}, xlabel="error, %", bin_width=2)
    assert_readable(figure)
    for axes, shares in zip(figure.axes, ([1, 1, 1, 0, 0, 0], [0, 0, 0, 0, 1, 1]), strict=True):
        assert bars(axes)[:, 0] == pytest.approx([2, 4, 6, 8, 10, 12])
        assert bars(axes)[:, 1] == pytest.approx(2)
        assert bars(axes)[:, 2] == pytest.approx(100 * np.array(shares) / sum(shares))


@pytest.mark.parametrize("width", [0, -2, np.nan, 1e-9])
def test_bins_that_cannot_be_drawn_are_refused(width):
    with pytest.raises(ValueError, match="do not suit results from 1 to 3: at most 100"):
        histograms({"a": [1, 3]}, xlabel="error", bin_width=width)


@pytest.mark.parametrize("values", [[1.0], [2.0, 2.0], [0, *[1e-9] * 50, 1e9]])
def test_histograms_of_odd_trials(values):
    figure = histograms({"a": values}, xlabel="error")
    assert_readable(figure)
    assert bars(figure.axes[0])[:, 2].sum() == pytest.approx(100)
    assert len(figure.axes[0].patches) <= 40


def test_error_intervals_are_sorted_with_the_lowest_on_top():
    errors = intervals(4)
    figure = error_intervals(errors, baseline=0.35, baseline_name="most frequent class")
    assert_readable(figure)
    (axes,) = figure.axes
    order = [text.get_text() for text in axes.get_yticklabels()]
    assert order == ["method 3", "method 2", "method 1", "method 0"]
    assert axes.get_ylim()[0] > axes.get_ylim()[1]
    for row, (name, line) in enumerate(zip(order, lines(figure, "interval"), strict=True)):
        assert line == pytest.approx(
            np.array([(errors[name].lower, row), (errors[name].upper, row)])
        )
    marks = [mark[0] for mark in lines(figure, "mark")]
    assert marks == [pytest.approx((errors[name].value, i)) for i, name in enumerate(order)]
    assert lines(figure, "baseline")[0][0, 0] == 0.35
    assert not lines(error_intervals(errors), "baseline")


def test_a_far_baseline_is_named_and_does_not_squeeze_the_intervals():
    errors = intervals(4)
    near, far = error_intervals(errors), error_intervals(errors, baseline=9.0)
    assert not lines(far, "baseline")
    assert far.axes[0].get_xlim() == near.axes[0].get_xlim()
    assert "baseline 9.000 →" in [text.get_text() for text in far.axes[0].texts]


@pytest.mark.parametrize("count", [1, 2, 15])
@pytest.mark.parametrize("name", ["{}", "an estimator of a long name with settings number {}"])
@pytest.mark.parametrize("baseline", [None, 0.0, 0.3, 0.9])
def test_error_intervals_are_readable(count, name, baseline):
    assert_readable(error_intervals(intervals(count, name), baseline=baseline))


def test_a_dollar_sign_is_no_formula():
    figure = error_intervals({"cost $x_1$ of $_ a\nline": next(iter(intervals(1).values()))})
    assert_readable(figure)
    assert figure.axes[0].get_yticklabels()[0].get_text() == r"cost \$x_1\$ of \$_ a line"


# Dates and numbers of objects are of a kind of file; an order that changes shows in any of them.
@pytest.mark.parametrize(
    ("kind", "suffix"),
    [*((kind, ".svg") for kind in FIGURES), *(("errors", s) for s in (".pdf", ".png", ".PNG"))],
)
def test_the_same_figure_is_the_same_file(tmp_path, kind, suffix):
    one, two = tmp_path / f"one{suffix}", tmp_path / f"two{suffix}"
    save_figure(FIGURES[kind](), one)
    save_figure(FIGURES[kind](), str(two))
    start = {".svg": b"<?xml", ".pdf": b"%PDF", ".png": b"\x89PNG"}[suffix.lower()]
    assert one.read_bytes().startswith(start)
    assert one.read_bytes() == two.read_bytes()
    assert b"CreationDate" not in one.read_bytes()  # in whole seconds, most often the same
    assert {path.name for path in tmp_path.iterdir()} == {one.name, two.name}


def test_saving_twice_changes_nothing(tmp_path):
    figure = FIGURES["trials"]()
    save_figure(figure, tmp_path / "one.svg")
    save_figure(figure, tmp_path / "two.svg")
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_the_settings_of_the_caller_neither_matter_nor_change(tmp_path):
    save_figure(FIGURES["errors"](), tmp_path / "plain.svg")
    own = {"font.size": 20, "axes.facecolor": "black", "svg.hashsalt": "other", "lines.marker": "x"}
    with matplotlib.rc_context(own):
        before = dict(matplotlib.rcParams)
        save_figure(FIGURES["errors"](), tmp_path / "own.svg")
        assert dict(matplotlib.rcParams) == before
    assert (tmp_path / "own.svg").read_bytes() == (tmp_path / "plain.svg").read_bytes()


@pytest.mark.parametrize("name", ["figure.jpg", "figure", "png"])
def test_other_suffixes_are_refused(tmp_path, name):
    with pytest.raises(ValueError, match=r"must end in \.png, \.svg, \.pdf"):
        save_figure(FIGURES["errors"](), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(ValueError, match="does not exist: create it first"):
        save_figure(FIGURES["errors"](), tmp_path / "nowhere" / "figure.png")


def test_a_failing_drawing_leaves_the_old_file(tmp_path):
    path = tmp_path / "figure.svg"
    save_figure(FIGURES["errors"](), path)
    old = path.read_bytes()
    broken = Figure()
    broken.text(0.5, 0.5, r"$\nonsense{$")
    with pytest.raises(ValueError, match="nonsense"):
        save_figure(broken, path)
    assert path.read_bytes() == old
    assert list(tmp_path.iterdir()) == [path]


def test_pyplot_is_never_loaded():
    program = (
        "import sys, numpy as np, kernelwise.report as r\n"
        "from kernelwise.insight.alignment_surface import AlignmentSurface\n"
        "from kernelwise.insight.feature_space import empirical_feature_space\n"
        "from kernelwise.kernels import Linear\n"
        "assert 'matplotlib' not in sys.modules\n"
        "r.histograms({'a': [1, 2]}, xlabel='x')\n"
        "r.parameter_box_plots({'a': [[1, 2]]})\n"
        "space = empirical_feature_space(Linear(), np.eye(12))\n"
        "r.feature_space_plot({'a': space}, list('ab') * 6)\n"
        "r.feature_space_plot({'a': space}, np.linspace(0, 1, 12))\n"
        "r.relevance_bars('abc', [0.5, 0.5, 0], [0, 1], most=2)\n"
        "grid = np.arange(2.0)\n"
        "r.alignment_surface_plot(AlignmentSurface(('a', 'b'), grid, grid, np.eye(2), (0, 9)))\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("trials", "reference", "message"),
    [
        ({}, None, "at least one method"),
        ({"a": []}, None, "trials of a: .* at least one number"),
        ({"a": [[1.0]]}, None, r"trials of a: an array of 1 dimension\(s\)"),
        ({"a": [1.0, np.nan]}, None, "trials of a: some numbers are missing"),
        ({"a": [1.0]}, {"b": 2.0}, "reference values of b, which have no trials"),
        ({"a": [1.0]}, {"a": np.inf}, "reference value of a: some numbers are missing or infinite"),
    ],
)
def test_bad_trials_are_refused(trials, reference, message):
    with pytest.raises(ValueError, match=message):
        histograms(trials, xlabel="error", reference=reference)


def interval(value, lower, upper):
    return ErrorInterval(value, lower, upper, 0.1, 9, 0.95, "")


@pytest.mark.parametrize(
    ("errors", "baseline", "message"),
    [
        ({}, None, "at least one method"),
        ({"a": interval(np.nan, 0, 1)}, None, "error of a: some numbers are missing"),
        ({"a": interval(2, 0, 1)}, None, "the error of a is outside its interval"),
        ({"a": interval(0.5, 0, 1)}, np.nan, "baseline: some numbers are missing"),
    ],
)
def test_bad_errors_are_refused(errors, baseline, message):
    with pytest.raises(ValueError, match=message):
        error_intervals(errors, baseline=baseline)
