"""Names for the command line, as plain text: help must not load what they stand for."""

from dataclasses import dataclass
from typing import Any

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
    "lssvm": ("auto", "gcv", "first-level", "loo", "loo-bayes", "cv", "evidence", "alignment"),
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
# The machine that learns on landmarks, and the selection that needs all rows.
ON_LANDMARKS, NEEDS_ALL_ROWS = "lssvm", "alignment"
# Folds of the honest error if nothing is said, and the fit does not bring its own.
USUAL_FOLDS = 5


@dataclass(frozen=True)
class Learning:
    """How to learn, as named on the command line; checked before anything is read or loaded.

    Without a ``machine`` AutoKernel chooses, and there is no ``kernel`` or ``selection`` either.
    ``folds`` is None if nothing was said: the usual ones, or those that a long fit brings along.
    """

    kernel: str | None
    machine: str | None
    selection: str | None
    folds: int | None
    jobs: int
    seed: int
    balanced: bool = False
    sample: int | None = None
    seconds: float | None = None
    landmarks: str | None = None

    @classmethod
    def of(
        cls, kernel: str | None, machine: str | None, selection: str | None, **others: Any
    ) -> "Learning":
        """With the defaults of what was named; if nothing was, AutoKernel chooses."""
        if kernel is not None or machine is not None or selection is not None:
            machine = machine or ON_LANDMARKS
            kernel = kernel or DEFAULT_KERNELS[machine]
            selection = selection or SELECTIONS[machine][0]
        return cls(kernel, machine, selection, **others)

    @property
    def chooses(self) -> bool:
        """Whether AutoKernel tries several kernels, because none was named."""
        return self.machine is None

    def __post_init__(self) -> None:
        if self.machine is not None:
            self._check_names(self.machine)
        check_jobs(self.jobs)
        if self.folds == 1:
            raise ValueError("--folds 1: cross-validation needs at least 2 folds, or 0 to skip it")
        self._check_landmarks()

    def _check_names(self, machine: str) -> None:
        for option, given, known in (
            ("--kernel", self.kernel, KERNELS),
            ("--selection", self.selection, SELECTIONS[machine]),
        ):
            if given not in known:
                others = [name for name, those in SELECTIONS.items() if given in those]
                hint = f", or add --machine {others[0]}" if others else ""
                raise ValueError(f"{option} {given}: choose one of {', '.join(known)}{hint}")

    def _check_landmarks(self) -> None:
        given = self.landmarks
        if given is None:
            return
        if self.machine not in (None, ON_LANDMARKS):
            raise ValueError(
                f"--landmarks {given}: --machine {self.machine} needs all rows; leave --landmarks "
                f"out and take a --sample, or choose --machine {ON_LANDMARKS}"
            )
        if given not in ("auto", "none") and not (given.isdecimal() and int(given) >= 2):
            raise ValueError(f"--landmarks {given}: write auto, none, or a number of at least 2")
        if given.isdecimal() and self.selection == NEEDS_ALL_ROWS:
            raise ValueError(
                f"--landmarks {given}: --selection {NEEDS_ALL_ROWS} needs all rows; choose another "
                "selection, or --landmarks none"
            )
        if given == "none" and self.selection == "gcv":
            raise ValueError("--selection gcv needs landmarks: leave out --landmarks none")

    @property
    def wanted_landmarks(self) -> int | str | None:
        """The parameter of the estimators."""
        if self.landmarks in (None, "auto"):
            return "auto"
        return None if self.landmarks == "none" else int(str(self.landmarks))
