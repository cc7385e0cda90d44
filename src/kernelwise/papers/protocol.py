"""How a paper's replicates are made: which splits, how many, and with which seeds."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Protocol:
    """What a replicate of a paper table is.

    Attributes
    ----------
    kind : the kind of splits that is nearest to the paper's
    other_kinds : another kind for the data sets where that is nearer
    trials : replicates are searches on the first split alone that differ in their seeds; they are
        shown with their standard deviation, not with the standard error of the mean
    fewer : costly data sets, which get half as many replicates
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
        """The kind of a data set's splits that is nearest to the paper's."""
        return self.other_kinds.get(dataset, self.kind)

    def split_and_seed(self, replicate: int, kind: str) -> tuple[int, int]:
        """The number of a replicate's split, and its seed.

        Trials and folds are seeded by their number, so that random starts differ.
        """
        seed = replicate if self.trials or kind == "folds" else 0
        return (0 if self.trials else replicate), seed

    def replicates_of(self, dataset: str, replicates: int) -> int:
        """How many replicates of a data set are run when ``replicates`` are asked for."""
        return (replicates + 1) // 2 if dataset in self.fewer else replicates

    def splits_of(self, dataset: str, replicates: int) -> int:
        """How many splits of a data set are run when ``replicates`` are asked for."""
        return 1 if self.trials else self.replicates_of(dataset, replicates)
