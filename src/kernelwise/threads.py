"""How many threads linear algebra may use."""

from threadpoolctl import threadpool_limits  # scikit-learn always brings it

# From this many rows on, threads may gain more in one factorization than they lose in waiting.
WORTH_THREADS = 4000


def blas_threads_for(rows: int) -> threadpool_limits:
    """A context in which small problems are solved by one thread, and large ones by all.

    A search makes thousands of short BLAS calls, between the thread pools of numpy and of scipy,
    and each waits for its slowest thread. Measured on two cores, a first-level fit with one thread
    and with two: 500 rows 1.4 and 5.1 s, 1000 rows 4.5 and 13.7 s, 2000 rows 18 and 32 s.
    """
    return threadpool_limits(1 if rows < WORTH_THREADS else None, user_api="blas")
