"""The support vector machine as a Gaussian process, its posterior by expectation propagation."""

from __future__ import annotations

import copy
from functools import partial

import numpy as np

from kernelwise.machines.base import Machine
from kernelwise.machines.posterior.propagation import NoFixedPointError, Sweep, propagate
from kernelwise.machines.posterior.sites import MOMENTS
from kernelwise.machines.refitting import no_way_back
from kernelwise.machines.support_vector.machine import C_LIMITS, LOSSES, check_gram
from kernelwise.parameters import Parameter
from kernelwise.solutions import HeldOutSolution, NormalOutput, PropagatedSolution, Targets

# The range of C in a search: beyond it the posterior hardly changes, and the hinge's sites are so
# sharp that a search for their fixed point takes seconds to fail.
SEARCHED_C = (C_LIMITS[0], 1e3)
# Rows whose site is this much weaker than the strongest one's are left out of what predicts.
NEGLIGIBLE = 1e-13
# Shares of C by which a fixed point is approached that is not found at once: steps of half a decade
# succeed where whole ones fail (weights of 1000 on an almost constant kernel).
APPROACH = tuple(10.0 ** np.arange(-4.0, 0.1, 0.5))


class PosteriorSupportVector(Machine):
    """The posterior mean of a support vector machine, with its variance and its evidence.

    A support vector machine is the most probable output of a Gaussian process whose rows have the
    likelihood ``kappa(C) exp(-C weight loss(y f))``. Expectation propagation gives the mean, the
    variances and the log of the integral instead: where the posterior is lopsided (a large
    amplitude, few rows) the mean predicts better than the mode. Both losses have moments in closed
    form, and both are log-concave, so sites never have negative precisions. A row of weight m is
    m equal rows, taken in at once. The offset is a constant in the kernel. Several outputs are
    several posteriors on one Gram matrix.

    Parameters
    ----------
    C : float, default 1.0
    loss : {"hinge", "squared_hinge"}, default "squared_hinge"
    tolerance : float, default 1e-6
        The mismatch of moments at which sweeps end, in standard deviations. The evidence is
        stationary there, so its own error is of second order.

    Cost: 3 to 10 sweeps of one factorization and inverse each (n^3), more where the posterior is
    far from normal. ``fresh()`` gives a machine with a memory, which starts from the sites last
    found for the same targets; this only saves time. Leave-one-out costs nothing more: each row's
    output without its own site is part of every sweep.

    References
    ----------
    Gold & Sollich (2003), Neurocomputing 55, sections 2 and 3.3, for the model; Minka (2001), UAI,
    for expectation propagation; Rasmussen & Williams (2006), section 3.6.
    """

    gives = PropagatedSolution
    leaves_one_out = True
    held_out_leads_back = False
    takes_constant_targets = True
    limits_mislead = True
    start_factors = (0.1, 1.0, 10.0, 100.0)

    def __init__(self, C: float = 1.0, loss: str = "squared_hinge", tolerance: float = 1e-6):
        if not (C > 0 and np.isfinite(C)):
            raise ValueError(f"C must be positive and finite, got {C}")
        if loss not in LOSSES:
            raise ValueError(f"loss must be one of {LOSSES}, got {loss!r}")
        if not 0 < tolerance < 1:
            raise ValueError(f"tolerance must be between 0 and 1, got {tolerance!r}")
        self.C, self.loss, self.tolerance = float(C), loss, float(tolerance)
        self._memory: dict[tuple, list[tuple[np.ndarray, np.ndarray]]] | None = None

    @property
    def parameters(self) -> list[Parameter]:
        return [Parameter("C", self.C, SEARCHED_C, "regularization")]

    def with_values(self, values: np.ndarray) -> PosteriorSupportVector:
        other = copy.copy(self)
        (other.C,) = map(float, values)
        return other

    def fresh(self) -> PosteriorSupportVector:
        """The same machine with an empty memory of its own."""
        other = copy.copy(self)
        other._memory = {}
        return other

    def at_ridge(self, ridge: float, factor: float = 1.0) -> PosteriorSupportVector:
        return self.with_values(np.array([factor / ridge]))

    def rescaled(self, amplitude: float) -> PosteriorSupportVector:
        return self.with_values(self.values / amplitude)

    def solve(self, grams: list[np.ndarray], targets: Targets) -> PropagatedSolution:
        (gram,) = grams
        return self.solve_all(gram, targets)[0]

    def solve_all(
        self, gram: np.ndarray, targets: Targets
    ) -> tuple[PropagatedSolution, list[Sweep]]:
        """The record, and the last sweep of each output."""
        y, weights = targets.values, targets.weights
        if not (np.abs(y) == 1).all():
            raise ValueError("the targets of a support vector machine must be -1 or +1")
        check_gram(gram)
        key = (y.shape, y.tobytes())
        known = (self._memory or {}).get(key, [None] * y.shape[1])
        found, spent = [], 0
        for labels, start in zip(y.T, known, strict=True):
            one, sweeps = self._solve_one(gram, labels, weights, start)
            found.append(one)
            spent += sweeps
        if self._memory is not None:
            self._memory[key] = [(one.precisions, one.shifts) for one in found]

        def back(evidence_gradient: np.ndarray) -> tuple[np.ndarray, float]:
            pairs = list(zip(found, evidence_gradient, strict=True))
            in_C = sum(slope * float(weights @ one.moments.C_slope) for one, slope in pairs)
            first, *others = [one.gram_gradient(float(slope)) for one, slope in pairs]
            return sum(others, first), in_C

        record = PropagatedSolution(
            targets=targets,
            coef=np.asfortranarray(np.column_stack([speaking(one) * one.coef for one in found])),
            outputs=np.column_stack([one.means for one in found]),
            variances=np.column_stack([one.variances for one in found]),
            evidence=np.array([one.evidence for one in found]),
            C=self.C,
            loss=self.loss,
            back=back,
            n_factorizations=spent,
            left_out_means=np.column_stack([one.left_out_means for one in found]),
            left_out_variances=np.column_stack([one.left_out_variances for one in found]),
            make_posteriors=lambda: tuple(normal_output(one) for one in found),
            mismatch=np.array([one.mismatch for one in found]),
        )
        return record, found

    def _solve_one(
        self,
        gram: np.ndarray,
        labels: np.ndarray,
        weights: np.ndarray,
        start: tuple[np.ndarray, np.ndarray] | None,
    ) -> tuple[Sweep, int]:
        """From known sites, from none, or else from those of an ever larger share of C."""

        def at(share: float, start: tuple[np.ndarray, np.ndarray] | None) -> tuple[Sweep, int]:
            moments = partial(MOMENTS[self.loss], C=share * self.C * weights)
            return propagate(gram, labels, moments, self.tolerance, start)

        if start is not None:
            try:
                return at(1.0, start)
            except np.linalg.LinAlgError:
                pass
        try:
            return at(1.0, None)
        except NoFixedPointError:
            found, spent = at(APPROACH[0], None)
            for share in APPROACH[1:]:
                found, sweeps = at(share, (found.precisions, found.shifts))
                spent += sweeps
        return found, spent

    def held_out(
        self,
        grams: list[np.ndarray],
        targets: Targets,
        folds: list[np.ndarray] | None,
        solution: PropagatedSolution | None = None,
    ) -> HeldOutSolution:
        """Residuals of posterior means: without each row's own site, or refitted without a fold."""
        if folds is not None:
            return super().held_out(grams, targets, folds, solution)
        whole = self.solve(grams, targets) if solution is None else solution
        spent = whole.n_factorizations if solution is None else 0
        return HeldOutSolution(targets.values - whole.left_out_means, targets, no_way_back, spent)

    def __repr__(self) -> str:
        return f"PosteriorSupportVector(C={self.C:.4g}, loss={self.loss!r})"


def speaking(found: Sweep) -> np.ndarray:
    """The rows that a posterior is made of, as a mask.

    A row far below the margin of a hinge has a shift, but no precision.
    """
    strong = found.precisions > NEGLIGIBLE * found.precisions.max()
    return strong | (np.abs(found.coef) > NEGLIGIBLE * np.abs(found.coef).max())


def normal_output(found: Sweep) -> NormalOutput:
    """The posterior at any row."""
    rows = np.flatnonzero(speaking(found))
    return NormalOutput(rows, found.coef[rows], found.reduction[np.ix_(rows, rows)])
