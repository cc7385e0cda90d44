"""Our results beside a paper's printed ones."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.stats import t as student

from kernelwise.evaluation import MeanRanks, holm_adjusted, iman_davenport, mean_ranks, nemenyi
from kernelwise.experiments.cells import DONE, CellResult
from kernelwise.experiments.published import Printed, PublishedTable

# A difference is marked at this chance of a false alarm, alone and for the table as a whole.
ALPHA = 0.05
# The papers' tests of mean ranks are at this level.
RANK_ALPHA = 0.1
SPLITS = {
    "published": "published splits",
    "generated": "generated splits of the paper's sizes (not the published ones)",
    "random": "random splits (not the paper's)",
}


@dataclass(frozen=True)
class Entry:
    """One data set and method: the mean error in percent over replicates beside the printed one.

    ``standard_error`` is that of the mean over replicates (0 replicates: not run; NaN for one).
    ``p_value`` is Welch's, of the difference of the two means; ``mark`` is "*" for a difference at
    5 %, "**" if it stays so after Holm's correction for all differences of the table.
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
    problems : failures and skipped cells, in words
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
        compared = [entry for entry in self.entries.values() if not np.isnan(entry.p_value)]
        marked = [entry for entry in compared if entry.mark]
        worse = sum(entry.mean > entry.printed.mean for entry in marked)  # type: ignore[union-attr]
        surely = sum(entry.mark == "**" for entry in marked)
        found = [
            f"{len(marked)} of {len(compared)} means differ from the paper's at {ALPHA:.0%} (*), "
            f"{surely} of them after correction for their number (**); "
            f"{worse} are higher than printed, {len(marked) - worse} lower."
        ]
        if self.ranks is not None:
            found.append("The paper's methods: " + iman_davenport(self.ranks, RANK_ALPHA).sentence)
        if self.all_ranks is not None and self.all_ranks != self.ranks:
            found.append("All methods: " + iman_davenport(self.all_ranks, RANK_ALPHA).sentence)
            found.append(_best_in_words(self.all_ranks))
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
    mine = [result for found in by_entry.values() for result in found]
    return TableComparison(
        table=table,
        entries=entries,
        methods=methods,
        datasets=datasets,
        ranks=_ranks(errors, datasets, columns),
        paper_ranks=_ranks(printed, datasets, columns),
        all_ranks=_ranks(errors, datasets, ran),
        splits=_splits_in_words(mine, name_of),
        problems=_problems(mine),
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
    """Two-sided p-value of the difference of the means; NaN with fewer than two replicates.

    The paper has so many replicates that only ours limit Satterthwaite's degrees of freedom.
    """
    mine, both = entry.standard_error, np.hypot(entry.standard_error, printed.standard_error)
    if not both > 0:
        return float("nan")
    freedom = (len(entry.errors) - 1) * (both / mine) ** 4 if mine > 0 else np.inf
    return float(2 * student.sf(abs(entry.mean - printed.mean) / both, freedom))


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


def _best_in_words(ranks: MeanRanks) -> str:
    best = ranks.order[0]
    groups = nemenyi(ranks, RANK_ALPHA).groups
    alike = [name for group in groups if best in group for name in group if name != best]
    tied = f"; not told apart from it: {', '.join(dict.fromkeys(alike))}" if alike else ""
    return f"Best mean rank: {best}{tied}."


def _splits_in_words(results: list[CellResult], name_of: Mapping[str, str]) -> str:
    """Such as "generated splits, 10 per data set (5: image, splice)"."""
    numbers: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for result in results:
        kind, number = result.cell.split.split("/")
        numbers[kind][name_of[result.cell.dataset]].add(number)
    sentences = []
    for kind, of_set in numbers.items():
        counts = Counter(len(found) for found in of_set.values())
        usual = counts.most_common(1)[0][0]
        odd = [f"{len(found)}: {name}" for name, found in of_set.items() if len(found) != usual]
        but = f" ({', '.join(odd)})" if odd else ""
        sentences.append(f"{SPLITS[kind]}, {usual} per data set{but}")
    return "; ".join(sentences)


def _problems(results: list[CellResult]) -> tuple[str, ...]:
    """Each reason once, with the number of cells."""
    reasons = Counter(
        f"{result.cell.method} {result.status}: {result.message.partition(chr(10))[0]}"
        for result in results
        if result.status != DONE
    )
    return tuple(f"{reason} ({count} cells)" for reason, count in reasons.items())
