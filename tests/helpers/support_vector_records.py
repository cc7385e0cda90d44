"""Records of support vector machines, solved or made up, for the tests of their criteria."""

from dataclasses import dataclass, replace

import numpy as np

from kernelwise.criteria.error_bounds import JaakkolaHaussler, OpperWinther, SupportFraction
from kernelwise.criteria.gacv import GACV
from kernelwise.criteria.laplace_evidence import DampedEvidence, LaplaceEvidence
from kernelwise.criteria.near_start import NearStart
from kernelwise.criteria.radius_margin import RadiusMargin
from kernelwise.criteria.span import SmoothedSpan, Span
from kernelwise.kernels import Gaussian
from kernelwise.machines.support_vector.machine import SupportVector
from kernelwise.solutions import SupportVectorSolution, Targets

SMOOTH = {
    "evidence": LaplaceEvidence(),
    "evidence, not smoothed": LaplaceEvidence(0.0),
    "damped evidence": DampedEvidence(0.4),
    "gacv": GACV(),
    "smoothed span": SmoothedSpan(),
    "smoothed span, steep": SmoothedSpan(slope=10, damping=0.1),
    "radius-margin": RadiusMargin(),
    "radius-margin, variance": RadiusMargin("variance"),
    "near start": NearStart(LaplaceEvidence(), 0.3),
}
STEPS = {
    "span": Span(),
    "support fraction": SupportFraction(),
    "jaakkola-haussler": JaakkolaHaussler(),
    "opper-winther": OpperWinther(),
}
KINDS = [(loss, bias) for loss in ("hinge", "squared_hinge") for bias in (False, True)]


@dataclass(frozen=True)
class FixedSets(SupportVectorSolution):
    """A record whose hard rows stay hard while its numbers are moved one by one."""

    hard_rows: np.ndarray | None = None

    @property
    def hard(self):
        return self.hard_rows


def draw(seed, n=12, n_outputs=1, weighted=False):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 3))
    y = np.sign(X @ random.normal(size=(3, n_outputs)) + 0.9 * random.normal(size=(n, n_outputs)))
    y[:2] = [[-1.0] * n_outputs, [1.0] * n_outputs]
    weights = random.uniform(0.5, 2.5, n) if weighted else None
    return X, Targets.plain(y, weights)


def record(seed, loss, has_bias, C=1.7, n_outputs=2):
    """Any coefficients, the best or not: idle, marginal and (hinge) hard rows."""
    X, targets = draw(seed, n_outputs=n_outputs, weighted=True)
    random = np.random.default_rng(seed + 100)
    ceilings = C * targets.weights[:, None]
    kinds = random.permuted(np.tile([0, 1, 1, 1, 2, 2], (n_outputs, 2)), axis=1).T
    alpha = np.choose(kinds, [0.0, random.uniform(0.02, 0.8, kinds.shape) * ceilings, ceilings])
    if loss == "squared_hinge":
        alpha = np.where(kinds > 0, random.uniform(0.02, 1.2, kinds.shape), 0.0)
    start = FixedSets(
        gram=1.3 * Gaussian(1.5)(X) + 0.2,
        targets=targets,
        coef=targets.values * alpha,
        intercept=has_bias * random.normal(size=n_outputs),
        outputs=np.empty(0),
        C=C,
        loss=loss,
        has_bias=has_bias,
        back=lambda *_: None,
        hard_rows=(kinds == 2) & (loss == "hinge"),
    )
    return moved(start)


def moved(start, **changes):
    """The record with other numbers, its outputs following."""
    other = replace(start, **changes)
    return replace(other, outputs=other.gram @ other.coef + other.intercept)


def slope(function, step):
    """The derivative at 0, by central differences of fourth order."""
    near, far = (function(k * step) - function(-k * step) for k in (1, 2))
    return (8 * near - far) / (12 * step)


def solved(seed, loss, has_bias, C=0.8, width=1.5, amplitude=1.3, **shape):
    X, targets = draw(seed, **shape)
    gram = amplitude * Gaussian(width)(X) + 0.2
    return SupportVector(C, loss, has_bias).solve([gram], targets)
