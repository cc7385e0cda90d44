"""The numbers of a fit that a paper table shows."""

from collections.abc import Callable
from dataclasses import dataclass
from math import floor, log10

from kernelwise.evaluation.fold_records import FoldRecord


@dataclass(frozen=True)
class Quantity:
    """One number of each fit.

    Attributes
    ----------
    name, words : in short, and what it is, with its unit
    of : the number of a fit, None where it has none
    higher_is_better : which way to rank
    decimals : as shown; None is three significant digits, for figures that differ by decades
    notable : the difference from the printed figure to report if the paper prints no spread
    is_rate : whether it is a rate of test rows right or wrong, to be drawn against the cost
    """

    name: str
    words: str
    of: Callable[[FoldRecord], float | None]
    higher_is_better: bool = False
    decimals: int | None = 2
    notable: float | None = None
    is_rate: bool = False


def shown(value: float, decimals: int | None, sign: str = "-") -> str:
    """The number with so many decimals, or three significant digits if None.

    The sign "+" also marks numbers above 0.
    """
    if decimals is None:
        whole = floor(log10(abs(value))) + 1 if value else 1
        decimals = max(3 - whole, 0)
    return f"{value:{sign}.{decimals}f}"


def _seconds_per_evaluation(record: FoldRecord) -> float | None:
    """CPU seconds per evaluation; a method that searches nothing counts as one evaluation."""
    evaluations = record.counters.get("evaluations") if record.counters else 1
    return record.cpu_seconds / evaluations if evaluations else None


def _measure(name: str) -> Callable[[FoldRecord], float | None]:
    return lambda record: record.learnt.measures.get(name)


ERROR = Quantity(
    "error", "error in percent", lambda record: 100 * record.error, notable=3.0, is_rate=True
)
# Where several machines were tried on the test rows, the error of the best.
LOWEST_ERROR = Quantity(
    "error",
    "error in percent",
    lambda record: 100 * record.learnt.measures.get("lowest_error", record.error),
    notable=3.0,
    is_rate=True,
)
ACCURACY = Quantity(
    "accuracy",
    "accuracy in percent",
    lambda record: 100 * (1 - record.error),
    higher_is_better=True,
    notable=3.0,
    is_rate=True,
)
SECONDS = Quantity("seconds", "CPU seconds of a fit", lambda record: record.cpu_seconds)
STEP_SECONDS = Quantity(
    "seconds per evaluation",
    "CPU seconds of a fit per evaluation of its criterion",
    _seconds_per_evaluation,
    decimals=None,
)
SUPPORT_VECTORS = Quantity(
    "support vectors", "number of support vectors", _measure("support_vectors")
)
TRAINING_ALIGNMENT, TEST_ALIGNMENT = (
    Quantity(
        f"{rows} alignment",
        f"centered alignment of the kernel among the {rows} rows",
        _measure(f"{rows}_alignment"),
        higher_is_better=True,
        decimals=3,
    )
    for rows in ("training", "test")
)
FEATURES = Quantity(
    "features", "percentage of the varying features that the kernel uses", _measure("features")
)
SELECTED_KERNELS = Quantity(
    "selected kernels",
    "number of kernels that have a share in the output",
    _measure("selected_kernels"),
    decimals=1,
)
AUC = Quantity(
    "AUC",
    "area under the ROC curve, the mean over the classes",
    _measure("auc"),
    higher_is_better=True,
    decimals=3,
)
EQUAL_ERROR_RATE = Quantity(
    "equal error rate",
    "equal error rate, the mean over the classes",
    _measure("equal_error_rate"),
    decimals=3,
)
