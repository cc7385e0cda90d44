"""Displays: arrays, estimators or records in, artists on axes of the caller or new ones out."""

import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from drawn import assert_readable, draw, lines, texts
from matplotlib import pyplot
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kernelwise import BEMKLClassifier, KernelAligner, LSSVMClassifier, LSSVMRegressor
from kernelwise.evaluation import mean_ranks, nemenyi
from kernelwise.insight.fit_record import CandidateRecord, FeatureRecord, TraceRecord
from kernelwise.report import (
    CriterionSurfaceDisplay,
    CriticalDifferenceDisplay,
    LeaderboardDisplay,
    RelevanceDisplay,
    SearchTraceDisplay,
)
from kernelwise.report.style import BLUE, LIGHT, MIDDLE

pytestmark = pytest.mark.filterwarnings(
    "ignore::kernelwise.estimators.trivial.NoBetterThanTrivialWarning"
)
NAMES, SHARES = ["age", "sex", "bmi"], [0.1, 0.6, 0.3]
INTERVALS = [[0.05, 0.2], [0.5, 0.7], [np.nan, np.nan]]
ERRORS = {"good": [1, 2, 3, 4], "bad": [2, 1, 4, 5], "worst": [3, 4, 5, 6]}
DISPLAYS = {
    "relevance": lambda: RelevanceDisplay(SHARES, NAMES, INTERVALS, [1, 2]),
    "leaderboard": lambda: LeaderboardDisplay(
        ["a", "b"], [2.0, 1.0], [[1, 3], [0.5, 2]], [0.0, 1.0], 3.2, "%"
    ),
    "trace": lambda: SearchTraceDisplay([3.0, 5.0, np.inf, 2.0, 2.5], "it was time", range(5)),
    "surface": lambda: CriterionSurfaceDisplay([0, 1, 2], [5, 6], np.eye(3, 2), (1, 9), "x", "y"),
    "ranks": lambda: CriticalDifferenceDisplay.from_errors(ERRORS),
}


@pytest.fixture(scope="module")
def fitted(binary):
    return LSSVMClassifier("ard", "loo").fit(binary.X, binary.y)


@pytest.mark.parametrize("kind", DISPLAYS)
def test_a_display_is_drawn_on_the_axes_of_the_caller(kind):
    figure = Figure(layout="constrained")
    first, second = figure.subplots(1, 2)
    display = DISPLAYS[kind]()
    assert display.plot(second, name="cost in $ of $ it") is display
    assert display.ax_ is second and display.figure_ is figure
    assert not first.has_data() and second.has_data()
    assert second.get_title(loc="left") == r"cost in \$ of \$ it"


@pytest.mark.parametrize("kind", DISPLAYS)
@pytest.mark.parametrize("name", [None, "A title"])
def test_a_figure_of_its_own_can_be_read(kind, name):
    display = DISPLAYS[kind]()
    figure = display.as_figure(name=name)
    assert_readable(figure)
    assert ("A title" in [text for text, _ in draw(figure)]) == (name is not None)
    assert display.figure_ is figure
    assert (figure.get_figheight() > display.size[1] + 0.2) == (name is not None)


@pytest.mark.parametrize("kind", DISPLAYS)
def test_without_axes_there_is_a_figure_of_pyplot(kind):
    before = pyplot.get_fignums()
    display = DISPLAYS[kind]().plot()
    (number,) = set(pyplot.get_fignums()) - set(before)
    assert pyplot.figure(number) is display.figure_
    assert tuple(display.figure_.get_size_inches()) == pytest.approx(display.size)
    assert_readable(display.figure_)
    pyplot.close(number)


def test_pyplot_is_loaded_for_new_figures_only_and_its_lack_is_told():
    program = (
        "import sys\n"
        "from matplotlib.figure import Figure\n"
        "from kernelwise.report import RelevanceDisplay, SearchTraceDisplay\n"
        "RelevanceDisplay([1], ['a'], [[0, 1]], []).plot(Figure().subplots())\n"
        "SearchTraceDisplay([1, 2]).as_figure()\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
        "sys.modules['matplotlib.pyplot'] = None\n"
        "try:\n"
        "    SearchTraceDisplay([1]).plot()\n"
        "except ImportError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip().endswith("pip install 'kernelwise[report]'"), done.stderr


def test_bars_have_whiskers_and_the_colors_a_legend():
    display = DISPLAYS["relevance"]().plot(Figure().subplots(), height=0.5)
    assert [bar.get_width() for bar in display.bars_] == pytest.approx([60, 30, 10])
    colors = [to_hex(bar.get_facecolor()) for bar in display.bars_]
    assert colors == [color.lower() for color in (BLUE, BLUE, LIGHT)]
    assert {bar.get_height() for bar in display.bars_} == {0.5}
    whiskers = [path.vertices for path in display.whiskers_.get_paths()]
    assert np.array(whiskers[0]) == pytest.approx(np.array([(50, 0), (70, 0)]))
    assert np.array(whiskers[-1]) == pytest.approx(np.array([(5, 2), (20, 2)]))
    said = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert said == ["told apart from noise", "not told apart"]
    assert not texts(display.figure_, "filtered")


def test_there_is_no_legend_where_all_bars_are_alike():
    all_told = RelevanceDisplay(SHARES, NAMES, INTERVALS, [0, 1, 2]).plot(Figure().subplots())
    assert all_told.ax_.get_legend() is None
    plain = RelevanceDisplay(SHARES, NAMES, selected=[1]).plot(Figure().subplots())
    assert plain.whiskers_ is None and plain.ax_.get_legend() is None
    assert len(texts(plain.figure_, "filtered")) == 2


def test_relevances_are_read_from_estimators_pipelines_and_records(binary, fitted):
    display = RelevanceDisplay.from_estimator(fitted, max_features=2)
    np.testing.assert_array_equal(display.relevance, fitted.relevance_)
    np.testing.assert_array_equal(display.intervals, fitted.relevance_interval_)
    np.testing.assert_array_equal(display.selected, fitted.selected_features_)
    assert list(display.names) == ["x0", "x1", "x2", "x3"] and display.max_features == 2
    ends = zip(NAMES, SHARES, INTERVALS, strict=True)
    features = [FeatureRecord(name, share, *two, name == NAMES[1]) for name, share, two in ends]
    read = RelevanceDisplay.from_record(SimpleNamespace(features=features))
    assert read.relevance.tolist() == SHARES and list(read.selected) == [1]
    assert read.intervals[1].tolist() == list(INTERVALS[1]) and list(read.names) == NAMES
    unknown = SimpleNamespace(features=[FeatureRecord("a", 1.0, None, None, True)])
    display = RelevanceDisplay.from_record(unknown)
    assert np.isnan(display.intervals).all()
    assert not texts(display.as_figure(), "filtered"), "the record says which is told from noise"
    piped = make_pipeline(StandardScaler(), LSSVMClassifier("linear", None, honest=False))
    for model in (piped, KernelAligner("ard"), BEMKLClassifier(["gaussian"])):
        assert_readable(RelevanceDisplay.from_estimator(model.fit(binary.X, binary.y)).as_figure())
    gram = LSSVMClassifier("precomputed", None, honest=False).fit(np.eye(60), binary.y)
    with pytest.raises(ValueError, match="has no relevance_: it saw no features"):
        RelevanceDisplay.from_estimator(gram)
    with pytest.raises(ValueError, match="for each of 3 features"):
        RelevanceDisplay(SHARES, NAMES, INTERVALS[:2])
    with pytest.raises(ValueError, match="max_features must be a whole number"):
        RelevanceDisplay(SHARES, NAMES, max_features=0)


def test_the_leaderboard_has_the_best_on_top_and_grays_what_counts_for_nothing():
    display = DISPLAYS["leaderboard"]().plot(Figure().subplots(), ms=9)
    assert [tick.get_text() for tick in display.ax_.get_yticklabels()] == ["b", "a"]
    assert [dot.get_xydata()[0].tolist() for dot in display.dots_] == [[1, 0], [2, 1]]
    assert [line.get_xdata().tolist() for line in display.lines_] == [[0.5, 2], [1, 3]]
    assert [dot.get_color() for dot in display.dots_] == [BLUE, MIDDLE]
    assert {dot.get_markersize() for dot in display.dots_} == {9}
    assert display.baseline_.get_xdata()[0] == 3.2
    assert display.ax_.get_xlabel() == "error, %"
    written = [text.get_text() for text in display.ax_.texts]
    assert written == ["1.000", "2.000", "error", "1.00", "0.00", "weight", "baseline 3.200"]


@pytest.mark.parametrize("baseline", [0.1, 2.9, 3.05, 90.0])
@pytest.mark.parametrize("name", ["{}", "a candidate of a long name with settings number {}"])
def test_a_leaderboard_can_be_read_wherever_the_baseline_is(baseline, name):
    names = [name.format(j) for j in range(2)]
    intervals = [[1, 3], [0.5, 2]]
    for weights in (None, [0.4, 0.6]):
        display = LeaderboardDisplay(names, [2, 1], intervals, weights, baseline, "%")
        assert_readable(display.as_figure(name="Candidates"))


def leaderboard():
    kinds = [("candidate", "U20"), ("weight", float), ("error", float), ("low", float)]
    rows = [("ard", 0.7, 0.02, 0.01, 0.04), ("linear", 0.3, 0.05, 0.03, 0.08)]
    return np.array(rows, dtype=[*kinds, ("high", float)])


class Auto(BaseEstimator):
    """What an estimator of many candidates has after its fit."""

    def fit(self, baseline):
        self.leaderboard_ = leaderboard()
        self.error_estimate_ = SimpleNamespace(baseline=baseline)
        return self


class AutoClassifier(ClassifierMixin, Auto):
    pass


class AutoRegressor(RegressorMixin, Auto):
    pass


def test_leaderboards_are_read_from_estimators_and_records():
    quantities = LeaderboardDisplay.from_estimator(AutoRegressor().fit(0.5))
    assert quantities.errors.tolist() == [0.02, 0.05] and quantities.unit == ""
    assert quantities.baseline == 0.5 and quantities.weights.tolist() == [0.7, 0.3]
    rows = [
        CandidateRecord(
            row["candidate"], row["weight"], row["error"], row["low"], row["high"], 0.0, 1.0, 1, ""
        )
        for row in leaderboard()
    ]
    record = SimpleNamespace(
        candidates=rows, task="classification", error=SimpleNamespace(baseline=0.37)
    )
    shares = [
        LeaderboardDisplay.from_estimator(AutoClassifier().fit(0.37)),
        LeaderboardDisplay.from_record(record),
    ]
    for display in shares:
        assert display.names == ["ard", "linear"] and display.unit == "%"
        np.testing.assert_allclose(display.errors, [2, 5])
        np.testing.assert_allclose(display.intervals, [[1, 4], [3, 8]])
        assert display.baseline == pytest.approx(37)
    record.task = "regression"
    assert LeaderboardDisplay.from_record(record).unit == ""
    record.error = None
    with pytest.raises(ValueError, match="folds=0"):
        LeaderboardDisplay.from_record(record)


def test_what_is_no_leaderboard_is_refused():
    with pytest.raises(ValueError, match="those of 1 candidates"):
        LeaderboardDisplay(["a"], [1, 2], [[0, 3], [0, 3]])
    with pytest.raises(ValueError, match="those of 1 candidates"):
        LeaderboardDisplay(["a"], [1], [[0, 3]], weights=[1, 2])
    with pytest.raises(ValueError, match="two ends each, not 3"):
        LeaderboardDisplay(["a"], [1], [[0, 3, 4]])
    with pytest.raises(ValueError, match="error of a is outside its interval: 5, not from 0 to 3"):
        LeaderboardDisplay(["a"], [5], [[0, 3]])


def test_a_trace_shows_the_best_so_far_and_what_is_beyond_the_edge():
    display = DISPLAYS["trace"]().plot(Figure().subplots())
    assert display.dots_.get_xydata().tolist() == [[1, 3], [4, 2], [5, 2.5]]
    assert display.line_.get_ydata().tolist() == [3, 3, 3, 2, 2]
    assert display.beyond_.get_xdata().tolist() == [2, 3]
    assert display.best_.get_xydata().tolist() == [[4, 2]]
    assert display.ax_.get_xlabel() == "evaluations (4 s)\nstopped: it was time"
    low, high = display.ax_.get_ylim()
    assert 1.5 < low < 2 and 3 < high < 3.5


def test_traces_are_read_from_estimators_and_records(fitted):
    display = SearchTraceDisplay.from_estimator(make_pipeline(StandardScaler(), fitted))
    assert display.values.tolist() == fitted.trace_.values
    assert display.reason == fitted.trace_.reason
    assert display.seconds.tolist() == fitted.trace_.seconds
    assert_readable(display.as_figure(name="Search"))
    one = CandidateRecord("stack", 1.0, None, None, None, 0.0, 1.0, 1, "")
    other = replace(one, name="ard", trace=TraceRecord(2, "done", (2.0, 1.0)))
    for name in (None, "ard"):
        read = SearchTraceDisplay.from_record(SimpleNamespace(candidates=[one, other]), name)
        assert read.values.tolist() == [2, 1] and read.reason == "done" and read.seconds is None
    with pytest.raises(ValueError, match=r"'linear' is known; there are \['ard'\]"):
        SearchTraceDisplay.from_record(SimpleNamespace(candidates=[one, other]), "linear")
    timeless = SearchTraceDisplay([2, 1], seconds=[0, 0]).plot(Figure().subplots())
    assert timeless.ax_.get_xlabel() == "evaluations"


@pytest.mark.parametrize(
    "values", [[7.0], [np.inf, 1e-9], [-5.0, -5.0], [0.0], [1e9, -3.0, np.nan]]
)
def test_any_values_can_be_drawn(values):
    display = SearchTraceDisplay(values)
    figure = display.as_figure()
    assert_readable(figure)
    low, high = display.ax_.get_ylim()
    assert low < np.nanmin(values) <= display.best_.get_ydata()[0] < high
    assert display.ax_.get_xlabel() == "evaluations"


def test_what_is_no_trace_is_refused(binary):
    with pytest.raises(ValueError, match="one of them finite"):
        SearchTraceDisplay([np.nan, np.inf])
    with pytest.raises(ValueError, match="BEMKLClassifier has no trace_"):
        SearchTraceDisplay.from_estimator(BEMKLClassifier(["gaussian"]).fit(binary.X, binary.y))
    with pytest.raises(ValueError, match="2 values need as many seconds"):
        SearchTraceDisplay([1, 2], seconds=[1])


def test_a_surface_is_computed_drawn_and_marked(smooth):
    model = LSSVMRegressor("gaussian", "loo", honest=False).fit(smooth.X, smooth.y)
    display = CriterionSurfaceDisplay.from_estimator(model, smooth.X, smooth.y, points=5)
    figure = display.as_figure(name="Criterion")
    assert_readable(figure)
    (mark,) = lines(figure, "best")
    assert mark[0] == pytest.approx((0, np.log10(model.regularization_)))
    piped = make_pipeline(StandardScaler(), model).fit(smooth.X * 9, smooth.y)
    again = CriterionSurfaceDisplay.from_estimator(piped, smooth.X * 9, smooth.y, points=5)
    np.testing.assert_allclose(again.values, display.values, rtol=1e-4)
    assert display.values.argmin() == 12 and display.colorbar_.ax.get_ylabel() == "leave one out"
    quarter = np.sort(display.values.ravel())[18]
    assert display.highest == pytest.approx(quarter)
    levels = display.contours_.levels
    assert levels[0] <= display.values.min() and quarter <= levels[-1] < display.values.max()
    assert display.contours_.extend == "max"


def test_a_surface_may_have_holes_but_not_be_one():
    values = np.arange(6.0).reshape(3, 2)
    values[0, 0] = np.nan
    display = CriterionSurfaceDisplay([0, 1, 2], [5, 6], values).plot(Figure().subplots())
    assert display.best_ is None and display.contours_.extend == "neither"
    assert display.contours_.levels[-1] >= 5
    with pytest.raises(ValueError, match="finite, or NaN"):
        CriterionSurfaceDisplay([0, 1, 2], [5, 6], np.full((3, 2), np.nan))
    with pytest.raises(ValueError, match="finite, or NaN"):
        CriterionSurfaceDisplay([0, 1, 2], [5, 6], np.full((3, 2), np.inf))
    with pytest.raises(ValueError, match="each pair of 3 and 2 numbers"):
        CriterionSurfaceDisplay([0, 1, 2], [5, 6], values.T)


def test_ranks_come_from_errors_or_from_results():
    ranking = mean_ranks(ERRORS)
    found = nemenyi(ranking, 0.1)
    one = CriticalDifferenceDisplay.from_errors(ERRORS, 0.1)
    two = CriticalDifferenceDisplay.from_results(ranking, found)
    assert vars(one) == vars(two) and one.level == 0.1
    assert one.critical_difference == found.critical_difference
    assert [list(group) for group in one.groups] == [list(group) for group in found.groups]
    one.plot(Figure().subplots(), lw=7)
    assert len(one.bars_) == len(found.groups) and one.bars_[0].get_linewidth() == 7
    places = [mark.get_xdata()[0] for mark in one.marks_]
    first, last = lines(one.figure_, "axis")[0][:, 0]
    ranks = sorted(ranking.values)
    expected = [first + (rank - 1) / 2 * (last - first) for rank in ranks]
    assert places == pytest.approx(expected)
    ruler = np.ptp(one.ruler_.get_xdata())
    assert ruler == pytest.approx(found.critical_difference / 2 * (last - first))
    alone = CriticalDifferenceDisplay(["a", "b"], [1.0, 2.0]).plot(Figure().subplots())
    assert alone.ruler_ is None and not alone.bars_
    with pytest.raises(ValueError, match=r"groups name \['c'\], which have no rank"):
        CriticalDifferenceDisplay(["a", "b"], [1.0, 2.0], [["a", "c"]])
