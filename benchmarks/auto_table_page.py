"""The page on AutoKernel from its CSV file: ``python -m benchmarks.auto_table_page``."""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.auto_table_data import QUANTITIES
from benchmarks.auto_table_methods import AUTO, PLAIN
from benchmarks.auto_table_results import ALL, FIVE, Mean, Results
from benchmarks.auto_table_words import (
    CLASSES,
    TITLES,
    bullet,
    decimals,
    far_off,
    loss_goal,
    losses,
    missing,
    plain_goal,
    rank_goal,
    shown,
)
from benchmarks.large_table_page import markdown, times, wrapped

FOLDER = Path("docs/results")
PROTOCOL = """\
# AutoKernel beside what people would pick

`AutoKernelClassifier()` and `AutoKernelRegressor()` as they are, beside six other methods on the
same splits. Every fit has one thread; fits ran one after another. CPU seconds are those of `fit`:
AutoKernel's include its estimate of the error, for which everything is chosen again without each
fold; no other method makes one.

- gaussian/loo: `LSSVMClassifier("gaussian", "loo")` or the regressor, one plain kernel of ours.
- SVM grid: standardized columns, 7 C and 7 gammas, five folds. Probabilities by Platt's sigmoid
  (`CalibratedClassifierCV` of the best), whose seconds are not counted.
- forest: 500 trees. boosting: HistGradientBoosting. LightGBM. None of the three was tuned.
- linear: standardized columns, `LogisticRegressionCV` (by log loss) or `RidgeCV`.

Three groups of tables. "The first-level paper's sets" are those on which methods and defaults of
this library were chosen: generated splits of the paper's sizes. Nothing of AutoKernel was chosen on
"other sets" (random splits, 30 % test rows); but bupa, heart_cleveland and sonar had a part in the
choice of `LSSVMClassifier`'s default kernel (`benchmarks/which_kernel.py`). Sets with the rows of
another set, all or some of them or in another coding, are left out. "Quantities" are the tables on
which `benchmarks/which_kernel.py` compares kernels, so they are not new either: at most 200 rows to
learn from; Friedman's functions with noise, and columns that the others must predict.

Errors are percentages of wrong labels, of quantities the root mean squared error over the standard
deviation of the test rows (1: no better than their mean). The log loss is the mean of
`-log max(p, 0.001)`, `p` the probability of the row's own class: a forest that is unanimous and
wrong would otherwise lose infinitely much. ± is a standard error, of means over splits that of the
splits, whose rows overlap, so it is too small rather than too large; of ranks that over sets.
Ranks are those of the means over splits; equal ones share their ranks.

AutoKernel was measured after all others, on a machine with less load: compare its CPU seconds with
care. Before that it was measured with weights of least squares for classes and a polynomial kernel
for quantities, which went far wrong on one row; both were then changed. Since this measurement
kernels of one scale are searched in fewer steps, and rows keep their order where a claim is not
trusted: single errors may differ a little from those of the present version.

`python -m benchmarks.auto_tables` measures what is not yet in [auto-kernel.csv](auto-kernel.csv),
`python -m benchmarks.auto_table_page` makes this page from it."""


def ranks_table(results: Results, methods: tuple[str, ...], column: str) -> str:
    """Mean ranks of each group, and the mean over its sets; the best in bold."""
    groups = CLASSES if column == "log_loss" else (*CLASSES, QUANTITIES)
    columns, heading = [], ["method"]
    for group in groups:
        ranks = results.ranks(group, methods, column)
        best = min(methods, key=lambda method: ranks[method].value)
        texts = {method: shown(ranks[method]) for method in methods}
        columns.append(texts | {best: f"**{texts[best]}**"})
        places = decimals(group, column)
        columns.append({m: f"{results.average(group, m, column):.{places}f}" for m in methods})
        what = "log loss" if column == "log_loss" else "error"
        heading += [f"{TITLES[group]} ({len(results.sets(group))}): mean rank", f"mean {what}"]
    return markdown(heading, [[method, *(own[method] for own in columns)] for method in methods])


def set_table(results: Results, group: str, column: str) -> str:
    """Every method on every set, the best in bold."""
    lines = []
    for name in results.sets(group):
        means = {method: results.mean(group, name, method, column) for method in ALL}
        least = min(means.values())
        texts = []
        for method in ALL:
            text = shown(Mean.of(results.of(group, name, method, column)), decimals(group, column))
            texts.append(f"**{text}**" if means[method] == least else text)
        splits = len(results.splits[group, name])
        lines.append([name, str(results.rows(group, name)), str(splits), *texts])
    return markdown(["set", "rows", "splits", *ALL], lines)


def difference_table(results: Results, group: str) -> str:
    """AutoKernel against the best peer of each set and against the plain kernel."""
    lines = []
    for name in results.sets(group):
        peer, places = results.best_peer(group, name), decimals(group, "error")
        against = (results.ahead(group, name, other) for other in (peer, PLAIN))
        lines.append([name, peer, *(shown(mean, places, signed=True) for mean in against)])
    return markdown(["set", "best peer", f"{AUTO} - best peer", f"{AUTO} - {PLAIN}"], lines)


def cost_table(results: Results) -> str:
    """Mean seconds over the sets of each group, and AutoKernel's over them."""
    lines = []
    for method in ALL:
        line = [method]
        for group in TITLES:
            line.append(f"{results.average(group, method, 'cpu_seconds'):.2f}")
            line.append(times(results.ratio(group, method)))
        lines.append(line)
    heading = ["method"]
    for title in TITLES.values():
        heading += [f"{title}: mean CPU seconds", f"{AUTO}'s over its"]
    return markdown(heading, lines)


def page(results: Results) -> str:
    bullets = [rank_goal(results), plain_goal(results), loss_goal(results)]
    parts = [PROTOCOL, "## Goals", "\n".join(map(bullet, bullets)), "## Where it loses"]
    parts += [
        wrapped(
            "The best peer of each set, one of five, is the one of the least mean error on the "
            "test rows: chosen in hindsight, which nobody can before."
        ),
        "\n".join(map(bullet, [*(losses(results, g) for g in TITLES), far_off(results)])),
        "## Mean ranks of five",
        ranks_table(results, FIVE, "error"),
        "## Mean ranks of all seven",
        ranks_table(results, ALL, "error"),
        "## Mean ranks by log loss",
        ranks_table(results, ALL, "log_loss"),
        "## CPU seconds",
        "Ratios are geometric means over sets.",
        cost_table(results),
        "## What is missing",
        wrapped(missing(results)),
    ]
    for group, title in TITLES.items():
        parts += [f"## Differences: {title}", "Below 0 AutoKernel is ahead."]
        parts.append(difference_table(results, group))
    for group, title in TITLES.items():
        parts += [f"## Errors: {title}", set_table(results, group, "error")]
    for group in CLASSES:
        parts += [f"## Log loss: {TITLES[group]}", set_table(results, group, "log_loss")]
    return "\n\n".join(parts) + "\n"


def main(folder: Path = FOLDER) -> None:
    (folder / "auto-kernel.md").write_text(page(Results(folder / "auto-kernel.csv")))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
