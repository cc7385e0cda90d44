"""Bayesian efficient multiple kernel learning of classes."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy.special import expit
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from kernelwise.estimators.bayesian_kernels import BayesianManyKernels
from kernelwise.estimators.calibration import Temperature, TwoSlopeSigmoid
from kernelwise.estimators.classifier import largest_output
from kernelwise.estimators.progress import progress_of, with_callbacks
from kernelwise.estimators.scores import PredictsSets, label_scores
from kernelwise.estimators.trivial import warned_if_trivial
from kernelwise.multikernel.variational.likelihoods import Labels
from kernelwise.multikernel.variational.posterior import label_log_odds
from kernelwise.multikernel.variational.priors import Priors
from kernelwise.tables.targets import one_vs_rest, read_labels

UNLABELED = -1


class BEMKLClassifier(PredictsSets, ClassifierMixin, BayesianManyKernels):
    """Bayesian efficient multiple kernel learning of classes.

    Every row has a weight and every kernel has a weight, all with normal priors whose precisions
    are learned; the output is ``sum_m e_m (K_m a) + b``, and a row of a class has an output beyond
    a margin. The posterior is found by variational sweeps that never lower the bound of the log
    evidence. Nothing is left to choose by cross-validation, and hundreds of kernels cost seconds.
    Rows have no sample weights: the model has no exact place for them.

    Parameters
    ----------
    kernels : "widths-and-degrees", KernelBank, KernelStack, or list; default "widths-and-degrees"
        The kernels. "widths-and-degrees": Gaussian kernels of ten widths and polynomial ones of
        three degrees, on all columns and on each (``KernelBank.widths_and_degrees()``). Names and
        banks act on standardized columns, kernel objects (``OnColumns(kernel, columns)`` for a
        group of columns) on columns as they are. A `KernelStack` holds Gram matrices of your own;
        X is then a column of case numbers.
    sparsity : {"dense", "sparse"} or (shape, scale), default "dense"
        The Gamma prior of the precisions of the kernel weights. "sparse", (1e-10, 1e10), drives
        most weights to 0; "dense", (1, 1), does not.
    multi_class : {"shared", "ovr"}, default "shared"
        More than two classes: one set of kernel weights for all, or one for each class against the
        rest.
    semi_supervised : bool or "auto", default "auto"
        Whether the label -1 marks rows without a label, as in `sklearn.semi_supervised`. "auto": it
        is a class if there is only one other, no marking if it does not occur, and an error
        otherwise.
    margin : float, default 1.0
        Outputs of labeled rows are beyond it.
    sigma_g : float, default 1.0
        Standard deviation of the intermediate outputs around those of the kernels.
    coef_prior, bias_prior : (shape, scale), default (1, 1)
        Gamma priors of the precisions of row weights and biases.
    calibrate : bool, default True
        Fit probabilities to the outputs of rows left out (in closed form, kernel weights kept).
        Those of the posterior alone, which the margin makes too sure, are False's.
    momentum : bool, default True
        Repeat a share of the last step before each sweep, which needs far fewer of them.
        ``momentum=False, max_sweeps=200, tolerance=0`` is the method as published.
    max_sweeps : int, default 1000
    tolerance : float, default 1e-6
        Sweeps end when the bound rises by less than this share of its size. 0: all sweeps are made.
    verbose : int, default 0
    categorical_features : "from_dtype", None, or list of indices, names or booleans
        Columns compared by equality; only for kernels by name that can.

    Attributes
    ----------
    classes_ : the labels
    kernels_, kernel_names_, kernel_views_ : the kernels, what they are called, and what they see
    kernel_weights_ : (kernels,), posterior means, of either sign; (classes, kernels) for "ovr"
    kernel_weight_intervals_ : (kernels, 2), central 95 % credible intervals
    kernel_shares_ : (kernels,), share in the variance of the outputs over the training rows,
        ``Var(e_m g_m) / sum_k Var(e_k g_k)`` at the posterior means
    selected_kernels_ : kernels with a share of at least 0.0001
    lower_bound_ : lower bound of the log evidence after every sweep; a list of them for "ovr"
    n_sweeps_ : sweeps made, those included that momentum made in vain
    held_out_error_ : share of labeled rows that are wrong when left out with the kernel weights
        kept; optimistic, because the kernel weights were learned on the same rows
    relevance_ : per feature, sums to 1; not with a `KernelStack`
    posteriors_ : one, or one per class for "ovr"

    References
    ----------
    Gönen (2012), Bayesian efficient multiple kernel learning, ICML; unlabeled rows: Lawrence &
    Jordan (2005), Semi-supervised learning via Gaussian processes.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from kernelwise import BEMKLClassifier
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> model = BEMKLClassifier(["gaussian", "laplacian", "linear"]).fit(X[::2], y[::2])
    >>> bool(model.score(X[1::2], y[1::2]) > 0.95)
    True
    >>> model.kernel_weights_.shape
    (3,)
    """

    def __init__(
        self,
        kernels: Any = "widths-and-degrees",
        sparsity: str | tuple[float, float] = "dense",
        *,
        multi_class: str = "shared",
        semi_supervised: bool | str = "auto",
        margin: float = 1.0,
        sigma_g: float = 1.0,
        coef_prior: tuple[float, float] = (1.0, 1.0),
        bias_prior: tuple[float, float] = (1.0, 1.0),
        calibrate: bool = True,
        momentum: bool = True,
        max_sweeps: int = 1000,
        tolerance: float = 1e-6,
        verbose: int = 0,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.kernels = kernels
        self.sparsity = sparsity
        self.multi_class = multi_class
        self.semi_supervised = semi_supervised
        self.margin = margin
        self.sigma_g = sigma_g
        self.coef_prior = coef_prior
        self.bias_prior = bias_prior
        self.calibrate = calibrate
        self.momentum = momentum
        self.max_sweeps = max_sweeps
        self.tolerance = tolerance
        self.verbose = verbose
        self.categorical_features = categorical_features

    @with_callbacks
    def fit(self, X: Any, y: Any) -> Self:
        """Learn the weights of rows and kernels.

        Parameters
        ----------
        X : array or data frame of shape (rows, columns); with a `KernelStack`, case numbers
        y : array of shape (rows,); -1 marks rows without a label if ``semi_supervised``

        Returns
        -------
        self
        """
        priors = self._check_parameters()
        columns, rows = self._read_rows(X)
        signs, classes = self._read_signs(y, len(rows))
        step, finish = progress_of(self, X, y)
        shared = self.multi_class == "shared" or signs.shape[1] == 1
        groups = [signs] if shared else [signs[:, [o]] for o in range(signs.shape[1])]
        likelihoods = [labels_of(group, float(self.margin)) for group in groups]
        self._learn(columns, rows, likelihoods, priors, 1 / self.sigma_g**2, step)
        self.classes_ = classes
        finish()
        return self

    def _check_parameters(self) -> Priors:
        priors = super()._check_parameters()
        if self.multi_class not in ("shared", "ovr"):
            raise ValueError(f"multi_class must be 'shared' or 'ovr', got {self.multi_class!r}")
        if self.semi_supervised not in (True, False, "auto"):
            raise ValueError(
                f"semi_supervised must be True, False or 'auto', got {self.semi_supervised!r}"
            )
        if not (np.isreal(self.margin) and 0 <= self.margin < np.inf):
            raise ValueError(f"margin must be a number of 0 or more, got {self.margin!r}")
        if not (np.isreal(self.sigma_g) and 0 < self.sigma_g < np.inf):
            raise ValueError(f"sigma_g must be a positive number, got {self.sigma_g!r}")
        return priors

    def _read_signs(self, y: Any, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
        """-1 and +1 of each class against the rest, 0 for rows without a label; the classes."""
        marked = self._marked(y)
        if len(marked) != n_rows or not marked.any():
            labels, classes = read_labels(y, n_rows)
            return one_vs_rest(np.searchsorted(classes, labels), len(classes)), classes
        if marked.all():
            raise ValueError("no row has a label: every label is -1, which marks rows without one")
        rest = np.asarray(y).reshape(-1)[~marked]
        if len(set(rest.tolist())) == 1:
            raise ValueError(
                f"without the label -1, which marks rows without a label, {rest[0]!r} is the only "
                "class; at least 2 are needed"
            )
        known, classes = read_labels(rest, len(rest))
        signs = np.zeros((n_rows, 1 if len(classes) == 2 else len(classes)))
        signs[~marked] = one_vs_rest(np.searchsorted(classes, known), len(classes))
        return signs, classes

    def _marked(self, y: Any) -> np.ndarray:
        """Which rows have no label."""
        labels = np.asarray(y).reshape(-1)
        marked = np.array([not isinstance(label, str) and label == UNLABELED for label in labels])
        wanted = self.semi_supervised not in ("auto", False)
        if wanted and labels.dtype.kind in "US" and "-1" in labels:
            raise ValueError(
                "y is text and has the label '-1': to mark rows without a label, give y as an "
                "array of objects with the number -1"
            )
        if self.semi_supervised == "auto" and marked.any():
            others = len(np.unique(labels[~marked].astype(str)))
            if others > 1:
                raise ValueError(
                    f"y has the label -1 beside {others} others: set semi_supervised=True if it "
                    "marks rows without a label, False if it is a class"
                )
        return marked if wanted else np.zeros(len(labels), bool)

    def _judge(self, left_out: np.ndarray, observed: np.ndarray) -> None:
        labeled = np.asarray(observed.any(axis=1))
        codes = largest_output(observed)
        wrong = largest_output(left_out)[labeled] != codes[labeled]
        self.held_out_error_ = float(wrong.mean())
        chosen, variances = self._variances_of_some(np.flatnonzero(labeled))
        odds = label_log_odds(left_out[chosen], variances, float(self.margin))
        two = odds.shape[1] == 1
        mass, given = np.eye(max(2, odds.shape[1]))[codes[chosen]], odds[:, 0] if two else odds
        calibrator = (TwoSlopeSigmoid() if two else Temperature()).fit(given, mass)
        warned_if_trivial(calibrator.fit_trust(given, mass).gain_, 1, "the shares of the classes")
        if self.calibrate:
            self.calibrator_ = calibrator
        self._scores = label_scores(
            self._probabilities(odds), codes[chosen], np.ones(len(chosen)), len(chosen)
        )

    def decision_function(self, X: Any) -> np.ndarray:
        """Log odds of each class against the rest, by the posterior and its variance.

        Parameters
        ----------
        X : array or data frame of shape (rows, columns)

        Returns
        -------
        log_odds : array
            (rows,) for two classes, positive for ``classes_[1]``; else (rows, classes).
        """
        odds = self._log_odds(X)
        return odds[:, 0] if len(self.classes_) == 2 else odds

    def _log_odds(self, X: Any) -> np.ndarray:
        return label_log_odds(*self._means_and_variances(X), float(self.margin))

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class.

        Parameters
        ----------
        X : array or data frame of shape (rows, columns)

        Returns
        -------
        labels : array of shape (rows,)
        """
        check_is_fitted(self, "classes_")
        # Of two classes the sign of the mean decides, which needs no variance.
        outputs = self._outputs(X) if len(self.classes_) == 2 else self._log_odds(X)
        return self.classes_[largest_output(outputs)]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Probability of each class; the largest is that of ``predict``.

        The posterior's own: of two classes, ``P(f > margin) / (P(f > margin) + P(f < -margin))``
        with the variance of row weights, kernel weights and noise; of more, these probabilities of
        each class against the rest, divided by their sum. With ``calibrate`` their log odds are
        stretched to fit rows left out.

        Parameters
        ----------
        X : array or data frame of shape (rows, columns)

        Returns
        -------
        probabilities : array of shape (rows, classes)
        """
        check_is_fitted(self, "classes_")
        return self._probabilities(self._log_odds(X))

    def _probabilities(self, odds: np.ndarray) -> np.ndarray:
        two = odds.shape[1] == 1
        if self.calibrate:
            return self.calibrator_.probabilities(odds[:, 0] if two else odds)
        if two:
            return np.column_stack([expit(-odds[:, 0]), expit(odds[:, 0])])
        against_rest = np.maximum(expit(odds), np.finfo(float).tiny)
        return against_rest / against_rest.sum(axis=1, keepdims=True)


def labels_of(signs: np.ndarray, margin: float) -> Labels:
    """Signs as labels; those that are missing are as frequent as those that are known."""
    known = np.maximum((signs != 0).sum(axis=0), 1)
    positive = np.clip((signs > 0).sum(axis=0) / known, 0.5 / known, 1 - 0.5 / known)
    return Labels(signs, margin, np.column_stack([1 - positive, positive]))
