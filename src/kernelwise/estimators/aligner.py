"""A transformer that learns a kernel by its alignment with the targets, for any machine."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, _check_sample_weight, check_is_fitted

from kernelwise.criteria import Alignment
from kernelwise.estimators.progress import progress_of, with_callbacks
from kernelwise.estimators.relevance import as_shares
from kernelwise.estimators.table_estimator import TableEstimator
from kernelwise.kernels import Kernel, Scaled, Sum
from kernelwise.kernels.names import check_kernel, kernels_for
from kernelwise.machines import NoMachine
from kernelwise.multikernel import AlignedKernels, aligned_gram_weights, aligned_weights
from kernelwise.objective import evaluated
from kernelwise.searchers import Searcher
from kernelwise.selections import AlignmentSelection, Problem
from kernelwise.selections.alignment import column_effects, ideal_targets
from kernelwise.selections.alignment_chance import chance_alignment, gram_chance
from kernelwise.solutions import Targets
from kernelwise.tables.rows import Observations, effective_rows
from kernelwise.tables.table_kernel import TableKernel
from kernelwise.tables.targets import CodedTargets, coded_targets
from kernelwise.threads import blas_threads_for

TASKS = ("auto", "classification", "regression")
# Attributes that only some fits have.
OPTIONAL_RESULTS = {"classes_", "kernel_", "weights_", "alignments_", "trace_", "relevance_"}


class KernelAligner(TransformerMixin, TableEstimator):
    """Transformer that learns the kernel best aligned with the targets, without a machine.

    The alignment is the cosine of the angle between the Gram matrix and the ideal one, which is
    high for rows of the same class (or of similar quantities) and low for others. One step of the
    search costs O(n^2 d) and no factorization.

    Parameters
    ----------
    kernel : str, Kernel, list of these, or "precomputed"; default "ard"
        A name as in ``LSSVMClassifier`` ("gaussian": one width; "ard": one per feature), or a
        kernel of your own with its way back (a subclass of ``kernelwise.kernels.Kernel`` with
        ``parameters``, ``with_values`` and ``evaluate``). A list of names, or of kernels: their
        best aligned convex combination, each as it is, with nothing searched. "precomputed": X is
        a stack of Gram matrices to combine, (kernels, rows, rows).
    task : {"auto", "classification", "regression"}
        What y is. "auto": text, booleans and at most 10 different whole numbers are classes.
    centered : bool, default True
        Center kernel and targets first; otherwise unbalanced classes mislead.
    start : {"fixed", "distance", "random", "given"}
        Where the search begins. "fixed": widths of one standard deviation; "distance": from each
        row's nearest rows of its class; "random": widths ``10^r``, r within ``spread``; "given":
        the kernel as it is.
    spread : float, default 1.0
        Decades for ``start="random"``.
    searcher : Searcher, default None
        None is ``kernelwise.searchers.Rprop`` (iRprop+).
    n_restarts : int, default 0
        Further random starts; ``trace_.reason`` says how far apart their optima are.
    threshold : float, default 1e-3
        Features whose effect on the kernel, the root of their relevance, is below this share of
        the strongest one's are filtered out of it. 0 filters none.
    second_look : bool, default False
        Ask of each feature afterwards whether it helps a least-squares machine to predict rows left
        out: one that was filtered out comes back if it does, one that was kept goes if it does not.
        Alignment alone overlooks effects without a trend, such as that of a parabola. For kernels
        with one width per feature.
    random_state, verbose, n_jobs
        As in scikit-learn; the result does not depend on ``n_jobs``.
    categorical_features : "from_dtype", None, or list of indices, names or booleans
        Columns compared by equality.

    Attributes
    ----------
    kernel_ : a function of rows as given to ``fit``, for ``SVC(kernel=...)``; its ``kernel`` is
        the learned kernel, its ``columns`` standardize (not set for "precomputed")
    alignment_ : that of the learned kernel on the training rows, at most 1
    relevance_ : per feature, sums to 1: the squared size of the centered Gram matrix when all other
        features are held at their means, as a share
    selected_features_ : indices of the features that enter the kernel
    weights_ : for several kernels, not negative, with sum 1
    alignments_ : for several kernels, each alone
    trace_ : every point of the search, and the reason to stop (one kernel)
    classes_ : the labels, if y are classes
    checks_ : a sentence for each numeric column with gaps (not set for "precomputed")

    References
    ----------
    Pérez-Ortiz et al., multi-scale alignment; several kernels: Cortes, Mohri & Rostamizadeh
    (2012), JMLR 13.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.svm import SVC
    >>> from kernelwise import KernelAligner
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> aligner = KernelAligner().fit(X[::2], y[::2])
    >>> machine = SVC(kernel=aligner.kernel_).fit(X[::2], y[::2])
    >>> bool(machine.score(X[1::2], y[1::2]) > 0.9)
    True
    """

    classes_: np.ndarray

    def __init__(
        self,
        kernel: Any = "ard",
        *,
        task: str = "auto",
        centered: bool = True,
        start: str = "fixed",
        spread: float = 1.0,
        searcher: Searcher | None = None,
        n_restarts: int = 0,
        threshold: float = 1e-3,
        second_look: bool = False,
        random_state: int | np.random.RandomState | None = None,
        verbose: int = 0,
        n_jobs: int | None = None,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.kernel = kernel
        self.task = task
        self.centered = centered
        self.start = start
        self.spread = spread
        self.searcher = searcher
        self.n_restarts = n_restarts
        self.threshold = threshold
        self.second_look = second_look
        self.random_state = random_state
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.categorical_features = categorical_features

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        # A stack of Gram matrices has kernels first: it cannot be split by rows.
        tags.input_tags.pairwise = False
        tags.input_tags.three_d_array = self._precomputed
        return tags

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> KernelAligner:
        """Learn the kernel.

        Parameters
        ----------
        X : array or data frame of shape (rows, columns), or Gram matrices (kernels, rows, rows)
        y : array of shape (rows,), or (rows, outputs) for quantities
        sample_weight : array of shape (rows,), default None

        Returns
        -------
        self
        """
        self._check_parameters()
        for name in OPTIONAL_RESULTS.intersection(vars(self)):
            delattr(self, name)  # of an earlier fit, with another kernel or task
        step, finish = progress_of(self, X, y)
        if self._precomputed:
            self._combine_grams(X, y, sample_weight)
        else:
            self._learn(X, y, sample_weight, step)
        finish()
        if self.verbose:
            seen = f"{len(self.classes_)} classes" if hasattr(self, "classes_") else "quantities"
            how = self.trace_.reason if hasattr(self, "trace_") else f"weights {self.weights_}"
            print(f"KernelAligner: y are {seen}; alignment {self.alignment_:.4f}; {how}")
        return self

    def _check_parameters(self) -> None:
        self._check_search()
        self._selection()
        if self.task not in TASKS:
            raise ValueError(f"task must be one of {TASKS}, got {self.task!r}")
        if self._has_several:
            if not len(self.kernel):
                raise ValueError("kernel is an empty list: name at least one kernel")
            if "precomputed" in [kernel for kernel in self.kernel if isinstance(kernel, str)]:
                raise ValueError(
                    "'precomputed' cannot be in a list: use kernel='precomputed' and give the "
                    "Gram matrices as X, of shape (kernels, rows, rows)"
                )
            if len({isinstance(kernel, str) for kernel in self.kernel}) > 1:
                raise ValueError(
                    "kernel mixes names and kernel objects: names act on standardized columns, "
                    "objects on columns as they are; give only one kind"
                )
        for kernel in self.kernel if self._has_several else [self.kernel]:
            check_kernel(kernel)

    def _selection(self) -> AlignmentSelection:
        return AlignmentSelection(
            self.start, self.spread, self.centered, self.threshold, self.second_look
        )

    @property
    def _has_several(self) -> bool:
        return isinstance(self.kernel, (list, tuple))

    def _learn(self, X: Any, y: Any, sample_weight: Any, step) -> None:
        source = self._source(X, y, None)
        columns, numbers = source.columns, source.numbers
        weights = self._weights(sample_weight, numbers)
        coded = self._coded(y, len(numbers), weights)
        given = Observations(numbers, coded.values, weights, weights, coded.codes)
        reading = self._reading(source, given)
        parts, self.columns_ = reading.parts, columns
        specs = self.kernel if self._has_several else [self.kernel]
        kernels = [
            kernel
            for spec in specs
            for kernel in kernels_for(spec, parts.X.shape[1], columns.categorical)
        ]
        problem = Problem(
            kernel=kernels[0],
            machine=NoMachine(self.centered),
            X=parts.X,
            targets=parts.targets,
            classification=coded.classes is not None,
            n_observations=parts.n_observations,
            searcher=self.searcher,
            n_restarts=self.n_restarts,
            seed=reading.seed,
            n_jobs=self.n_jobs,
            on_evaluation=step,
        )
        with blas_threads_for(len(parts.X)):
            if self._has_several:
                kernel = self._combined(kernels, problem)
                effects = column_effects(kernel, parts.X)
            else:
                kernel, effects = self._aligned(kernels, problem)
        names = getattr(self, "feature_names_in_", None)
        self.kernel_ = TableKernel(self.columns_, kernel, names)
        # All given rows, so that the Gram matrix with them is square.
        self.X_fit_ = self.columns_.scaled(numbers)
        if self._has_several:
            self._learn_center(kernel(self.X_fit_), weights)
        if len(parts.X) < np.count_nonzero(weights):
            self.alignment_ = self._alignment(kernel, coded, weights)
        self.relevance_ = as_shares(np.bincount(columns.column_of, effects))
        self.selected_features_ = np.flatnonzero(self.relevance_)

    def _alignment(self, kernel: Kernel, coded: CodedTargets, weights: np.ndarray) -> float:
        """Alignment over all given rows; merging hides disagreement between equal rows."""
        there = weights > 0
        plain = Targets.plain(coded.values[there], weights[there])
        targets = ideal_targets(plain, coded.classes is not None)
        found = evaluated(kernel, NoMachine(self.centered), self.X_fit_[there], targets)
        return -Alignment()(found.solution)[0]

    def _aligned(self, kernels: list[Kernel], problem: Problem) -> tuple[Kernel, np.ndarray]:
        """The best aligned of the kernels that the name stands for."""
        selection = self._selection()
        found = [selection.align(replace(problem, kernel=kernel)) for kernel in kernels]
        best = max(found, key=lambda aligned: aligned.alignment)
        self.alignment_, self.trace_ = best.alignment, best.trace
        return best.kernel.in_coordinates("log"), best.effects

    def _combined(self, kernels: list[Kernel], problem: Problem) -> Kernel:
        targets = ideal_targets(problem.targets, problem.classification)
        self._keep(aligned_weights(kernels, problem.X, targets, self.centered))
        parts = zip(kernels, self.weights_, strict=True)
        kernel = Sum([Scaled(kernel, weight) for kernel, weight in parts if weight > 0])
        chance_alignment(kernel, problem, targets).warn_if_reached()
        return kernel

    def _learn_center(self, gram: np.ndarray, weights: np.ndarray) -> None:
        """Learn the mean of the training rows in feature space, and their spread around it."""
        self._shares = weights / weights.sum()
        self._means = self._shares @ gram
        self._unit = 1.0
        spread = float(self._shares @ np.diagonal(self._centered(gram)))
        self._unit = spread if spread > 0 else 1.0

    def _centered(self, gram: np.ndarray) -> np.ndarray:
        """The Gram matrix with the training rows, centered on them, in units of their spread."""
        means = gram @ self._shares
        return (gram - means[:, None] - self._means + self._means @ self._shares) / self._unit

    def _keep(self, found: AlignedKernels) -> None:
        self.weights_, self.alignments_ = found.weights, found.alignments
        self.alignment_ = found.alignment

    def _combine_grams(self, X: Any, y: Any, sample_weight: Any) -> None:
        grams = self._stack(X)
        weights = _check_sample_weight(
            sample_weight, np.empty(grams.shape[1]), ensure_non_negative=True
        )
        coded = self._coded(y, grams.shape[1], weights)
        there = np.flatnonzero(weights > 0)
        plain = Targets.plain(coded.values[there], weights[there])
        targets = ideal_targets(plain, coded.classes is not None)
        used = grams if len(there) == len(weights) else grams[:, there[:, None], there]
        self._keep(aligned_gram_weights(used, targets, self.centered))
        combined = np.tensordot(self.weights_, used, axes=1)
        gram_chance(combined, targets, effective_rows(weights), len(used)).warn_if_reached()
        self._learn_center(np.tensordot(self.weights_, grams, axes=1), weights)
        self.n_kernels_in_, self.n_rows_in_ = grams.shape[0], grams.shape[1]

    @staticmethod
    def _stack(X: Any) -> np.ndarray:
        grams = np.asarray(X)
        grams = grams[None] if grams.ndim == 2 else grams
        if grams.ndim != 3:
            raise ValueError(
                "kernel='precomputed' needs Gram matrices of shape (kernels, rows, rows), got "
                f"shape {np.shape(X)}"
            )
        return grams

    def _coded(self, y: Any, n_rows: int, weights: np.ndarray) -> CodedTargets:
        coded = coded_targets(y, n_rows, self.task, self)
        if not np.ptp(coded.values[weights > 0], axis=0).any():
            raise ValueError("y is the same in all rows of positive weight: nothing to align with")
        if coded.classes is not None:
            self.classes_ = coded.classes
        return coded

    def transform(self, X: Any) -> np.ndarray:
        """The selected columns, scaled so that the kernel of unit width on them is ``kernel_``.

        ``SVC(kernel="rbf", gamma=0.5)`` is then the machine with a Gaussian ``kernel_``. Kernels
        that are not of this kind (categorical columns, most kernels of your own) give the Gram
        matrix with the training rows, for ``SVC(kernel="precomputed")``. So do several kernels,
        centered on the training rows and in units of their mean squared distance from the mean, so
        that C means the same whatever the weights. Where a selected column has gaps is a column
        too, after the others.

        Parameters
        ----------
        X : as in ``fit``; Gram matrices are (kernels, rows, training rows)

        Returns
        -------
        columns : array of shape (rows, selected columns) or (rows, training rows)
        """
        check_is_fitted(self, "alignment_")
        if self._precomputed:
            grams = self._stack(X)
            if grams.shape[0] != self.n_kernels_in_ or grams.shape[2] != self.n_rows_in_:
                raise ValueError(
                    f"X has shape {grams.shape}; fit had {self.n_kernels_in_} kernels and "
                    f"{self.n_rows_in_} rows: it must be ({self.n_kernels_in_}, rows, "
                    f"{self.n_rows_in_})"
                )
            return self._centered(np.tensordot(self.weights_, grams, axes=1))
        rows = self.columns_.scaled(self._numbers(X))
        factors = self._factors()
        if factors is None:
            gram = self.kernel_.kernel(rows, self.X_fit_)
            return self._centered(gram) if self._has_several else gram
        selected = self._selected_coordinates(factors)
        return rows[:, selected] * factors[selected]

    def _factors(self) -> np.ndarray | None:
        return self.kernel_.kernel.column_factors(len(self.columns_.magnitude))

    def _selected_coordinates(self, factors: np.ndarray) -> np.ndarray:
        """Numbers of the selected columns and, after them, of their gaps."""
        of_selected = np.isin(self.columns_.column_of, self.selected_features_)
        return np.flatnonzero(of_selected & (factors > 0))

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the selected columns, or ``row0``, ``row1``, ... of a Gram matrix's columns."""
        check_is_fitted(self, "alignment_")
        factors = None if self._precomputed else self._factors()
        if factors is None:
            count = self.n_rows_in_ if self._precomputed else len(self.X_fit_)
            return np.array([f"row{number}" for number in range(count)], dtype=object)
        names = self.columns_.coordinate_names(_check_feature_names_in(self, input_features))
        return np.array(names, dtype=object)[self._selected_coordinates(factors)]
