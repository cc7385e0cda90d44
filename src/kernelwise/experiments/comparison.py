"""Our results beside a paper's printed ones."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.stats import t as student

from kernelwise.evaluation import (
    MeanRanks,
    Nemenyi,
    holm_adjusted,
    iman_davenport,
    mean_ranks,
    nemenyi,
)
from kernelwise.experiments.cells import DONE, CellResult
from kernelwise.experiments.published import Printed, PublishedTable

# A difference is marked at this chance of a false alarm, alone and for the table as a whole.
ALPHA = 0.05
# The papers' tests of mean ranks are at this level.
RANK_ALPHA = 0.1
MOST_LISTED = 5
SPLITS = {
    "published": "published splits",
    "generated": "generated splits of the paper's sizes (not the published ones)",
    "random": "random splits (not the paper's)",
}


@dataclass(frozen=True)
class Entry:
    """One data set and method: the mean error in percent over replicates beside the printed one.

    ``standard_error`` is that of the mean over replicates (0 replicates: not run; NaN for one).
    ``p_value`` is Welch's, of the difference of the two means, as if splits were independent; NaN
    where ours has no spread to judge by. ``mark`` is "*" for a difference at 5 %, "**" if it stays
    so after Holm's correction for all differences of the table.
    """

    dataset: str
    method: str
    errors: tuple[float, ...]
    cpu_seconds: float
    printed: Printed | None
    p_value: float = float("nan")
    mark: str = ""

    @property
    def mean(self) -> float:
        return float(np.mean(self.errors)) if self.errors else float("nan")

    @property
    def standard_error(self) -> float:
        count = len(self.errors)
        return float(np.std(self.errors, ddof=1) / np.sqrt(count)) if count > 1 else float("nan")


@dataclass(frozen=True)
class TableComparison:
    """A published table run again.

    Attributes
    ----------
    entries : by data set and method
    methods : the paper's columns, then the companions that were run
    ranks, paper_ranks : mean ranks of the paper's methods that were run, ours and the printed ones,
        over the same data sets
    all_ranks : mean ranks of all methods that finished every data set
    splits : which splits were used, in words
    problems : failures, skipped cells and means over fewer splits than others, in words
    """

    table: PublishedTable
    entries: Mapping[tuple[str, str], Entry]
    methods: tuple[str, ...]
    datasets: tuple[str, ...]
    ranks: MeanRanks | None
    paper_ranks: MeanRanks | None
    all_ranks: MeanRanks | None
    splits: str
    problems: tuple[str, ...]

    def sentences(self) -> list[str]:
        """What the comparison found, in words."""
        found = [_differences_in_words(list(self.entries.values()))]
        if self.ranks is not None:
            found.append("The paper's methods: " + iman_davenport(self.ranks, RANK_ALPHA).sentence)
        if self.all_ranks is not None and self.all_ranks != self.ranks:
            count = len(self.all_ranks.methods)
            test = iman_davenport(self.all_ranks, RANK_ALPHA).sentence
            found.append(f"The {count} methods that finished every data set: {test}")
            found.append(_order_in_words(self.all_ranks))
        return found


def compare_with_paper(table: PublishedTable, results: Iterable[CellResult]) -> TableComparison:
    """Set the results of a table's cells beside its printed figures; other cells are left out."""
    name_of = {stored: name for name, stored in table.datasets.items()}
    by_entry: dict[tuple[str, str], list[CellResult]] = defaultdict(list)
    for result in results:
        if result.cell.dataset in name_of and result.cell.method in table.runnable:
            by_entry[name_of[result.cell.dataset], result.cell.method].append(result)
    if not by_entry:
        raise ValueError(f"there are no results of {table.name}")
    datasets = tuple(name for name in table.datasets if any(key[0] == name for key in by_entry))
    ran = [name for name in table.runnable if any(key[1] == name for key in by_entry)]
    methods = (*table.columns, *(name for name in ran if name not in table.columns))
    entries = _marked(
        {
            (dataset, method): _entry(
                dataset,
                method,
                [found for found in by_entry.get((dataset, method), ()) if found.status == DONE],
                table.printed.get(dataset, {}).get(method),
            )
            for dataset in datasets
            for method in methods
        }
    )
    errors = {key: entry.mean for key, entry in entries.items()}
    printed = {key: entry.printed.mean for key, entry in entries.items() if entry.printed}
    columns = [name for name in table.columns if name in ran]
    ranks = _ranks(errors, datasets, columns)
    mine = [result for found in by_entry.values() for result in found]
    return TableComparison(
        table=table,
        entries=entries,
        methods=methods,
        datasets=datasets,
        ranks=ranks,
        paper_ranks=None if ranks is None else _ranks(printed, datasets, ranks.methods),
        all_ranks=_ranks(errors, datasets, ran),
        splits=_splits_in_words(mine, name_of),
        problems=(*problems_in_words(mine), *_uneven(entries, datasets)),
    )


def _entry(dataset: str, method: str, done: list[CellResult], printed: Printed | None) -> Entry:
    errors = tuple(100 * result.error for result in done if result.error is not None)
    cpu = [result.cpu_seconds for result in done if result.cpu_seconds is not None]
    entry = Entry(
        dataset,
        method,
        errors,
        cpu_seconds=float(np.median(cpu)) if cpu else float("nan"),
        printed=printed,
    )
    return entry if printed is None else replace(entry, p_value=_welch(entry, printed))


def _welch(entry: Entry, printed: Printed) -> float:
    """Two-sided p-value of the difference ``d`` of the means, from their standard errors.

    ``t = d / sqrt(s^2 + S^2)`` has ``(s^2 + S^2)^2 / (s^4 / (n - 1) + S^4 / (N - 1))`` degrees of
    freedom. NaN for ``s = 0``: few replicates that agree by chance are no evidence.

    References
    ----------
    Welch (1947), Biometrika 34.
    """
    if len(set(entry.errors)) < 2:
        return float("nan")
    mine, theirs = entry.standard_error**2, printed.standard_error**2
    spread = mine**2 / (len(entry.errors) - 1) + theirs**2 / (printed.replicates - 1)
    statistic = abs(entry.mean - printed.mean) / np.sqrt(mine + theirs)
    return float(2 * student.sf(statistic, (mine + theirs) ** 2 / spread))


def _marked(entries: dict[tuple[str, str], Entry]) -> dict[tuple[str, str], Entry]:
    keys = [key for key, entry in entries.items() if not np.isnan(entry.p_value)]
    adjusted = holm_adjusted([entries[key].p_value for key in keys])
    marked = dict(entries)
    for key, corrected in zip(keys, adjusted, strict=True):
        stars = "**" if corrected <= ALPHA else "*" if entries[key].p_value <= ALPHA else ""
        marked[key] = replace(entries[key], mark=stars)
    return marked


def _ranks(
    errors: Mapping[tuple[str, str], float], datasets: Sequence[str], methods: Sequence[str]
) -> MeanRanks | None:
    """Mean ranks of the methods that have an error on every data set, where that makes sense."""
    table = {
        method: [errors.get((dataset, method), float("nan")) for dataset in datasets]
        for method in methods
    }
    complete = {method: column for method, column in table.items() if not np.isnan(column).any()}
    return mean_ranks(complete) if len(complete) > 1 and len(datasets) > 1 else None


def _differences_in_words(entries: list[Entry]) -> str:
    compared = [entry for entry in entries if not np.isnan(entry.p_value)]
    if not compared:
        return (
            "No mean is compared with the paper's: that takes one of its methods, on two splits "
            "that differ in error."
        )
    marked = [entry for entry in compared if entry.mark]
    higher = sum(entry.mean > entry.printed.mean for entry in marked if entry.printed)
    surely = sum(entry.mark == "**" for entry in marked)
    return (
        f"{len(marked)} of {len(compared)} means differ from the paper's at {100 * ALPHA:g} % (*), "
        f"of them {higher} higher and {len(marked) - higher} lower than printed; "
        f"{surely} still after correction for their number (**)."
    )


def post_hoc(ranks: MeanRanks) -> Nemenyi:
    """Nemenyi's test, as the papers use it: where Friedman's finds no difference, nothing is told
    apart.
    """
    found = nemenyi(ranks, RANK_ALPHA)
    if iman_davenport(ranks, RANK_ALPHA).p_value <= RANK_ALPHA:
        return found
    return replace(found, groups=(ranks.order,))


def _order_in_words(ranks: MeanRanks) -> str:
    """All mean ranks, the best first, and who is not told apart from it."""
    best = ranks.order[0]
    listed = ", ".join(f"{name} {ranks.of(name):.2f}" for name in ranks.order)
    groups = post_hoc(ranks).groups
    alike = [name for group in groups if best in group for name in group if name != best]
    tied = f"not told apart from {best}: {', '.join(dict.fromkeys(alike)) or 'none'}"
    return f"Their mean ranks: {listed}; {tied} (Nemenyi at {100 * RANK_ALPHA:g} %)."


def _splits_in_words(results: list[CellResult], name_of: Mapping[str, str]) -> str:
    """Such as "generated splits, 10 per data set (5: image, splice)"."""
    numbers: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for result in results:
        kind, number = result.cell.split.split("/")
        numbers[kind][name_of[result.cell.dataset]].add(number)
    everywhere = {name for of_set in numbers.values() for name in of_set}
    sentences = []
    for kind, of_set in sorted(numbers.items()):
        by_count: dict[int, list[str]] = defaultdict(list)
        for name in (name for name in name_of.values() if name in of_set):
            by_count[len(of_set[name])].append(name)
        usual = max(by_count, key=lambda count: (len(by_count[count]), count))
        odd = [f"{n}: {', '.join(by_count[n])}" for n in sorted(by_count) if n != usual]
        but = f" ({'; '.join(odd)})" if odd else ""
        only = f" on {', '.join(sorted(of_set))} only" if set(of_set) < everywhere else ""
        sentences.append(f"{SPLITS.get(kind, kind)}, {usual} per data set{but}{only}")
    return ("a mixture of " if len(sentences) > 1 else "") + " and ".join(sentences)


def problems_in_words(results: list[CellResult]) -> tuple[str, ...]:
    """Of each method that failed or was skipped: the commonest reasons, with numbers of cells."""
    reasons: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for result in results:
        if result.status != DONE:
            reason = result.message.partition("\n")[0]
            reasons[result.cell.method, result.status][reason] += 1
    return tuple(
        f"{method} {status}: {_some([f'{why} ({_cells(n)})' for why, n in found.most_common()])}"
        for (method, status), found in reasons.items()
    )


def _uneven(entries: Mapping[tuple[str, str], Entry], datasets: Sequence[str]) -> tuple[str, ...]:
    """Means that stand beside means over more splits of the same data set."""
    most = {
        name: max(len(entry.errors) for entry in entries.values() if entry.dataset == name)
        for name in datasets
    }
    fewer = [
        f"{entry.method} on {entry.dataset} ({len(entry.errors)} of {most[entry.dataset]})"
        for entry in entries.values()
        if 0 < len(entry.errors) < most[entry.dataset]
    ]
    return (f"means over fewer splits than others': {_some(fewer)}",) if fewer else ()


def _some(texts: Sequence[str]) -> str:
    """The first few, and how many more there are."""
    more = f"; and {len(texts) - MOST_LISTED} more" if len(texts) > MOST_LISTED else ""
    return "; ".join(texts[:MOST_LISTED]) + more


def _cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"
