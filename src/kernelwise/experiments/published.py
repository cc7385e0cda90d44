"""A table of a paper: its methods, data, protocol and printed figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from kernelwise.experiments.cells import Cell
from kernelwise.experiments.methods import METHODS


@dataclass(frozen=True)
class Printed:
    """A mean error in percent over replicates and its standard error, as a paper prints them."""

    mean: float
    standard_error: float
    replicates: int


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
    cpu_minutes : of one replicate of everything on one core, measured; ``fewer`` count half
    box_methods, box_datasets : methods whose learnt kernel parameters are drawn as box plots, for
        each of these data sets, or one parameter for all data sets
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
    box_methods: tuple[str, ...] = ()
    box_datasets: tuple[str, ...] = ()
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
        self.check(replicates, methods, datasets)
        return [
            Cell(self.datasets[dataset], f"{kind}/{number}", method)
            for number in range(replicates)
            for dataset in dict.fromkeys(self.datasets if datasets is None else datasets)
            if number < min(self.replicates_of(dataset, replicates), available.get(dataset, 0))
            for method in dict.fromkeys(self.runnable if methods is None else methods)
        ]

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

    def replicates_of(self, dataset: str, replicates: int) -> int:
        """How many splits of a data set are run when ``replicates`` are asked for."""
        return (replicates + 1) // 2 if dataset in self.fewer else replicates


def printed_errors(
    text: str, columns: Sequence[str], replicates: Mapping[str, int], deviations: bool = False
) -> dict[str, dict[str, Printed]]:
    """Read lines of a data set's name (words joined by "_"), then mean and spread per column.

    The spread is the standard error of the mean, or with ``deviations`` the standard deviation
    over the paper's ``replicates`` of the data set, ``sqrt(replicates)`` times as much.
    """
    found = {}
    for line in text.strip().splitlines():
        name, *numbers = line.split()
        count = replicates[name]
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        found[name] = {
            column: Printed(float(mean), float(spread) / (sqrt(count) if deviations else 1), count)
            for column, (mean, spread) in zip(columns, pairs, strict=True)
        }
    return found
