"""The tables of ``benchmarks.auto_tables`` and how their rows are split."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from sklearn.model_selection import train_test_split

from benchmarks.which_kernel import COLUMNS_AS_TARGETS, ROWS, quantities
from kernelwise.data import Catalogue
from kernelwise.papers.first_level.paper import DATASETS

CHOSEN_ON, RUN_ONCE, QUANTITIES = "chosen on", "run once", "quantities"
# Left out: other codings, parts or copies of the same rows, here or among the sets chosen on
# (breast_w_699, ckta_breast, ckta_heart_c, credit_g, delve_*, heart_statlog*, pima*, proben1_card,
# and the breast_cancer of scikit-learn, which is wdbc).
OTHERS = """
    appendicitis breast_w_683 bupa crabs credit_a glassG2 haberman heart_cleveland heart_hungarian
    heart_switzerland hepatitis housevotes ionosphere iris labor mammographic monk2 saheart sonar
    wdbc wine wpbc digits kr_vs_kp mkl_proteinfold
"""
# Named as `benchmarks.which_kernel` names them.
NUMBERS = ("diabetes", *(f"Friedman {number}" for number in (1, 2, 3)))
NUMBERS += tuple(f"{name}, column {column}" for name, column in COLUMNS_AS_TARGETS.items())
SETS: dict[str, tuple[str, ...]] = {
    CHOSEN_ON: tuple(DATASETS.values()),
    RUN_ONCE: tuple(OTHERS.split()),
    QUANTITIES: NUMBERS,
}
SPLITS = {CHOSEN_ON: 5, RUN_ONCE: 4, QUANTITIES: 3}
# A thousand training rows and more, or many classes: run last, on fewer splits.
LARGE = ("ida_image", "ida_splice", "digits", "kr_vs_kp", "mkl_proteinfold")
SPLITS_OF_LARGE = 2
# The only split that its file has.
SPLITS_OF = {"crabs": 1} | dict.fromkeys(LARGE, SPLITS_OF_LARGE)


class Split(NamedTuple):
    """Rows to learn from and new rows."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray


def splits_of(group: str, name: str) -> int:
    return SPLITS_OF.get(name, SPLITS[group])


@lru_cache(maxsize=1)
def _tables_of_quantities() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    return {name: (X, y) for name, X, y in quantities(Catalogue())}


def split_of(group: str, name: str, number: int) -> Split:
    """A split by its number: of classes the generated ones of the file, or random ones.

    Quantities: at most 200 rows to learn from, as in `benchmarks.which_kernel`.
    """
    if group == QUANTITIES:
        X, y = _tables_of_quantities()[name]
        size = min(ROWS, int(0.7 * len(y)))
        X, X_test, y, y_test = train_test_split(X, y, train_size=size, random_state=number)
        return Split(X, y, X_test, y_test)
    found = Catalogue().load(name)
    return Split(*found.split("generated" if "generated" in found.splits else "random", number))
