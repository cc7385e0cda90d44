"""How long a fit on landmarks will take on this machine, and how much memory it needs."""

import time

import numpy as np
from scipy.linalg.blas import dsyrk

from kernelwise.scale.landmark_fit import MOST_DIRECT
from kernelwise.selections.growing import STAGES, TO_COMPARE
from kernelwise.threads import one_blas_thread

# Work in units of ``rows x landmarks^2`` of one product of a block with itself, as measured:
# one scale for all features; an evaluation and its gradient, of as many landmarks as a stage has;
# the comparison of kernels; the passes over all rows; factors and folds of ``landmarks^3``.
TO_START, OF_AN_EVALUATION, OF_A_COMPARISON, OF_ALL_PASSES, OF_FACTORS = 8e10, 7, 1.6, 2, 4
# Conjugate gradients do not square the landmarks: each costs as much as so many would.
MOST_SQUARED = 2 * MOST_DIRECT
# Seconds to read and encode a number of a table in pieces, in all passes.
TO_READ = 1e-7
# Rows and landmarks of the product that is timed, and how often: some tenths of a second in all.
TIMED_ROWS, TIMED_LANDMARKS, TIMES = 4096, 384, 16
# Numbers of landmarks that a time limit chooses from.
NUMBERS_OF_LANDMARKS = (4000, 2000, 1000, 500, 200)


class LandmarkEffort:
    """Seconds of fits on landmarks, from the speed of one small product.

    Learning the kernel costs the same from some ten thousand rows on; what remains grows as
    ``rows x landmarks^2``.

    Parameters
    ----------
    n_kernels : that begin; the best goes on
    n_machines : that are learned from beginning to end, one after the other
    n_threads : that share the work
    numbers : of a table in pieces, its rows times its columns; 0 in memory
    unit : seconds of one row and one squared landmark; None: measured
    """

    def __init__(
        self,
        n_kernels: int,
        n_threads: int = 1,
        numbers: float = 0.0,
        unit: float | None = None,
        *,
        n_machines: int = 1,
    ) -> None:
        self.n_kernels, self.n_threads, self.numbers = n_kernels, n_threads, numbers
        self.n_machines = n_machines
        self.unit = measured_unit() if unit is None else unit

    def seconds(self, rows: int, landmarks: int, folds: int = 0, jobs: int = 1) -> float:
        """Of a fit to so many rows, and of fits without each of some folds, some at a time."""
        once = self._once(rows, landmarks)
        if not folds:
            return once / self.n_threads + TO_READ * self.numbers
        again = self._once(rows - rows // folds, landmarks)
        return once / self.n_threads + again * folds / jobs

    def _once(self, rows: int, landmarks: int) -> float:
        learning, kernels = self.n_kernels * TO_START, self.n_kernels
        for number, (some, few, steps) in enumerate(STAGES):
            last = number == len(STAGES) - 1 or some >= rows
            if last and kernels > 1:
                compared, many = TO_COMPARE
                learning += kernels * OF_A_COMPARISON * min(compared, rows) * many**2
                kernels = 1
            learning += kernels * OF_AN_EVALUATION * steps * min(some, rows) * few**2
            if last:
                break
        squared = min(landmarks, MOST_SQUARED) * landmarks
        return (self.n_machines * self.unit) * (
            learning + OF_ALL_PASSES * rows * squared + OF_FACTORS * float(landmarks) ** 3
        )

    def landmarks_within(
        self, seconds: float, rows: int, most: int, folds: int = 0, jobs: int = 1
    ) -> int:
        """The most landmarks that can be fitted in some time, of a few numbers; at least 200."""
        numbers = [most, *(number for number in NUMBERS_OF_LANDMARKS if number < most)]
        for number in numbers:
            if self.seconds(rows, number, folds, jobs) <= seconds:
                return number
        return numbers[-1]

    def rows_within(
        self, seconds: float, most: int, landmarks: int, folds: int = 0, jobs: int = 1
    ) -> int:
        """The most rows that can be fitted in some time, of hundreds or thousands."""
        sizes = (most, *(n for n in (16_000, 8000, 4000, 2000, 1000) if n < most))
        possible = (n for n in sizes if self.seconds(n, landmarks, folds, jobs) <= seconds)
        return next(possible, sizes[-1])


def measured_unit() -> float:
    """Seconds of one row and one squared landmark, in one thread: the mean of several products.

    Not the least: on a busy machine the fit will have to wait as they do.
    """
    block = np.asfortranarray(np.random.default_rng(0).normal(size=(TIMED_ROWS, TIMED_LANDMARKS)))
    with one_blas_thread():
        dsyrk(1.0, block, trans=True)  # wakes the library
        started = time.perf_counter()
        for _ in range(TIMES):
            dsyrk(1.0, block, trans=True)
    return (time.perf_counter() - started) / (TIMES * TIMED_ROWS * TIMED_LANDMARKS**2)
