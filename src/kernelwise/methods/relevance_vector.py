"""Methods by name: relevance vector machines, and what takes its kernel from them."""

from typing import Any

from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.ensemble import VotingClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from kernelwise.criteria import HeldOutErrors, PricedEvidence
from kernelwise.estimators import KernelAligner, LSSVMClassifier, RVMClassifier, RVMRegressor
from kernelwise.kernels import Gaussian
from kernelwise.methods.competitors import SEVEN_DECADES, SHUFFLED, TEN_WIDTHS
from kernelwise.methods.learned_columns import LearnedColumns
from kernelwise.methods.method import Method
from kernelwise.selections import Selection, ValidityScan, WidthScan

# A kernel's values are 1 / (2 l^2): factors on those of width 1, the widest kernel first.
FACTORS = tuple(1 / width**2 for width in reversed(TEN_WIDTHS.tolist()))
VALIDITY = ValidityScan(FACTORS, refine=False)


def _default(name: str, kernel: str, summary: str) -> Method:
    """What our estimators do by themselves."""
    return Method(
        name,
        summary,
        classifier=lambda _: RVMClassifier(kernel),
        regressor=lambda _: RVMRegressor(kernel),
        categorical=True,
    )


def _published(width: float, selection: Selection | None, **settings: Any) -> RVMClassifier:
    """Kropotov et al.'s machine: its bias has a prior like every other weight."""
    return RVMClassifier(Gaussian(width), selection, bias="penalized", **settings)


def _scanned(name: str, summary: str, selection: Selection, **settings: Any) -> Method:
    """One of Kropotov et al.'s ten widths, in standard deviations."""
    return Method(
        name,
        f"RVM, one of ten widths by {summary}",
        classifier=lambda _: make_pipeline(
            StandardScaler(), _published(1.0, selection, **settings)
        ),
        regressor=None,
    )


def _priced(name: str, price: float | None, words: str) -> Method:
    """Evidence, less a price for each relevance vector."""
    selection = WidthScan(PricedEvidence(price), FACTORS, refine=False)
    return _scanned(name, f"evidence, {words} per vector", selection)


def _handed(name: str, summary: str, learner: TransformerMixin) -> Method:
    """A relevance vector machine with a kernel that another estimator has learned."""
    return Method(
        name,
        f"RVM with the widths per feature of {summary}",
        classifier=lambda _: make_pipeline(clone(learner), RVMClassifier(Gaussian(1.0), None)),
        regressor=None,
    )


def _svm_with_the_valid_width(_: int) -> Pipeline:
    """An SVM with the width of highest validity for an RVM, and C by 5-fold."""
    width = LearnedColumns(_published(1.0, VALIDITY))
    search = GridSearchCV(SVC(gamma=0.5), {"C": SEVEN_DECADES}, cv=SHUFFLED)
    return make_pipeline(StandardScaler(), width, search)


def _every_width(_: int) -> Pipeline:
    """A machine of each width; only the test rows can tell which is best."""
    machines: list[tuple[str, Any]] = [
        (f"{width:g}", _published(width, None)) for width in TEN_WIDTHS.tolist()
    ]
    vote: BaseEstimator = VotingClassifier(machines)
    return make_pipeline(StandardScaler(), vote)


RELEVANCE_VECTOR = (
    _default("RVM", "gaussian", "RVM, one width, priced evidence"),
    _default("RVM-ARD", "ard", "RVM, a scale per feature, priced evidence"),
    _scanned("RVM-CV", "5-fold", WidthScan(HeldOutErrors(), FACTORS, refine=False)),
    _scanned("RVM-MV", "kernel validity", VALIDITY),
    _scanned(
        "RVM-MV-REEST",
        "kernel validity, fitted by re-estimation",
        VALIDITY,
        algorithm="reestimation",
    ),
    Method(
        "SVM-MV",
        "SVM with the width of RVM-MV, C by 5-fold",
        classifier=_svm_with_the_valid_width,
        regressor=None,
    ),
    Method("RVM-MIN", "RVMs of ten widths, which vote", classifier=_every_width, regressor=None),
    _priced("RVM-EVID", None, "(log n) / 2"),
    _priced("RVM-EVID-0", 0.0, "nothing"),
    _priced("RVM-EVID-1", 1.0, "1"),
    _priced("RVM-EVID-2", 2.0, "2"),
    _handed(
        "RVM-FLKL", "first-level learning", LearnedColumns(LSSVMClassifier("ard", "first-level"))
    ),
    _handed("RVM-ALIGN", "alignment", KernelAligner("ard", task="classification")),
)
