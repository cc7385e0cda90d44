"""The page on large tables, and what is quoted of it, is what its committed file says.

Figures are recomputed here from the lines of the file, without the code that made the page.
"""

import csv
import re
from functools import lru_cache
from math import log
from statistics import mean, stdev

from benchmarks.large_table_figures import FIGURES
from benchmarks.large_table_page import page
from benchmarks.large_table_results import Results
from benchmarks.large_tables import COLUMNS, FOR_COSTS, cells
from quoted_figures import FIGURE, RESULTS, ROOT, section

PAGE, FILE = RESULTS / "large-tables.md", RESULTS / "large-tables.csv"
CURVE, BESIDE, DEFAULT = "ours, 1000 landmarks", "HistGradientBoosting", "ours, 2000 landmarks"
LAST = ("friedman", 1_000_000)


@lru_cache
def lines():
    with FILE.open(newline="") as file:
        return list(csv.DictReader(file))


def values(size, method, column="error"):
    """One number per split; shares of wrong labels in percent."""
    table, rows = size
    kept = [
        line
        for line in lines()
        if (line["table"], int(line["rows"]), line["method"]) == (table, rows, method)
    ]
    factor = 100 if column == "error" and table != "diamonds" else 1
    return [factor * float(line[column]) for line in kept if line[column]]


def shown(numbers, decimals):
    if not numbers:
        return ""
    spread = f" ± {stdev(numbers):.{decimals}f}" if len(numbers) > 1 else ""
    return f"{mean(numbers):.{decimals}f}{spread}"


def ratio(size, first, second, column="cpu_seconds"):
    return mean(values(size, first, column)) / mean(values(size, second, column))


def times(number):
    return f"{number:.1f}" if number < 10 else f"{number:.0f}"


def sizes():
    """Tables and rows on which more than the two methods of the cost curve ran."""
    every = dict.fromkeys((line["table"], int(line["rows"])) for line in lines())
    return [size for size in every if size[1] not in FOR_COSTS]


def methods(size, ours):
    kept = [line for line in lines() if (line["table"], int(line["rows"])) == size]
    names = dict.fromkeys(line["method"] for line in kept)
    return [name for name in names if name.startswith("ours") == ours]


def best(size, ours):
    return min(methods(size, ours), key=lambda name: mean(values(size, name)))


def rows_of_table(text):
    """The cells of the lines of a table, bold or not."""
    found = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip("* ") for cell in row] for row in found[2:]]


def test_every_cell_was_measured():
    found = [(x["table"], int(x["rows"]), int(x["seed"]), x["method"]) for x in lines()]
    assert found == list(cells()) and tuple(lines()[0]) == COLUMNS


def test_the_page_is_made_from_the_file():
    assert PAGE.read_text() == page(Results(FILE))
    for name in FIGURES:
        assert "<text" in (RESULTS / name).read_text(), "texts of pictures stay texts"
        assert f"({name})" in PAGE.read_text()


def test_all_measurements_of_the_page_are_means_and_deviations():
    parts = re.split(r"^### ", PAGE.read_text(), flags=re.M)[1:]
    assert len(parts) == len(sizes())
    for part, size in zip(parts, sizes(), strict=True):
        assert part.startswith(f"{size[0]}, {size[1]:,} rows, ")
        places = {"cpu_seconds": 2, "peak_gb": 2}
        if size[0] == "diamonds":
            places = {"error": 4} | places
        else:
            places = {"error": 2, "auc": 4, "log_loss": 4} | places
        found = rows_of_table(part)
        assert [row[0] for row in found] == methods(size, True) + methods(size, False)
        for method, *cells_of in found:
            wanted = [shown(values(size, method, name), n) for name, n in places.items()]
            assert cells_of == wanted, (size, method)
        assert part.count("**") == 2 * len(places), "one best per column"


def test_who_is_ahead():
    found = rows_of_table(PAGE.read_text().partition("## Cost against rows")[0])
    for size, row in zip(sizes(), found, strict=True):
        places = 4 if size[0] == "diamonds" else 2
        ours, peer = best(size, True), best(size, False)
        cells_of = [f"{size[0]}, {size[1]:,} rows", shown(values(size, DEFAULT), places)]
        cells_of += [f"{name}: {shown(values(size, name), places)}" for name in (ours, peer)]
        for name in (DEFAULT, ours):
            pairs = zip(values(size, name), values(size, peer), strict=True)
            apart = shown([a - b for a, b in pairs], places)
            cells_of.append(apart if apart.startswith("-") else f"+{apart}")
        assert row == [*cells_of, times(ratio(size, ours, peer))]


def curve(column, method=CURVE):
    """{rows: mean cost} of the made table."""
    own = sorted({int(line["rows"]) for line in lines() if line["table"] == "friedman"})
    return {rows: mean(values(("friedman", rows), method, column)) for rows in own}


def slope(costs):
    """Least squares through logarithms from 100,000 rows on, by its closed form."""
    costs = {rows: cost for rows, cost in costs.items() if rows >= 100_000}
    x, y = [log(rows) for rows in costs], [log(cost) for cost in costs.values()]
    pairs = [(a - mean(x)) * (b - mean(y)) for a, b in zip(x, y, strict=True)]
    return sum(pairs) / sum((a - mean(x)) ** 2 for a in x)


def cost_claim():
    def ours(column, places=2):
        return f"{mean(values(LAST, CURVE, column)):.{places}f}"

    def its(column):
        return f"{mean(values(LAST, BESIDE, column)):.2f}"

    return (
        "From 100,000 rows on the CPU time of the passes over all rows grows with their number to "
        f"the power {slope(curve('pass_seconds')):.2f}; below, solving for the landmarks, which "
        "they include, costs as much. Learning the kernel takes "
        f"{ours('learning_seconds', 0)} CPU seconds at 1,000,000 rows. What features do is told "
        "from some rows. With 1,000,000 rows a fit takes "
        f"{times(ratio(LAST, CURVE, BESIDE))} times the CPU time of {BESIDE}, with "
        f"{ours('error')} % wrong instead of {its('error')} % and a peak of {ours('peak_gb')} GB "
        f"instead of {its('peak_gb')} GB."
    )


def test_the_cost_curve():
    text = PAGE.read_text().partition("## Cost against rows")[2]
    text = text.partition("## Error against landmarks")[0]
    assert cost_claim() in " ".join(text.split())
    columns = ("cpu_seconds", "learning_seconds", "pass_seconds", "peak_gb")
    for row, rows in zip(rows_of_table(text), curve("error"), strict=True):
        size = ("friedman", rows)
        ours = [shown(values(size, CURVE, column), 2) for column in columns]
        its = [shown(values(size, BESIDE, column), 2) for column in ("cpu_seconds", "peak_gb")]
        errors = [shown(values(size, method), 2) for method in (CURVE, BESIDE)]
        assert row == [f"{rows:,}", *ours, *its, *errors]


def test_what_must_hold_holds():
    """The passes grow no faster than the table, and a million rows need little memory."""
    assert slope(curve("pass_seconds")) <= 1.1
    assert mean(values(LAST, CURVE, "peak_gb")) < 1
    assert mean(values(LAST, CURVE)) < mean(values(LAST, BESIDE))


def ahead_of(peer, ours=DEFAULT):
    """On how many tables and sizes where both ran ours has the lower error, and on how many."""
    both = [size for size in sizes() if values(size, ours) and values(size, peer)]
    return sum(mean(values(size, ours)) < mean(values(size, peer)) for size in both), len(both)


def cost_beside(peer, ours=DEFAULT):
    found = [ratio(size, ours, peer) for size in sizes() if values(size, peer)]
    return f"{times(min(found))} to {times(max(found))}"


TREES = (BESIDE, "LightGBM", "LightGBM, 500 x 63")


def test_the_sentences_on_trees_and_kernel_features():
    text = " ".join(PAGE.read_text().split())
    words = [
        "{} on {} of {}, for {} times its CPU time".format(peer, *ahead_of(peer), cost_beside(peer))
        for peer in TREES
    ]
    assert f"The default has a lower error than {'; than '.join(words)}." in text
    peers = ("Nystroem + ridge", "RBFSampler + SGD")
    both = [size for size in sizes() if values(size, peers[0])]
    ahead = sum(
        mean(values(size, CURVE)) < min(mean(values(size, peer)) for peer in peers) for size in both
    )
    cheaper = sum(ratio(size, CURVE, peers[0]) < 1 for size in both)
    assert f"than both kinds of kernel features on {ahead} of {len(both)} tables" in text
    assert f"features with ridge on {cheaper} of them." in text


def test_what_more_landmarks_are_worth():
    many, words, ratios = "ours, 6000 landmarks", [], []
    for size in sizes():
        if not values(size, many):
            continue
        ratios.append(ratio(size, many, CURVE))
        if size[0] != "diamonds":
            pairs = zip(values(size, many), values(size, CURVE), strict=True)
            apart = shown([a - b for a, b in pairs], 2)
            apart = apart if apart.startswith("-") else f"+{apart}"
            words.append(f"{apart} ({size[0]}, {size[1]:,} rows)")
    claim = (
        "6,000 landmarks instead of 1,000 change the percentage of wrong labels by "
        f"{', '.join(words)}, for {times(min(ratios))} to {times(max(ratios))} times the CPU time."
    )
    assert claim in " ".join(PAGE.read_text().split())


def found_claim():
    """What the list of results says of large tables."""
    every, flights = sizes(), ("flights", 200_000)
    best_ahead = sum(
        mean(values(s, best(s, True))) < mean(values(s, best(s, False))) for s in every
    )
    names = ("ours, 1000 landmarks", DEFAULT, "ours, 6000 landmarks", *TREES)
    errors = [f"{mean(values(flights, name)):.2f}" for name in names]
    rmse = [f"{mean(values(('diamonds', 40_000), name)):.4f}" for name in (names[2], TREES[2])]
    ahead = [f"on {ahead_of(peer)[0]}" for peer in TREES]
    return (
        f"On {len(every)} tables and sizes, from 10,000 to 1,000,000 rows, `landmarks=2000`, the "
        f"default, has a lower error than HistGradientBoosting {ahead[0]}, than LightGBM "
        f"{ahead[1]} and than 500 trees of 63 leaves {ahead[2]}, for {cost_beside(BESIDE)} times "
        f"the CPU time of the first. The best of ours is ahead of the best peer on {best_ahead}. "
        f"On 200,000 flights 1,000, 2,000 and 6,000 landmarks have {errors[0]}, {errors[1]} and "
        f"{errors[2]} % wrong, HistGradientBoosting {errors[3]}, LightGBM {errors[4]} and its 500 "
        f"trees {errors[5]} %; on diamonds 6,000 landmarks have a root mean squared error of "
        f"{rmse[0]}, the 500 trees {rmse[1]}."
    )


def test_the_list_of_results_quotes_the_page():
    text = section(RESULTS / "README.md", "Large tables")
    assert found_claim() in text
    assert not FIGURE.findall(text.replace(found_claim(), ""))


def readme_claim():
    million, ours = mean(values(LAST, CURVE)), ratio(LAST, CURVE, BESIDE)
    (hist, count), (trees, _) = ahead_of(BESIDE), ahead_of(TREES[2])
    return (
        f"From 10,000 to 1,000,000 rows, on {count} tables and sizes, `LSSVMClassifier()` and "
        f"`LSSVMRegressor()` have a lower error than scikit-learn's boosted trees on {hist} and "
        f"than 500 of LightGBM's on {trees}, for {cost_beside(BESIDE)} times the CPU time of the "
        "first. A million rows from a Parquet "
        f"file, with 1,000 landmarks, took {mean(values(LAST, CURVE, 'cpu_seconds')):.0f} CPU "
        f"seconds, {times(ours)} times those of boosted trees, and "
        f"{mean(values(LAST, CURVE, 'peak_gb')):.1f} GB, with {million:.1f} % wrong instead of "
        f"{mean(values(LAST, BESIDE)):.1f} %."
    )


def test_the_readme_quotes_the_page():
    text = section(ROOT / "README.md", "Large tables, measured")
    assert readme_claim() in text
    assert not FIGURE.findall(text.replace(readme_claim(), ""))
