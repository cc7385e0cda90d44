"""What the tables on Bayesian efficient multiple kernel learning share."""

from functools import partial

from kernelwise.papers.protocol import Protocol
from kernelwise.papers.published import PublishedTable

PAPER = "Gönen, Bayesian efficient multiple kernel learning"

# Table 1, by the paper's names; training rows and columns are those it prints, but for sonar.
DATASETS = {
    "breast": "breast_w_683",
    "bupaliver": "bupa",
    "heart": "heart_statlog_onehot28",
    "ionosphere": "ionosphere",
    "pima": "pima",
    "sonar": "sonar",
    "wdbc": "wdbc",
    "wpbc": "wpbc",
}
REPLICATES = 20

# Weights per class, and one set of weights for all classes (the paper's "multiclass").
OVA, SHARED = "BEMKL-OVA", "BEMKL-DENSE"
SEVERAL_CLASSES = (
    f"{OVA} is the paper's BEMKL (one-versus-all), {SHARED} its BEMKL (multiclass): one set of "
    "kernel weights for all classes."
)
DEVIATIONS = "The paper's standard deviations are shown as standard errors of the mean."

table = partial(PublishedTable, paper=PAPER)
several_classes = partial(
    table, protocol=Protocol("published"), companions=("BEMKL-DENSE-CONV", "MKL-LS", "MKL-UNIFORM")
)


def files_in_words(name: str, matrices: str) -> str:
    """How the file of a set of matrices must look.

    Parameters
    ----------
    name : of the file, without its suffix
    matrices : which arrays it has, and what they are
    """
    return (
        f"{name}.npz in the data folder, written by numpy.savez: {matrices}, each square, with a "
        "row and a column per image; y, the class of each image; train_idx and test_idx, for each "
        "predefined split a line of the row numbers, from 0, of its training and test images"
    )
