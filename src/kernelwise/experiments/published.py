"""A table of a paper: its methods, data, protocol and printed figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from kernelwise.experiments.cells import Cell
from kernelwise.experiments.methods import METHODS


@dataclass(frozen=True)
class Printed:
    """A mean error in percent and its standard error, as a paper prints them."""

    mean: float
    standard_error: float


@dataclass(frozen=True)
class PublishedTable:
    """What to run, and what it came to in the paper.

    Attributes
    ----------
    name : as on the command line
    paper, caption : where it is printed, and what it shows
    columns : the paper's methods; those without a method of ours are shown, not run
    companions : methods run beside them
    datasets : the paper's name of each data set, and its name in the catalogue
    printed : data set, then method
    fewer : data sets that get half as many replicates, since each costs much
    cpu_minutes : of one replicate, measured on one core of 2024
    notes : what a reader should know about the printed figures
    """

    name: str
    paper: str
    caption: str
    columns: tuple[str, ...]
    companions: tuple[str, ...]
    datasets: Mapping[str, str]
    printed: Mapping[str, Mapping[str, Printed]]
    fewer: tuple[str, ...] = ()
    cpu_minutes: float = 0.0
    notes: tuple[str, ...] = ()

    @property
    def runnable(self) -> tuple[str, ...]:
        """The paper's methods that there are, then the companions."""
        return (*(name for name in self.columns if name in METHODS), *self.companions)

    def cells(
        self,
        replicates: int,
        kind: str,
        available: Mapping[str, int],
        methods: Sequence[str] | None = None,
        datasets: Sequence[str] | None = None,
    ) -> list[Cell]:
        """The grid, all data sets and methods of one replicate before the next.

        ``available`` says how many splits of ``kind`` each data set has. So ordered, an
        interrupted run has whole replicates, and the time left is known early.
        """
        if replicates < 1:
            raise ValueError(f"--replicates {replicates}: use 1 or more")
        chosen = list(self.datasets) if datasets is None else list(datasets)
        unknown = [name for name in chosen if name not in self.datasets]
        if unknown:
            known = ", ".join(self.datasets)
            raise ValueError(f"{self.name} has no data set {unknown[0]!r}: choose from {known}")
        return [
            Cell(self.datasets[dataset], f"{kind}/{number}", method)
            for number in range(replicates)
            for dataset in chosen
            if number < min(self._most(dataset, replicates), available.get(dataset, 0))
            for method in (self.runnable if methods is None else methods)
        ]

    def _most(self, dataset: str, replicates: int) -> int:
        return (replicates + 1) // 2 if dataset in self.fewer else replicates


def printed_errors(
    text: str, columns: Sequence[str], deviation_of: Mapping[str, int] | None = None
) -> dict[str, dict[str, Printed]]:
    """Read lines of a data set's name (words joined by "_"), then mean and spread per column.

    The spread is the standard error, or with ``deviation_of`` (replicates of each data set; the
    key "" is for all others) the standard deviation over them.
    """
    found = {}
    for line in text.strip().splitlines():
        name, *numbers = line.split()
        replicates = 1 if deviation_of is None else deviation_of.get(name, deviation_of[""])
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        found[name] = {
            column: Printed(float(mean), float(spread) / sqrt(replicates))
            for column, (mean, spread) in zip(columns, pairs, strict=True)
        }
    return found
