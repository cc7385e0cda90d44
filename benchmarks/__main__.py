"""Run the benchmarks and print one table; exit code 1 when a limit is missed."""

from __future__ import annotations

import argparse
import os
import sys
import time
from importlib import import_module

from threadpoolctl import threadpool_info

from benchmarks.table import Row, table

# name: module; those that use both cores come last
BENCHMARKS = {
    "criteria": "criteria_cost",
    "alignment": "alignment_cost",
    "support-vectors": "support_vector_cost",
    "relevance-vectors": "relevance_vector_cost",
    "posterior": "posterior_cost",
    "many-kernels": "many_kernel_cost",
    "kernels": "kernel_cost",
    "entries": "entry_cost",
    "landmarks": "landmark_passes",
    "pullback": "pullback_vs_sklearn",
    "auto": "auto_cost",
    "first-level": "first_level_cost",
    "grid-search": "grid_search",
    "estimates": "estimates",
    "averaging": "averaging",
    "startup": "startup",
    "store": "store_cost",
    "memory": "memory",
}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Speed and memory as ratios, in one run; exit code 1 when a limit is missed.",
        epilog="F is the time of LAPACK's potrf + potri at the same n; times are CPU seconds.",
    )
    parser.add_argument(
        "names", nargs="*", metavar="name", help=f"which to run: {', '.join(BENCHMARKS)}; or all"
    )
    parser.add_argument("--quick", action="store_true", help="fewer repeats, smaller sizes")
    chosen = parser.parse_args()
    if unknown := set(chosen.names) - set(BENCHMARKS):
        parser.error(f"unknown benchmark {sorted(unknown)}; choose from {list(BENCHMARKS)}")
    return chosen


def check_single_thread() -> None:
    pools = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
    if not pools or any(pool["num_threads"] != 1 for pool in pools):
        sys.exit(f"BLAS must run with one thread for times to compare, but found {pools}")


def main() -> int:
    chosen = arguments()
    rows: list[Row] = []
    for name in chosen.names or BENCHMARKS:
        start = time.perf_counter()
        module = import_module(f"benchmarks.{BENCHMARKS[name]}")
        check_single_thread()
        rows += module.run(chosen.quick)
        print(f"{name}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
    print(table(rows))
    missed = sum(row.missed for row in rows)
    load = os.getloadavg()[0]
    print(f"\n{missed} limit(s) missed; load average {load:.1f} on {os.cpu_count()} cores")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
