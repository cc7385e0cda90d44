"""Sweeps of Bayesian multiple kernel learning against the LAPACK calls that they consist of."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
from scipy.linalg import blas, lapack

from benchmarks.measure import Run, interleaved, peak_bytes, ratio, seconds, spread
from benchmarks.table import Row
from kernelwise.data import Catalogue
from kernelwise.data.generators import GENERATORS
from kernelwise.multikernel import GramBank, KernelBank
from kernelwise.multikernel.variational.ascent import Ascent, ascend
from kernelwise.multikernel.variational.likelihoods import Labels
from kernelwise.multikernel.variational.priors import Priors
from kernelwise.multikernel.variational.sweep import Model, State

# Real data sets, beside the checkout; without them only generated tables are measured.
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
HALF = np.array([[0.5, 0.5]])
# Plain sweeps that have not come to rest where momentum has.
PLAIN_SWEEPS = 400
LARGE_ROWS, LARGE_COLUMNS = 2000, 76  # 13 * 77 = 1001 kernels


def real(name: str, columns: int | None = None) -> Model:
    X, y, _, _ = Catalogue(DATA).load(name).split("random", 0)
    return model(X[:, :columns], y)


def model(X: np.ndarray, y: np.ndarray) -> Model:
    spreads = X.std(axis=0)
    rows = (X - X.mean(axis=0)) / np.where(spreads > 0, spreads, 1)
    kernels = [member.kernel for member in KernelBank.widths_and_degrees().members(X.shape[1])]
    signs = np.where(y == np.unique(y)[1], 1.0, -1.0)[:, None]
    return Model(GramBank(kernels, rows), Labels(signs, 1.0, HALF), Priors())


def twonorm(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Twonorm's 20 columns and as many of noise as are missing."""
    X, y = GENERATORS["twonorm"](rows, 0)
    noise = np.random.default_rng(0).normal(size=(rows, max(columns - 20, 0)))
    return np.hstack([X, noise])[:, :columns], y


def calls(N: int, P: int) -> Run:
    """The LAPACK and BLAS calls of one sweep, on matrices of its sizes."""
    random = np.random.default_rng(0)

    def positive(n: int) -> np.ndarray:
        half = random.standard_normal((n, 50))
        return np.asfortranarray(half @ half.T + n * np.eye(n))

    large, small, wide = positive(P), positive(N), random.standard_normal((P, N))

    def run() -> None:
        factor = lapack.dpotrf(large, lower=1, clean=0)[0]
        inverse = lapack.dpotri(factor, lower=1, overwrite_c=1)[0]
        lapack.dtrtri(lapack.dpotrf(large, lower=1, clean=0)[0], lower=1, overwrite_c=1)
        lapack.dtrtri(lapack.dpotrf(small, lower=1, clean=0)[0], lower=1, overwrite_c=1)
        blas.dsymm(1.0, inverse, wide.T, side=1, lower=1)
        blas.dsyrk(1.0, wide.T, trans=1, lower=1)

    return run


def warmed(model: Model) -> State:
    return ascend(model, model.start(), 5, 0.0).state


def sweep_cost(name: str, made: Model, quick: bool) -> Row:
    N, P, state = made.bank.n_rows, made.bank.n_kernels, warmed(made)
    floor = calls(N, P)
    tasks = {"sweep": lambda: partial(made.sweep, state), "calls": lambda: floor}
    times = interleaved(tasks, 5 if quick else 15)
    ranks = made.bank.ranks
    return Row(
        f"BEMKL, {name}, N={N}, P={P}: a sweep",
        ratio(times, "sweep", "calls"),
        "of its LAPACK and BLAS calls",
        1.5,
        beside=f"{spread(times, 'sweep', 'calls')}; bank {made.bank.nbytes / 1e6:.0f} MB, mean "
        f"rank {ranks.mean():.0f}",
    )


def first_rest(found: Ascent) -> float:
    """The first sweep whose step is below 1e-6 of the bound; infinite if there is none."""
    steps = np.diff(found.bounds) / np.abs(found.bounds[1:])
    below = np.flatnonzero(steps < 1e-6)
    return float(below[0] + 2) if len(below) else np.inf


def sweeps_needed(name: str, made: Model) -> list[Row]:
    quick = ascend(made, made.start(), PLAIN_SWEEPS, 1e-6)
    plain = ascend(made, made.start(), PLAIN_SWEEPS, 0.0, momentum=False)
    what = f"BEMKL, {name}, P={made.bank.n_kernels}: sweeps until a step of 1e-6 of the bound"
    beside = f"bound {quick.bounds[-1]:.2f}; {quick.n_sweeps} sweeps made"
    rest = first_rest(plain)
    last = f"bound {plain.bounds[-1]:.2f} after {PLAIN_SWEEPS} plain sweeps"
    return [
        Row(what, first_rest(quick), "sweeps", 250, beside=beside),
        Row(f"{what}, plain", min(rest, PLAIN_SWEEPS), "sweeps", beside=last),
    ]


def linear_in_kernels(quick: bool) -> list[Row]:
    """Doubling P, for P < N, at most doubles the time of a sweep by much."""
    N, columns = (600, (4, 9, 19)) if quick else (1000, (9, 19, 39))
    made = {13 * (d + 1): model(*twonorm(N, d)) for d in columns}
    states = {P: warmed(one) for P, one in made.items()}
    tasks = {
        str(P): (lambda one=one, P=P: partial(one.sweep, states[P])) for P, one in made.items()
    }
    times = interleaved(tasks, 5)
    counts = list(made)
    return [
        Row(
            f"BEMKL, twonorm, N={N}: a sweep at P={more} beside P={fewer}",
            ratio(times, str(more), str(fewer)),
            "times",
            1.25 * more / fewer,
            beside=spread(times, str(more), str(fewer)),
        )
        for fewer, more in pairwise(counts)
    ]


def large() -> list[Row]:
    """A bank of a thousand kernels on two thousand rows: memory, and time of a fit."""
    X, y = twonorm(LARGE_ROWS, LARGE_COLUMNS)
    found: list[Model] = []
    peak = peak_bytes(lambda: warmed(found.append(model(X, y)) or found[0])) / 1e9
    made = found[0]
    fits: list[Ascent] = []
    spent = seconds(lambda: fits.append(ascend(made, made.start(), 200, 1e-6)))
    what = f"BEMKL, twonorm, N={LARGE_ROWS}, P={made.bank.n_kernels}"
    bank = f"bank {made.bank.nbytes / 1e9:.2f} GB, mean rank {made.bank.ranks.mean():.0f}"
    return [
        Row(f"{what}: peak of bank and sweeps", peak, "GB", 2.0, beside=bank),
        Row(
            f"{what}: all sweeps", spent / 60, "minutes", 10.0, beside=f"{fits[0].n_sweeps} sweeps"
        ),
    ]


def run(quick: bool) -> list[Row]:
    rows = []
    if DATA.exists():
        rows += [sweep_cost(name, real(name), quick) for name in ("sonar", "pima")]
        rows += sweeps_needed("pima", real("pima"))
        rows += sweeps_needed("12 columns of sonar", real("sonar", 12))
    rows += linear_in_kernels(quick)
    return rows if quick else rows + large()
