"""Time and memory of a fit, said before it begins; with limits, fewer landmarks or fewer rows."""

from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.pipeline import Pipeline

from kernelwise.auto.candidates import candidates_for
from kernelwise.cli import console, output
from kernelwise.cli.choices import USUAL_FOLDS, Learning
from kernelwise.cli.durations import duration
from kernelwise.cli.effort import ROWS_WORTH_A_PILOT, ROWS_WORTH_SAYING, Effort, seconds_of_choice
from kernelwise.cli.landmark_effort import LandmarkEffort
from kernelwise.cli.own_judgment import ROWS_TO_KEEP_APART, KeepsUnseen
from kernelwise.data import Dataset
from kernelwise.estimators.landmarks import AUTO_LANDMARKS
from kernelwise.kernels.names import kernels_for
from kernelwise.memory import free_memory, landmark_bytes, most_rows

# Longer work is announced before it starts.
SECONDS_WORTH_SAYING = 60
# A sample that is offered instead of a long fit.
OFFERED_ROWS = 2000
# The share of a time limit that is planned: an estimate may be wrong, most where none was tried.
PLANNED, PLANNED_ON_LANDMARKS = 0.7, 0.5


def within_limits(dataset: Dataset, pipeline: Pipeline, how: Learning) -> Dataset:
    """Say how long it will take; if time or memory is short, take fewer landmarks, or a sample."""
    rows = len(dataset.target)
    if uses_landmarks(pipeline[-1], rows):
        return _on_landmarks(dataset, pipeline[-1], how)
    room = most_rows()
    if rows > room and (how.seconds is None or how.chooses):
        said = f"{rows} rows need more memory than is free (enough for about {room})"
        return dataset.sample(int(min(OFFERED_ROWS, room)), how.seed, because=said)
    if how.chooses:
        _announce_choice(rows, how)
        return dataset
    if rows < ROWS_WORTH_A_PILOT:
        return dataset
    console.note(f"{rows} rows: two small fits tell how long it will take")
    effort = Effort(dataset, pipeline, folds_to_fit(pipeline[-1], rows, how), how.jobs, how.seed)
    seconds = effort.seconds(rows)
    if how.seconds is not None:
        allowed = min(effort.rows_within(PLANNED * how.seconds, rows), room)
        said = f"all rows would take about {duration(seconds)}"
        return dataset.sample(int(allowed), how.seed, because=said)
    if seconds > SECONDS_WORTH_SAYING:
        words = f"this takes roughly {duration(seconds)}"
        if rows > 2 * OFFERED_ROWS:
            less = duration(effort.seconds(OFFERED_ROWS))
            words += f"; --sample {OFFERED_ROWS} takes about {less}"
        console.note(words)
    return dataset


def _announce_choice(rows: int, how: Learning) -> None:
    """Say how long AutoKernel takes if that is long; a limit of time it keeps itself."""
    if rows < ROWS_WORTH_SAYING or how.seconds is not None:
        return
    seconds = seconds_of_choice(rows, how.folds)
    output.current.put(estimate={"seconds": seconds})
    if seconds > SECONDS_WORTH_SAYING:
        console.note(f"this takes roughly {duration(seconds)}; --time-limit 1m ends it sooner")


def uses_landmarks(estimator: Any, rows: int) -> bool:
    """Whether an estimator fits so many distinct rows on landmarks."""
    return hasattr(estimator, "landmarks") and estimator._uses_landmarks(rows)


def judges_itself(estimator: Any, rows: int, how: Learning) -> bool:
    """Whether the honest error is that of the rows which the fit itself keeps apart."""
    is_long = rows > ROWS_TO_KEEP_APART and uses_landmarks(estimator, rows)
    return how.folds is None and is_long and isinstance(estimator, KeepsUnseen)


def folds_to_fit(estimator: Any, rows: int, how: Learning) -> int:
    """The folds of the honest error, without each of which there is a fit; 0: there is none."""
    if how.chooses:
        return how.folds or 0
    if judges_itself(estimator, rows, how):
        return 0
    return USUAL_FOLDS if how.folds is None else how.folds


def landmarks_of(estimator: Any) -> int:
    """How many landmarks an estimator will have."""
    return AUTO_LANDMARKS if estimator.landmarks == "auto" else int(estimator.landmarks)


def announced(
    estimator: Any,
    rows: int,
    columns: int,
    how: Learning,
    *,
    folds: int = 0,
    held: int | None = None,
) -> tuple[LandmarkEffort, float]:
    """Say how long a fit on landmarks takes, and what memory; the estimate, and its seconds.

    With a time limit the estimator gets fewer landmarks, if that helps.

    Parameters
    ----------
    estimator, rows, columns : what will be fitted, and the size of the table
    how : how to learn
    folds : of the honest error, with a fit for each
    held : rows of a table in pieces that are in memory at a time; None: all
    """
    jobs = effective_n_jobs(how.jobs)
    numbers = 0.0 if held is None else float(rows * columns)
    effort = _landmark_effort(how, jobs, numbers)
    most = landmarks_of(estimator)
    if how.seconds is not None:
        limit = PLANNED_ON_LANDMARKS * how.seconds
        fewer = effort.landmarks_within(limit, rows, min(most, rows - 1), folds, jobs)
        if fewer < most:
            estimator.set_params(landmarks=fewer)
            said = f"{most} landmarks would take about "
            said += duration(effort.seconds(rows, most, folds, jobs))
            console.note(f"{said}, and half of the limit is kept in reserve: {fewer} instead")
            most = fewer
    seconds = effort.seconds(rows, most, folds, jobs)
    needed = landmark_bytes(rows if held is None else held, columns, most, jobs)
    console.note(
        f"{rows} rows on {most} landmarks: this takes roughly {duration(seconds)}"
        + (f" with {folds} further fits for the honest error" if folds else "")
        + f", and {needed / 1e9:.1g} GB of memory"
    )
    output.current.put(estimate={"seconds": seconds, "bytes": needed, "landmarks": most})
    check_room(needed, most)
    return effort, seconds


def _landmark_effort(how: Learning, jobs: int, numbers: float) -> LandmarkEffort:
    """Of all candidates of AutoKernel, or of the kernels that a name stands for."""
    if how.chooses:
        machines = len(candidates_for("auto", True, on_landmarks=True))
        return LandmarkEffort(1, jobs, numbers, n_machines=machines)
    return LandmarkEffort(len(kernels_for(how.kernel, 1, np.empty(0, int))), jobs, numbers)


def check_room(needed: float, landmarks: int) -> None:
    """Refuse a fit on landmarks that has no room in memory, where the system tells its size."""
    free = free_memory()
    if free is not None and needed > free:
        raise ValueError(
            f"a fit on {landmarks} landmarks needs about {needed / 1e9:.2g} GB, and "
            f"{free / 1e9:.2g} GB are free: choose fewer --landmarks, or read the table with "
            "--in-pieces"
        )


def _on_landmarks(dataset: Dataset, estimator: Any, how: Learning) -> Dataset:
    rows, columns = dataset.features.shape
    folds = folds_to_fit(estimator, rows, how)
    effort, seconds = announced(estimator, rows, columns, how, folds=folds)
    if how.seconds is None or seconds <= PLANNED_ON_LANDMARKS * how.seconds or how.chooses:
        return dataset  # what chooses among kernels also leaves some out in time
    jobs, landmarks = effective_n_jobs(how.jobs), landmarks_of(estimator)
    allowed = effort.rows_within(PLANNED_ON_LANDMARKS * how.seconds, rows, landmarks, folds, jobs)
    return dataset.sample(allowed, how.seed, because="all rows would take too long")
