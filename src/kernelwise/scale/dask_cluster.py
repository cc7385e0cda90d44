"""Tasks on a Dask cluster, or in threads of this process: the only file that imports Dask."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager
from functools import cache
from typing import Any
from uuid import uuid4

from kernelwise.optional import import_optional
from kernelwise.threads import one_blas_thread

# Functions of more bytes go to the workers directly, not through the scheduler.
LARGE = 1_000_000
# What was sent directly is lost if all workers die at once: then the work begins again.
TRIES = 3
# More steps than a turn has.
STEPS_IN_TURN = 64
# Tells the process of the caller, whose limits are its own, from those of workers.
PROCESS = uuid4().hex


class DaskCluster:
    """A cluster behind a client of ``distributed``, or Dask's threads without one.

    Parameters
    ----------
    client : None: threads of this process
    n_threads : how many of them
    """

    def __init__(self, client: Any = None, n_threads: int = 1) -> None:
        self.client, self.n_threads = client, n_threads
        self._dask = import_optional("dask", extra="distributed")

    def task(self, function: Callable) -> Any:
        """A function whose calls are tasks: it gives Dask's `Delayed` results."""
        return self._dask.delayed(function, pure=False)

    def in_turn(self, turn: int, step: int = 0) -> AbstractContextManager[object]:
        """A context whose tasks begin in the order of turns, and the later steps of a turn first.

        Dask's own order would read many pieces before it works on the first of them.
        """
        return self._dask.annotate(priority=step - STEPS_IN_TURN * turn)

    def kept(self, value: Any) -> Any:
        """A value that stays with the cluster, as a task that can be run again."""
        if is_lazy(value):
            return value
        if self.client is None:
            return self._dask.delayed(value, pure=False, traverse=False)
        return self.client.submit(_same, value, pure=False)

    def shared(self, work: Any) -> Any:
        """A function, or several, as many tasks share it; they get it by `called`."""
        if self.client is None:
            return self._dask.delayed(Direct(work), pure=False, traverse=False)
        cloudpickle = import_optional("cloudpickle", extra="distributed")
        pickled = cloudpickle.dumps((PROCESS, work))
        if len(pickled) > LARGE:
            return self.client.scatter(pickled, broadcast=True)
        return self._dask.delayed(pickled, pure=False)

    def computed(self, graph: Callable[[], Any]) -> Any:
        """The result of the task that ``graph()`` makes; made again if the cluster lost parts."""
        if self.client is None:
            with one_blas_thread():
                found = self._dask.compute(graph(), scheduler="threads", num_workers=self.n_threads)
                return found[0]
        for _ in range(TRIES):
            try:
                with one_blas_thread():  # the workers may be threads of this process
                    return self.client.compute(graph()).result()
            except CancelledError:
                continue
        raise ConnectionError("the Dask cluster lost all its workers, or is gone")

    def each(self, function: Callable[[Any], Any], pieces: Sequence[Any]) -> list[Any]:
        """``function(piece)`` of every piece, in order; the pieces stay where they are."""

        def graph() -> Any:
            shared, work = self.shared(function), self.task(_on_piece)
            return self.task(listed)(*(work(shared, piece) for piece in map(self.kept, pieces)))

        return self.computed(graph)

    def outputs(
        self,
        pieces: Sequence[Any],
        function: Callable[[Any], Any],
        n_outputs: int,
        sizes: Sequence[int] | None = None,
    ) -> Any:
        """A Dask array of ``function(piece)``, (rows, ``n_outputs``), a chunk for each piece."""
        arrays = import_optional("dask.array", extra="distributed")
        shared, work = self.shared(function), self.task(_on_piece)
        # NaN is Dask's way to say that a number of rows is not known.
        rows = [float("nan")] * len(pieces) if sizes is None else sizes
        chunks = [
            arrays.from_delayed(work(shared, piece), (size, n_outputs), dtype=float)
            for piece, size in zip(map(self.kept, pieces), rows, strict=True)
        ]
        return arrays.concatenate(chunks, allow_unknown_chunksizes=sizes is None)


class Direct:
    """A function, or several, for tasks of this process."""

    def __init__(self, work: Any) -> None:
        self.work = work


def active_client() -> Any:
    """The client that Dask would use now; None if there is none."""
    distributed = sys.modules.get("distributed")
    try:
        return None if distributed is None else distributed.default_client()
    except ValueError:
        return None


def is_lazy(value: Any) -> bool:
    """Whether a value is one of Dask's, still to be computed."""
    return hasattr(value, "__dask_graph__")


def called(shared: Direct | bytes) -> Any:
    """What is shared, in a task; a worker then leaves linear algebra one thread for good."""
    if isinstance(shared, Direct):
        return shared.work
    process, work = pickle.loads(shared)
    if process != PROCESS:
        _limit_worker()
    return work


def opened(piece: Any) -> Any:
    """What a piece holds: functions read it."""
    return piece() if callable(piece) else piece


def listed(*parts: Any) -> list[Any]:
    return list(parts)


def _on_piece(shared: Direct | bytes, piece: Any) -> Any:
    return called(shared)(opened(piece))


def _same(value: Any) -> Any:
    return value


@cache
def _limit_worker() -> None:
    one_blas_thread()
