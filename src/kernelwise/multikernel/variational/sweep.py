"""One exact variational sweep of Bayesian efficient multiple kernel learning, and its bound."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.linalg import blas, lapack

from kernelwise.linalg import cholesky, zero_upper
from kernelwise.multikernel.gram_bank import GramBank
from kernelwise.multikernel.variational.likelihoods import Labels, Quantities
from kernelwise.multikernel.variational.priors import Priors

LOG_2_PI = float(np.log(2 * np.pi))


@dataclass(frozen=True)
class State:
    """The posterior between two sweeps; N rows, P kernels, L outputs.

    Attributes
    ----------
    coef, coef_variances : (N, L), weights of the rows
    intermediate : (L, P, N), means of the kernels' own outputs
    weights, weight_variances : (P,), kernel weights
    bias, bias_variances : (L,)
    outputs : (N, L), means of the outputs
    noise, spread : (L,), precision of outputs around the combination, and of intermediate outputs
        around the kernels'
    precision : (P, P), that of the kernel weights with the biases eliminated; lower triangle
    log_precision : its log determinant
    crossing : (P, L), covariances of kernel weights and biases
    coef_precisions : (N, L), those the weights of the rows were last updated with
    bound : the lower bound of the log evidence; -inf before the first sweep
    """

    coef: np.ndarray
    coef_variances: np.ndarray
    intermediate: np.ndarray
    weights: np.ndarray
    weight_variances: np.ndarray
    bias: np.ndarray
    bias_variances: np.ndarray
    outputs: np.ndarray
    noise: np.ndarray
    spread: np.ndarray
    precision: np.ndarray = field(repr=False)
    log_precision: float
    crossing: np.ndarray
    coef_precisions: np.ndarray
    bound: float = -np.inf


class Model:
    """The model and its sweep: every factor of the posterior is updated once, exactly.

    Row weights ``a_o`` and one Gram matrix per kernel give intermediate outputs ``g_mo = K_m a_o``
    plus noise of precision ``spread``; kernel weights ``e``, shared by all outputs, and a bias
    combine them to ``f_o = sum_m e_m g_mo + b_o`` plus noise of precision ``noise``. The posterior
    is ``q(lambda) q(a) q(G) q(gamma) q(omega) q(b, e) q(f)``.

    With ``Q`` the precision of e after eliminating the biases, ``v = noise / spread`` and ``c = v^2
    / (1 + v e'e)``, the covariance of the intermediate outputs, the same for every row, is ``S - S
    (Q + S)^-1 S``, ``S = v I - c e e'``, over the noise. Of the covariances of a and e only
    diagonals and traces are formed.

    Cost of a sweep: factor and triangular inverse at N for each output; at P one factor, an
    inverse, a second factor and a triangular inverse; ``3 P^2 N`` for each output; and two passes
    over the bank. Quantities need the inverses at P for each output.

    Parameters
    ----------
    bank : the Gram matrices
    likelihood : what is observed
    priors : of all precisions
    spread : precision of the intermediate outputs; learned for quantities
    squares : ``bank.squares()``, if already computed
    """

    def __init__(
        self,
        bank: GramBank,
        likelihood: Labels | Quantities,
        priors: Priors,
        spread: float = 1.0,
        squares: np.ndarray | None = None,
    ):
        self.bank, self.likelihood, self.priors = bank, likelihood, priors
        self.squares = bank.squares() if squares is None else squares
        self.first_spread = spread
        self._memory = np.empty_like(self.squares, order="F")

    def start(self) -> State:
        """Every kernel repeats the labels (or quantities), all kernels with weight 1."""
        first = np.array(self.likelihood.start, float)
        (N, L), P = first.shape, self.bank.n_kernels
        return State(
            coef=np.zeros((N, L)),
            coef_variances=np.ones((N, L)),
            intermediate=np.repeat(first.T[:, None], P, axis=1),
            weights=np.ones(P),
            weight_variances=np.ones(P),
            bias=np.zeros(L),
            bias_variances=np.ones(L),
            outputs=first,
            noise=np.ones(L),
            spread=np.full(L, float(self.first_spread)),
            precision=np.eye(P, order="F"),
            log_precision=0.0,
            crossing=np.zeros((P, L)),
            coef_precisions=np.ones((N, L)),
        )

    def extended(self, found: State, rows: np.ndarray) -> tuple[Model, State]:
        """A start from what was found on some of the rows: the others have no weight yet.

        The model returned expects the other rows to have as many labels of each kind as their
        outputs say now.
        """
        first = self.start()
        coef, variances, precisions = first.coef, first.coef_variances, first.coef_precisions
        coef[rows], variances[rows] = found.coef, found.coef_variances
        precisions[rows] = found.coef_precisions
        inner = self.bank.apply(coef)
        means = np.stack([own.T @ found.weights for own in inner], axis=1) + found.bias
        model = copy.copy(self)
        model.likelihood = self.likelihood.expecting(means)
        start = replace(
            found,
            coef=coef,
            coef_variances=variances,
            coef_precisions=precisions,
            intermediate=inner,
            outputs=model.likelihood.outputs(means)[0],
            bound=-np.inf,
        )
        return model, start

    def sweep(self, state: State) -> State:
        """The state after one update of every factor, with its bound."""
        rows = self._update_rows(state)
        inner = self._update_intermediate(state, rows)
        combined = self._update_weights(state, inner)
        return self._finished(state, rows, inner, combined)

    def _update_rows(self, state: State) -> RowFactor:
        """``q(lambda)``, then ``q(a)``."""
        squares = state.coef**2 + state.coef_variances
        precisions = self.priors.coef.mean(squares)
        right = self.bank.combine(state.intermediate) * state.spread
        coef, variances = np.empty_like(right), np.empty_like(right)
        log_determinant = 0.0
        for o, spread in enumerate(state.spread):
            factor = self.row_factor(precisions[:, o], spread)
            log_determinant -= 2 * float(np.log(np.diagonal(factor)).sum())
            coef[:, o] = lapack.dpotrs(factor, right[:, o], lower=1)[0]
            variances[:, o] = inverse_diagonal(factor)
        return RowFactor(coef, variances, precisions, log_determinant)

    def row_factor(self, precisions: np.ndarray, spread: float) -> np.ndarray:
        """Cholesky factor of the precision of a: ``diag(lambda) + spread sum_m K_m K_m``."""
        # New memory costs as much as the product; each factor is used up before the next is made.
        matrix = np.multiply(spread, self.squares, out=self._memory)
        np.fill_diagonal(matrix, np.diagonal(matrix) + precisions)
        return cholesky(matrix)[0]

    def _update_intermediate(self, state: State, rows: RowFactor) -> IntermediateFactor:
        """``q(G)``."""
        N = self.bank.n_rows
        of_kernels = self.bank.apply(rows.coef)
        means = np.empty_like(of_kernels)
        covariances: list[np.ndarray] = []
        log_determinant, misfits = 0.0, np.empty(len(means))
        for o, (noise, spread) in enumerate(zip(state.noise, state.spread, strict=True)):
            if o == 0 or self.likelihood.learns_noise:
                covariance, log_of_one = intermediate_covariance(state, noise, spread)
                covariances.append(covariance)
            log_determinant += N * log_of_one
            right = spread * of_kernels[o] if spread != 1 else of_kernels[o].copy()
            shifted = state.outputs[:, o] - state.bias[o]
            right += np.outer(noise * state.weights, shifted)
            right -= noise * state.crossing[:, o, None]
            # Row-major (P, N) is column-major (N, P): a product from the right needs no copy.
            means[o] = blas.dsymm(1.0, covariance, right.T, side=1, lower=1).T
            misfits[o] = np.sum((means[o] - of_kernels[o]) ** 2) + N * np.trace(covariance)
            variances = rows.variances[:, o] @ rows.precisions[:, o]
            misfits[o] += (N - variances) / spread  # the trace of sum K_m K_m times Cov a
        return IntermediateFactor(means, covariances, log_determinant, misfits)

    def _update_weights(self, state: State, inner: IntermediateFactor) -> WeightFactor:
        """``q(gamma)``, ``q(omega)``, then ``q(b, e)``."""
        N = self.bank.n_rows
        bias_precisions = self.priors.bias.mean(state.bias**2 + state.bias_variances)
        weight_precisions = self.priors.weights.mean(state.weights**2 + state.weight_variances)
        sums = inner.means.sum(axis=2).T
        totals = state.outputs.sum(axis=0)
        pulls = bias_precisions + state.noise * N
        shares = state.noise / pulls
        Q = np.asfortranarray(N * state.noise[0] * inner.covariances[0])
        if not self.likelihood.learns_noise:
            Q *= len(inner.means)
        for o in range(1, len(inner.covariances)):
            Q += N * state.noise[o] * inner.covariances[o]
        right = np.zeros(len(Q))
        for o, noise in enumerate(state.noise):
            Q = blas.dsyrk(noise, inner.means[o].T, beta=1.0, c=Q, trans=1, lower=1, overwrite_c=1)
            Q = blas.dsyr(-noise * shares[o], sums[:, o], lower=1, a=Q, overwrite_a=1)
            centered = state.outputs[:, o] - shares[o] * totals[o]
            right += noise * (inner.means[o] @ centered)
        np.fill_diagonal(Q, np.diagonal(Q) + weight_precisions)
        factor = lapack.dpotrf(Q, lower=1, clean=0)[0]
        solved = lapack.dpotrs(factor, np.column_stack([right, sums]), lower=1)[0]
        weights, spread_out = solved[:, 0], solved[:, 1:]
        across = np.einsum("po,po->o", sums, spread_out)
        return WeightFactor(
            weights=weights,
            right=right,
            bias=shares * (totals - sums.T @ weights),
            bias_variances=1 / pulls + shares**2 * across,
            crossing=-shares * spread_out,
            precision=Q,
            factor=factor,
            sums=sums,
            shares=shares,
            across=across,
            bias_precisions=bias_precisions,
            weight_precisions=weight_precisions,
        )

    def _finished(
        self, state: State, rows: RowFactor, inner: IntermediateFactor, found: WeightFactor
    ) -> State:
        """``q(f)``, the precisions of noise where they are learned, and the bound."""
        (L, P, N), e = inner.means.shape, found.weights
        log_precision = 2 * float(np.log(np.diagonal(found.factor)).sum())
        combined = np.stack([means.T @ e for means in inner.means], axis=1)
        outputs, log_normalizers = self.likelihood.outputs(combined + found.bias)
        variances, weight_variances = self._output_variances(state, inner, found, combined)
        noise, spread, observed = state.noise, state.spread, log_normalizers
        if isinstance(self.likelihood, Quantities):
            residuals = outputs - combined - found.bias
            squares = (residuals**2).sum(axis=0) + variances
            noise = self.priors.noise.mean(squares, N)
            spread = self.priors.spread.mean(inner.misfits, P * N)
            observed = self.priors.noise.bound(noise, squares, N)
            observed += self.priors.spread.bound(spread, inner.misfits, P * N)
        else:
            observed -= 0.5 * float(variances.sum())
            observed -= 0.5 * float(spread @ inner.misfits)
            observed += 0.5 * P * N * float(np.log(spread).sum() - L * LOG_2_PI)
        priors = self.priors
        bound = observed + 0.5 * (rows.log_determinant + inner.log_determinant - log_precision)
        bound += 0.5 * float(np.log(found.shares / state.noise).sum())
        bound += 0.5 * (1 + LOG_2_PI) * (N * L + P * N * L + P + L)
        bound += priors.coef.bound(rows.precisions, rows.coef**2 + rows.variances)
        bound += priors.bias.bound(found.bias_precisions, found.bias**2 + found.bias_variances)
        bound += priors.weights.bound(found.weight_precisions, e**2 + weight_variances)
        return State(
            coef=rows.coef,
            coef_variances=rows.variances,
            intermediate=inner.means,
            weights=e,
            weight_variances=weight_variances,
            bias=found.bias,
            bias_variances=found.bias_variances,
            outputs=outputs,
            noise=noise,
            spread=spread,
            precision=found.precision,
            log_precision=log_precision,
            crossing=found.crossing,
            coef_precisions=rows.precisions,
            bound=bound,
        )

    def _output_variances(
        self, state: State, inner: IntermediateFactor, found: WeightFactor, combined: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """``sum_i Var(e'g_i + b)`` of each output (in total, if one noise is shared), and the
        variances of e.

        With one covariance of the intermediate outputs, traces follow from those of Q.
        """
        N, e, noise = self.bank.n_rows, found.weights, state.noise
        omega, shares = found.weight_precisions, found.shares
        if len(inner.covariances) == 1:
            variances = inverse_diagonal(found.factor)
            pulls = noise * shares
            traces = len(e) - omega @ variances + pulls @ found.across
            own = e @ found.right - omega @ e**2 + pulls @ (found.sums.T @ e) ** 2
            own -= noise[0] * np.sum(combined**2)
            total = (traces + own) / noise[0]
            total += np.sum(2 * found.sums * found.crossing) + N * found.bias_variances.sum()
            return np.array([total]), variances
        covariance, _ = lapack.dpotri(found.factor, lower=1, overwrite_c=1)
        variances = np.diagonal(covariance).copy()
        totals = np.empty(len(noise))
        for o, (means, inner_covariance) in enumerate(
            zip(inner.means, inner.covariances, strict=True)
        ):
            both = np.tril(covariance) * np.tril(inner_covariance)
            traces = 2 * both.sum() - np.trace(both)
            own = blas.dsymm(1.0, covariance, means.T, side=1, lower=1)
            square = e @ blas.dsymv(1.0, inner_covariance, e, lower=1)
            totals[o] = N * (traces + square) + np.sum(own * means.T)
        totals += 2 * np.einsum("po,po->o", found.sums, found.crossing) + N * found.bias_variances
        return totals, variances


@dataclass(frozen=True)
class RowFactor:
    """``q(lambda)`` and ``q(a)``: means, variances, precisions, and the log determinant."""

    coef: np.ndarray
    variances: np.ndarray
    precisions: np.ndarray
    log_determinant: float


@dataclass(frozen=True)
class IntermediateFactor:
    """``q(G)``: means, one covariance or one per output, log determinants of all rows together, and
    ``E |G_o - K a_o|^2`` of each output.
    """

    means: np.ndarray
    covariances: list[np.ndarray]
    log_determinant: float
    misfits: np.ndarray


@dataclass(frozen=True)
class WeightFactor:
    """``q(gamma)``, ``q(omega)`` and ``q(b, e)``.

    ``precision`` is that of e with the biases eliminated, ``factor`` its Cholesky factor, ``right``
    what it solves; ``sums`` are ``G_o 1``, ``shares`` ``noise / (gamma + noise N)`` and ``across``
    ``1'G_o' precision^-1 G_o 1``.
    """

    weights: np.ndarray
    right: np.ndarray
    bias: np.ndarray
    bias_variances: np.ndarray
    crossing: np.ndarray
    precision: np.ndarray
    factor: np.ndarray
    sums: np.ndarray
    shares: np.ndarray
    across: np.ndarray
    bias_precisions: np.ndarray
    weight_precisions: np.ndarray


def inverse_diagonal(factor: np.ndarray) -> np.ndarray:
    """The diagonal of ``(L L')^-1`` from the lower factor L, which its inverse overwrites."""
    inverse = zero_upper(lapack.dtrtri(factor, lower=1, overwrite_c=1)[0])
    return np.einsum("ij,ij->j", inverse, inverse)


def intermediate_covariance(state: State, noise: float, spread: float) -> tuple[np.ndarray, float]:
    """``(spread I + noise E[ee'])^-1`` in the lower triangle, and its log determinant.

    ``E[ee'] = ee' + Q^-1`` with the kept precision Q; one Cholesky and one inverse.
    """
    e, v = state.weights, noise / spread
    size = float(e @ e)
    c = v**2 / (1 + v * size)
    X = blas.dsyr(-c, e, lower=1, a=state.precision)
    np.fill_diagonal(X, np.diagonal(X) + v)
    factor = lapack.dpotrf(X, lower=1, clean=0, overwrite_a=1)[0]
    log_X = 2 * float(np.log(np.diagonal(factor)).sum())
    inverse = lapack.dpotri(factor, lower=1, overwrite_c=1)[0]
    s = blas.dsymv(1.0, inverse, e, lower=1)
    inverse *= -(v**2)
    inverse = blas.dsyr2(v * c, s, e, lower=1, a=inverse, overwrite_a=1)
    inverse = blas.dsyr(-(c + c**2 * (e @ s)), e, lower=1, a=inverse, overwrite_a=1)
    np.fill_diagonal(inverse, np.diagonal(inverse) + v)
    inverse /= noise
    P = len(e)
    log_determinant = state.log_precision - log_X + P * np.log(v) - np.log1p(v * size)
    return inverse, float(log_determinant - P * np.log(noise))
