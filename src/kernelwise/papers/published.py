"""A table of a paper: its methods, data, protocol and printed figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Literal

from kernelwise.methods.registry import METHODS
from kernelwise.papers.quantities import ERROR, Quantity
from kernelwise.runs.cells import Cell

Statistic = Literal["mean", "lowest"]


@dataclass(frozen=True)
class Printed:
    """A mean over replicates and, where a paper prints a spread, its standard error.

    Of a table of lowest figures, ``mean`` is the lowest of the replicates.
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
    """What to run, and what it came to in the paper.

    Attributes
    ----------
    name : as on the command line
    paper, caption : where it is printed, and what it shows
    columns : the paper's methods; those without a method of ours are shown, not run
    companions : methods run beside them
    datasets : the paper's name of each data set, and its name in the catalogue
    printed : data set, then method; it may have data sets that we do not have
    quantity : what the figures are
    kind : of the splits that come nearest to the paper's
    other_kinds : data sets whose splits that come nearest are of another kind, and that kind
    trials : replicates are searches on the first split alone, told apart by their seeds; they are
        shown with their standard deviation, not with the standard error of the mean
    statistic : whether the figures are means over the replicates, or the lowest of them
    means : whether the paper compares means over the data sets
    ratios : pairs of methods whose figures are divided by each other, where their difference says
        little
    further : quantities that the paper sums up over its data sets; such a table shows means and
        mean ranks, no single data sets
    fewer : data sets that get half as many replicates, since each costs much
    cpu_minutes : of one replicate of everything on one core, measured; ``fewer`` count half
    box_methods, box_datasets : methods whose learnt kernel parameters are drawn as box plots, for
        each of these data sets, or one parameter for all data sets
    bin_width : of histograms of the figures of all replicates, one for each data set
    notes : what a reader should know about the printed figures
    """

    name: str
    paper: str
    caption: str
    columns: tuple[str, ...]
    companions: tuple[str, ...]
    datasets: Mapping[str, str]
    printed: Mapping[str, Mapping[str, Printed]]
    quantity: Quantity = ERROR
    kind: str = "generated"
    other_kinds: Mapping[str, str] = field(default_factory=dict)
    trials: bool = False
    statistic: Statistic = "mean"
    means: bool = False
    ratios: tuple[tuple[str, str], ...] = ()
    further: tuple[PrintedSummary, ...] = ()
    fewer: tuple[str, ...] = ()
    cpu_minutes: float = 0.0
    box_methods: tuple[str, ...] = ()
    box_datasets: tuple[str, ...] = ()
    bin_width: float | None = None
    notes: tuple[str, ...] = ()

    @property
    def runnable(self) -> tuple[str, ...]:
        """The paper's methods that there are, then the companions."""
        return (*(name for name in self.columns if name in METHODS), *self.companions)

    @property
    def has_spread(self) -> bool:
        """Whether the paper prints a spread of its figures."""
        rows = self.printed.values()
        return any(figure.standard_error is not None for row in rows for figure in row.values())

    @property
    def compares_means(self) -> bool:
        """Whether it can be said of a single figure that it differs from the printed one."""
        return self.has_spread or self.quantity.notable is not None

    @property
    def shows_cost(self) -> bool:
        """Whether the figures are mean rates of single data sets, to be set against their cost."""
        return self.quantity.is_rate and not self.further and self.statistic == "mean"

    @property
    def unit(self) -> str:
        """What the replicates are, in words."""
        return "trials" if self.trials else "splits"

    @property
    def spread(self) -> str:
        """What follows a mean and the sign ±, in words."""
        return "standard deviation" if self.trials else "standard error"

    @property
    def figures(self) -> str:
        """What stands beside the printed figures, in words."""
        return "means" if self.statistic == "mean" else f"{self.statistic} {self.quantity.name}s"

    @property
    def legend(self) -> str:
        """What is shown of each method, in words."""
        if self.further:
            return "means over the data sets and mean ranks"
        words = f"{self.statistic} {self.quantity.words}"
        if self.statistic == "lowest":
            return f"{words} of all {self.unit}"
        best = f" (and the lowest of the {self.unit})" if self.trials else ""
        return f"{words} ± its {self.spread} over {self.unit}{best}"

    def kind_of(self, dataset: str) -> str:
        """Of the splits of a data set that come nearest to the paper's."""
        return self.other_kinds.get(dataset, self.kind)

    def cells(
        self,
        replicates: int,
        kind: str | None,
        available: Mapping[str, int],
        methods: Sequence[str] | None = None,
        datasets: Sequence[str] | None = None,
    ) -> list[Cell]:
        """The grid, all data sets and methods of one replicate before the next.

        ``kind`` None is the table's own; ``available`` says how many splits of it each data set
        has. So ordered, an interrupted run has whole replicates, and the time left is known early.
        Trials and folds are seeded by their number: a search that begins at random begins elsewhere
        in each.
        """
        self.check(replicates, methods, datasets)
        return [
            self._cell(dataset, kind or self.kind_of(dataset), number, method)
            for number in range(replicates)
            for dataset in dict.fromkeys(self.datasets if datasets is None else datasets)
            if number < self._replicates_of(dataset, replicates)
            and self._split_of(number) < available.get(dataset, 0)
            for method in dict.fromkeys(self.runnable if methods is None else methods)
        ]

    def _cell(self, dataset: str, kind: str, number: int, method: str) -> Cell:
        seed = number if self.trials or kind == "folds" else 0
        return Cell(self.datasets[dataset], kind, self._split_of(number), method, seed)

    def _split_of(self, replicate: int) -> int:
        return 0 if self.trials else replicate

    def _replicates_of(self, dataset: str, replicates: int) -> int:
        """How many replicates of a data set are run when ``replicates`` are asked for."""
        return (replicates + 1) // 2 if dataset in self.fewer else replicates

    def splits_of(self, dataset: str, replicates: int) -> int:
        """How many splits of a data set are run when ``replicates`` are asked for."""
        return self._split_of(self._replicates_of(dataset, replicates) - 1) + 1

    def check(
        self,
        replicates: int,
        methods: Sequence[str] | None = None,
        datasets: Sequence[str] | None = None,
    ) -> None:
        """Raise a ValueError for what the table cannot run."""
        if replicates < 1:
            raise ValueError(f"--replicates {replicates}: use 1 or more")
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

    The spread is the standard error of the mean; or the standard deviation over the paper's
    ``replicates`` of the data set, ``sqrt(replicates)`` times as much; or None, and not there.
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
