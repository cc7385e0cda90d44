"""What a comparison with a paper found, in words."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from kernelwise.evaluation import ALPHA
from kernelwise.papers.entries import Entry
from kernelwise.papers.published import Key, PublishedTable
from kernelwise.papers.quantities import Quantity, shown
from kernelwise.runs.cells import CellResult
from kernelwise.runs.problems import some

SPLITS = {
    "published": "published splits",
    "generated": "generated splits of the paper's sizes (not the published ones)",
    "random": "random splits (not the paper's)",
    "folds": "ten stratified folds (not the paper's)",
    "thirds": "random splits with 33 % training rows (not the paper's)",
}

STARS = (
    "A star marks a significant difference at 5 % (Welch's t), two stars one that remains so after "
    "Holm's correction for the number of means."
)
RANKS = "Mean ranks are over the same methods and data sets on both sides."


def legend_in_words(table: PublishedTable, ranked: bool) -> str:
    """What a line of the comparison shows, and what its signs mean."""
    unit, spread = table.protocol.unit, table.protocol.spread
    shown_as = f"{table.statistic.capitalize()} {table.quantity.words}"
    beside = "ours / the paper's; -: not run."
    if table.further:
        return f"Means over the data sets and mean ranks: {beside}"
    ranks = f" {RANKS}" if ranked else ""
    if table.statistic == "lowest":
        return f"{shown_as} of all {unit}: {beside}{ranks}"
    best = f" (and the lowest of the {unit})" if table.protocol.trials else ""
    signs = STARS if table.has_spread else f"The paper prints no {spread}s."
    return f"{shown_as} ± its {spread} over {unit}{best}: {beside} {signs}{ranks}"


def figures_in_words(table: PublishedTable) -> str:
    """What stands beside the printed figures."""
    return "means" if table.statistic == "mean" else f"{table.statistic} {table.quantity.name}s"


def differences_in_words(entries: list[Entry], table: PublishedTable) -> str:
    """Which figures differ: by Welch's test, or notably where the paper prints no spread."""
    with_spread = any(entry.printed and entry.printed.standard_error for entry in entries)
    if not with_spread and table.quantity.notable is not None:
        return _notable_in_words(entries, table.quantity.notable, figures_in_words(table))
    compared = [entry for entry in entries if not np.isnan(entry.p_value)]
    if not compared:
        return (
            "No mean was compared with the paper's: that takes one of its methods, on two "
            f"{table.protocol.unit} that differ in {table.quantity.name}."
        )
    differ = [entry for entry in compared if entry.mark]
    higher = sum(entry.mean > entry.printed.mean for entry in differ if entry.printed)
    surely = sum(entry.mark == "**" for entry in differ)
    return (
        f"{len(differ)} of {len(compared)} means differ from the paper's at {100 * ALPHA:g} % (*), "
        f"{higher} higher and {len(differ) - higher} lower than printed; "
        f"{surely} still do after correction for their number (**)."
    )


def _notable_in_words(entries: list[Entry], notable: float, figures: str) -> str:
    """A sentence: "2 of 8 means differ ... by more than 3 points: sonar (CV +8.1, CKTA +3.2)."."""
    above = {
        (entry.dataset, entry.method): entry.figure - entry.printed.mean
        for entry in entries
        if entry.printed is not None and entry.values
    }
    of_dataset: dict[str, list[str]] = defaultdict(list)
    for (dataset, method), difference in above.items():
        if abs(difference) > notable:
            of_dataset[dataset].append(f"{method} {difference:+.1f}")
    count = sum(map(len, of_dataset.values()))
    listed = "; ".join(f"{name} ({', '.join(found)})" for name, found in of_dataset.items())
    return (
        f"{count} of {len(above)} {figures} differ from the paper's by more than {notable:g} points"
        f"{': ' if listed else ''}{listed}."
    )


def means_in_words(
    ours: Mapping[str, float], paper: Mapping[str, float], quantity: Quantity, count: int
) -> str:
    """Our means over the data sets minus the paper's, for the methods that have both."""
    listed = ", ".join(
        f"{name} {shown(ours[name] - paper[name], quantity.decimals, sign='+')}"
        for name in ours
        if name in paper
    )
    return (
        f"Mean {quantity.words} over the same data sets ({count}), ours minus the paper's: "
        f"{listed or 'none of its methods finished them all'}."
    )


def ratio_in_words(
    pair: tuple[str, str], entries: Mapping[Key, Entry], datasets: Sequence[str]
) -> str:
    """How many times as long as the second method the first takes, in all and in the median."""
    rows = [[entries[dataset, method] for method in pair] for dataset in datasets]
    rows = [row for row in rows if all(entry.values for entry in row)]
    if not rows:
        return f"{pair[0]} and {pair[1]} were not run on the same data set."
    mine = np.array([[entry.figure for entry in row] for row in rows])
    printed = np.array([[entry.printed.mean for entry in row if entry.printed] for row in rows])
    ours, theirs = (
        (np.divide(*values.sum(axis=0)), np.median(values[:, 0] / values[:, 1]))
        for values in (mine, printed)
    )
    return (
        f"{pair[0]} takes {ours[0]:.2f} times as long as {pair[1]} in all, {ours[1]:.2f} times in "
        f"the median over {len(rows)} data sets; in the paper {theirs[0]:.2f} and {theirs[1]:.2f}."
    )


def vectors_in_words(
    pair: tuple[str, str], vectors: Mapping[Key, Entry], datasets: Sequence[str]
) -> str:
    """How many times as many support vectors as the second method the first has."""
    rows = [[vectors[dataset, method].mean for method in pair] for dataset in datasets]
    counts = np.array([row for row in rows if not np.isnan(row).any()])
    if not len(counts):
        return f"{pair[0]} and {pair[1]} have no support vectors on the same data set."
    every = counts[:, 0] / counts[:, 1]
    return (
        f"{pair[0]} has {np.divide(*counts.sum(axis=0)):.1f} times as many support vectors as "
        f"{pair[1]} in all, {np.median(every):.1f} times in the median over {len(counts)} data "
        f"sets, {every.min():.1f} to {every.max():.1f} times on each."
    )


def splits_in_words(table: PublishedTable, results: Mapping[Key, list[CellResult]]) -> str:
    """The splits: "generated splits, 10 per data set (5: image, splice)"; trials differ by seed."""
    trials = table.protocol.trials
    numbers: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for (name, _), found in results.items():
        for cell in (result.cell for result in found):
            numbers[cell.split][name].add(cell.seed if trials else cell.number)
    per_dataset = "{} trials on one per data set" if trials else "{} per data set"
    everywhere = {name for of_set in numbers.values() for name in of_set}
    sentences = []
    for kind, of_set in sorted(numbers.items()):
        by_count: dict[int, list[str]] = defaultdict(list)
        for name in (name for name in table.datasets if name in of_set):
            by_count[len(of_set[name])].append(name)
        usual = max(by_count, key=lambda count: (len(by_count[count]), count))
        odd = [f"{n}: {', '.join(by_count[n])}" for n in sorted(by_count) if n != usual]
        but = f" ({'; '.join(odd)})" if odd else ""
        only = f" on {', '.join(sorted(of_set))} only" if set(of_set) < everywhere else ""
        sentences.append(f"{SPLITS.get(kind, kind)}, {per_dataset.format(usual)}{but}{only}")
    return ("a mixture of " if len(sentences) > 1 else "") + " and ".join(sentences)


def uneven_in_words(entries: Mapping[Key, Entry], table: PublishedTable) -> tuple[str, ...]:
    """Figures over fewer replicates than others of the same data set."""
    most: Counter[str] = Counter()
    for entry in entries.values():
        most[entry.dataset] = max(most[entry.dataset], len(entry.values))
    fewer = [
        f"{entry.method} on {entry.dataset} ({len(entry.values)} of {most[entry.dataset]})"
        for entry in entries.values()
        if 0 < len(entry.values) < most[entry.dataset]
    ]
    what = f"{figures_in_words(table)} over fewer {table.protocol.unit} than others'"
    return (f"{what}: {some(fewer)}",) if fewer else ()
