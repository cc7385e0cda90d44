"""How many threads linear algebra may use."""

from threadpoolctl import threadpool_limits  # scikit-learn always brings it

# From about this many rows on, threads gain more in one factorisation than they lose in waiting.
WORTH_THREADS = 1000


def blas_threads_for(rows: int) -> threadpool_limits:
    """A context in which small problems are solved by one thread, and large ones by all.

    A search makes thousands of short BLAS calls. On a busy machine each waits for its slowest
    thread: measured at 455 rows, two threads on two busy cores take 30 times as long as one.
    """
    return threadpool_limits(1 if rows < WORTH_THREADS else None, user_api="blas")
