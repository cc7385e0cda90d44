"""Bayesian efficient MKL, Table 4: flowers of 102 kinds from four distances.

The paper prints three quantities in one table; here each has its own, made from the same cells.
"""

from functools import partial

from kernelwise.papers.bemkl import paper
from kernelwise.papers.published import Printed, printed_figures
from kernelwise.papers.quantities import ACCURACY, AUC, EQUAL_ERROR_RATE

COLUMNS = ("TITSIAS-2011", paper.OVA, paper.SHARED)

table = partial(
    paper.several_classes,
    columns=COLUMNS,
    datasets={"Flowers102": "flowers102"},
    files=paper.files_in_words(
        "flowers102", "D_1 to D_4, the four distances between all 8189 images"
    ),
    notes=(
        paper.SEVERAL_CLASSES,
        "TITSIAS-2011 is the method of Titsias & Lázaro-Gredilla, as the paper prints it.",
    ),
)


def _printed(figures: str) -> dict[str, dict[str, Printed]]:
    return printed_figures(f"Flowers102 {figures}", COLUMNS, {"Flowers102": 1}, spread=None)


TABLES = (
    table(
        name="bemkl-table-4",
        caption="Accuracy on flowers of 102 kinds from four distances",
        quantity=ACCURACY,
        printed=_printed("40.0 67.0 68.9"),
    ),
    table(
        name="bemkl-table-4-auc",
        caption="Area under the ROC curve on flowers of 102 kinds, mean over the kinds",
        quantity=AUC,
        printed=_printed("0.952 0.969 0.969"),
    ),
    table(
        name="bemkl-table-4-eer",
        caption="Equal error rate on flowers of 102 kinds, mean over the kinds",
        quantity=EQUAL_ERROR_RATE,
        printed=_printed("0.107 0.068 0.069"),
    ),
)
