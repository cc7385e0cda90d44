"""The numbers of a fit that a published table shows."""

from collections.abc import Callable
from dataclasses import dataclass
from math import floor, log10

from kernelwise.runs.cells import CellResult


@dataclass(frozen=True)
class Quantity:
    """One number of each fit.

    Attributes
    ----------
    name, words : in short, and what it is, with its unit
    of : the number of a finished cell, None where it has none
    higher_is_better : which way to rank
    decimals : as shown; None is three significant digits, for figures that differ by decades
    notable : a difference from the printed figure that is told where the paper prints no spread
    is_rate : of test rows right or wrong, so that it can be set against the cost of a fit
    """

    name: str
    words: str
    of: Callable[[CellResult], float | None]
    higher_is_better: bool = False
    decimals: int | None = 2
    notable: float | None = None
    is_rate: bool = False


def shown(value: float, decimals: int | None, sign: str = "-") -> str:
    """The number with so many decimals, or with three significant digits where that is None.

    The sign "+" shows that of numbers above 0 too.
    """
    if decimals is None:
        whole = floor(log10(abs(value))) + 1 if value else 1
        decimals = max(3 - whole, 0)
    return f"{value:{sign}.{decimals}f}"


def _percent_wrong(result: CellResult) -> float | None:
    return None if result.error is None else 100 * result.error


def _percent_right(result: CellResult) -> float | None:
    return None if result.error is None else 100 * (1 - result.error)


def _seconds_per_evaluation(result: CellResult) -> float | None:
    """A method that counts no work at all, since it searches nothing, is one evaluation."""
    evaluations = result.counters.get("evaluations") if result.counters else 1
    if not evaluations or result.cpu_seconds is None:
        return None
    return result.cpu_seconds / evaluations


def _measure(name: str) -> Callable[[CellResult], float | None]:
    return lambda result: result.measures.get(name)


ERROR = Quantity("error", "error in percent", _percent_wrong, notable=3.0, is_rate=True)
ACCURACY = Quantity(
    "accuracy",
    "accuracy in percent",
    _percent_right,
    higher_is_better=True,
    notable=3.0,
    is_rate=True,
)
SECONDS = Quantity("seconds", "CPU seconds of a fit", lambda result: result.cpu_seconds)
STEP_SECONDS = Quantity(
    "seconds per evaluation",
    "CPU seconds of a fit per evaluation of its criterion",
    _seconds_per_evaluation,
    decimals=None,
)
SUPPORT_VECTORS = Quantity(
    "support vectors", "number of support vectors", _measure("support_vectors")
)
TRAINING_ALIGNMENT = Quantity(
    "training alignment",
    "centred alignment of the kernel among the training rows",
    _measure("training_alignment"),
    higher_is_better=True,
    decimals=3,
)
TEST_ALIGNMENT = Quantity(
    "test alignment",
    "centred alignment of the kernel among the test rows",
    _measure("test_alignment"),
    higher_is_better=True,
    decimals=3,
)
FEATURES = Quantity(
    "features", "percentage of the varying features that the kernel uses", _measure("features")
)
