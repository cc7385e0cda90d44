"""Choose the kernel by its alignment with the targets, and only then the regularization."""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Real

import numpy as np

from kernelwise.criteria import Alignment, LeaveOneOut
from kernelwise.kernels import Kernel, Precomputed
from kernelwise.kernels.radial import is_radial
from kernelwise.machines import NoMachine
from kernelwise.objective import Objective, evaluated, gram_blocks
from kernelwise.searchers import Rprop, SearchTrace
from kernelwise.selections.alignment_chance import chance_alignment
from kernelwise.selections.alignment_start import STARTS, off_plateau, reach, start_kernel
from kernelwise.selections.base import Choice, Problem, Selection
from kernelwise.selections.c_by_folds import CByFolds
from kernelwise.selections.minimize import MinimizeCriterion, warn_if_stuck
from kernelwise.selections.second_look import SecondLook
from kernelwise.solutions import Targets

# Effects of columns on the Gram matrix are compared on at most this many rows.
COMPARED_ROWS = 200
# A relative gain that counts as not having moved, and the mean dissimilarity below which a radial
# kernel is a linear one.
UNMOVED, NEARLY_LINEAR = 1e-6, 1e-3
# Directions of several quantities below this share of the largest are combinations of the others.
RELATIVE_RANK = 1e-10
# The published first step, 0.0125 decades of a width, in logarithms of a weight.
SEARCH = Rprop(max_iterations=200, first_step=0.0125 * 2 * np.log(10), value_tolerance=1e-4)


@dataclass(frozen=True)
class Aligned:
    """A kernel and how well it agrees with the targets.

    ``effects``: `column_effects`, exactly 0 for a column that was filtered out.
    """

    kernel: Kernel
    alignment: float
    effects: np.ndarray
    trace: SearchTrace


class AlignmentSelection(Selection):
    """Align the kernel with the targets, then choose the regularization.

    The latter by leave-one-out, the C of a support vector machine by k-fold. The search needs no
    machine: O(n^2 d) a step, no factorization. ``start`` and ``spread``: see `start_kernel`;
    ``centered``: center kernel and targets first (the published choice; otherwise unbalanced
    classes mislead). Columns whose effect on the Gram matrix is below ``threshold`` of the
    strongest one's are switched off. ``second_look``: leave-one-out then asks of each column
    whether it helps (`SecondLook`); alignment alone overlooks effects without a trend.

    References
    ----------
    Pérez-Ortiz et al., multi-scale alignment.
    """

    def __init__(
        self,
        start: str = "fixed",
        spread: float = 1.0,
        centered: bool = True,
        threshold: float = 1e-3,
        second_look: bool = False,
    ):
        self.second_look = second_look
        self.start, self.spread = start, spread
        self.centered, self.threshold = centered, threshold
        if start not in STARTS:
            raise ValueError(f"start must be one of {STARTS}, got {start!r}")
        if not isinstance(spread, Real) or not 0 <= float(spread) < 100:
            raise ValueError(f"spread must be a number of decades, 0 or more, got {spread!r}")
        if not isinstance(second_look, (bool, np.bool_)):
            raise ValueError(f"second_look must be True or False, got {second_look!r}")
        if not isinstance(threshold, Real) or not 0 <= float(threshold) < 1:
            raise ValueError(f"threshold must be at least 0 and below 1, got {threshold!r}")

    def __call__(self, problem: Problem) -> Choice:
        found = self.align(problem)
        (way,) = gram_blocks(found.kernel, problem.machine, problem.X)
        fixed = replace(problem, kernel=Precomputed(), X=way.gram, searcher=None, n_restarts=0)
        by_leaving_out = MinimizeCriterion(LeaveOneOut())
        choice = (by_leaving_out if problem.machine.leaves_one_out else CByFolds())(fixed)
        return replace(choice, kernel=found.kernel, criterion=-found.alignment, trace=found.trace)

    def align(self, problem: Problem) -> Aligned:
        """Search for the kernel of highest alignment, and switch off columns of no effect on it.

        If the alignment found is no more than chance gives, the search is repeated from the kernel
        as given; if that does not help, a warning says so. A kernel aligned no better than with
        shuffled targets is replaced by the given one.
        """
        problem.kernel.evaluate(problem.X[:2])  # reports a wrong kernel before any work
        targets = ideal_targets(problem.targets, problem.classification)
        search = _Search(problem, targets, NoMachine(self.centered))
        trace = search.from_start(self.start, self.spread)
        kernel = problem.kernel.with_theta(trace.best_point)
        chance = chance_alignment(kernel, problem, targets)
        if chance.is_reached and self.start != "given" and len(kernel.values):
            again = search.from_start("given", self.spread)
            if again.lowest < trace.lowest:
                trace, kernel = again, problem.kernel.with_theta(again.best_point)
                chance = chance_alignment(kernel, problem, targets)
        warn_if_stuck(trace)
        effects = column_effects(kernel, problem.X)
        if chance.found <= chance.shuffled * (1 + UNMOVED) or not effects.any():
            kernel, effects = problem.kernel, column_effects(problem.kernel, problem.X)
        else:
            kernel, effects = filtered(kernel, effects, self.threshold)
        if self.second_look:
            kernel = SecondLook(problem)(kernel)
            # Columns of no weight leave rounding errors, which are no effects.
            kernel, effects = filtered(kernel, column_effects(kernel, problem.X), self.threshold)
        chance.warn_if_reached()
        return Aligned(kernel, -search.objective(kernel).value(kernel.theta), effects, trace)


class _Search:
    """Searches for the best alignment of one problem."""

    def __init__(self, problem: Problem, targets: Targets, machine: NoMachine):
        self.problem, self.targets, self.machine = problem, targets, machine
        self.searcher = problem.search_with(SEARCH, Alignment.gives)
        self.floor = identity_alignment(machine, targets)

    def objective(self, kernel: Kernel) -> Objective:
        return Objective(kernel, self.machine, Alignment(), self.problem.X, self.targets)

    def from_start(self, start: str, spread: float) -> SearchTrace:
        """Search from a start, and again from off its plateau if that did not move."""
        first = start_kernel(self.problem, start, spread)
        if not is_radial(first):
            return self._from(first)
        if start == "distance" or reach(first, self.problem) < NEARLY_LINEAR:
            first = off_plateau(first, self.problem, self.objective(first), self.floor)
        trace = self._from(first)
        if -trace.best_value <= -trace.values[0] * (1 + UNMOVED):
            begin = self.objective(first)
            trace = self._from(off_plateau(first, self.problem, begin, self.floor, stay=False))
        return trace

    def _from(self, kernel: Kernel) -> SearchTrace:
        begin = self.objective(kernel)
        return self.searcher(self.problem.watched(begin), begin.point, begin.limits)


def ideal_targets(targets: Targets, classification: bool) -> Targets:
    """Targets whose outer product is the ideal kernel.

    Two classes: -1 and +1; one quantity: as it is. Several classes: the indicator of each class at
    unit weight, ``1_c / sqrt(n_c)``, so that a rare class counts as much as a common one. Several
    quantities: orthonormal combinations of them, so that what they share does not count twice. Both
    give the projection on what the targets span.
    """
    values, weights = targets.values, targets.weights
    if values.shape[1] == 1:
        return targets
    if classification:
        shares = (values + 1) / 2
        return Targets.plain(shares / np.sqrt(np.maximum(weights @ shares, 1e-300)), weights)
    roots = np.sqrt(weights)[:, None]
    means = weights @ values / weights.sum()
    directions, sizes, _ = np.linalg.svd(roots * (values - means), full_matrices=False)
    return Targets.plain((directions / roots)[:, sizes > RELATIVE_RANK * sizes[0]], weights)


def identity_alignment(machine: NoMachine, targets: Targets) -> float:
    """The alignment of the identity, a kernel to which all rows are equally different."""
    found = evaluated(Precomputed(), machine, np.eye(len(targets.weights)), targets)
    return -Alignment()(found.solution)[0]


def column_effects(kernel: Kernel, X: np.ndarray) -> np.ndarray:
    """Squared size of the centered Gram matrix when all other columns are held at their means.

    It shows how much the kernel depends on each column; columns that say the same do not hide each
    other, unlike when left out one by one. Cost: a Gram matrix of at most 200 rows per column.
    """
    if not kernel.compares_columns:
        return np.empty(0)
    chosen = np.unique(np.linspace(0, len(X) - 1, min(len(X), COMPARED_ROWS)).astype(int))
    held, squares = np.tile(X.mean(axis=0), (len(chosen), 1)), np.zeros(X.shape[1])
    unused = Targets.plain(np.zeros(len(chosen)))
    for r in np.flatnonzero(np.ptp(X[chosen], axis=0) > 0):
        alone = held.copy()
        alone[:, r] = X[chosen, r]
        squares[r] = (evaluated(kernel, NoMachine(), alone, unused).solution.gram ** 2).sum()
    return squares


def filtered(kernel: Kernel, effects: np.ndarray, threshold: float) -> tuple[Kernel, np.ndarray]:
    """The kernel without its columns of negligible effect, if it has a weight per column."""
    if not kernel.has_column_weights:
        return kernel, effects
    weak = effects < threshold**2 * effects.max()
    values, left = kernel.values.copy(), effects.copy()
    values[: len(effects)][weak] = left[weak] = 0.0
    return kernel.with_values(values), left
