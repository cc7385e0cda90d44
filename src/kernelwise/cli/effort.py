"""How long a fit will take on this machine: from two small fits, or from one product."""

import math
import time
import warnings

from sklearn.base import clone
from sklearn.pipeline import Pipeline

from kernelwise.auto.base import DEFAULT_FOLDS
from kernelwise.cli.landmark_effort import measured_unit
from kernelwise.data import Dataset
from kernelwise.estimators.fold_fits import AUTO_ROWS

# Tables with fewer rows are learned within a minute or so: nothing to estimate.
ROWS_WORTH_A_PILOT = 1500
PILOT_ROWS = (500, 1000)
# A fit's time grows toward the cube of the rows, faster than small fits show: two real tables took
# 5 and 11 times as long with 2000 rows as with 1000.
LEAST_POWER, MOST_POWER = 2.7, 3.0
# Work of AutoKernel on all candidates, in units of rows^3 of one product of a block with itself, as
# measured on three tables of 442 to 1000 rows (500 to 1100).
OF_ALL_CANDIDATES = 700
# Tables with fewer rows are learned within a minute.
ROWS_WORTH_SAYING = 1000


class Effort:
    """Seconds of a fit and of its honest error as ``a rows^p``, from small fits to the same table.

    A final fit to more than `AUTO_ROWS` rows chooses its kernel twice (once for a copy), a smaller
    one in every fold; each fold of the honest error chooses once, on its share of the rows.
    """

    def __init__(self, dataset: Dataset, pipeline: Pipeline, folds: int, jobs: int, seed: int):
        self.folds, self.jobs = folds, max(jobs, 1)
        few, many = PILOT_ROWS
        first, second = (_seconds(dataset.sample(n, seed), pipeline) for n in PILOT_ROWS)
        power = math.log(max(second, 1e-3) / max(first, 1e-3)) / math.log(many / few)
        self.power = min(max(power, LEAST_POWER), MOST_POWER)
        self.unit, self.rows = second, many

    def seconds(self, rows: int) -> float:
        """Of the fit and its honest error, together."""
        once = self.unit * (rows / self.rows) ** self.power
        copies = 5 if rows <= AUTO_ROWS else 1
        share = (1 - 1 / self.folds) ** self.power if self.folds else 0.0
        return once * (1 + 0.6 * copies) + once * share * self.folds / self.jobs

    def rows_within(self, seconds: float, most: int) -> int:
        """The most rows that can be learned in some time: all, or some hundreds, at least two."""
        if self.seconds(most) <= seconds:
            return most
        # Not the first that is too slow: beyond AUTO_ROWS fewer copies choose again.
        return max((n for n in range(200, most, 100) if self.seconds(n) <= seconds), default=200)


def seconds_of_choice(rows: int, folds: int | None, unit: float | None = None) -> float:
    """Of AutoKernel on an exact table: ``rows^3``, and a copy of four fifths of them per fold.

    Parameters
    ----------
    rows, folds : of the table, and of the honest error; None: those that AutoKernel has itself
    unit : seconds of one row and one squared column of a product; None: measured
    """
    if folds is None:
        share, copies = 1 - 1 / DEFAULT_FOLDS, DEFAULT_FOLDS if rows <= AUTO_ROWS else 1
    else:
        share, copies = 1 - 1 / max(folds, 2), folds
    once = OF_ALL_CANDIDATES * (measured_unit() if unit is None else unit) * float(rows) ** 3
    return once * (1 + copies * share**3)


def _seconds(dataset: Dataset, pipeline: Pipeline) -> float:
    """CPU seconds of a fit without copies."""
    copy = clone(pipeline)
    copy[-1]._is_judged_elsewhere = True
    started = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        copy.fit(dataset.features, dataset.target)
    return time.perf_counter() - started
