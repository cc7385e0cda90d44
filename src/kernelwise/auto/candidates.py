"""The candidates of AutoKernel: what is tried, in which order, and what it may start from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sklearn.base import BaseEstimator, is_classifier

from kernelwise.estimators import LSSVMClassifier, LSSVMRegressor
from kernelwise.kernels.names import KERNEL_NAMES

# What all of them together are called.
STACK = "stack"


@dataclass(frozen=True)
class Candidate:
    """One way to learn a table, which AutoKernel may try.

    Attributes
    ----------
    name : what it is called
    kernel, selection : of a least-squares machine
    on_scores : whether the kernel compares normal scores of the columns
    starts_from : the candidate with the same kernel of one scale, whose search it goes on from
    estimator : any other estimator, instead of a least-squares machine
    """

    name: str
    kernel: Any = "gaussian"
    selection: Any = "loo"
    on_scores: bool = False
    starts_from: str = ""
    estimator: Any = None


# In the order in which they are tried: what a short time allows comes first.
CORE = (
    Candidate("gaussian", "gaussian"),
    Candidate("laplacian", "laplacian"),
    Candidate("linear", "linear"),
    Candidate("ard-laplacian", "ard-laplacian", "first-level", starts_from="laplacian"),
)
MORE = (
    Candidate("ard", "ard", "first-level", starts_from="gaussian"),
    Candidate("matern32", "matern32"),
    Candidate("polynomial", "polynomial"),
)
# Quantities profit from kernels that do not see how far apart the values of a column lie.
ON_SCORES = (
    Candidate("gaussian-scores", "gaussian", on_scores=True),
    Candidate("laplacian-scores", "laplacian", on_scores=True),
)
ON_LANDMARKS = (
    Candidate("ard-laplacian", "ard-laplacian", "gcv"),
    Candidate("ard", "ard", "gcv"),
    Candidate("linear", "linear", "gcv"),
)
SETS = ("auto", "core")


def check_candidates(given: Any, classification: bool) -> None:
    """Refuse what does not name candidates, before any work."""
    if isinstance(given, str):
        if given not in SETS:
            raise ValueError(
                f"candidates must be 'auto', 'core', or a list of kernels, got {given!r}"
            )
        return
    if not isinstance(given, Sequence) or not len(given):
        raise ValueError(
            "candidates must be 'auto', 'core', or a list of names of kernels and (name, "
            f"estimator) pairs, got {given!r}"
        )
    names = [_named(one, classification) for one in given]
    if STACK in names:
        raise ValueError(f"{STACK!r} is what all candidates together are called: take another name")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"candidates must have different names, got {twice[0]!r} twice")


def _named(one: Any, classification: bool) -> str:
    """The name of a candidate; a ValueError says what is wrong with it."""
    kernels = [name for name in KERNEL_NAMES if name != "precomputed"]
    if isinstance(one, str):
        if one not in kernels:
            raise ValueError(f"unknown candidate {one!r}; choose among {kernels}")
        return one
    is_pair = isinstance(one, tuple) and len(one) == 2 and isinstance(one[0], str)
    if not is_pair or not isinstance(one[1], BaseEstimator):
        raise ValueError(f"a candidate is the name of a kernel or (name, estimator), got {one!r}")
    if is_classifier(one[1]) != classification:
        wanted = "classifier" if classification else "regressor"
        raise ValueError(f"candidate {one[0]!r} must be a {wanted}, got {one[1]!r}")
    return one[0]


def candidates_for(given: Any, classification: bool, on_landmarks: bool) -> tuple[Candidate, ...]:
    """What ``candidates`` stands for, in the order in which they are tried."""
    if not isinstance(given, str):
        return tuple(_candidate(one, on_landmarks) for one in given)
    if on_landmarks:
        return ON_LANDMARKS
    if classification:
        return CORE + (MORE if given == "auto" else ())
    # Polynomials of quantities explode on rows beyond those seen.
    more = [candidate for candidate in MORE if candidate.name != "polynomial"]
    return (*CORE, *ON_SCORES, *(more if given == "auto" else []))


def _candidate(one: Any, on_landmarks: bool) -> Candidate:
    if isinstance(one, str):
        if on_landmarks:
            return Candidate(one, one, "gcv")
        standard = {candidate.name: candidate for candidate in CORE + MORE}
        per_feature = one.startswith("ard") or one == "mixed"
        return standard.get(one, Candidate(one, one, "first-level" if per_feature else "loo"))
    name, estimator = one
    if isinstance(estimator, (LSSVMClassifier, LSSVMRegressor)):
        return Candidate(name, estimator.kernel, estimator.selection)
    return Candidate(name, estimator=estimator)


def why_not(candidate: Candidate, on_landmarks: bool) -> str:
    """Why a candidate cannot learn a table; nothing if it can."""
    if candidate.estimator is not None and on_landmarks:
        return "beyond 3000 rows only least squares on landmarks are tried"
    return ""


def judged_by_folds(candidate: Candidate) -> Candidate:
    """The same candidate with parameters chosen by held-out folds rather than rows."""
    from kernelwise.selections import FirstLevelSelection

    by_folds = {"loo": "cv", "first-level": FirstLevelSelection(estimate="cv")}
    named = isinstance(candidate.selection, str)
    selection = by_folds.get(candidate.selection) if named else None
    return candidate if selection is None else replace(candidate, selection=selection)
