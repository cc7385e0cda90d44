"""Sentences on the measurements of ``benchmarks.auto_tables``: goals, losses, what is missing."""

from __future__ import annotations

from collections import Counter

import numpy as np

from benchmarks.auto_table_data import CHOSEN_ON, LARGE, QUANTITIES, RUN_ONCE
from benchmarks.auto_table_methods import AUTO, PLAIN
from benchmarks.auto_table_results import ALL, FIVE, Mean, Results
from benchmarks.auto_tables import cells
from benchmarks.large_table_page import wrapped

CLASSES = (CHOSEN_ON, RUN_ONCE)
TITLES = {
    CHOSEN_ON: "the first-level paper's sets",
    RUN_ONCE: "other sets",
    QUANTITIES: "quantities",
}
GOAL_RANK = 1.4
WORST = 5


def decimals(group: str, column: str) -> int:
    return 2 if column == "error" and group != QUANTITIES else 3


def shown(mean: Mean, decimals: int = 2, *, signed: bool = False) -> str:
    """A mean with its standard error, if there is one."""
    value = f"{mean.value:{'+' if signed else ''}.{decimals}f}"
    return value if np.isnan(mean.error) else f"{value} ± {mean.error:.{decimals}f}"


def rank_goal(results: Results) -> str:
    own = results.ranks(CHOSEN_ON, FIVE)[AUTO]
    said = "reached" if own.value <= GOAL_RANK else "not reached"
    return (
        f"- A mean rank of at most {GOAL_RANK} among the five (AutoKernel, SVM grid, forest, "
        f"boosting, linear) on the first-level paper's sets: {said}, {shown(own)} on "
        f"{len(results.sets(CHOSEN_ON))} sets."
    )


def behind_plain(results: Results, group: str) -> list[str]:
    names = results.sets(group)
    return [name for name in names if results.ahead(group, name, PLAIN).behind]


def plain_goal(results: Results) -> str:
    words = []
    for group, title in TITLES.items():
        behind, places = behind_plain(results, group), decimals(group, "error")
        texts = [
            f"{name} {shown(results.ahead(group, name, PLAIN), places, signed=True)}"
            for name in behind
        ]
        listed = f" ({'; '.join(texts)})" if texts else ""
        words.append(f"{title} {len(behind)} of {len(results.sets(group))}{listed}")
    behind_any = any(behind_plain(results, group) for group in TITLES)
    said = "not reached" if behind_any else "reached"
    return (
        f"- Never more than one standard error behind {PLAIN}: {said}. So far behind: "
        f"{', '.join(words)}. By chance alone about one set in five would be, if both were equal."
    )


def loss_goal(results: Results) -> str:
    least = {
        group: min(ALL, key=lambda method: results.average(group, method, "log_loss"))
        for group in CLASSES
    }
    said = "reached" if set(least.values()) == {AUTO} else "not reached"
    words = []
    for group in CLASSES:
        first = [n for n in results.sets(group) if lowest(results, group, n, "log_loss") == AUTO]
        mean = results.average(group, AUTO, "log_loss")
        others = {m: results.average(group, m, "log_loss") for m in ALL if m != AUTO}
        other = min(others, key=lambda method: others[method])
        words.append(
            f"{TITLES[group]} {mean:.3f}, {other} {others[other]:.3f}, and the lowest of "
            f"all on {len(first)} of {len(results.sets(group))} sets"
        )
    return f"- The lowest log loss of all, on average over sets: {said} ({'; '.join(words)})."


def lowest(results: Results, group: str, name: str, column: str) -> str:
    """The only method with the least mean, or nothing."""
    means = {method: results.mean(group, name, method, column) for method in ALL}
    first = [method for method in ALL if means[method] == min(means.values())]
    return first[0] if len(first) == 1 else ""


def losses(results: Results, group: str) -> str:
    """Where the best peer is ahead by more than a standard error, the worst first."""
    found = {}
    for name in results.sets(group):
        peer = results.best_peer(group, name)
        found[name] = (results.ahead(group, name, peer), peer)
    behind = sorted(
        (name for name in found if found[name][0].behind), key=lambda name: -found[name][0].value
    )
    places, count = decimals(group, "error"), len(found)
    texts = [
        f"{name} ({found[name][1]}, {shown(found[name][0], places, signed=True)})"
        for name in behind[:WORST]
    ]
    led = sum(mean.value < 0 for mean, _ in found.values())
    worst = f"; the worst: {', '.join(texts)}" if texts else ""
    return (
        f"- {TITLES[group]}: ahead of the best peer of each set on {led} of {count}, behind it by "
        f"more than a standard error on {len(behind)}{worst}."
    )


def far_off(results: Results) -> str:
    """Splits of quantities on which AutoKernel is worse than the mean of the test rows."""
    found = [
        f"{name}, split {split}: {error:.2f}"
        for name in results.sets(QUANTITIES)
        for split, error in zip(
            results.splits[QUANTITIES, name], results.of(QUANTITIES, name, AUTO), strict=True
        )
        if error > 1
    ]
    if not found:
        return "- No split of a quantity has an error above 1, so worse than the mean of test rows."
    return (
        f"- Splits of quantities with an error above 1, so worse than the mean of the test rows: "
        f"{len(found)} ({'; '.join(found)}). One row that is far from all rows learned from, which "
        "a kernel of products extrapolates to, is enough for that."
    )


def not_run(results: Results) -> str:
    """How many splits of which sets are not whole."""
    whole = {(*key, split) for key, splits in results.splits.items() for split in splits}
    wanted = dict.fromkeys(cell[:3] for cell in cells())
    counts = Counter(split[1] for split in wanted if split not in whole)
    if not counts:
        return "Every planned split was run."
    texts = [
        f"{count} of {'; '.join(name for name in counts if counts[name] == count)}"
        for count in sorted(set(counts.values()))
    ]
    return f"Planned splits that were not run, of each set: {'. '.join(texts)}."


def missing(results: Results) -> str:
    """Splits that were not run, and what the measurements cannot say."""
    return (
        f"{not_run(results)} {', '.join(LARGE)} have at most two splits, crabs the only one of its "
        "file. No peer but the SVM was tuned; tuned boosting would be stronger and slower. All "
        "columns are numbers here: the files have categories coded already. The machine had two "
        "cores and other work, which makes CPU seconds longer. Large tables have a "
        "[page of their own](large-tables.md)."
    )


def bullet(text: str) -> str:
    """An item of a list, its further lines indented."""
    return wrapped(text).replace("\n", "\n  ")
