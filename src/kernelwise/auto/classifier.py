"""AutoKernel for classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from kernelwise.auto.front import FrontDoor
from kernelwise.estimators import LSSVMClassifier
from kernelwise.estimators.classifier import KernelClassifier, largest_output, share_of_wrong
from kernelwise.estimators.progress import with_callbacks


class AutoKernelClassifier(FrontDoor, KernelClassifier):
    """A classifier without tuning: kernel machines that are tried, stacked and honestly judged.

    Several least-squares machines learn the table, each with its own kernel. Their outputs are
    added with weights that are not negative, of sum 1, and with an offset, so that the labels are
    most likely given the held-out outputs (`kernelwise.estimators.stacking`). Then the whole is
    done again without each fold, so that the error, the probabilities and the relevances are judged
    by rows that had no part in any choice. Tables of any size: landmarks replace the rows beyond
    3,000.

    Parameters
    ----------
    candidates : "auto", "core", or list, default "auto"
        What is tried. "core": gaussian, laplacian, linear, ard-laplacian; "auto" also ard, matern32
        and polynomial, and on landmarks ard-laplacian, ard and linear. A list has names of kernels
        (those of `LSSVMClassifier`) and pairs (name, estimator), as in scikit-learn's
        ``VotingClassifier``; any classifier will do, and is fitted again for each fold.
    max_time : float, default None
        Seconds. Candidates that do not fit in are left out (``skipped_``), as are folds of
        ``error_estimate_``; the first candidate always ends.
    estimate : {"auto", "closed-form", "cv"}, default "auto"
        How rows are held out to choose parameters and weights: each row in closed form, or fold by
        fold. "auto" is closed-form, and with groups fold by fold.
    combine : {"stack", "best"}, default "stack"
        "best" predicts by the candidate of the least held-out squares alone.
    folds : int or "auto", default "auto"
        Folds of ``error_estimate_``, without each of which everything is chosen again. "auto": 5 up
        to 1000 distinct rows, beyond that only the first of 5, and on landmarks a fold that had no
        part in learning the kernels. 0: no estimate; a fit then takes a fifth of the time.
    repeats : int, default 1
        Rounds of these folds, each dealt anew.
    cv : int, splitter or list of (train, test), default None
        The folds themselves, instead of a number of them; gets ``groups``.
    landmarks : "auto", None, int, or array of shape (landmarks, columns), default "auto"
        As for `LSSVMClassifier`.
    class_weight : dict, "balanced" or None
        Multiplies the weights of the rows of each class.
    categorical_features : "from_dtype", None, or list of indices, names or booleans
        Columns compared by equality. "from_dtype": text, category and boolean columns of a frame.
    random_state, n_jobs, verbose
        As in scikit-learn; the result does not depend on ``n_jobs``.

    Attributes
    ----------
    leaderboard_ : structured array, what predicts first (the stack, or the chosen candidate), then
        the other candidates by their error: candidate, weight, error with 95 % interval (low, high)
        on rows that no choice has seen, seen (what the choice saw), optimism (the difference),
        seconds, factorizations, verdict
    error_estimate_ : `kernelwise.evaluation.HonestError` of the stack: value, lower, upper,
        baseline, measures, confusion; None with ``folds=0``
    weights_ : of the candidates in the order of ``cv_results_["candidate"]``
    best_estimator_, best_index_, best_params_, best_score_ : the candidate of the least held-out
        squares, fitted; ``best_score_`` is minus its mean, which is what the choice saw, and
        optimistic
    cv_results_ : as scikit-learn's searches have it, with ``candidate``; scores are minus mean
        held-out squares of the targets -1 and +1
    relevance_, relevance_interval_, selected_features_ : as for `LSSVMClassifier`, of the stack
    held_out_error_, honest_error_ : the share of wrong labels that the choice saw, and that of
        copies that have not seen the rows, by sample weight
    kernel_, trace_ : of the best candidate
    n_factorizations_, refit_time_ : the work done, and the seconds of the fit
    skipped_ : candidates that were not tried, and why
    checks_ : what to know first, each under a code (docs/checks/index.md)
    record_ : `kernelwise.insight.FitRecord`: all of this as plain data, for words and reports
    classes_ : the labels

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from kernelwise import AutoKernelClassifier
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> model = AutoKernelClassifier(candidates="core", folds=0).fit(X[::2], y[::2])
    >>> bool(model.score(X[1::2], y[1::2]) > 0.9)
    True
    """

    _is_classification = True
    _member_type = LSSVMClassifier
    _trusts_by_halves = False

    def __init__(
        self,
        candidates: Any = "auto",
        *,
        max_time: float | None = None,
        estimate: str = "auto",
        combine: str = "stack",
        folds: int | str = "auto",
        repeats: int = 1,
        cv: Any = None,
        landmarks: Any = "auto",
        class_weight: Mapping[Any, float] | str | None = None,
        categorical_features: Any = "from_dtype",
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.candidates = candidates
        self.max_time = max_time
        self.estimate = estimate
        self.combine = combine
        self.folds = folds
        self.repeats = repeats
        self.cv = cv
        self.landmarks = landmarks
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    @with_callbacks
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, groups: Any = None) -> Self:
        """Try the candidates, stack them, and judge the stack.

        Parameters
        ----------
        X : array or data frame of shape (rows, columns)
            As for `LSSVMClassifier`; a stream of rows or a Dask collection too.
        y : array of shape (rows,)
        sample_weight : array of shape (rows,), default None
            A row of weight 2 is the same as a repeated row.
        groups : array of shape (rows,), default None
            Rows of one group are held out together.

        Returns
        -------
        self
        """
        return self._fit_table(X, y, sample_weight, groups)

    def _keep(self, reading: Any, choice: Any) -> None:
        super()._keep(reading, choice)
        self.classes_ = reading.classes

    def _predictions(self, reading: Any, outputs: np.ndarray) -> np.ndarray:
        return reading.classes[largest_output(outputs)]

    def _truth(self, reading: Any) -> np.ndarray:
        return reading.classes[reading.codes]

    def _trivial(self, reading: Any, entries: np.ndarray, share: np.ndarray) -> Any:
        codes = reading.codes[reading.parts.source[entries]]
        return reading.classes[np.bincount(codes, share).argmax()]

    def _error_of(self, reading: Any, outputs: np.ndarray, entries: np.ndarray) -> float:
        wrong = largest_output(outputs) != reading.codes[reading.parts.source[entries]]
        return float(np.average(wrong, weights=reading.parts.share[entries]))

    def _mean_of_errors(self, errors: Sequence[float]) -> float:
        return float(np.mean(errors))

    def _seen_error(self, reading: Any, held_out: np.ndarray) -> float:
        outputs = reading.parts.targets.values - held_out
        return share_of_wrong(outputs, reading, reading.parts.share)
