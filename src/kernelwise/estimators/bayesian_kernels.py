"""Bayesian multiple kernel learning: what classifier and regressor share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import ndtri
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from kernelwise.estimators.many_kernels import ManyKernels, OutputsOfKernels
from kernelwise.estimators.relevance import as_shares, knockout_squares
from kernelwise.estimators.table_estimator import refuse_equal_rows
from kernelwise.memory import check_memory
from kernelwise.multikernel import GramBank, KernelStack
from kernelwise.multikernel.bank import check_bank
from kernelwise.multikernel.variational.ascent import Ascent, ascend
from kernelwise.multikernel.variational.held_out import left_out_outputs
from kernelwise.multikernel.variational.likelihoods import Labels, Quantities
from kernelwise.multikernel.variational.posterior import Posterior
from kernelwise.multikernel.variational.priors import SPARSITIES, Gamma, Priors
from kernelwise.multikernel.variational.sweep import Model, State
from kernelwise.notices import warn_user
from kernelwise.tables.columns import ColumnEncoder
from kernelwise.tables.rows import disagree
from kernelwise.threads import blas_threads_for

# A kernel is selected if it has at least this share of the variance of the outputs: a hundredth of
# their standard deviation.
SELECTED_SHARE = 1e-4
# Variances that probabilities are calibrated with are computed at no more rows than this.
COMPARED_ROWS = 200
# Credible intervals of kernel weights hold this probability.
CREDIBLE = 0.95


class BayesianManyKernels(ManyKernels):
    """What classifier and regressor share; a subclass reads y and predicts."""

    sparsity: Any
    coef_prior: Any
    bias_prior: Any
    momentum: Any
    max_sweeps: Any
    tolerance: Any
    verbose: Any

    def _check_parameters(self) -> Priors:
        check_bank(self.kernels)
        if not isinstance(self.max_sweeps, (int, np.integer)) or self.max_sweeps < 1:
            raise ValueError(f"max_sweeps must be 1, 2, 3, ..., got {self.max_sweeps!r}")
        if not (np.isreal(self.tolerance) and 0 <= self.tolerance < 1):
            raise ValueError(f"tolerance must be between 0 and 1, got {self.tolerance!r}")
        sparsity = self.sparsity
        if isinstance(sparsity, str):
            if sparsity not in SPARSITIES:
                raise ValueError(
                    f"sparsity must be one of {list(SPARSITIES)}, or shape and scale of a Gamma "
                    f"prior, got {sparsity!r}"
                )
            sparsity = SPARSITIES[sparsity]
        return Priors(
            coef=gamma_prior("coef_prior", self.coef_prior),
            bias=gamma_prior("bias_prior", self.bias_prior),
            weights=gamma_prior("sparsity", sparsity),
        )

    def _read_rows(self, X: Any) -> tuple[ColumnEncoder, np.ndarray]:
        columns, numbers = self._learn_columns(X)
        check_memory(len(numbers))
        even = np.ones(len(numbers))
        coordinates = self._coordinates(columns, numbers, even)
        refuse_equal_rows(coordinates)
        columns.learn_scales(coordinates, even)
        return columns, columns.standardized(coordinates)

    def _learn(
        self,
        columns: ColumnEncoder,
        rows: np.ndarray,
        likelihoods: Sequence[Labels | Quantities],
        priors: Priors,
        spread: float,
        step: Any,
    ) -> None:
        """Fit a model to each likelihood, and set what was found."""
        members = self._members(columns)
        self.columns_, self.X_fit_ = columns, rows
        self.kernels_ = [member.kernel for member in members]
        self.kernel_names_ = [member.name for member in members]
        self.kernel_views_ = [member.view for member in members]
        with blas_threads_for(max(len(rows), len(members))):
            bank = GramBank(self.kernels_, rows)
            squares = bank.squares()
            ascents, self.posteriors_ = [], []
            observed = [likelihood.start for likelihood in likelihoods]
            for likelihood in likelihoods:
                model = Model(bank, likelihood, priors, spread, squares)
                model, start = self._start(model, rows, step)
                ascent = self._ascend(model, start, step)
                ascents.append(ascent)
                self.posteriors_.append(Posterior.of(model, ascent.state))
            targets = np.concatenate(observed, axis=1)
            groups = copies(rows, targets)
            left_out = [
                left_out_outputs(bank, posterior, likelihood, groups)
                for posterior, likelihood in zip(self.posteriors_, likelihoods, strict=True)
            ]
        self._keep_weights(ascents)
        self._judge(np.concatenate(left_out, axis=1), targets)
        if not isinstance(self.kernels, KernelStack):  # case numbers are no features
            self.relevance_ = self._relevance(members)

    def _start(self, model: Model, rows: np.ndarray, step: Any) -> tuple[Model, State]:
        """Where sweeps begin: at once, or from the rows that have labels.

        From nowhere, all rows without a label would go to one side.
        """
        observed = model.likelihood.observed
        if observed.all():
            return model, model.start()
        bank, likelihood = GramBank(self.kernels_, rows[observed]), model.likelihood.take(observed)
        smaller = Model(bank, likelihood, model.priors, model.first_spread)
        return model.extended(self._ascend(smaller, smaller.start(), step).state, observed)

    def _ascend(self, model: Model, first: State, step: Any) -> Ascent:
        return ascend(model, first, self.max_sweeps, self.tolerance, bool(self.momentum), step)

    def _keep_weights(self, ascents: list[Ascent]) -> None:
        one = len(ascents) == 1
        bounds = [ascent.bounds for ascent in ascents]
        self.lower_bound_ = bounds[0] if one else bounds
        self.n_sweeps_ = ascents[0].n_sweeps if one else np.array([a.n_sweeps for a in ascents])
        means = np.array([posterior.weights for posterior in self.posteriors_])
        variances = np.array([posterior.weight_variances for posterior in self.posteriors_])
        reach = ndtri(0.5 + CREDIBLE / 2) * np.sqrt(variances)
        intervals = np.stack([means - reach, means + reach], axis=-1)
        shares = np.array([posterior.shares for posterior in self.posteriors_])
        self.kernel_weights_ = means[0] if one else means
        self.kernel_weight_intervals_ = intervals[0] if one else intervals
        self.kernel_shares_ = shares.mean(axis=0)
        self.selected_kernels_ = np.flatnonzero((shares >= SELECTED_SHARE).any(axis=0))
        late = [ascent.reason for ascent in ascents if not ascent.converged]
        if late and self.tolerance > 0:
            warn_user(
                f"{late[0]} before the bound converged: raise max_sweeps, or the tolerance",
                ConvergenceWarning,
            )
        if self.verbose:
            last = sum(float(ascent.bounds[-1]) for ascent in ascents)
            print(f"{type(self).__name__}: bound {last:.6g}; {ascents[0].reason}")

    def _relevance(self, members: Any) -> np.ndarray:
        coef = np.concatenate([posterior.coef for posterior in self.posteriors_], axis=1)
        weights = np.concatenate(
            [np.tile(p.weights[:, None], p.coef.shape[1]) for p in self.posteriors_], axis=1
        )
        outputs = OutputsOfKernels(members, self.X_fit_, coef, weights)
        even = np.ones(len(self.X_fit_))
        squares = knockout_squares(outputs, self.X_fit_, even, self.columns_)
        return as_shares(squares)

    def _judge(self, left_out: np.ndarray, observed: np.ndarray) -> None:
        """Set what follows from the outputs of rows left out; observed labels by their signs."""
        raise NotImplementedError

    def _variances_of_some(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Some of these rows of the fit, spread evenly, and the variances of outputs at them."""
        n = len(rows)
        chosen = rows[np.unique(np.linspace(0, n - 1, min(n, COMPARED_ROWS)).astype(int))]
        with blas_threads_for(n):
            pairs = [
                p.means_and_variances(self.kernels_, self.X_fit_[chosen], self.X_fit_)
                for p in self.posteriors_
            ]
        return chosen, np.concatenate([variances for _, variances in pairs], axis=1)

    def _rows_to_compare(self, X: Any) -> np.ndarray:
        """Rows as the kernels compare them with ``X_fit_``."""
        check_is_fitted(self, "posteriors_")
        return self.columns_.scaled(self._numbers(X))

    def _outputs(self, X: Any) -> np.ndarray:
        """Mean outputs of new rows, (rows, outputs)."""
        return self._outputs_of(self._rows_to_compare(X))

    def _outputs_of(self, rows: np.ndarray) -> np.ndarray:
        """Mean outputs of rows as the kernels compare them, (rows, outputs)."""
        found = [p.means(self.kernels_, rows, self.X_fit_) for p in self.posteriors_]
        return np.concatenate(found, axis=1)

    def _means_and_variances(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        rows = self._rows_to_compare(X)
        with blas_threads_for(len(self.X_fit_)):
            pairs = [
                p.means_and_variances(self.kernels_, rows, self.X_fit_) for p in self.posteriors_
            ]
        means, variances = zip(*pairs, strict=True)
        return np.concatenate(means, axis=1), np.concatenate(variances, axis=1)


def copies(rows: np.ndarray, targets: np.ndarray) -> list[np.ndarray]:
    """Rows that are left out together: equal rows, unless some of them differ in their targets.

    Equal rows may be one case written twice; if some disagree, they are cases of their own.
    """
    _, row = np.unique(rows, axis=0, return_inverse=True)
    row = row.reshape(-1)
    if disagree(row, targets):
        row = np.arange(len(rows))
    order = np.argsort(row, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(row[order])) + 1)


def gamma_prior(name: str, given: Any) -> Gamma:
    """Shape and scale as a prior; a ValueError says what is wrong with them."""
    try:
        shape, scale = (float(number) for number in given)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be a shape and a scale, got {given!r}") from None
    if not (0 < shape < np.inf and 0 < scale < np.inf):
        raise ValueError(f"{name} must be a positive shape and scale, got {given!r}")
    return Gamma(shape, scale)
