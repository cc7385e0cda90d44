"""How a paper's replicates are made: which splits, how many, and with which seeds."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Protocol:
    """What a replicate of a paper table is.

    Attributes
    ----------
    kind : of the splits that come nearest to the paper's
    other_kinds : data sets whose nearest splits are of another kind, and that kind
    trials : replicates are searches on the first split alone, which differ by their seeds; they are
        shown with their standard deviation, not with the standard error of the mean
    fewer : data sets that get half as many replicates, since each costs much
    """

    kind: str
    other_kinds: Mapping[str, str] = field(default_factory=dict)
    trials: bool = False
    fewer: tuple[str, ...] = ()

    @property
    def unit(self) -> str:
        """What the replicates are, in words."""
        return "trials" if self.trials else "splits"

    @property
    def spread(self) -> str:
        """What follows a mean and the sign ±, in words."""
        return "standard deviation" if self.trials else "standard error"

    def check(self, replicates: int) -> None:
        """Raise a ValueError for a number of replicates that cannot be run."""
        if replicates < 1:
            raise ValueError(f"use 1 or more replicates, not {replicates}")

    def kind_of(self, dataset: str) -> str:
        """Which splits of a data set come nearest to the paper's."""
        return self.other_kinds.get(dataset, self.kind)

    def split_and_seed(self, replicate: int, kind: str) -> tuple[int, int]:
        """The number of a replicate's split, and its seed.

        Trials and folds are seeded by their number: a search that begins at random begins elsewhere
        in each.
        """
        seed = replicate if self.trials or kind == "folds" else 0
        return (0 if self.trials else replicate), seed

    def replicates_of(self, dataset: str, replicates: int) -> int:
        """How many replicates of a data set are run when ``replicates`` are asked for."""
        return (replicates + 1) // 2 if dataset in self.fewer else replicates

    def splits_of(self, dataset: str, replicates: int) -> int:
        """How many splits of a data set are run when ``replicates`` are asked for."""
        return 1 if self.trials else self.replicates_of(dataset, replicates)
