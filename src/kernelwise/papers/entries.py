"""One data set and method: our figure beside the printed one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from scipy.stats import t as student

from kernelwise.evaluation import ALPHA, FoldRecord, holm_adjusted
from kernelwise.papers.published import Key, Printed, Statistic
from kernelwise.papers.quantities import Quantity


@dataclass(frozen=True)
class Entry:
    """A quantity over replicates beside the printed figure.

    ``figure`` is what stands beside the printed one: the mean, or the lowest replicate.
    ``standard_error`` is that of the mean over replicates (0 replicates: not run; NaN for one),
    ``deviation`` the standard deviation over them. ``p_value`` is Welch's, of the difference of the
    two means, as if replicates were independent; NaN where ours has no spread to judge by, or the
    paper prints none. ``mark`` is "*" for a difference at 5 %, "**" if it stays so after Holm's
    correction for all differences of the table.
    """

    dataset: str
    method: str
    values: tuple[float, ...]
    cpu_seconds: float
    printed: Printed | None
    statistic: Statistic = "mean"
    p_value: float = float("nan")
    mark: str = ""

    @property
    def figure(self) -> float:
        return self.mean if self.statistic == "mean" else self.lowest

    @property
    def mean(self) -> float:
        return float(np.mean(self.values)) if self.values else float("nan")

    @property
    def lowest(self) -> float:
        return min(self.values, default=float("nan"))

    @property
    def deviation(self) -> float:
        return float(np.std(self.values, ddof=1)) if len(self.values) > 1 else float("nan")

    @property
    def standard_error(self) -> float:
        return float(self.deviation / np.sqrt(len(self.values))) if self.values else float("nan")


def entry_of(
    key: Key,
    records: list[FoldRecord],
    quantity: Quantity,
    printed: Printed | None,
    statistic: Statistic = "mean",
) -> Entry:
    """The entry for the fits of one method to one data set, not yet marked.

    Parameters
    ----------
    key : the data set and the method
    records : the fits, one per replicate
    quantity, statistic : what the figure is, and of which replicates
    printed : the paper's figure, if any
    """
    values = (quantity.of(record) for record in records)
    cpu = [record.cpu_seconds for record in records]
    entry = Entry(
        *key,
        values=tuple(value for value in values if value is not None),
        cpu_seconds=float(np.median(cpu)) if cpu else float("nan"),
        printed=printed,
        statistic=statistic,
    )
    return entry if printed is None else replace(entry, p_value=_welch(entry, printed))


def _welch(entry: Entry, printed: Printed) -> float:
    """Two-sided p-value of the difference ``d`` of the means, from their standard errors.

    ``t = d / sqrt(s^2 + S^2)`` has ``(s^2 + S^2)^2 / (s^4 / (n - 1) + S^4 / (N - 1))`` degrees of
    freedom. NaN for ``s = 0``: few replicates that agree by chance are no evidence.

    References
    ----------
    Welch (1947), Biometrika 34.
    """
    if printed.standard_error is None or len(set(entry.values)) < 2:
        return float("nan")
    mine, theirs = entry.standard_error**2, printed.standard_error**2
    spread = mine**2 / (len(entry.values) - 1) + theirs**2 / (printed.replicates - 1)
    statistic = abs(entry.mean - printed.mean) / np.sqrt(mine + theirs)
    return float(2 * student.sf(statistic, (mine + theirs) ** 2 / spread))


def marked(entries: Mapping[Key, Entry]) -> dict[Key, Entry]:
    """The entries with their marks."""
    keys = [key for key, entry in entries.items() if not np.isnan(entry.p_value)]
    adjusted = holm_adjusted([entries[key].p_value for key in keys])
    found = dict(entries)
    for key, corrected in zip(keys, adjusted, strict=True):
        stars = "**" if corrected <= ALPHA else "*" if entries[key].p_value <= ALPHA else ""
        found[key] = replace(entries[key], mark=stars)
    return found
