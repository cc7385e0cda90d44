"""The numbers of a fit whose means a published table shows."""

from collections.abc import Callable
from dataclasses import dataclass

from kernelwise.experiments.cells import CellResult


@dataclass(frozen=True)
class Quantity:
    """One number of each fit.

    Attributes
    ----------
    name, words : in short, and what it is, with its unit
    of : the number of a finished cell, None where it has none
    higher_is_better : which way to rank
    decimals : as shown
    notable : a difference from the paper's mean that is told where the paper prints no spread
    is_rate : of test rows right or wrong, so that it can be set against the cost of a fit
    """

    name: str
    words: str
    of: Callable[[CellResult], float | None]
    higher_is_better: bool = False
    decimals: int = 2
    notable: float | None = None
    is_rate: bool = False


def _percent_wrong(result: CellResult) -> float | None:
    return None if result.error is None else 100 * result.error


def _percent_right(result: CellResult) -> float | None:
    return None if result.error is None else 100 * (1 - result.error)


def _measure(name: str) -> Callable[[CellResult], float | None]:
    return lambda result: result.measures.get(name)


ERROR = Quantity("error", "error in percent", _percent_wrong, is_rate=True)
ACCURACY = Quantity(
    "accuracy",
    "accuracy in percent",
    _percent_right,
    higher_is_better=True,
    notable=3.0,
    is_rate=True,
)
SECONDS = Quantity("seconds", "CPU seconds of a fit", lambda result: result.cpu_seconds)
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
