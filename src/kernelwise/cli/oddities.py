"""What is unusual about rows to predict, counted over all pieces of a table."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kernelwise.data.checks import MOST_LINES, Check, listed
from kernelwise.data.pipeline import final_step
from kernelwise.data.texts import category_text
from kernelwise.persistence import ModelMetadata

if TYPE_CHECKING:
    from pandas import DataFrame

GUESSES = "predictions there are guesses"
TRIVIAL = {"classification": "most frequent class", "regression": "mean"}


@dataclass
class Oddities:
    """Counts of numbers beyond what a model has seen, and of categories that are new to it.

    Attributes
    ----------
    model, metadata : the fitted estimator or pipeline, and what its file says
    rows : looked at so far
    new, examples : rows with new categories, by column, and one of these categories
    beyond : rows with numbers beyond those of the fit, by column
    read : what reading the pieces found, once each
    """

    model: Any
    metadata: ModelMetadata
    rows: int = 0
    new: dict[str, int] = field(default_factory=dict)
    examples: dict[str, Any] = field(default_factory=dict)
    beyond: dict[str, int] = field(default_factory=dict)
    read: dict[str, Check] = field(default_factory=dict)

    def add(self, features: "DataFrame", checks: Iterable[Check]) -> None:
        """Count the rows of a piece; ``checks`` are those of reading it."""
        self.rows += len(features)
        self.read = {check.code + check.text.partition(":")[0]: check for check in checks} | (
            self.read
        )
        self._count_new(features)
        for name, low in self.metadata.lowest.items():
            if name in features.columns and name in self.metadata.highest:
                high = self.metadata.highest[name]
                outside = int(((features[name] < low) | (features[name] > high)).sum())
                self.beyond[name] = self.beyond.get(name, 0) + outside

    def _count_new(self, features: "DataFrame") -> None:
        for name, levels in _levels(self.model).items():
            series = features[name]
            new = ~series.isin(levels) & series.notna()
            if new.any():
                self.new[name] = self.new.get(name, 0) + int(new.sum())
                self.examples.setdefault(name, series[new].iloc[0])

    def checks(self) -> list[Check]:
        """All of it in words: the model, reading, new categories, columns of numbers."""
        found = [*self._about_the_model(), *self.read.values()]
        for name, number in self.new.items():
            said = f"column '{name}': {number} of {self.rows} rows have categories that the model "
            said += f"has not seen, such as '{self.examples[name]}'"
            found.append(Check("KW502", said, "they count as different from all others"))
        return found + self._about_numbers()

    def _about_the_model(self) -> list[Check]:
        if not getattr(final_step(self.model), "_is_trivial", False):
            return []
        trivial = f"always answering the {TRIVIAL[self.metadata.task]}"
        said = f"this model is no better than {trivial}"
        return [Check("KW503", said, "do not rely on its predictions")]

    def _about_numbers(self) -> list[Check]:
        """A check for each column with numbers beyond, or one for all if these are many."""
        beyond = {name: number for name, number in self.beyond.items() if number}
        if len(beyond) > MOST_LINES:
            said = f"{len(beyond)} columns have rows outside what the model has seen: "
            said += f"{listed(beyond)} (up to {max(beyond.values())} of {self.rows} rows in one)"
            return [Check("KW501", said, GUESSES)]
        found = []
        for name, number in beyond.items():
            low, high = self.metadata.lowest[name], self.metadata.highest[name]
            said = f"column '{name}': {number} of {self.rows} rows are outside what the model "
            said += f"has seen, {low:.6g} to {high:.6g}"
            found.append(Check("KW501", said, GUESSES))
        return found


def in_own_terms(features: "DataFrame", model: Any) -> "DataFrame":
    """Columns in the order of the fit, and categories as the values they were there.

    A model from Python may know True and 1 where a table has texts.
    """
    names = list(getattr(model, "feature_names_in_", features.columns))
    if set(names) == set(features.columns):
        features = features[names]
    for name, levels in _levels(model).items():
        if name in features.columns:
            own = {category_text(level): level for level in levels}
            column = features[name].map(lambda text, own=own: own.get(text, text))
            features = features.assign(**{name: column})
    return features


def _levels(model: Any) -> dict[str, Any]:
    """The categories that a model has seen, by column."""
    final = final_step(model)
    names = list(getattr(final, "feature_names_in_", ()))
    levels = getattr(final.columns_, "levels", {})
    return {names[index]: found for index, found in levels.items() if index < len(names)}
