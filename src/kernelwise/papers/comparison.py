"""Our results beside a paper's printed ones."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product
from typing import NamedTuple

import numpy as np

from kernelwise.evaluation import (
    FoldRecord,
    MeanRanks,
    Nemenyi,
    iman_davenport,
    mean_ranks,
    nemenyi,
)
from kernelwise.papers.entries import Entry, entry_of, marked
from kernelwise.papers.published import Key, PublishedTable
from kernelwise.papers.quantities import SUPPORT_VECTORS, Quantity
from kernelwise.papers.words import (
    differences_in_words,
    legend_in_words,
    means_in_words,
    ratio_in_words,
    splits_in_words,
    uneven_in_words,
    vectors_in_words,
)
from kernelwise.runs.cells import CellResult
from kernelwise.runs.problems import problems_in_words

# The papers' tests of mean ranks are at this level.
RANK_ALPHA = 0.1
TIE_DECIMALS = 9


class SummaryLine(NamedTuple):
    """A number of each method over all data sets, ours and, where printed, the paper's."""

    label: str
    ours: Mapping[str, float]
    paper: Mapping[str, float]
    decimals: int | None = 2


@dataclass(frozen=True)
class PaperComparison:
    """A paper table run again.

    Attributes
    ----------
    entries : by data set and method
    vectors : numbers of support vectors by data set and method, in tables that compare them
    methods : the paper's columns, then the companions that were run
    ranks, paper_ranks : mean ranks of the paper's methods that were run, ours and the printed ones,
        over the same data sets
    all_ranks : mean ranks of all methods that finished every data set
    summary : means over the data sets (first, where the table has them) and mean ranks
    splits : which splits were used, in words
    problems : failures, skipped cells and figures of fewer replicates than others, in words
    """

    table: PublishedTable
    entries: Mapping[Key, Entry]
    vectors: Mapping[Key, Entry]
    methods: tuple[str, ...]
    datasets: tuple[str, ...]
    ranks: MeanRanks | None
    paper_ranks: MeanRanks | None
    all_ranks: MeanRanks | None
    summary: tuple[SummaryLine, ...]
    splits: str
    problems: tuple[str, ...]

    @property
    def companions(self) -> list[str]:
        """The methods that were run beside the paper's."""
        return [name for name in self.methods if name not in self.table.columns]

    @property
    def legend(self) -> str:
        """What is shown, and what the signs mean."""
        return legend_in_words(self.table, ranked=self.ranks is not None)

    def sentences(self) -> list[str]:
        """What the comparison found, in words."""
        table = self.table
        found = []
        if table.has_spread or table.quantity.notable is not None:
            found.append(differences_in_words(list(self.entries.values()), table))
        found += [ratio_in_words(pair, self.entries, self.datasets) for pair in table.ratios]
        found += [vectors_in_words(pair, self.vectors, self.datasets) for pair in table.vectors]
        if table.means and not table.ratios:
            line, count = self.summary[0], len(self.datasets)
            found.append(means_in_words(line.ours, line.paper, table.quantity, count))
        if self.ranks is not None:
            found.append("The paper's methods: " + iman_davenport(self.ranks, RANK_ALPHA).sentence)
        if self.all_ranks is not None and self.all_ranks != self.ranks:
            count = len(self.all_ranks.methods)
            test = iman_davenport(self.all_ranks, RANK_ALPHA).sentence
            found.append(f"The {count} methods that finished every data set: {test}")
            found.append(_order_in_words(self.all_ranks))
        return found


def compare_with_paper(table: PublishedTable, results: Iterable[CellResult]) -> PaperComparison:
    """Set the results of a paper table's cells beside its printed figures; others are left out."""
    own = table.results(results)
    datasets = tuple(name for name in table.datasets if any(key[0] == name for key in own))
    ran = [name for name in table.runnable if any(key[1] == name for key in own)]
    methods = (*table.columns, *(name for name in ran if name not in table.columns))
    records = {
        key: [result.record for result in own.get(key, ()) if result.record]
        for key in product(datasets, methods)
    }
    entries = marked({key: _entry(key, found, table) for key, found in records.items()})
    figures = {key: entry.figure for key, entry in entries.items()}
    printed = {key: entry.printed.mean for key, entry in entries.items() if entry.printed}
    ranked = [name for name in ran if name not in table.oracles]
    columns = [name for name in table.columns if name in ranked]
    ranks = _ranks(figures, datasets, columns, table.quantity)
    paper = None if ranks is None else _ranks(printed, datasets, ranks.methods, table.quantity)
    name = f"{table.quantity.name}: " if table.further else ""
    summary = []
    if table.means:
        ours = _means(figures, datasets, methods)
        theirs = _means(printed, datasets, table.columns)
        summary.append(SummaryLine(f"{name}mean", ours, theirs, table.quantity.decimals))
    if ranks is not None:
        summary.append(SummaryLine(f"{name}mean rank", _by_method(ranks), _by_method(paper)))
    vectors = {}
    if table.vectors:
        vectors = {key: entry_of(key, r, SUPPORT_VECTORS, None) for key, r in records.items()}
        counts = _means({key: entry.mean for key, entry in vectors.items()}, datasets, methods)
        summary.append(SummaryLine(f"{SUPPORT_VECTORS.name}: mean", counts, {}, decimals=1))
    return PaperComparison(
        table=table,
        entries=entries,
        vectors=vectors,
        methods=methods,
        datasets=datasets,
        ranks=ranks,
        paper_ranks=paper,
        all_ranks=_ranks(figures, datasets, ranked, table.quantity),
        summary=(*summary, *_further(table, records, datasets)),
        splits=splits_in_words(table, own),
        problems=(*problems_in_words(chain(*own.values())), *uneven_in_words(entries, table)),
    )


def _entry(key: Key, records: list[FoldRecord], table: PublishedTable) -> Entry:
    printed = table.printed.get(key[0], {}).get(key[1])
    return entry_of(key, records, table.quantity, printed, table.statistic)


def _further(
    table: PublishedTable, records: Mapping[Key, list[FoldRecord]], datasets: Sequence[str]
) -> list[SummaryLine]:
    """Means and mean ranks of quantities that the paper prints over all its data sets only."""
    lines = []
    for printed in table.further:
        quantity = printed.quantity
        values = {key: entry_of(key, found, quantity, None).mean for key, found in records.items()}
        ranks = _by_method(_ranks(values, datasets, table.columns, quantity))
        means = _means(values, datasets, table.columns)
        lines += [
            SummaryLine(f"{quantity.name}: mean", means, printed.means, quantity.decimals),
            SummaryLine(f"{quantity.name}: mean rank", ranks, printed.ranks),
        ]
    return lines


def _column(values: Mapping[Key, float], datasets: Sequence[str], method: str) -> list[float]:
    return [values.get((dataset, method), float("nan")) for dataset in datasets]


def _means(
    values: Mapping[Key, float], datasets: Sequence[str], methods: Sequence[str]
) -> dict[str, float]:
    """Means over the data sets, for the methods that have a value on each."""
    found = {name: float(np.mean(_column(values, datasets, name))) for name in methods}
    return {name: mean for name, mean in found.items() if not np.isnan(mean)}


def _ranks(
    values: Mapping[Key, float], datasets: Sequence[str], methods: Sequence[str], quantity: Quantity
) -> MeanRanks | None:
    """Mean ranks of methods with a value on every data set; None unless two have."""
    sign = -1 if quantity.higher_is_better else 1
    # Means of the same errors in another order differ by rounding, and are still ties.
    table = {
        method: sign * np.round(_column(values, datasets, method), TIE_DECIMALS)
        for method in methods
    }
    complete = {method: column for method, column in table.items() if not np.isnan(column).any()}
    return mean_ranks(complete) if len(complete) > 1 and len(datasets) > 1 else None


def _by_method(ranks: MeanRanks | None) -> dict[str, float]:
    return {} if ranks is None else {name: ranks.of(name) for name in ranks.methods}


def post_hoc(ranks: MeanRanks) -> Nemenyi:
    """Nemenyi's test as the papers use it: no pair differs unless Friedman's test says so."""
    found = nemenyi(ranks, RANK_ALPHA)
    if iman_davenport(ranks, RANK_ALPHA).p_value <= RANK_ALPHA:
        return found
    return replace(found, groups=(ranks.order,))


def _order_in_words(ranks: MeanRanks) -> str:
    """All mean ranks, the best first, and which methods do not differ from it."""
    best = ranks.order[0]
    listed = ", ".join(f"{name} {ranks.of(name):.2f}" for name in ranks.order)
    groups = post_hoc(ranks).groups
    alike = [name for group in groups if best in group for name in group if name != best]
    tied = f"not significantly different from {best}: {', '.join(dict.fromkeys(alike)) or 'none'}"
    return f"Their mean ranks: {listed}; {tied} (Nemenyi at {100 * RANK_ALPHA:g} %)."
