"""Methods by name: support vector machines whose kernel a criterion of the machine chooses."""

import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kernelwise.criteria import (
    GACV,
    Criterion,
    DampedEvidence,
    LaplaceEvidence,
    NearStart,
    RadiusMargin,
    SmoothedSpan,
)
from kernelwise.estimators import SVMClassifier
from kernelwise.kernels import Gaussian
from kernelwise.methods.evidence_ascent import published_start
from kernelwise.methods.method import Method
from kernelwise.searchers import QuasiNewton, RandomWalk, Searcher
from kernelwise.selections import Given, MinimizeCriterion, Random, Start

# The paper limits its parameters without saying where. Weights are 1 / (2 l^2): no length scale
# falls below its start, one standard deviation.
WIDTHS = {"scale": (1e-6, 0.5)}


def _ours(name: str, selection: str, summary: str) -> Method:
    return Method(
        name,
        summary,
        classifier=lambda _: SVMClassifier("ard", selection),
        regressor=None,
        categorical=True,
    )


def _searched(
    name: str, summary: str, criterion: Criterion, loss: str, search_C: bool = False
) -> list[Method]:
    """Gold & Sollich's criterion by their random walk, and by gradients from random starts.

    Parameters
    ----------
    name, summary : of the random walk; the other method's name ends in "-LBFGS"
    criterion, loss : what is minimized, and the loss of the machine
    search_C : whether to search C and the amplitude, within limits; only evidence sees more than
        their product
    """

    def method(name: str, summary: str, start: Start, searcher: Searcher) -> Method:
        selection = MinimizeCriterion(
            criterion, start, amplitude=search_C, search_regularization=search_C, limits=WIDTHS
        )
        return Method(
            name,
            summary,
            classifier=lambda n_features: make_pipeline(
                StandardScaler(),
                SVMClassifier(
                    published_start(n_features), selection, loss=loss, bias=False, searcher=searcher
                ),
            ),
            regressor=None,
        )

    return [
        method(name, f"{summary}, random walk", Given(), RandomWalk()),
        method(f"{name}-LBFGS", f"{summary}, L-BFGS from random starts", Random(), QuasiNewton()),
    ]


def _chapelle(
    name: str, summary: str, criterion: Criterion, per_feature: bool, most_rows: int | None = None
) -> Method:
    """A method the alignment paper compares with: it starts at widths of 1 and C = 1, with a weak
    preference for them, squared slacks and a free bias.

    Parameters
    ----------
    name, summary : of the method
    criterion : what is minimized
    per_feature : one width per feature, or one for all
    most_rows : the largest training set it is tried on
    """

    def classifier(n_features: int):
        kernel = Gaussian(np.ones(n_features) if per_feature else 1.0)
        selection = MinimizeCriterion(NearStart(criterion), Given())
        machine = SVMClassifier(kernel, selection, bias=True, searcher=QuasiNewton(100))
        return make_pipeline(StandardScaler(), machine)

    return Method(name, summary, classifier=classifier, regressor=None, most_rows=most_rows)


SUPPORT_VECTOR = (
    _ours("ARD-SPAN", "span", "SVM, a scale per feature, span"),
    _ours("ARD-EVID", "evidence", "SVM, a scale per feature, evidence"),
    *_searched("LE1", "SVM, evidence of linear slacks", LaplaceEvidence(), "hinge", search_C=True),
    *_searched(
        "LE2", "SVM, evidence of squared slacks", LaplaceEvidence(), "squared_hinge", search_C=True
    ),
    *_searched("GACV", "SVM, GACV of linear slacks", GACV(), "hinge"),
    *_searched("SPAN", "SVM, span of squared slacks", SmoothedSpan(), "squared_hinge"),
    _chapelle("SSV", "SVM, one width, smoothed span", SmoothedSpan(10.0, 0.1), per_feature=False),
    _chapelle("EVID", "SVM, one width, evidence", DampedEvidence(), per_feature=False),
    _chapelle(
        "MSEVID",
        "SVM, a width per feature, evidence",
        DampedEvidence(),
        per_feature=True,
        most_rows=2000,  # hundreds of factorizations of all supporting rows
    ),
    _chapelle(
        "RMB", "SVM, one width, radius over margin", RadiusMargin("variance"), per_feature=False
    ),
    _chapelle(
        "MSRMB",
        "SVM, a width per feature, radius over margin",
        RadiusMargin("variance"),
        per_feature=True,
    ),
)
