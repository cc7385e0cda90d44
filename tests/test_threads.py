"""One thread for small problems, all for large ones, and as before afterwards."""

from threadpoolctl import threadpool_info, threadpool_limits

from kernelwise.threads import WORTH_THREADS, blas_threads_for


def counts():
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def test_threads_follow_the_size_of_the_problem():
    with threadpool_limits(2, user_api="blas"):
        before = counts()
        for _ in range(2):  # the pools are found once, and their counts read each time
            with blas_threads_for(WORTH_THREADS - 1):
                assert before and set(counts()) == {1}
            assert counts() == before
        with blas_threads_for(WORTH_THREADS):
            assert counts() == before
