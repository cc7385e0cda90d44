"""One place that says how each component is built for the contracts.

Every name in a family's ``__all__`` has a case here; abstract bases are represented by what a user
would write. A new component without a case fails ``test_complete``.
"""

from dataclasses import dataclass

import numpy as np
from sklearn.gaussian_process import kernels as sk

from kernelwise import criteria, kernels, machines
from kernelwise.parameters import Parameter
from kernelwise.solutions import HeldOutSolution, LeastSquaresSolution, Targets

LEVELS = 4


def table(n, d, seed=0):
    """Numeric columns, and a last one of integer codes."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d))
    X[:, -1] = random.integers(LEVELS, size=n)
    return X


def scales(d):
    """Length scales, all different, for a dissimilarity of about 1."""
    return np.sqrt(d) * np.linspace(0.8, 1.6, d)


def mixed(d):
    """Squared and absolute in turn, overlap for the codes."""
    return ("squared", "absolute") * ((d - 1) // 2) + ("squared",) * ((d - 1) % 2) + ("overlap",)


class OwnKernel(kernels.Kernel):
    """What a user writes from nothing: ``k = weight x_0 z_0``."""

    def __init__(self, weight=0.7):
        self.weight = weight

    parameters = property(lambda self: [Parameter("weight", self.weight, (1e-3, 1e3))])

    def with_values(self, values):
        return OwnKernel(float(values[0])).in_coordinates(self.coordinates)

    def evaluate(self, A, B=None, up_to_constant=False):
        outer = np.outer(A[:, 0], (A if B is None else B)[:, 0])
        return self.weight * outer, lambda M: (M * outer).sum(axis=1, keepdims=True)


class OwnRadial(kernels.Radial):
    """What a user writes for a radial kernel: ``1 / (1 + s)``."""

    def profile(self, s):
        return 1 / (1 + s)

    def slope(self, s, value):
        return -(value**2)


class OwnMachine(machines.Machine):
    """A machine `Folded` knows nothing about, so that it refits."""

    gives = LeastSquaresSolution

    def __init__(self, regularization=0.3):
        self.inner = machines.LeastSquares(regularization)

    parameters = property(lambda self: self.inner.parameters)

    def with_values(self, values):
        return OwnMachine(float(values[0])).in_coordinates(self.coordinates)

    def solve(self, grams, targets):
        return self.inner.solve(grams, targets)


class OwnCriterion(criteria.Criterion):
    """Generalized cross-validation, as the design page writes it, for many targets."""

    reads = LeastSquaresSolution

    def __call__(self, solution):
        n, freedom = len(solution.coef), solution.diagonal.mean()
        value = (solution.coef**2).sum() / n / freedom**2
        slope = np.full(n, -2 * value / freedom / n)
        return value, solution.gradient(coef=2 * solution.coef / n / freedom**2, diagonal=slope)


class OwnHeldOutCriterion(criteria.Criterion):
    """A criterion of held-out rows that is not a square: their mean log cosh."""

    reads = HeldOutSolution

    def __call__(self, solution):
        held_out = solution.held_out
        return np.log(np.cosh(held_out)).sum(), solution.gradient(held_out=np.tanh(held_out))


class NearTwo(criteria.NearStart):
    """A preference for values of 2, however many parameters there are."""

    def penalty(self, values, machine_values):
        starts = np.full(len(values), 2.0), np.full(len(machine_values), 2.0)
        return criteria.NearStart(self.criterion, self.strength, *starts).penalty(
            values, machine_values
        )


def radial_cases(kind, **settings):
    return {
        "isotropic": lambda d: kind(np.sqrt(d), **settings),
        "per-feature": lambda d: kind(scales(d), **settings),
        "mixed": lambda d: kind(scales(d), dissimilarity=mixed(d), **settings),
    }


def gaussian(d):
    return kernels.Gaussian(scales(d))


# name in __all__ -> variant -> kernel for d columns
KERNELS = {
    "Gaussian": radial_cases(kernels.Gaussian)
    | {
        "absolute": lambda d: kernels.Gaussian(scales(d), dissimilarity="absolute"),
        "overlap": lambda d: kernels.Gaussian(scales(d), dissimilarity="overlap"),
        "mixed-isotropic": lambda d: kernels.Gaussian(np.sqrt(d), dissimilarity=mixed(d)),
    },
    "Laplacian": radial_cases(kernels.Laplacian),
    "Matern32": radial_cases(kernels.Matern32),
    "Matern52": radial_cases(kernels.Matern52),
    "RationalQuadratic": radial_cases(kernels.RationalQuadratic, shape=1.7),
    "Radial": radial_cases(OwnRadial),
    "Kernel": {"own": lambda d: OwnKernel()},
    "Linear": {
        "isotropic": lambda d: kernels.Linear(np.sqrt(d)),
        "per-feature": lambda d: kernels.Linear(scales(d)),
        "categorical": lambda d: kernels.Linear(scales(d), categorical=[0, d - 1]),
    },
    "Polynomial": {
        "isotropic": lambda d: kernels.Polynomial(3, 0.8, np.sqrt(d)),
        "per-feature": lambda d: kernels.Polynomial(2, 0.8, scales(d)),
        "categorical": lambda d: kernels.Polynomial(2, 0.8, scales(d), categorical=[1]),
        "categorical-isotropic": lambda d: kernels.Polynomial(3, 0.8, np.sqrt(d), categorical=[1]),
    },
    "Constant": {"offset": lambda d: kernels.Constant(0.6)},
    "Sum": {"two": lambda d: gaussian(d) + kernels.Linear(scales(d))},
    "Product": {
        "two": lambda d: gaussian(d) * kernels.Polynomial(2, 1.0, np.sqrt(d)),
        "three": lambda d: kernels.Product(
            [gaussian(d), kernels.Constant(0.5), kernels.Laplacian(float(d))]
        ),
    },
    "Scaled": {"nested": lambda d: kernels.Scaled(kernels.Scaled(gaussian(d), 1.4), 0.7)},
    "Normalized": {
        "polynomial": lambda d: kernels.Normalized(kernels.Polynomial(2, 1.0, scales(d))),
        "sum": lambda d: kernels.Normalized(gaussian(d) + kernels.Polynomial(1, 0.5, scales(d))),
    },
    "OnColumns": {"one": lambda d: kernels.OnColumns(kernels.Gaussian([0.9]), [d - 2])},
    "Precomputed": {"gram": lambda d: kernels.Precomputed()},
    "FromSklearn": {
        "ard": lambda d: kernels.FromSklearn(sk.ConstantKernel(0.8) * sk.RBF(scales(d))),
        "sum": lambda d: kernels.FromSklearn(sk.Matern(np.sqrt(d), nu=1.5) + sk.DotProduct(0.9)),
    },
}


@dataclass(frozen=True)
class KernelCase:
    """A kernel and rows for it; ``kernel(left, right)`` is ``kernel(rows)[:n_left]``."""

    kernel: kernels.Kernel
    rows: np.ndarray
    n_left: int = 5

    @property
    def left(self):
        return self.rows[: self.n_left]


def kernel_case(name, variant, n=12, d=4):
    X = table(n, d)
    if variant == "overlap":
        X = np.round(X)
    kernel = KERNELS[name][variant](d)
    # The rows of a precomputed kernel are a Gram matrix.
    return KernelCase(kernel, kernels.Laplacian(float(d))(X) if name == "Precomputed" else X)


KERNEL_IDS = [(name, variant) for name, variants in KERNELS.items() for variant in variants]

# Support vector machines meet only these: each chain costs many small quadratic programs.
SMOOTH_KERNEL_IDS = [("Gaussian", "per-feature"), ("Polynomial", "isotropic"), ("Sum", "two")]

# Differences of a kernel of few dimensions need more jitter than its gradient does.
LARGE_JITTER = 1e-3


def landmarks():
    return table(12, 4)[[0, 3, 7, 8, 10]]


FOLDS = [np.array([0, 3, 7]), np.array([1, 2, 9, 11]), np.array([4, 5, 6, 8, 10])]
MACHINES = {
    "LeastSquares": {"plain": lambda: machines.LeastSquares(0.3)},
    "Machine": {"own": OwnMachine},
    "Nystrom": {"some": lambda: machines.Nystrom(landmarks(), 0.3, LARGE_JITTER)},
    "NystromProcess": {"some": lambda: machines.NystromProcess(landmarks(), 0.3, LARGE_JITTER)},
    "Folded": {
        "landmarks": lambda: machines.Folded(MACHINES["Nystrom"]["some"](), FOLDS),
        "closed-form": lambda: machines.Folded(machines.LeastSquares(0.3), FOLDS),
        "refitted": lambda: machines.Folded(OwnMachine(0.3), FOLDS),
        "support-vector": lambda: machines.Folded(machines.SupportVector(0.7), FOLDS),
    },
    "SupportVector": {
        "hinge": lambda: machines.SupportVector(0.7),
        "hinge-bias": lambda: machines.SupportVector(0.7, bias=True),
        "squared": lambda: machines.SupportVector(0.7, "squared_hinge"),
        "squared-bias": lambda: machines.SupportVector(0.7, "squared_hinge", bias=True),
    },
    "PosteriorSupportVector": {
        "hinge": lambda: machines.PosteriorSupportVector(0.7, "hinge", 1e-12),
        "squared": lambda: machines.PosteriorSupportVector(0.7, "squared_hinge", 1e-12),
    },
    "SampledPosterior": {
        "squared": lambda: machines.SampledPosterior(0.7, "squared_hinge", 64, 60)
    },
    "RelevanceVector": {
        f"{likelihood}-{bias}": lambda likelihood=likelihood, bias=bias: machines.RelevanceVector(
            likelihood, bias, tolerance=1e-17
        )
        for likelihood in ("normal", "logistic")
        for bias in ("free", "penalized")
    },
    "NoMachine": {
        "centered": machines.NoMachine,
        "as-is": lambda: machines.NoMachine(centered=False),
    },
}
MACHINE_IDS = [(name, variant) for name, variants in MACHINES.items() for variant in variants]

CRITERIA = {
    "Alignment": {"plain": criteria.Alignment},
    "LeaveOneOut": {"plain": criteria.LeaveOneOut},
    "BayesianLeaveOneOut": {
        "plain": criteria.BayesianLeaveOneOut,
        "floored": lambda: criteria.BayesianLeaveOneOut(0.2),
    },
    "Evidence": {"plain": criteria.Evidence},
    "EvidenceBound": {"plain": criteria.EvidenceBound},
    "FirstLevel": {"penalized": lambda: criteria.FirstLevel(0.4)},
    "GeneralizedCrossValidation": {"plain": criteria.GeneralizedCrossValidation},
    "HeldOutSquares": {"plain": criteria.HeldOutSquares},
    "DampedEvidence": {"plain": lambda: criteria.DampedEvidence(0.4)},
    "GACV": {"plain": criteria.GACV},
    "HeldOutErrors": {"plain": criteria.HeldOutErrors},
    "HeldOutHinge": {"plain": criteria.HeldOutHinge},
    "SmoothedHeldOutErrors": {"plain": criteria.SmoothedHeldOutErrors},
    "JaakkolaHaussler": {"plain": criteria.JaakkolaHaussler},
    "LaplaceEvidence": {
        "smoothed": criteria.LaplaceEvidence,
        "not-smoothed": lambda: criteria.LaplaceEvidence(0.0),
    },
    "NearStart": {
        "evidence": lambda: NearTwo(criteria.LaplaceEvidence(), 0.3),
        "leave-one-out": lambda: NearTwo(criteria.BayesianLeaveOneOut(0.2), 4.0),
        "held-out": lambda: NearTwo(criteria.HeldOutSquares(), 2.0),
        "posterior": lambda: NearTwo(criteria.PosteriorEvidence(), 0.2),
    },
    "OpperWinther": {"plain": criteria.OpperWinther},
    "PosteriorEvidence": {"plain": criteria.PosteriorEvidence},
    "PricedEvidence": {"schwarz": criteria.PricedEvidence},
    "RadiusMargin": {
        "ball": criteria.RadiusMargin,
        "variance": lambda: criteria.RadiusMargin("variance"),
    },
    "SmoothedSpan": {
        "plain": criteria.SmoothedSpan,
        "steep": lambda: criteria.SmoothedSpan(10, 0.1),
    },
    "Span": {"plain": criteria.Span},
    "SupportFraction": {"plain": criteria.SupportFraction},
    "Criterion": {"gcv": OwnCriterion, "log-cosh": OwnHeldOutCriterion},
}
CRITERION_IDS = [(name, variant) for name, variants in CRITERIA.items() for variant in variants]


def targets(n=12, n_targets=2, seed=1, labels=False):
    """Weighted targets, some of which stand for several rows; or labels, -1 and 1."""
    random = np.random.default_rng(seed)
    values = random.normal(size=(n, n_targets))
    return Targets(
        np.asfortranarray(np.sign(values) if labels else values),
        random.uniform(0.5, 2.5, n),
        random.uniform(0.1, 0.4, n_targets),
    )
