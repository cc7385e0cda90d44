"""How many threads linear algebra may use."""

from contextlib import AbstractContextManager
from functools import cache

import scipy.linalg  # noqa: F401  (its BLAS and numpy's are there before they are looked for)
from threadpoolctl import ThreadpoolController  # scikit-learn always brings it

# From this many rows on, threads may gain more in one factorization than they lose in waiting.
WORTH_THREADS = 4000


def blas_threads_for(rows: int) -> AbstractContextManager[object]:
    """A context in which BLAS uses one thread for small problems and all threads for large ones.

    A search makes thousands of short BLAS calls, in the thread pools of numpy and of scipy by
    turns, and each waits for its slowest thread. A first-level fit on two cores took, with one
    thread and with two: 500 rows 1.4 and 5.1 s, 1000 rows 4.5 and 13.7 s, 2000 rows 18 and 32 s.
    """
    return _pools().limit(limits=1 if rows < WORTH_THREADS else None, user_api="blas")


def one_blas_thread() -> AbstractContextManager[object]:
    """Limit linear algebra to one thread, until the end of the context if it is used as one.

    Some libraries have a limit for the process, others one for each thread: a pool's threads need
    it too, and keep it.
    """
    return _pools().limit(limits=1, user_api="blas")


@cache
def _pools() -> ThreadpoolController:
    """The thread pools of the process. To find them takes 3 ms, more than a small fit."""
    return ThreadpoolController()
