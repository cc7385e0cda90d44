"""What a fit says while it runs, and when its search stops early."""

import warnings
from collections import Counter

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kernelwise import LSSVMClassifier, LSSVMRegressor
from kernelwise.searchers import NelderMead, QuasiNewton, TrustRegion

try:
    import sklearn.callback as callback
except ImportError:
    callback = None

needs_callbacks = pytest.mark.skipif(callback is None, reason="sklearn.callback is new in 1.9")


class Recorder:
    """A callback that records what it is told."""

    def __init__(self):
        self.events = []

    def setup(self, estimator, context):
        self.events.append(("setup", context.task_name))

    def on_fit_task_begin(self, estimator, context):
        self.events.append(("begin", context.task_name))

    def on_fit_task_end(self, estimator, context):
        self.events.append(("end", context.task_name))

    def teardown(self, estimator, context):
        self.events.append(("teardown", context.task_name))


@pytest.fixture(params=[LSSVMClassifier, LSSVMRegressor], ids=lambda kind: kind.__name__)
def kind(request):
    return request.param


@pytest.fixture
def data(kind, binary, smooth):
    return binary if kind is LSSVMClassifier else smooth


@needs_callbacks
@pytest.mark.parametrize("selection", ["loo", "loo-bayes", "cv", "evidence", "first-level"])
@pytest.mark.parametrize("n_jobs", [None, 2])
def test_every_evaluation_is_reported(kind, data, selection, n_jobs):
    recorder = Recorder()
    restarts = 2 if n_jobs else 0
    model = kind("gaussian", selection, n_restarts=restarts, n_jobs=n_jobs, honest=False)
    model.set_callbacks(recorder).fit(data.X, data.y)
    events = recorder.events
    assert events[0][0] == "setup"
    assert events[1] == ("begin", "fit")
    assert events[-2] == ("end", "fit")
    assert events[-1][0] == "teardown"
    counts = Counter(events)
    assert counts["begin", "criterion evaluation"] == len(model.trace_)
    assert counts["end", "criterion evaluation"] == len(model.trace_)


@needs_callbacks
def test_evaluations_of_copies_are_reported_as_well(kind, data):
    counts = []
    for honest in (False, True):
        recorder = Recorder()
        kind("gaussian", "loo", honest=honest).set_callbacks(recorder).fit(data.X, data.y)
        counts.append(Counter(recorder.events)["end", "criterion evaluation"])
    assert counts[1] > 3 * counts[0]


@needs_callbacks
def test_callbacks_change_no_bit(kind, data):
    plain = kind("gaussian", "loo").fit(data.X, data.y)
    watched = kind("gaussian", "loo").set_callbacks(Recorder()).fit(data.X, data.y)
    np.testing.assert_array_equal(plain.dual_coef_, watched.dual_coef_)


@needs_callbacks
def test_callback_is_torn_down_when_the_fit_fails(kind, data):
    recorder = Recorder()
    model = kind("gaussian", "loo", cv="five").set_callbacks(recorder)
    with pytest.raises(ValueError, match="five"):
        model.fit(data.X, data.y)
    names = [name for name, _ in recorder.events]
    assert names.count("teardown") == names.count("setup")


@needs_callbacks
def test_progress_bar_of_scikit_learn_ends(kind, data, capsys):
    pytest.importorskip("rich", reason="scikit-learn's progress bar needs rich")
    model = kind("gaussian", "loo").set_callbacks(callback.ProgressBar())
    model.fit(data.X, data.y)
    assert kind.__name__ in capsys.readouterr().out


@needs_callbacks
def test_progress_bar_inside_a_pipeline(kind, data, capsys):
    pytest.importorskip("rich", reason="scikit-learn's progress bar needs rich")
    model = make_pipeline(StandardScaler(), kind("gaussian", "loo"))
    model.set_callbacks(callback.ProgressBar()).fit(data.X, data.y)
    assert kind.__name__ in capsys.readouterr().out


SELECTIONS = ["loo", "loo-bayes", "cv", "evidence"]
EARLY = [
    *((selection, QuasiNewton(max_iterations=1), "max_iterations") for selection in SELECTIONS),
    *((selection, NelderMead(max_evaluations=4), "max_evaluations") for selection in SELECTIONS),
    ("first-level", NelderMead(max_evaluations=3), "max_evaluations"),
    ("first-level", TrustRegion(max_evaluations=6), "max_evaluations"),
]


@pytest.mark.parametrize("selection, searcher, limit", EARLY, ids=str)
def test_search_that_stops_early_says_so_and_keeps_its_best(kind, data, selection, searcher, limit):
    model = kind("ard", selection, searcher=searcher, random_state=0)
    with pytest.warns(ConvergenceWarning, match=f"search ended early.*raise {limit}"):
        model.fit(data.X, data.y)
    assert limit in model.trace_.reason
    assert not model.trace_.converged
    if selection == "first-level":
        # Its criterion is that of the kernel kept, solved more tightly than during the search.
        assert model.regularization_ == np.exp(model.trace_.best_point[0])
    else:
        assert model.criterion_ == min(model.trace_.values)
    assert model.predict(data.X_test).shape == (300,)


def test_first_level_refuses_a_searcher_that_needs_gradients(kind, data):
    """Its outer search, over two regularizers, has none."""
    with pytest.raises(ValueError, match="gradient"):
        kind("gaussian", "first-level", searcher=QuasiNewton()).fit(data.X, data.y)


@pytest.mark.parametrize("selection", [None, "loo", "evidence"])
def test_quiet_unless_asked(kind, data, selection, capfd):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kind("gaussian", selection).fit(data.X, data.y)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("selection", [None, "loo", "first-level"])
def test_verbose_prints_one_line(kind, data, selection, capfd):
    model = kind("gaussian", selection, verbose=1).fit(data.X, data.y)
    out, err = capfd.readouterr()
    (line,) = out.splitlines()
    assert err == ""
    assert line.startswith(f"{kind.__name__}: Gaussian(")
    assert f"regularization={model.regularization_:.4g}" in line
    assert f"{len(model.trace_)} points" in line
    assert model.trace_.reason in line


def test_trace_tells_the_whole_search(kind, data):
    trace = kind("gaussian", "loo").fit(data.X, data.y).trace_
    assert len(trace.points) == len(trace.values) == len(trace.gradient_norms) == len(trace)
    assert np.all(np.diff(trace.seconds) >= 0)
    assert trace.best_value == min(trace.values) < trace.values[0]
    np.testing.assert_array_equal(trace.best_point, trace.points[np.argmin(trace.values)])
    assert trace.reason in repr(trace)
