"""Progress of long fits: a bar that moves within a fit, or a line a minute where there is none."""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from kernelwise.cli import output
from kernelwise.cli.durations import duration
from kernelwise.estimators.progress import listening
from kernelwise.scale.row_blocks import watching_passes

SECONDS_BETWEEN_LINES = 60
# How many evaluations a fit takes, before one has shown it.
USUAL_EVALUATIONS = 200
# Passes over fewer rows are parts of an evaluation.
ROWS_OF_A_PASS = 40_000
# A pass over more moves the bar like so many evaluations.
WORTH_OF_A_PASS = 80


class TimeUp(Exception):
    """The time limit has passed."""


class FitProgress:
    """Counts fits, evaluations of a criterion within a fit, and rows of a pass over a long table.

    ``deadline`` is a moment of ``time.monotonic`` after which an evaluation raises `TimeUp`; it may
    be moved. ``usual`` is how many evaluations a fit takes, before one has shown it.
    """

    def __init__(
        self, fits: int, deadline: float = float("inf"), usual: int = USUAL_EVALUATIONS
    ) -> None:
        self.fits, self.deadline = fits, deadline
        self.done, self.evaluations, self.usual = 0, 0, usual
        self.started = self.last_line = time.monotonic()
        self.bar: Progress | None = None
        self.passed, self.passes = "", 0.0

    def evaluated(self) -> None:
        """One more evaluation."""
        self.evaluations += 1
        self._show(self._in_time())

    def passing(self, done: int, rows: int) -> None:
        """A pass over a table has come so far."""
        now = self._in_time()
        if rows >= ROWS_OF_A_PASS:
            self.passes = math.floor(self.passes) + (done / rows)
            self.passed = f", {done / rows:.0%} of a pass over {rows} rows" if done < rows else ""
            self._show(now)

    def _in_time(self) -> float:
        now = time.monotonic()
        if now > self.deadline:
            raise TimeUp
        return now

    def fitted(self) -> None:
        """One more fit."""
        self.done += 1
        self.usual = max(self.evaluations, 1)
        self.evaluations, self.passes = 0, 0.0
        self._show(time.monotonic())

    def _show(self, now: float) -> None:
        done = self.evaluations + WORTH_OF_A_PASS * self.passes
        within = done / (done + 0.5 * self.usual)
        words = f"fit {min(self.done + 1, self.fits)} of {self.fits}{self.passed}"
        if self.bar is not None:
            self.bar.update(self.bar.task_ids[0], completed=self.done + within, description=words)
        elif now - self.last_line >= SECONDS_BETWEEN_LINES:
            self.last_line = now
            from kernelwise.cli.console import note

            note(f"{words}, {self.evaluations} evaluations, {duration(now - self.started)} so far")


@contextmanager
def shown(progress: FitProgress) -> Iterator[None]:
    """Show a progress while fits of this process and thread run."""
    terminal = Console(stderr=True)
    with listening(progress.evaluated), watching_passes(progress.passing):
        if not (terminal.is_terminal and output.current.shows_lines):
            yield
            return
        columns = [TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()]
        with Progress(*columns, console=terminal, transient=True) as bar:
            bar.add_task("learning", total=progress.fits)
            progress.bar = bar
            yield
