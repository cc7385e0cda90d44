"""The page on AutoKernel, and what is quoted of it, is what its committed file says.

Figures are recomputed here from the lines of the file, without the code that made the page.
"""

import csv
import re
from functools import lru_cache
from math import exp, log, nan, sqrt
from statistics import mean, stdev

import pytest
from benchmarks.auto_table_page import page
from benchmarks.auto_table_results import Results
from benchmarks.auto_tables import COLUMNS, Cell, cells
from quoted_figures import FIGURE, RESULTS, ROOT, section

PAGE, FILE = RESULTS / "auto-kernel.md", RESULTS / "auto-kernel.csv"
GROUPS = {
    "chosen on": "the first-level paper's sets",
    "run once": "other sets",
    "quantities": "quantities",
}
AUTO, PLAIN = "AutoKernel", "gaussian/loo"
PEERS = ("SVM grid", "forest", "boosting", "linear", "LightGBM")
FIVE, ALL = (AUTO, *PEERS[:4]), (AUTO, PLAIN, *PEERS)
CALLED = {
    "SVM grid": "a grid-searched SVM",
    "forest": "a random forest",
    PLAIN: "the plain Gaussian kernel",
}


@lru_cache
def lines():
    with FILE.open(newline="") as file:
        return list(csv.DictReader(file))


@lru_cache
def measured(column):
    """{(group, set): {split: {method: value}}}, only splits on which every method ran."""
    found = {}
    for line in lines():
        own = found.setdefault((line["group"], line["set"]), {}).setdefault(int(line["split"]), {})
        percent = 100 if column == "error" and line["group"] != "quantities" else 1
        own[line["method"]] = percent * float(line[column] or nan)
    whole = {
        key: {split: own for split, own in splits.items() if len(own) == len(ALL)}
        for key, splits in found.items()
    }
    return {key: splits for key, splits in whole.items() if splits}


def tables(group, column="error"):
    """{set: {method: [value of each split]}}"""
    return {
        name: {method: [splits[split][method] for split in sorted(splits)] for method in ALL}
        for (own, name), splits in measured(column).items()
        if own == group
    }


def with_error(values):
    return mean(values), stdev(values) / sqrt(len(values)) if len(values) > 1 else nan


def shown(values, places=2, sign=""):
    value, error = with_error(values)
    spread = "" if error != error else f" ± {error:.{places}f}"
    return f"{value:{sign}.{places}f}{spread}"


def ranks(group, methods, column="error"):
    """{method: [rank on each set]}: one more than those below, and half of those that are equal."""
    found = {method: [] for method in methods}
    for own in tables(group, column).values():
        means = {method: round(mean(own[method]), 9) for method in methods}
        for method in methods:
            below = sum(value < means[method] for value in means.values())
            equal = sum(value == means[method] for value in means.values())
            found[method].append(below + (equal + 1) / 2)
    return found


def differences(group, other):
    """{set: [AutoKernel's error minus another's]}; the best peer's if ``other`` is None."""
    found = {}
    for name, own in tables(group).items():
        peer = other or min(PEERS, key=lambda method: round(mean(own[method]), 9))
        pairs = zip(own[AUTO], own[peer], strict=True)
        found[name] = [round(a - b, 9) for a, b in pairs]
    return found


def behind(group, other):
    """Sets on which AutoKernel is behind by more than one standard error."""
    found = {name: with_error(values) for name, values in differences(group, other).items()}
    return [name for name, (value, error) in found.items() if value - error > 1e-9]


def average(group, method, column):
    return mean(mean(own[method]) for own in tables(group, column).values())


def cost(group, other):
    """The geometric mean over sets of AutoKernel's CPU seconds over another's."""
    owns = tables(group, "cpu_seconds").values()
    return exp(mean(log(mean(own[AUTO]) / mean(own[other])) for own in owns))


def rows_under(heading):
    """The cells of the lines of the table under a heading, bold or not."""
    text = re.search(rf"^## {re.escape(heading)}$(.*?)(?=^## |\Z)", PAGE.read_text(), re.M | re.S)
    found = [line.strip("| ").split(" | ") for line in text[1].splitlines() if line[:2] == "| "]
    return [[cell.strip("* ") for cell in row] for row in found[2:]]


def test_the_file_has_planned_cells_in_their_order():
    found = [Cell(x["group"], x["set"], int(x["split"]), x["method"]) for x in lines()]
    there = set(found)
    assert found == [cell for cell in cells() if cell in there] and len(there) == len(found)
    assert tuple(lines()[0]) == COLUMNS
    for group in ("chosen on", "quantities"):
        assert set(tables(group)) == {cell.set for cell in cells() if cell.group == group}


def test_the_page_is_made_from_the_file():
    assert PAGE.read_text() == page(Results(FILE))


@pytest.mark.parametrize(
    ("heading", "methods", "column"),
    [
        ("Mean ranks of five", FIVE, "error"),
        ("Mean ranks of all seven", ALL, "error"),
        ("Mean ranks by log loss", ALL, "log_loss"),
    ],
)
def test_mean_ranks_of_the_page(heading, methods, column):
    groups = [group for group in GROUPS if column == "error" or group != "quantities"]
    wanted = {method: [method] for method in methods}
    for group in groups:
        places = 2 if column == "error" and group != "quantities" else 3
        found = ranks(group, methods, column)
        for method in methods:
            wanted[method] += [shown(found[method])]
            wanted[method] += [f"{average(group, method, column):.{places}f}"]
    assert rows_under(heading) == list(wanted.values())


@pytest.mark.parametrize("group", GROUPS)
def test_differences_and_errors_of_the_page(group):
    places = 3 if group == "quantities" else 2
    peers, plain = differences(group, None), differences(group, PLAIN)
    found = {row[0]: row[2:] for row in rows_under(f"Differences: {GROUPS[group]}")}
    assert found == {
        name: [shown(own, places, "+") for own in (peers[name], plain[name])] for name in peers
    }
    errors = {row[0]: row[3:] for row in rows_under(f"Errors: {GROUPS[group]}")}
    assert errors == {
        name: [shown(own[method], places) for method in ALL] for name, own in tables(group).items()
    }


def test_goals_are_said_as_they_are():
    text = section(PAGE, "Goals")
    own = ranks("chosen on", FIVE)[AUTO]
    said = "reached" if mean(own) <= 1.4 else "not reached"
    assert f"linear) on the first-level paper's sets: {said}, {shown(own)} on 14 sets." in text
    late = [name for group in GROUPS for name in behind(group, PLAIN)]
    said = "not reached" if late else "reached"
    assert f"Never more than one standard error behind gaussian/loo: {said}." in text
    assert all(f"{name} +" in text for name in late) and text.count("+") == len(late)
    first = [
        min(ALL, key=lambda method, group=group: average(group, method, "log_loss"))
        for group in ("chosen on", "run once")
    ]
    said = "reached" if first == [AUTO, AUTO] else "not reached"
    assert f"The lowest log loss of all, on average over sets: {said} (" in text


def test_splits_that_go_wrong_are_listed():
    found = {
        name: [(split, value) for split, value in enumerate(own[AUTO]) if value > 1]
        for name, own in tables("quantities").items()
    }
    texts = [f"{name}, split {s}: {value:.2f}" for name in found for s, value in found[name]]
    text = section(PAGE, "Where it loses")
    assert ("No split of a quantity has an error above 1" in text) == (not texts)
    assert not texts or f"worse than the mean of the test rows: {len(texts)}" in text
    assert all(one in text for one in texts)


def rank_words(group, on):
    """AutoKernel's mean rank of five on some tables, and the best competitor's."""
    found = ranks(group, FIVE)
    best = min(FIVE[1:], key=lambda method: mean(found[method]))
    return f"{shown(found[AUTO])} on {on} (the best other, {CALLED[best]}: {shown(found[best])})"


def loss_words(group):
    losses = {method: average(group, method, "log_loss") for method in ALL}
    best = min((method for method in ALL if method != AUTO), key=losses.get)
    return f"{losses[AUTO]:.3f} ({CALLED[best]}: {losses[best]:.3f})"


def largest_error(method):
    """The worst split of a quantity, in standard deviations of its test rows."""
    return max(max(own[method]) for own in tables("quantities").values())


def readme_claim():
    first, others, numbers = (len(tables(group)) for group in GROUPS)
    ranked = [
        rank_words("chosen on", f"the first-level paper's {first} data sets"),
        rank_words("run once", f"{others} others"),
        rank_words("quantities", f"{numbers} tables with a quantity"),
    ]
    plain, peers = (sum(len(behind(group, of)) for group in GROUPS) for of in (PLAIN, None))
    worst = [largest_error(method) for method in (AUTO, "SVM grid")]
    grids, trees = ([cost(group, of) for group in GROUPS] for of in ("SVM grid", "boosting"))
    return (
        f"Of five methods (AutoKernel, a grid-searched SVM, an untuned random forest, untuned "
        f"boosting, a linear model) AutoKernel has a mean rank of {'; of '.join(ranked)}. Its mean "
        f"log loss in the first group is {loss_words('chosen on')}, in the second "
        f"{loss_words('run once')}. A fit takes {min(grids):.1f} to {max(grids):.1f} times the CPU "
        f"time of the grid search and {min(trees):.0f} to {max(trees):.0f} times that of boosting. "
        f"The plain Gaussian kernel is ahead of it by more than a standard error on {plain} of the "
        f"{first + others + numbers} tables; the best of five peers, known only in hindsight, on "
        f"{peers}. Its largest error on a split of a quantity is {worst[0]:.1f} standard "
        f"deviations of the test rows, that of the grid search {worst[1]:.1f}."
    )


@pytest.mark.parametrize(
    ("path", "heading"),
    [(ROOT / "README.md", "AutoKernel, measured"), (RESULTS / "README.md", "AutoKernel")],
)
def test_the_readme_quotes_the_file(path, heading):
    text = section(path, heading)
    assert readme_claim() in text
    assert not FIGURE.findall(text.replace(readme_claim(), ""))
