"""SVMClassifier: what is wrong is said in words, before any work."""

import numpy as np
import pytest

from kernelwise import SVMClassifier
from kernelwise.criteria import LaplaceEvidence, LeaveOneOut, RadiusMargin, Span
from kernelwise.searchers import QuasiNewton, Rprop
from kernelwise.selections import FirstLevelSelection, MinimizeCriterion, Random

BAD = [
    *(({"C": C}, r"C must be a positive, finite number") for C in (0, -1, np.inf, np.nan, "1")),
    *(({"loss": loss}, r"loss must be one of .*'hinge'") for loss in ("Hinge", None, "logistic")),
    *(({"bias": bias}, r"bias must be True, False or 'auto'") for bias in ("yes", None, 1)),
    *(({"combine": way}, r"combine must be one of .*'average'") for way in ("mean", None)),
    *(({"selection": name}, r"unknown selection .*'span'.*'alignment'") for name in ("loo", 3)),
    ({"selection": FirstLevelSelection()}, r"for least-squares machines, not for a SupportVector"),
    ({"selection": MinimizeCriterion(LeaveOneOut())}, r"LeaveOneOut.* These do: .*GACV.*Span"),
    ({"selection": "radius-margin", "loss": "hinge"}, r"squared hinge only.*another selection"),
    ({"selection": MinimizeCriterion(RadiusMargin()), "loss": "hinge"}, r"squared hinge only"),
    ({"selection": "alignment", "combine": "average"}, r"needs a selection that minimizes"),
    ({"selection": None, "combine": "average"}, r"needs a selection that minimizes.*not None"),
    ({"n_restarts": -1}, r"n_restarts must be 0, 1, 2"),
    ({"n_restarts": 1.5}, r"n_restarts must be 0, 1, 2"),
    ({"searcher": "random-walk"}, r"searcher must be None, one of"),
    ({"kernel": "rbf"}, r"unknown kernel 'rbf'"),
]


@pytest.mark.parametrize(("settings", "words"), BAD, ids=str)
def test_bad_parameters_are_refused_before_the_table_is_read(settings, words):
    with pytest.raises(ValueError, match=words):
        SVMClassifier(**settings).fit("no table", None)


@pytest.fixture
def small(binary):
    return binary.X[:20], binary.y[:20]


@pytest.mark.parametrize("searcher", [QuasiNewton(), Rprop()])
def test_a_searcher_by_gradients_needs_a_criterion_that_has_one(small, searcher):
    model = SVMClassifier("gaussian", MinimizeCriterion(Span()), searcher=searcher)
    with pytest.raises(ValueError, match=r"needs the gradient.*only the value"):
        model.fit(*small)
    assert not hasattr(model, "trace_")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"start": "middle"}, "start must be Scan"),
        ({"near": -0.1}, "near must be a number of 0 or more"),
        ({"near": np.inf}, "near must be a number"),
        ({"limits": {"scale": (2.0, 1.0)}}, "limits of 'scale' must be two positive, increasing"),
        ({"limits": {"scale": (0.0, 1.0)}}, "limits of 'scale' must be two positive, increasing"),
        ({"limits": {"scale": 3.0}}, "limits of 'scale' must be two positive, increasing"),
        ({"limits": {"weight": (0.5, 1.0)}}, "limits go by role, one of .*'scale'"),
    ],
    ids=str,
)
def test_bad_settings_of_the_selection_are_refused(settings, words):
    with pytest.raises(ValueError, match=words):
        MinimizeCriterion(Span(), **settings)


@pytest.mark.parametrize("criterion", ["span", Span, None])
def test_a_criterion_is_an_object(criterion):
    with pytest.raises(ValueError, match=r"criterion must be an object .* LeaveOneOut\(\)"):
        MinimizeCriterion(criterion)


@pytest.mark.parametrize("spread", [-1.0, "wide"])
def test_a_bad_spread_is_refused(spread):
    with pytest.raises(ValueError, match="spread must be a number of 0 or more"):
        Random(spread)


@pytest.mark.parametrize("cv", [1, 0, [(np.arange(10), np.arange(10, 20))]])
def test_folds_that_are_none_are_refused(small, cv):
    with pytest.raises(ValueError, match="cv must"):
        SVMClassifier("gaussian", None, cv=cv).fit(*small)


def test_a_limit_of_a_parameter_that_is_not_there_is_refused(small):
    selection = MinimizeCriterion(Span(), limits={"amplitude": (0.1, 1.0)})
    with pytest.raises(
        ValueError, match=r"limits of 'amplitude', but the roles searched are .*'regularization'"
    ):
        SVMClassifier("gaussian", selection).fit(*small)


def test_limits_beyond_what_is_possible_are_refused(small):
    limits = {"amplitude": (1e-9, 1e-8)}
    selection = MinimizeCriterion(LaplaceEvidence(0.0), amplitude=True, limits=limits)
    with pytest.raises(ValueError, match=r"limits of 'amplitude' .* are outside"):
        SVMClassifier("gaussian", selection, bias=False).fit(*small)


def test_one_class_of_positive_weight_is_refused(small):
    X, y = small
    with pytest.raises(ValueError, match="one class only"):
        SVMClassifier().fit(X, y, sample_weight=(y == "yes").astype(float))
    with pytest.raises(ValueError, match="one class only"):
        SVMClassifier(class_weight={"yes": 0.0, "no": 1.0}).fit(X, y)


@pytest.mark.parametrize("selection", ["evidence", "evidence-ep", "span"])
def test_a_negative_diagonal_is_refused_before_any_work(selection):
    with pytest.raises(ValueError, match=r"positive semi-definite Gram matrix; X has -1 on its"):
        SVMClassifier("precomputed", selection).fit(-np.eye(10), np.arange(10) % 2)
