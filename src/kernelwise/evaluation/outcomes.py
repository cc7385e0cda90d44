"""The outcome of a statistical test, in numbers and in words."""

from dataclasses import dataclass

# The chance of a false alarm at which a difference counts, unless a paper uses another.
ALPHA = 0.05


@dataclass(frozen=True)
class Outcome:
    """The outcome of a test of ``methods``; some tests have no degrees of freedom."""

    methods: tuple[str, ...]
    statistic: float
    degrees_of_freedom: tuple[float, ...]
    p_value: float
    sentence: str


def check_alpha(alpha: float) -> None:
    """Refuse an ``alpha`` that is not a probability."""
    if not 0 < alpha < 1:
        raise ValueError(
            f"alpha, the chance of a false alarm, must be between 0 and 1, not {alpha}"
        )


def about_all(details: str, p: float, alpha: float) -> str:
    """The sentence of a test of all methods at once."""
    finding = "The methods differ" if p <= alpha else "No evidence that the methods differ"
    return f"{finding} ({details}, {_in_words(p)})."


def about_pair(better: str, worse: str, details: str, p: float, differ: bool) -> str:
    """The sentence of a test of two methods.

    Parameters
    ----------
    better, worse : the methods
    details, p : the statistic in words, and its p-value
    differ : whether the difference is significant
    """
    finding = f"{better} is better than {worse}"
    if not differ:
        finding = f"No evidence that {better} and {worse} differ"
    return f"{finding} ({details}, {_in_words(p)})."


def _in_words(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
