"""Bayesian efficient multiple kernel learning of quantities."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Self, overload

import numpy as np
from sklearn.base import RegressorMixin

from kernelwise.estimators.bayesian_kernels import BayesianManyKernels, gamma_prior
from kernelwise.estimators.progress import progress_of, with_callbacks
from kernelwise.estimators.scores import PredictsIntervals, Scores
from kernelwise.estimators.trivial import normal_gain, warned_if_trivial
from kernelwise.multikernel.variational.likelihoods import Quantities
from kernelwise.multikernel.variational.priors import Priors
from kernelwise.tables.columns import Scales
from kernelwise.tables.targets import read_quantities


class BEMKLRegressor(PredictsIntervals, RegressorMixin, BayesianManyKernels):
    """Bayesian efficient multiple kernel learning of quantities, one or several.

    As `BEMKLClassifier`, with normal noise whose precision is learned for each output, like that of
    the intermediate outputs. Several outputs share the kernel weights.

    Parameters
    ----------
    kernels, sparsity, coef_prior, bias_prior, momentum, max_sweeps, tolerance, verbose,
    categorical_features
        As for `BEMKLClassifier`.
    noise_prior, spread_prior : (shape, scale), default (1, 1)
        Gamma priors of the precisions of the noise, in standard deviations of y, and of the
        intermediate outputs around those of the kernels.

    Attributes
    ----------
    noise_ : (outputs,), the standard deviation of the noise, in the model
    held_out_error_ : root mean squared error of rows left out with the kernel weights kept;
        optimistic, because the kernel weights were learned on the same rows

    All other attributes are those of `BEMKLClassifier`.

    References
    ----------
    Gönen (2012), Bayesian efficient multiple kernel learning, ICML.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from kernelwise import BEMKLRegressor
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> model = BEMKLRegressor(["gaussian", "linear"]).fit(X[::2], y[::2])
    >>> predicted, std = model.predict(X[1::2], return_std=True)
    >>> bool(model.score(X[1::2], y[1::2]) > 0.4)
    True
    """

    def __init__(
        self,
        kernels: Any = "widths-and-degrees",
        sparsity: str | tuple[float, float] = "dense",
        *,
        coef_prior: tuple[float, float] = (1.0, 1.0),
        bias_prior: tuple[float, float] = (1.0, 1.0),
        noise_prior: tuple[float, float] = (1.0, 1.0),
        spread_prior: tuple[float, float] = (1.0, 1.0),
        momentum: bool = True,
        max_sweeps: int = 1000,
        tolerance: float = 1e-6,
        verbose: int = 0,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.kernels = kernels
        self.sparsity = sparsity
        self.coef_prior = coef_prior
        self.bias_prior = bias_prior
        self.noise_prior = noise_prior
        self.spread_prior = spread_prior
        self.momentum = momentum
        self.max_sweeps = max_sweeps
        self.tolerance = tolerance
        self.verbose = verbose
        self.categorical_features = categorical_features

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    @with_callbacks
    def fit(self, X: Any, y: Any) -> Self:
        """Learn the weights of rows and kernels.

        Parameters
        ----------
        X : array or data frame of shape (rows, columns); with a `KernelStack`, case numbers
        y : array of shape (rows,) or (rows, outputs)

        Returns
        -------
        self
        """
        priors = self._check_parameters()
        columns, rows = self._read_rows(X)
        given = read_quantities(y, len(rows), self)
        values = given.reshape(len(given), -1)
        self._scales = Scales.learn(values, np.ones(len(values)))
        self._single_output = given.ndim == 1
        step, finish = progress_of(self, X, y)
        likelihood = Quantities(self._scales.scaled(values))
        self._learn(columns, rows, [likelihood], priors, 1.0, step)
        self.noise_ = self._scales.unit / np.sqrt(self.posteriors_[0].noise)
        finish()
        return self

    def _judge(self, left_out: np.ndarray, observed: np.ndarray) -> None:
        residuals = observed - left_out
        roots = np.sqrt((residuals**2).mean(axis=0)) * self._scales.unit
        # hypot: the squares of large units would overflow.
        self.held_out_error_ = math.hypot(*roots) / math.sqrt(len(roots))
        chosen, variances = self._variances_of_some(np.arange(len(observed)))
        predicted = 1 / self.posteriors_[0].noise + variances
        relative = residuals[chosen] / np.sqrt(predicted)
        self._stretch = np.sqrt((relative**2).mean(axis=0))
        self._scores = Scores(np.abs(relative), np.ones(len(chosen)), len(chosen))
        varying = int((np.ptp(observed, axis=0) > 0).sum())
        if varying:
            gain = normal_gain(observed, left_out, np.ones(len(observed)))
            warned_if_trivial(gain, varying, "the mean of y")

    def _check_parameters(self) -> Priors:
        priors = super()._check_parameters()
        return replace(
            priors,
            noise=gamma_prior("noise_prior", self.noise_prior),
            spread=gamma_prior("spread_prior", self.spread_prior),
        )

    @overload
    def predict(self, X: Any) -> np.ndarray: ...
    @overload
    def predict(self, X: Any, return_std: bool) -> Any: ...
    def predict(self, X: Any, return_std: bool = False) -> Any:
        """The mean outputs; with ``return_std`` also the standard deviation of a new observation.

        Parameters
        ----------
        X : array or data frame of shape (rows, columns)
        return_std : bool, default False
            The variance is that of noise, row weights and kernel weights, stretched to fit rows
            left out: on its own it is much too wide with many kernels. Cost per row: ``P^2 N + P
            N^2`` for P kernels and N training rows.

        Returns
        -------
        outputs : array of shape (rows,) or (rows, outputs)
        std : array of the same shape, if ``return_std``
        """
        if not return_std:
            return self._as_given(self._outputs(X))
        outputs, deviations = self._outputs_and_deviations(X)
        return self._as_given(outputs), self._as_given(deviations * self._stretch)

    def _outputs_of(self, rows: np.ndarray) -> np.ndarray:
        return self._scales.unscaled(super()._outputs_of(rows))

    def _outputs_and_deviations(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        means, variances = self._means_and_variances(X)
        deviations = np.sqrt(1 / self.posteriors_[0].noise + variances) * self._scales.unit
        return self._scales.unscaled(means), deviations
