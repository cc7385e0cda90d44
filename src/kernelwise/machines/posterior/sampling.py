"""Hamiltonian sampling of a posterior, around the normal that expectation propagation found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import blas, lapack

from kernelwise.linalg import cholesky
from kernelwise.machines.posterior.chains import mixing
from kernelwise.machines.posterior.propagation import Sweep
from kernelwise.solutions import Sampling

# Trajectories before any counts, those of each stage that adapts the number of kicks, and the
# range of that number.
BURN_IN, STAGE = 8, 4
FEWEST_KICKS, MOST_KICKS = 2, 64
# Longer steps are tried above the second acceptance, shorter ones below the first.
ACCEPTANCES = (0.65, 0.95)
# The rotation of a trajectory: a quarter turn forgets the start, a random length avoids cycles.
ANGLES = (1.2, 1.6)
# Added to the Gram matrix's diagonal, relative to its mean, so that draws of the prior exist.
JITTER = 1e-10
GROUPS = 8
# What describes where the chains are.
STATE = (
    "offsets",
    "offset_duals",
    "outputs",
    "loss_terms",
    "slopes",
    "potential",
    "force",
    "pushed",
)


def losses_and_slopes(
    outputs: np.ndarray, labels: np.ndarray, C: np.ndarray, loss: str
) -> tuple[np.ndarray, np.ndarray]:
    """``C loss(y f)`` of each row and chain, and its derivative in the output f."""
    missing = np.maximum(1 - labels[:, None] * outputs, 0.0)
    if loss == "hinge":
        return C[:, None] * missing, -(C * labels)[:, None] * (missing > 0)
    return 0.5 * C[:, None] * missing**2, -(C * labels)[:, None] * missing


@dataclass(frozen=True)
class Draws:
    """Averages over the samples of one output's posterior, whole and by groups of chains.

    ``cross[g]`` is the mean of ``slope coef'`` in group g, an n x n array: with it the evidence has
    the Gram gradient ``-cross / 2`` (Gold & Sollich 2003, eq. 20). ``losses[g]`` is the group's
    mean of the sum of all ``C weight loss``.
    """

    means: np.ndarray
    variances: np.ndarray
    coef: np.ndarray
    cross: np.ndarray
    losses: np.ndarray
    report: Sampling


class Sampler:
    """Many chains of split Hamiltonian dynamics, advanced together.

    The posterior is ``Normal(f; mean, S) exp(-U(f))``, with ``U`` the losses less the sites. The
    normal part moves by exact rotations; ``U`` kicks. Offsets ``d = f - mean`` and velocities are
    carried with their duals ``S^-1 d``, so that a kick costs one product of S with (n, chains), and
    energies and ``gram^-1 f`` cost nothing.

    Parameters
    ----------
    gram, labels : the prior covariance, and -1 or +1 for each row
    C, loss : of each row, weight included
    around : expectation propagation's last sweep
    chains : how many; a multiple of 8
    random : the generator of all draws
    """

    def __init__(
        self,
        gram: np.ndarray,
        labels: np.ndarray,
        C: np.ndarray,
        loss: str,
        around: Sweep,
        chains: int,
        random: np.random.Generator,
    ):
        self.labels, self.C, self.loss, self.around = labels, C, loss, around
        self.chains, self.random, self.products = chains, random, 0
        n = len(gram)
        jitter = JITTER * float(np.mean(np.diagonal(gram)))
        prior = gram + jitter * np.eye(n)
        # S from the same jittered matrix as the draws: (prior^-1 + T)^-1.
        root = np.sqrt(around.precisions)
        scaled = prior * root[:, None]
        matrix = scaled * root
        np.einsum("ii->i", matrix)[:] += 1
        half = blas.dtrsm(1.0, cholesky(matrix.T)[0], np.asfortranarray(scaled), lower=1)
        self.covariance = prior - half.T @ half
        self.factor = cholesky(prior.T.copy(order="F"))[0]
        self.mean = self.covariance @ around.shifts
        self.coef = around.shifts - around.precisions * self.mean
        duals = self._duals()
        self.offsets, self.offset_duals = self._times(duals), duals
        self._look()

    def _times(self, columns: np.ndarray) -> np.ndarray:
        self.products += 1
        return self.covariance @ columns

    def _duals(self) -> np.ndarray:
        """Draws of ``Normal(0, S^-1)``, the sum of the prior's inverse and the sites."""
        n = len(self.mean)
        first, second = self.random.standard_normal((2, n, self.chains))
        drawn, _ = lapack.dtrtrs(self.factor, first, lower=1, trans=1)
        return drawn + np.sqrt(self.around.precisions)[:, None] * second

    def _look(self) -> None:
        """Potential and force of the chains' outputs; the force costs a product."""
        self.outputs = self.mean[:, None] + self.offsets
        self.loss_terms, self.slopes = losses_and_slopes(
            self.outputs, self.labels, self.C, self.loss
        )
        tau, nu = self.around.precisions[:, None], self.around.shifts[:, None]
        away = tau * self.outputs
        self.potential = (self.loss_terms - self.outputs * (0.5 * away - nu)).sum(axis=0)
        self.force = self.slopes - away + nu
        self.pushed = self._times(self.force)

    def trajectory(self, kicks: int) -> float:
        """Move every chain along one trajectory, or leave it where it was; the acceptance."""
        duals = self._duals()
        speeds = self._times(duals)
        before = {name: getattr(self, name) for name in STATE}
        energy = self._energy(speeds, duals)
        step = self.random.uniform(*ANGLES) / kicks
        cosine, sine = np.cos(step), np.sin(step)
        for kick in range(kicks):
            size = step if kick else step / 2
            duals = duals - size * self.force
            speeds = speeds - size * self.pushed
            self.offsets, speeds = (
                cosine * self.offsets + sine * speeds,
                cosine * speeds - sine * self.offsets,
            )
            self.offset_duals, duals = (
                cosine * self.offset_duals + sine * duals,
                cosine * duals - sine * self.offset_duals,
            )
            self._look()
        duals = duals - step / 2 * self.force
        speeds = speeds - step / 2 * self.pushed
        rise = self._energy(speeds, duals) - energy
        refused = ~(np.log(self.random.uniform(size=self.chains)) < -rise)
        for name, values in before.items():
            getattr(self, name)[..., refused] = values[..., refused]
        return 1 - float(refused.mean())

    def _energy(self, speeds: np.ndarray, duals: np.ndarray) -> np.ndarray:
        motion = np.einsum("ij,ij->j", speeds, duals)
        return 0.5 * (motion + np.einsum("ij,ij->j", self.offsets, self.offset_duals)) + (
            self.potential
        )

    def adapted_kicks(self) -> int:
        """The number of kicks per trajectory, by short stages that do not count."""
        kicks = 4
        for _ in range(BURN_IN // STAGE):
            accepted = np.mean([self.trajectory(kicks) for _ in range(STAGE)])
            kicks = 2 * kicks if accepted < ACCEPTANCES[0] else kicks
            kicks = kicks // 2 if accepted > ACCEPTANCES[1] else kicks
            kicks = int(np.clip(kicks, FEWEST_KICKS, MOST_KICKS))
        while accepted < ACCEPTANCES[0] and kicks < MOST_KICKS:
            accepted = np.mean([self.trajectory(kicks) for _ in range(STAGE)])
            kicks = 2 * kicks if accepted < ACCEPTANCES[0] else kicks
        return kicks

    def run(self, trajectories: int) -> Draws:
        """Adapt, then average over so many trajectories of every chain."""
        n, kicks = len(self.mean), self.adapted_kicks()
        total, squares, coefs = np.zeros(n), np.zeros(n), np.zeros(n)
        cross, accepted, groups = np.zeros((GROUPS, n, n)), [], np.arange(GROUPS)
        members = self.chains // GROUPS
        watched = np.empty((trajectories, 2, self.chains))
        tau = self.around.precisions[:, None]
        for t in range(trajectories):
            accepted.append(self.trajectory(kicks))
            coef = self.coef[:, None] + self.offset_duals - tau * self.offsets
            total += self.outputs.sum(axis=1)
            squares += np.einsum("ij,ij->i", self.outputs, self.outputs)
            coefs += coef.sum(axis=1)
            for g in groups:
                part = slice(g * members, (g + 1) * members)
                cross[g] += self.slopes[:, part] @ coef[:, part].T
            self.products += 1
            # The gradients in C and in the amplitude, whose errors stand for all others.
            watched[t, 0] = self.loss_terms.sum(axis=0)
            watched[t, 1] = np.einsum("ij,ij->j", self.slopes, self.outputs)
        count = trajectories * self.chains
        means = total / count
        by_group = watched[:, 0].reshape(trajectories, GROUPS, members).mean(axis=(0, 2))
        size, r_hat = mixing(watched)
        report = Sampling(
            chains=self.chains,
            trajectories=trajectories,
            kicks=kicks,
            acceptance=float(np.mean(accepted)),
            effective_sample=size,
            r_hat=r_hat,
            silent=not bool(cross.any()),
            products=self.products,
        )
        return Draws(
            means,
            squares / count - means**2,
            coefs / count,
            cross / (trajectories * members),
            by_group,
            report,
        )
