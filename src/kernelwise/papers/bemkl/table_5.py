"""Bayesian efficient MKL, Table 5: objects of 102 kinds from ten kernels."""

from kernelwise.papers.bemkl import paper
from kernelwise.papers.published import printed_figures
from kernelwise.papers.quantities import ACCURACY

COLUMNS = ("VARMA-2009", paper.OVA, paper.SHARED)

TABLE = paper.several_classes(
    name="bemkl-table-5",
    caption="Accuracy on objects of 102 kinds from ten kernels",
    columns=COLUMNS,
    datasets={"Caltech101": "caltech101"},
    quantity=ACCURACY,
    files=paper.files_in_words(
        "caltech101", "K_1 to K_10, the ten kernels between all images of any split"
    ),
    printed=printed_figures(
        "Caltech101 71.1 0.6  72.7 0.1  73.1 0.1", COLUMNS, {"Caltech101": 3}, spread="deviation"
    ),
    notes=(
        paper.SEVERAL_CLASSES,
        "VARMA-2009 is the method of Varma & Babu, as the paper prints it.",
        paper.DEVIATIONS,
    ),
)
