"""Names for the command line, as plain text: help must not load what they stand for."""

from dataclasses import dataclass

from kernelwise.cli.app import check_jobs

# Without "precomputed": a table has no Gram matrix.
KERNELS = (
    "ard",
    "gaussian",
    "laplacian",
    "matern32",
    "matern52",
    "rational-quadratic",
    "ard-gaussian",
    "ard-laplacian",
    "ard-matern32",
    "ard-matern52",
    "ard-rational-quadratic",
    "mixed",
    "linear",
    "ard-linear",
    "polynomial",
    "ard-polynomial",
)
# The selections of each machine, the default first; without None: no parameters are given.
SELECTIONS = {
    "lssvm": ("first-level", "loo", "loo-bayes", "cv", "evidence", "alignment"),
    "svm": (
        "evidence",
        "evidence-ep",
        "evidence-hmc",
        "span",
        "gacv",
        "radius-margin",
        "cv",
        "alignment",
    ),
    "rvm": ("evidence", "validity", "cv"),
}
# The kernel of each machine if none is named; relevance vectors overfit one scale per feature.
DEFAULT_KERNELS = {"lssvm": "mixed", "svm": "mixed", "rvm": "gaussian"}


@dataclass(frozen=True)
class Learning:
    """How to learn, as named on the command line; checked before anything is read or loaded."""

    kernel: str
    machine: str
    selection: str
    folds: int
    jobs: int
    seed: int
    balanced: bool = False
    sample: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for option, given, known in (
            ("--kernel", self.kernel, KERNELS),
            ("--selection", self.selection, SELECTIONS[self.machine]),
        ):
            if given not in known:
                others = [name for name, those in SELECTIONS.items() if given in those]
                hint = f", or add --machine {others[0]}" if others else ""
                raise ValueError(f"{option} {given}: choose one of {', '.join(known)}{hint}")
        check_jobs(self.jobs)
        if self.folds == 1:
            raise ValueError("--folds 1: cross-validation needs at least 2 folds, or 0 to skip it")
