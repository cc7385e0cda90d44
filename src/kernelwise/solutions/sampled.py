"""The record of sampled posteriors."""

from __future__ import annotations

from dataclasses import dataclass, field

from kernelwise.solutions.posterior import PosteriorSolution, PropagatedSolution

# What must hold before an effective sample size is believed: stuck chains look uncorrelated.
LEAST_ACCEPTANCE, LARGEST_R_HAT = 0.4, 1.05


@dataclass(frozen=True)
class Sampling:
    """How well a posterior was sampled.

    Attributes
    ----------
    chains, trajectories : how many, and how many samples of each
    kicks : steps of a trajectory, adapted to the acceptance
    acceptance : share of trajectories that were accepted
    effective_sample : independent draws that say as much about the gradients in C and amplitude
    r_hat : spread of all draws over that within half chains (1: well mixed)
    silent : no sample had a loss, so that all gradients are zero
    products : of the covariance with an (n, chains) array, the bulk of the cost
    """

    chains: int
    trajectories: int
    kicks: int
    acceptance: float
    effective_sample: float
    r_hat: float
    silent: bool
    products: int

    @property
    def complaint(self) -> str:
        """Why the sample must not be believed; empty if it may be."""
        if self.silent:
            return (
                "every sample fits every row without loss, so the sampled gradients are zero: C "
                "is too large to sample"
            )
        if self.acceptance < LEAST_ACCEPTANCE:
            return (
                f"only {self.acceptance:.0%} of the trajectories were accepted: the chains are "
                "stuck, and their effective sample size means nothing"
            )
        if self.r_hat > LARGEST_R_HAT:
            return (
                f"the chains have not mixed (R-hat {self.r_hat:.3f}, at most {LARGEST_R_HAT}): "
                "take more trajectories"
            )
        return ""


@dataclass(frozen=True)
class SampledSolution(PosteriorSolution):
    """A posterior by sampling: its evidence is not known, the evidence's gradient is.

    Attributes
    ----------
    groups : the same from groups of chains, whose spread is that of the gradient
    reports : how well each output was sampled
    propagated : the posterior by expectation propagation at the same place
    """

    groups: tuple[PosteriorSolution, ...] = field(kw_only=True)
    reports: tuple[Sampling, ...] = field(kw_only=True)
    propagated: PropagatedSolution = field(kw_only=True)
