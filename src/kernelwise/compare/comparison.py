"""A comparison of methods on the splits of one table: their errors, and which differ."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy.stats import t as student

from kernelwise.evaluation import (
    ALPHA,
    ErrorInterval,
    FoldRecord,
    corrected_resampled_interval,
    holm_adjusted,
    mean_ranks,
)
from kernelwise.runs.cells import Cell, CellResult
from kernelwise.runs.problems import problems_in_words

Judge = Callable[[np.ndarray], ErrorInterval]
Split = tuple[str, int]
# A method that is as good as the best is recommended in its place if each fit costs at least this
# many seconds of CPU less: errors are never traded for fractions of a second.
WORTHWHILE_SECONDS = 60.0
# Equal differences of errors, such as 0.3 - 0.2 and 0.2 - 0.1, agree to about this.
ROUNDING = 1e-12


@dataclass(frozen=True)
class MethodSummary:
    """One method on one table; errors in percent of rows, or in units of the target.

    Attributes
    ----------
    finished, asked : splits with an error, and all; a method that lacks some met other splits than
        the rest and is not compared
    error : mean over splits with its corrected resampled interval, cut off at 0; None for fewer
        than two
    difference : error minus that of the best method on the same splits, with the same kind of
        interval; None for the best itself
    p_value : that of ``difference``, adjusted by Holm's step-down for all methods
    beats_trivial : significantly better than the trivial predictor, adjusted in the same way
    rank : mean rank over splits; these share rows, so it is not tested
    cpu_seconds : median of a fit
    inner_error : mean of what the method's own selection claimed; None if it claims nothing
    optimism : error minus that claim on the same splits, with its interval
    """

    method: str
    finished: int
    asked: int
    error: ErrorInterval | None = None
    difference: ErrorInterval | None = None
    p_value: float | None = None
    beats_trivial: bool = False
    rank: float | None = None
    cpu_seconds: float | None = None
    inner_error: float | None = None
    optimism: ErrorInterval | None = None

    @property
    def differs(self) -> bool:
        """Whether it is significantly worse than the best method."""
        return self.p_value is not None and self.p_value <= ALPHA


@dataclass(frozen=True)
class MethodComparison:
    """What the splits of one table say about the methods tried on it.

    Attributes
    ----------
    task : "classification": errors in percent; "regression": root mean squared errors
    rows, splits : how many rows the table has, and how often it was split
    compared : the methods with all splits, the lowest mean error first; ties by cost
    incomplete : the others
    baseline : mean error of the most frequent class, or of the mean, of the training rows
    recommended : the best, or one that is as good and saves minutes; None if the best is not
        significantly better than the trivial predictor
    problems : failures, skipped fits and warnings, in words
    """

    task: str
    rows: int
    splits: int
    compared: tuple[MethodSummary, ...]
    incomplete: tuple[MethodSummary, ...]
    baseline: float
    recommended: MethodSummary | None
    problems: tuple[str, ...]


def compare_methods(results: Iterable[CellResult], task: str) -> MethodComparison:
    """Compare methods by their results on the splits of one table.

    Differences from the best method are judged by the corrected resampled t statistic (mean over
    ``standard_error`` of `corrected_resampled_interval`, with its degrees of freedom); the p-values
    are adjusted by Holm's step-down. Being the best of several is partly luck: its error is a
    little too low, and the differences from it are a little too large.

    The best method is recommended, unless others are as good (no significant difference, and at
    most one standard error of it behind) and save at least a minute of CPU per fit: then the
    cheapest of these. None is, if the best is not significantly better than the trivial predictor.

    References
    ----------
    Nadeau & Bengio (2003), Machine Learning 52. Holm (1979), Scandinavian Journal of Statistics
    6(2). One standard error: Breiman et al. (1984), Classification and Regression Trees.
    """
    results = list(results)
    tables = {result.cell.dataset for result in results}
    if len(tables) != 1:
        raise ValueError(f"results of one table are needed, not of {len(tables)}")
    done = {r.cell: r.record for r in results if r.record and np.isfinite(r.record.error)}
    splits = sorted({_split(result.cell) for result in results})
    if len({_split(cell) for cell in done}) < 2:
        reasons = "; ".join(problems_in_words(results)) or "there is one split only"
        raise ValueError(f"no two splits have results: {reasons}")
    scale = 100.0 if task == "classification" else 1.0
    errors, claims, baselines, seconds = (
        {
            method: _over_splits(done, method, splits, name) * (1 if "seconds" in name else scale)
            for method in dict.fromkeys(result.cell.method for result in results)
        }
        for name in ("error", "inner_error", "baseline", "cpu_seconds")
    )
    n_train = float(np.mean([record.n_train for record in done.values()]))
    n_test = float(np.mean([record.n_test for record in done.values()]))
    judge = partial(corrected_resampled_interval, n_train=n_train, n_test=n_test)
    alone = {m: _alone(m, errors[m], claims[m], seconds[m], judge) for m in errors}
    complete = {m: values for m, values in errors.items() if not np.isnan(values).any()}
    # The trivial predictor sees only targets, so its error is the same beside every method.
    trivial = next(iter(baselines[m] for m in complete), np.concatenate([*baselines.values()]))
    # If all splits show the same difference of shares, take it to vary by one test row.
    one_row = 100 / n_test if task == "classification" else 0.0
    compared = _compared(
        alone, complete, trivial, judge, one_row * _error_of_unit(len(splits), judge)
    )
    return MethodComparison(
        task=task,
        rows=round(n_train + n_test),
        splits=len(splits),
        compared=compared,
        incomplete=tuple(alone[method] for method in errors if method not in complete),
        baseline=float(np.nanmean(trivial)),
        recommended=_recommended(compared),
        problems=(*problems_in_words(results), *_oddities(results)),
    )


def _split(cell: Cell) -> Split:
    return cell.split, cell.number


def _error_of_unit(count: int, judge: Judge) -> float:
    """The standard error of a mean over ``count`` splits whose standard deviation is 1."""
    steps = np.arange(count, dtype=float)
    return judge(steps / steps.std(ddof=1)).standard_error


def _over_splits(
    done: Mapping[Cell, FoldRecord], method: str, splits: Sequence[Split], name: str
) -> np.ndarray:
    """One number per fit of a method, in the order of ``splits``; NaN where unknown."""
    found = {_split(cell): getattr(done[cell], name) for cell in done if cell.method == method}
    return np.array([found.get(split) for split in splits], dtype=float)


def _alone(
    method: str, errors: np.ndarray, claims: np.ndarray, seconds: np.ndarray, judge: Judge
) -> MethodSummary:
    """The summary of one method without the others.

    Parameters
    ----------
    method : its name
    errors, claims, seconds : over the splits, NaN where unknown; claims are the inner errors
    judge : makes an interval of numbers over splits
    """
    known = ~np.isnan(errors)
    summary = MethodSummary(method, finished=int(known.sum()), asked=len(known))
    if known.sum() < 2:
        return summary
    error = judge(errors[known])
    summary = replace(
        summary,
        error=replace(error, lower=max(error.lower, 0.0)),
        cpu_seconds=float(np.median(seconds[known])),
    )
    if np.isnan(claims[known]).any():
        return summary
    optimism = judge(errors[known] - claims[known])
    return replace(summary, inner_error=float(claims[known].mean()), optimism=optimism)


def _compared(
    alone: Mapping[str, MethodSummary],
    errors: Mapping[str, np.ndarray],
    trivial: np.ndarray,
    judge: Judge,
    least: float,
) -> tuple[MethodSummary, ...]:
    """The methods of ``errors``, best first, with their differences from the best.

    Parameters
    ----------
    alone : the summary of each method by itself
    errors, trivial : over the splits, of each complete method and of the trivial predictor
    judge : makes an interval of numbers over splits
    least : the standard error of differences that are all the same
    """
    # Ties are broken by cost.
    order = sorted(errors, key=lambda m: (float(errors[m].mean()), alone[m].cpu_seconds))
    ranks = mean_ranks(errors) if len(errors) > 1 else None
    behind = {method: judge(errors[method] - errors[order[0]]) for method in order[1:]}
    gains = {method: judge(errors[method] - trivial) for method in order}
    p_values, p_trivial = _adjusted(behind, least), _adjusted(gains, least)
    return tuple(
        replace(
            alone[method],
            difference=behind.get(method),
            p_value=p_values.get(method),
            beats_trivial=p_trivial[method] <= ALPHA and gains[method].value < 0,
            rank=None if ranks is None else ranks.of(method),
        )
        for method in order
    )


def _adjusted(differences: Mapping[str, ErrorInterval], least: float) -> dict[str, float]:
    """Holm-adjusted p-values of mean differences, by method."""
    raw = [corrected_p_value(found, least) for found in differences.values()]
    return dict(zip(differences, map(float, holm_adjusted(raw)), strict=True))


def corrected_p_value(difference: ErrorInterval, least: float = 0.0) -> float:
    """Two-sided p-value of a mean difference over splits that share rows.

    It is Student's, for the corrected resampled t statistic. If all differences are the same (up
    to rounding), their spread says nothing, and ``least`` replaces the standard error.
    """
    error = difference.standard_error
    if error <= ROUNDING * abs(difference.value):
        error = least
    if error == 0:
        return float(difference.value == 0)
    return float(2 * student.sf(abs(difference.value) / error, difference.degrees_of_freedom))


def _recommended(compared: Sequence[MethodSummary]) -> MethodSummary | None:
    """The recommended method, by the rule of `compare_methods`."""
    if not compared or not compared[0].beats_trivial:
        return None
    best = compared[0]
    as_good = filter(is_as_good, compared[1:])
    cheaper = [s for s in as_good if saved_seconds(s, best) >= WORTHWHILE_SECONDS]
    return min(cheaper, key=lambda summary: summary.cpu_seconds or 0.0, default=best)


def is_as_good(summary: MethodSummary) -> bool:
    """Whether it beats trivial and is behind insignificantly, by one standard error at most."""
    difference = summary.difference
    near = difference is not None and difference.value <= difference.standard_error
    return near and not summary.differs and summary.beats_trivial


def saved_seconds(summary: MethodSummary, other: MethodSummary) -> float:
    """The CPU time of a fit of ``other`` minus that of ``summary``."""
    return (other.cpu_seconds or 0.0) - (summary.cpu_seconds or 0.0)


def _oddities(results: Iterable[CellResult]) -> list[str]:
    """Methods whose finished fits warned or gave no number, each once with an example."""
    examples: dict[str, str] = {}
    counts = Counter[str]()
    for result in results:
        if result.record is None:
            continue
        is_number = np.isfinite(result.record.error)
        if result.message or not is_number:
            odd = "warned" if is_number else "gave an error that is not a number"
            counts[key := f"{result.cell.method} {odd}"] += 1
            examples.setdefault(key, result.message.partition("\n")[0])
    return [
        f"{key} in {count} fit{'s' if count > 1 else ''}"
        + (f", such as: {examples[key]}" if examples[key] else "")
        for key, count in counts.items()
    ]
