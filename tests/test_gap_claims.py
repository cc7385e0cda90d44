"""What docs/guide/gaps.md says of ways to fill gaps is what the committed measurements say."""

import csv
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def lines():
    with (ROOT / "docs" / "results" / "gaps.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def changes(lines, group, gaps, kernel, way):
    """Errors minus those of the median, in points: (sets, splits)."""

    def errors(way):
        wanted = {"group": group, "gaps": gaps, "kernel": kernel, "way": way}
        kept = [line for line in lines if wanted.items() <= line.items()]
        sets = dict.fromkeys(line["set"] for line in kept)
        return 100 * np.array(
            [[float(line["error"]) for line in kept if line["set"] == name] for name in sets]
        )

    return errors(way) - errors("median")


def shown(values):
    errors = values.std(axis=1, ddof=1) / np.sqrt(values.shape[1])
    return f"{values.mean():.1f} ± {np.linalg.norm(errors) / len(errors):.1f}"


GAPS = ("at random", "rarely at random", "by class", "rarely by class", "high values")


@pytest.mark.parametrize("gaps", GAPS)
@pytest.mark.parametrize("kernel", ["mixed", "gaussian"])
def test_the_table_of_the_page(lines, gaps, kernel):
    cells = [
        shown(changes(lines, group, gaps, kernel, way))
        for group, way in (
            *(("run once", way) for way in ("shown", "standardized", "outside")),
            ("chosen on", "shown"),
        )
    ]
    line = f"| {gaps} | {kernel} | {' | '.join(cells)} |"
    assert line in (ROOT / "docs" / "guide" / "gaps.md").read_text().splitlines(), line


def test_the_worst_of_the_page(lines):
    """Where showing gaps at random costs most, among the sets that were run once."""
    worst = max(
        changes(lines, "run once", gaps, kernel, "shown").mean(axis=1).max()
        for gaps in GAPS[:2]
        for kernel in ("mixed", "gaussian")
    )
    text = " ".join((ROOT / "docs" / "guide" / "gaps.md").read_text().split())
    assert f"showing gaps at random costs at most {worst:.1f} points" in text
