"""A paper table: its methods, data, protocol and printed figures."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Literal

from kernelwise.methods import METHODS
from kernelwise.papers.protocol import Protocol
from kernelwise.papers.quantities import ERROR, Quantity
from kernelwise.runs.cells import Cell, CellResult

# A data set, by the paper's name, and a method.
Key = tuple[str, str]
Statistic = Literal["mean", "lowest"]


@dataclass(frozen=True)
class Printed:
    """A mean over replicates and, where a paper prints a spread, its standard error.

    In a table of lowest figures, ``mean`` is the lowest of the replicates.
    """

    mean: float
    standard_error: float | None
    replicates: int

    @property
    def deviation(self) -> float | None:
        """The standard deviation over the paper's replicates."""
        return None if self.standard_error is None else self.standard_error * sqrt(self.replicates)


@dataclass(frozen=True)
class PrintedSummary:
    """Means and mean ranks of a quantity over all data sets of a paper, by method."""

    quantity: Quantity
    means: Mapping[str, float]
    ranks: Mapping[str, float]


@dataclass(frozen=True)
class PublishedTable:
    """A paper table: what to run, and what the paper printed.

    Attributes
    ----------
    name : as on the command line
    paper, caption : where it is printed, and what it shows
    columns : the paper's methods; those without a method of ours are shown, not run
    datasets : the paper's name of each data set, and its name in the catalogue
    printed : by data set, then method; it may have data sets that we lack
    protocol : what the replicates are
    companions : methods run beside the paper's
    oracles : columns that nobody can choose without the test rows: shown, never ranked
    quantity : what the figures are
    statistic : whether the figures are means over the replicates, or the lowest of them
    means : whether the paper compares means over the data sets
    ratios : pairs of methods to compare by the ratio of their figures, not by the difference
    vectors : pairs of methods to compare by how many support or relevance vectors they have
    further : quantities that the paper summarizes over its data sets; such a table shows means and
        mean ranks, no single data sets
    cpu_minutes : of one replicate of everything on one core, measured; ``fewer`` count half; 0 if
        the data could not be had
    files : for data that do not come with the benchmark sets, the files and how they must look
    notes : what a reader should know about the printed figures
    """

    name: str
    paper: str
    caption: str
    columns: tuple[str, ...]
    datasets: Mapping[str, str]
    printed: Mapping[str, Mapping[str, Printed]]
    protocol: Protocol
    companions: tuple[str, ...] = ()
    oracles: tuple[str, ...] = ()
    quantity: Quantity = ERROR
    statistic: Statistic = "mean"
    means: bool = False
    ratios: tuple[tuple[str, str], ...] = ()
    vectors: tuple[tuple[str, str], ...] = ()
    further: tuple[PrintedSummary, ...] = ()
    cpu_minutes: float = 0.0
    files: str = ""
    notes: tuple[str, ...] = ()

    @property
    def runnable(self) -> tuple[str, ...]:
        """The paper's methods that we have, then the companions."""
        return (*(name for name in self.columns if name in METHODS), *self.companions)

    @property
    def has_spread(self) -> bool:
        """Whether the paper prints a spread of its figures."""
        rows = self.printed.values()
        return any(figure.standard_error is not None for row in rows for figure in row.values())

    def results(self, results: Iterable[CellResult]) -> dict[Key, list[CellResult]]:
        """The results of its own cells, by data set and method; a ValueError if there are none."""
        name_of = {stored: name for name, stored in self.datasets.items()}
        found: dict[Key, list[CellResult]] = defaultdict(list)
        for result in results:
            if result.cell.dataset in name_of and result.cell.method in self.runnable:
                found[name_of[result.cell.dataset], result.cell.method].append(result)
        if not found:
            raise ValueError(f"there are no results of {self.name}")
        return dict(found)

    def cells(
        self,
        replicates: int,
        kind: str | None,
        available: Mapping[str, int],
        methods: Sequence[str] | None = None,
        datasets: Sequence[str] | None = None,
    ) -> list[Cell]:
        """The cells, with all data sets and methods of one replicate before the next.

        In this order an interrupted run has whole replicates, and the time left is known early.

        Parameters
        ----------
        replicates : how many splits or trials per data set
        kind : of the splits; None: the protocol's
        available : how many splits of that kind each data set has
        methods, datasets : which of the table's; None: all
        """
        protocol, found = self.protocol, []
        protocol.check(replicates)
        self.check(methods, datasets)
        for replicate in range(replicates):
            for dataset in dict.fromkeys(self.datasets if datasets is None else datasets):
                of_set = kind or protocol.kind_of(dataset)
                number, seed = protocol.split_and_seed(replicate, of_set)
                wanted = replicate < protocol.replicates_of(dataset, replicates)
                if wanted and number < available.get(dataset, 0):
                    found += [
                        Cell(self.datasets[dataset], of_set, number, method, seed)
                        for method in dict.fromkeys(self.runnable if methods is None else methods)
                    ]
        return found

    def check(self, methods: Sequence[str] | None, datasets: Sequence[str] | None) -> None:
        """Raise a ValueError for methods and data sets that the table does not have."""
        for kind, names, known in (
            ("method", methods or (), self.runnable),
            ("data set", datasets or (), tuple(self.datasets)),
        ):
            for name in names:
                if name not in known:
                    choice = ", ".join(known)
                    raise ValueError(f"{self.name} has no {kind} {name!r}: choose from {choice}")


def printed_figures(
    text: str,
    columns: Sequence[str],
    replicates: Mapping[str, int],
    spread: Literal["error", "deviation"] | None = "error",
) -> dict[str, dict[str, Printed]]:
    """Read lines of a data set's name (words joined by "_"), then mean and spread per column.

    The spread is the standard error of the mean, or the standard deviation over the paper's
    ``replicates`` of the data set, ``sqrt(replicates)`` times as much; with None there is none.
    """
    found = {}
    for line in text.strip().splitlines():
        name, *words = line.split()
        numbers = [float(word) for word in words]
        count = replicates[name]
        errors: Sequence[float | None] = [None] * len(numbers)
        if spread is not None:
            scale = sqrt(count) if spread == "deviation" else 1
            numbers, errors = numbers[::2], [number / scale for number in numbers[1::2]]
        figures = [Printed(*pair, count) for pair in zip(numbers, errors, strict=True)]
        found[name] = dict(zip(columns, figures, strict=True))
    return found
