"""The support vector machine as a Gaussian process, its posterior sampled."""

from __future__ import annotations

import copy
from dataclasses import replace

import numpy as np

from kernelwise.machines.base import Machine
from kernelwise.machines.posterior.propagated import PosteriorSupportVector
from kernelwise.machines.posterior.sampling import GROUPS, Draws, Sampler
from kernelwise.parameters import Parameter
from kernelwise.solutions import HeldOutSolution, PosteriorSolution, SampledSolution, Targets


class SampledPosterior(Machine):
    """The posterior of a support vector machine by Hamiltonian sampling: exact, with an error.

    The gradient of the evidence is an average over the posterior: ``-C/2 <slope coef'>`` in the
    Gram matrix and ``-<sum of losses>`` in C. There is no value. The sampler moves around the
    normal that `PosteriorSupportVector` finds. The same seed gives the same bits.

    Parameters
    ----------
    C, loss : as for `PosteriorSupportVector`
    chains : int, default 64
        Advanced together; a multiple of 8, since their groups give the standard error.
    trajectories : int, default 60
        Samples of each chain.
    seed : int, default 0

    Cost: that of expectation propagation, n^3 for the covariance, then about 6 products of n x n
    by n x chains per trajectory, more where the posterior is far from normal.

    References
    ----------
    Gold & Sollich (2003), Neurocomputing 55, sections 3.3 and 4.2; Shahbaba et al. (2014),
    Statistics and Computing 24, for split Hamiltonian dynamics.
    """

    gives = SampledSolution
    leaves_one_out = True
    held_out_leads_back = False
    takes_constant_targets = True
    limits_mislead = True

    def __init__(
        self,
        C: float = 1.0,
        loss: str = "squared_hinge",
        chains: int = 64,
        trajectories: int = 60,
        seed: int = 0,
    ):
        for name, value, least in (("chains", chains, GROUPS), ("trajectories", trajectories, 4)):
            if not isinstance(value, int | np.integer) or value < least:
                raise ValueError(f"{name} must be a whole number of {least} or more, got {value!r}")
        if chains % GROUPS:
            raise ValueError(f"chains must be a multiple of {GROUPS}, got {chains}")
        self.around = PosteriorSupportVector(C, loss)
        self.chains, self.trajectories, self.seed = int(chains), int(trajectories), seed

    @property
    def C(self) -> float:
        return self.around.C

    @property
    def loss(self) -> str:
        return self.around.loss

    @property
    def parameters(self) -> list[Parameter]:
        return self.around.parameters

    def _around(self, around: PosteriorSupportVector) -> SampledPosterior:
        other = copy.copy(self)
        other.around = around
        return other

    def with_values(self, values: np.ndarray) -> SampledPosterior:
        return self._around(self.around.with_values(values))

    def fresh(self) -> SampledPosterior:
        return self._around(self.around.fresh())

    def at_ridge(self, ridge: float, factor: float = 1.0) -> SampledPosterior:
        return self._around(self.around.at_ridge(ridge, factor))

    def rescaled(self, amplitude: float) -> SampledPosterior:
        return self._around(self.around.rescaled(amplitude))

    def solve(self, grams: list[np.ndarray], targets: Targets) -> SampledSolution:
        (gram,) = grams
        around, sweeps = self.around.solve_all(gram, targets)
        random = np.random.default_rng(self.seed)
        C = self.C * targets.weights
        found = [
            Sampler(gram, labels, C, self.loss, one, self.chains, random).run(self.trajectories)
            for labels, one in zip(targets.values.T, sweeps, strict=True)
        ]
        whole = self._record(targets, found, slice(None))
        groups = tuple(self._record(targets, found, slice(g, g + 1)) for g in range(GROUPS))
        return SampledSolution(
            **vars(replace(whole, n_factorizations=around.n_factorizations + 2 * len(found))),
            groups=groups,
            reports=tuple(draws.report for draws in found),
            propagated=around,
        )

    def _record(self, targets: Targets, found: list[Draws], groups: slice) -> PosteriorSolution:
        """The posterior as some of the groups of chains see its gradient."""

        def back(evidence_gradient: np.ndarray) -> tuple[np.ndarray, float]:
            gram_gradient, in_C = 0.0, 0.0
            for draws, slope in zip(found, evidence_gradient, strict=True):
                cross = draws.cross[groups].mean(axis=0)
                gram_gradient = gram_gradient - 0.25 * slope * (cross + cross.T)
                in_C -= slope * float(draws.losses[groups].mean()) / self.C
            return np.asarray(gram_gradient), in_C

        return PosteriorSolution(
            targets=targets,
            coef=np.asfortranarray(np.column_stack([draws.coef for draws in found])),
            outputs=np.column_stack([draws.means for draws in found]),
            variances=np.column_stack([draws.variances for draws in found]),
            evidence=None,
            C=self.C,
            loss=self.loss,
            back=back,
        )

    def held_out(
        self,
        grams: list[np.ndarray],
        targets: Targets,
        folds: list[np.ndarray] | None,
        solution: SampledSolution | None = None,
    ) -> HeldOutSolution:
        """Those of expectation propagation."""
        around = None if solution is None else solution.propagated
        return self.around.held_out(grams, targets, folds, around)

    def __repr__(self) -> str:
        return (
            f"SampledPosterior(C={self.C:.4g}, loss={self.loss!r}, chains={self.chains}, "
            f"trajectories={self.trajectories})"
        )
