"""Fits in threads beside each other: the same bits as one after the other, and one end for all."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextvars import copy_context
from threading import Lock
from typing import Any

from joblib import effective_n_jobs
from sklearn import config_context, get_config

from kernelwise.memory import most_rows
from kernelwise.threads import WORTH_THREADS, one_blas_thread


class Stopped(Exception):
    """A fit beside this one has failed, or its caller has given up."""


class SharedStep:
    """A step that several threads take one at a time; once one has failed there, none goes on."""

    def __init__(self, step: Callable[[], None]) -> None:
        self._step, self._lock, self.is_over = step, Lock(), False

    def __call__(self) -> None:
        with self._lock:
            if self.is_over:
                raise Stopped
            try:
                self._step()
            except BaseException:
                self.is_over = True
                raise


def n_side_by_side(n_jobs: int | None, rows: int, fits: int) -> int:
    """How many of some fits run at a time; one of large tables, where BLAS itself has threads."""
    if rows >= WORTH_THREADS:
        return 1
    room = (most_rows() / rows) ** 2
    return max(int(min(effective_n_jobs(n_jobs), fits, room)), 1)


def side_by_side(
    function: Callable[[Any, Callable[[], None]], Any],
    items: Iterable[Any],
    n_threads: int,
    step: Callable[[], None],
) -> list[Any]:
    """``function(item, step)`` of each item, in order, each with one BLAS thread.

    If one fails, or the caller is interrupted, the others end at their next step.
    """
    if n_threads == 1:
        return [function(item, step) for item in items]
    shared, config = SharedStep(step), get_config()
    failures: list[BaseException] = []

    def run(item: Any) -> Any:
        try:
            with config_context(**config):
                return function(item, shared)
        except BaseException as error:
            failures.append(error)
            raise

    with ThreadPoolExecutor(n_threads, initializer=one_blas_thread) as pool:
        futures = [pool.submit(copy_context().run, run, item) for item in items]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        finally:
            shared.is_over = True  # of those that are done already it ends none
            pool.shutdown(cancel_futures=True)
    for error in sorted(failures, key=lambda one: isinstance(one, Stopped)):
        raise error
    return [one.result() for one in futures]
