"""A method: a name for a way to make estimators."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sklearn import config_context
from sklearn.base import BaseEstimator

from kernelwise.runs.cells import Skipped

Maker = Callable[[int], BaseEstimator]
# scikit-learn takes seeds below this.
SEEDS = 2**32


@dataclass(frozen=True)
class Method:
    """A named way to make an unfitted estimator for a number of columns, with a maker per task.

    ``regressor`` is None for methods of classes only. ``most_rows`` is the largest training set it
    is tried on. A ``categorical`` method takes the columns named in ``categorical_features`` as
    they are; others get one column per level. ``ours``: an estimator of kernelwise takes part.
    """

    name: str
    summary: str
    classifier: Maker
    regressor: Maker | None
    most_rows: int | None = None
    categorical: bool = False
    ours: bool = True

    def estimator(
        self, task: str, n_features: int, seed: int, kernels: Any = None
    ) -> BaseEstimator:
        """An unfitted estimator, every random choice in it seeded.

        Parameters
        ----------
        task, n_features : "classification" or "regression", and the number of columns
        seed : of every ``random_state``
        kernels : those of the data set, instead of the method's own; None: its own
        """
        maker = self.classifier if task == "classification" else self.regressor
        if maker is None:
            raise ValueError(f"{self.name} learns classes, not quantities")
        made = maker(n_features)
        if kernels is not None:
            if "kernels" not in made.get_params(deep=False):
                raise ValueError(f"{self.name} takes a table of columns, not kernels")
            made.set_params(kernels=kernels)
        seeded = [name for name in made.get_params() if name.split("__")[-1] == "random_state"]
        return made.set_params(**dict.fromkeys(seeded, seed % SEEDS))

    def learns(self, task: str) -> bool:
        return task == "classification" or self.regressor is not None

    def why_missing(self) -> str:
        """Which package it needs that is not installed, and what installs it; or nothing."""
        try:
            self.classifier(1)
        except ImportError as error:
            return f"{self.name}: {error}"
        return ""

    def definition(self, task: str, n_features: int, kernels: Any = None) -> str:
        """The estimator behind the name: with all parameters if ours, whose defaults may change;
        else with those that differ from scikit-learn's defaults.
        """
        made = self.estimator(task, n_features, seed=0, kernels=kernels)
        with config_context(print_changed_only=not self.ours):
            return " ".join(made.__repr__(N_CHAR_MAX=10_000).split())

    def check_rows(self, rows: int) -> None:
        """Raise Skipped for more training rows than the method is tried on."""
        if self.most_rows is not None and rows > self.most_rows:
            raise Skipped(f"{self.name} is tried on up to {self.most_rows} rows, not {rows}")
