"""Bayesian efficient MKL, Table 3: flowers of 17 kinds from seven distances."""

from kernelwise.papers.bemkl import paper
from kernelwise.papers.published import printed_figures
from kernelwise.papers.quantities import ACCURACY

COLUMNS = ("GEHLER-2009", paper.OVA, paper.SHARED)

TABLE = paper.several_classes(
    name="bemkl-table-3",
    caption="Accuracy on flowers of 17 kinds from seven distances",
    columns=COLUMNS,
    datasets={"Flowers17": "flowers17"},
    quantity=ACCURACY,
    files=paper.files_in_words(
        "flowers17", "D_1 to D_7, the seven distances between all 1360 images"
    ),
    printed=printed_figures(
        "Flowers17 85.5 3.0  85.6 1.2  85.9 1.2", COLUMNS, {"Flowers17": 3}, spread="deviation"
    ),
    notes=(
        paper.SEVERAL_CLASSES,
        "GEHLER-2009 is the method of Gehler & Nowozin, as the paper prints it.",
        paper.DEVIATIONS,
    ),
)
