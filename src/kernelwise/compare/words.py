"""A comparison of methods on one table in words, claiming no more certainty than it has."""

import math

from kernelwise.compare.comparison import (
    WORTHWHILE_SECONDS,
    MethodComparison,
    MethodSummary,
    saved_seconds,
)
from kernelwise.evaluation import ALPHA, ErrorInterval
from kernelwise.methods import METHODS

# An interval wider than this share of the trivial predictor's error is called wide.
WIDE = 0.25
# With fewer splits than this, no difference can be told from luck.
FEWEST_SPLITS = 5
FEW = {2: "two", 3: "three", 4: "four"}
TRIVIAL = {"classification": "most frequent class", "regression": "mean"}


def in_words(comparison: MethodComparison) -> list[str]:
    """What was found and what to use, in sentences."""
    if not comparison.compared:
        return ["No method finished every split, so none can be compared: see the notes."]
    return [
        _about_the_best(comparison),
        *_about_the_others(comparison),
        _about_the_trivial(comparison),
        recommendation(comparison),
        *_about_certainty(comparison),
    ]


def names_in_words(comparison: MethodComparison) -> list[str]:
    """A line for each method: its name, and what it is."""
    names = [summary.method for summary in (*comparison.compared, *comparison.incomplete)]
    width = max(map(len, names))
    return [f"{name:{width}}  {METHODS[name].summary}" for name in names]


def number_text(value: float, comparison: MethodComparison) -> str:
    """Percentages with two decimals; quantities with as many as give the baseline four digits."""
    if comparison.task == "classification":
        return f"{value:z.2f}"
    if not 1e-3 < comparison.baseline < 1e9:
        return f"{value:.3e}"
    return f"{value:z.{max(0, 3 - math.floor(math.log10(comparison.baseline)))}f}"


def interval_text(interval: ErrorInterval, comparison: MethodComparison) -> str:
    """Both ends of an interval."""
    lower, upper = (number_text(end, comparison) for end in (interval.lower, interval.upper))
    return f"{lower} to {upper}"


def _error(value: float, comparison: MethodComparison) -> str:
    return number_text(value, comparison) + (" %" if comparison.task == "classification" else "")


def difference_text(value: float, comparison: MethodComparison) -> str:
    """A difference of errors with its unit."""
    unit = " points" if comparison.task == "classification" else ""
    return number_text(value, comparison) + unit


def _about_the_best(comparison: MethodComparison) -> str:
    best, count = comparison.compared[0], len(comparison.compared)
    assert best.error is not None  # a compared method has all splits
    interval = f"{100 * best.error.level:g} % interval {interval_text(best.error, comparison)}"
    sentence = f"Lowest error: {best.method}, {_error(best.error.value, comparison)} ({interval})"
    if count > 1:
        sentence += f"; picked as the lowest of {count}, so expect a little more on new rows"
    if _is_ours(best):
        return f"{sentence}. It is one of kernelwise's own methods."
    sentence += f". It is not one of kernelwise's own methods ({METHODS[best.method].summary})"
    ours = next(filter(_is_ours, comparison.compared), None)
    if ours is None or ours.difference is None:
        return f"{sentence}."
    behind = difference_text(ours.difference.value, comparison)
    return f"{sentence}; the best of these is {ours.method}, {behind} behind."


def _is_ours(summary: MethodSummary) -> bool:
    return METHODS[summary.method].ours


def _about_the_others(comparison: MethodComparison) -> list[str]:
    others, sentences = comparison.compared[1:], []
    worse = [summary.method for summary in others if summary.differs]
    reach = {s.method: s.difference.upper for s in others if s.difference and not s.differs}
    comparisons = f"{len(others)} comparison{'s' if len(others) > 1 else ''}"
    details = f"at {100 * ALPHA:g} %, corrected for {comparisons} and for rows that splits share"
    if worse:
        sentences.append(f"Worse than it: {', '.join(worse)} ({details}).")
    if reach:
        tested = "" if worse else f" ({details})"
        alike = f"Not significantly different from it: {', '.join(reach)}{tested}."
        last = max(reach, key=lambda method: reach[method])
        if reach[last] > 0:
            behind = difference_text(reach[last], comparison)
            alike += f" That does not make them equal: {last} may be up to {behind} behind."
        sentences.append(alike)
    if comparison.incomplete:
        names = ", ".join(summary.method for summary in comparison.incomplete)
        sentences.append(f"Not compared, because splits are missing: {names} (see the notes).")
    return sentences


def _about_the_trivial(comparison: MethodComparison) -> str:
    named = TRIVIAL[comparison.task]
    trivial = f"always predicting the {named} ({_error(comparison.baseline, comparison)})"
    failing = [summary.method for summary in comparison.compared if not summary.beats_trivial]
    if not failing:
        return f"All are better than {trivial}."
    if len(failing) == len(comparison.compared):
        return f"No method is significantly better than {trivial}."
    return f"Not significantly better than {trivial}: {', '.join(failing)}."


def recommendation(comparison: MethodComparison) -> str:
    """Which of the compared methods to use, of which there is at least one."""
    best, chosen = comparison.compared[0], comparison.recommended
    if chosen is None and comparison.splits < FEWEST_SPLITS:
        count = FEW[comparison.splits]
        return f"Recommendation: none of them yet; {count} splits are too few to tell."
    if chosen is None:
        return (
            "Recommendation: none of them. The columns say nothing about the target, or there are "
            "too few rows to show it."
        )
    if len(comparison.compared) == 1:
        return f"Recommendation: {chosen.method}, the only one compared; name others to compare."
    if chosen is best:
        said = f"Recommendation: {best.method}"
        if (best.cpu_seconds or 0.0) < WORTHWHILE_SECONDS:
            return f"{said}."
        return f"{said}; nothing as good (within one standard error) saves a minute per fit."
    assert chosen.difference is not None  # it is not the best
    behind = difference_text(chosen.difference.value, comparison)
    return (
        f"Recommendation: {chosen.method}; it does not differ significantly from {best.method} "
        f"({behind} behind, within one standard error) and saves "
        f"{saved_seconds(chosen, best) / 60:.0f} min of CPU per fit."
    )


def _about_certainty(comparison: MethodComparison) -> list[str]:
    best, sentences = comparison.compared[0], []
    assert best.error is not None
    constant = [s.method for s in comparison.compared if s.error and s.error.standard_error == 0]
    if constant:
        sentences.append(
            f"The error is the same on all splits, so its interval means nothing: "
            f"{', '.join(constant)}."
        )
    if best.error.upper == 0 and comparison.task == "classification":
        # The rule of three: Hanley & Lippman-Hand (1983), JAMA 249.
        most = _error(100 * 3 / comparison.rows, comparison)
        sentences.append(
            f"No error in {comparison.rows} rows only rules out a true error above about {most}."
        )
    if best.error.upper - best.error.lower > WIDE * comparison.baseline:
        reason = (
            f"{FEW[comparison.splits]} splits are few. More repeats would narrow it."
            if comparison.splits < FEWEST_SPLITS
            else f"{comparison.rows} rows are few. More repeats would narrow it somewhat, more "
            "rows more."
        )
        sentences.append(
            f"The interval of {best.method} is wide, more than {100 * WIDE:g} % of the trivial "
            f"error: {reason}"
        )
    return sentences
