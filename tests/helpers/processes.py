"""Real processes of the tests: begun in a group of their own, and ended with all their workers."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import tiny_trial

# Seconds after which even a busy machine must have got there; a cell of "slow" takes longer.
HUNG = 300
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


@contextmanager
def started(*arguments):
    """``python tiny_trial.py arguments``; whatever is left of it is killed at the end."""
    process = subprocess.Popen(
        [sys.executable, tiny_trial.__file__, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, **ONE_THREAD},
        # A shell's background jobs ignore Ctrl-C, and so would their children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        yield process
    finally:
        kill_group(process.pid)
        process.communicate(timeout=HUNG)


def kill_group(leader):
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def alive_in_group(leader):
    """Processes of a group, dead ones that nobody has asked about left out."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            pid, rest = path.parent.name, path.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(rest[2]) == leader and rest[0] not in "ZX":
            found.append(int(pid))
    return found


def wait_until(condition):
    """Fails when ``condition()`` never becomes true."""
    give_up = time.monotonic() + HUNG
    while not condition():
        assert time.monotonic() < give_up, "waited in vain"
        time.sleep(0.01)
