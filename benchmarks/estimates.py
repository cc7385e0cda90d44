"""First-level selection: the two estimates of how well the learned kernel will predict."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.generators import Split, split
from benchmarks.grid_search import Fit, fit, mean_error
from benchmarks.table import Row
from kernelwise import LSSVMClassifier
from kernelwise.data import Catalogue
from kernelwise.selections import FirstLevelSelection

ESTIMATES = ("tangent-loo", "cv")
BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"
FOLDER = Path(os.environ.get("KERNELWISE_DATA", BESIDE))
SYNTHETIC = ("twonorm", "ringnorm", "clusters")
STORED = ("ida_heart", "ida_waveform")
N, N_TEST = 200, 5000


def run(quick: bool) -> list[Row]:
    rows = []
    for name, splits in sets(2 if quick else 3):
        fits: dict[str, list[Fit]] = {estimate: [] for estimate in ESTIMATES}
        for data in splits:
            for estimate in ESTIMATES:
                selection = FirstLevelSelection(estimate)
                machine = LSSVMClassifier("ard", selection, random_state=0)
                fits[estimate].append(fit(machine, data))
        rows.append(compare(name, fits))
        if quick:
            break
    if not FOLDER.is_dir():
        print(f"estimates: {', '.join(STORED)} skipped, {FOLDER} does not exist")
    return rows


def sets(count: int) -> Iterator[tuple[str, list[Split]]]:
    for name in SYNTHETIC:
        yield name, [split(name, N, N_TEST, seed) for seed in range(count)]
    if FOLDER.is_dir():
        for name in STORED:
            stored = Catalogue(FOLDER).load(name)
            yield name, [stored.split("generated", i) for i in range(count)]


def compare(name: str, fits: dict[str, list[Fit]]) -> Row:
    """Time of the k-fold estimate relative to the tangent one's, with errors and work of both."""
    mine, other = (fits[estimate] for estimate in ESTIMATES)
    times = [b.seconds / a.seconds for a, b in zip(mine, other, strict=True)]

    def both(what: str, unit: str = "") -> str:
        ours, theirs = (np.mean([getattr(f, what) for f in own]) for own in (mine, other))
        return f"{ours:.3g}{unit} / {theirs:.3g}{unit}"

    return Row(
        f"first level by tangent-loo / 5-fold on {name}, {len(mine)} splits",
        float(np.median(times)),
        "times faster",
        at_least=True,
        beside=f"error {mean_error(mine):.2f} % / {mean_error(other):.2f} %; "
        f"{both('seconds', ' s')}; factorizations {both('factorizations')}; "
        f"points {both('points')}",
    )
