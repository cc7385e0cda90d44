"""What the system says about its memory, and fits that would not fit in it."""

import os

import numpy as np
import pytest

import kernelwise.memory
from kernelwise import BEMKLRegressor, KernelAligner, LSSVMClassifier, LSSVMRegressor
from kernelwise.kernels import Gaussian
from kernelwise.memory import check_memory, free_memory

MEGABYTE = 2**20


@pytest.fixture
def system(tmp_path, monkeypatch):
    """``system(path=text)`` writes what a system says of itself; it has 64 megabytes."""
    monkeypatch.setattr(os, "sysconf", {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 16384}.get)

    def written(files):
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        return tmp_path

    return written


AVAILABLE = {"proc/meminfo": "MemTotal: 65536 kB\nMemFree: 10 kB\nMemAvailable: 32768 kB\n"}
VERSION_2 = {"proc/self/cgroup": "0::/inner/job\n"}
VERSION_1 = {"proc/self/cgroup": "5:cpu:/slow\n4:memory:/job\n0::/\n"}
SYSTEMS = {
    "nothing else": ({}, 64),
    "available": (AVAILABLE, 32),
    "a limit": ({**AVAILABLE, **VERSION_2, "sys/fs/cgroup/inner/job/memory.max": "8388608\n"}, 8),
    "a limit around": ({**VERSION_2, "sys/fs/cgroup/memory.max": "4194304\n"}, 4),
    "no limit": ({**VERSION_2, "sys/fs/cgroup/inner/job/memory.max": "max\n"}, 64),
    "version 1": ({**VERSION_1, "sys/fs/cgroup/memory/job/memory.limit_in_bytes": "2097152\n"}, 2),
    "version 1, no limit": (
        {**VERSION_1, "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"},
        64,
    ),
    "another resource": ({**VERSION_1, "sys/fs/cgroup/slow/memory.max": "1048576\n"}, 64),
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_least_of_what_there_is_and_what_is_allowed(name, system):
    files, megabytes = SYSTEMS[name]
    assert free_memory(system(files)) == megabytes * MEGABYTE


def test_a_system_that_does_not_say_refuses_nothing(tmp_path, monkeypatch):
    monkeypatch.delattr(os, "sysconf")
    assert free_memory(tmp_path) is None
    monkeypatch.setattr(kernelwise.memory, "free_memory", lambda: None)
    check_memory(10**9)


def test_six_gram_matrices_must_fit(monkeypatch):
    monkeypatch.setattr(kernelwise.memory, "free_memory", lambda: 6 * 8 * 50**2)
    check_memory(50)
    with pytest.raises(ValueError, match="has 51 rows; the free memory is enough for about 50: "):
        check_memory(51)


MODELS = {
    "classes": LSSVMClassifier("gaussian", None),
    "quantities": LSSVMRegressor("gaussian", None),
    "many kernels": BEMKLRegressor(["gaussian"]),
    "alignment": KernelAligner("gaussian"),
    "precomputed": LSSVMRegressor("precomputed", None),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_fit_says_so_before_it_makes_a_gram_matrix(name, monkeypatch):
    X = np.random.default_rng(0).normal(size=(30, 2))
    if name == "precomputed":
        X = Gaussian(1.0)(X)
    monkeypatch.setattr(kernelwise.memory, "free_memory", lambda: 6 * 8 * 29**2)
    monkeypatch.setattr(Gaussian, "evaluate", None)  # to be called is an error
    with pytest.raises(ValueError, match=r"the table has 30 rows.*about 29"):
        MODELS[name].fit(X, np.arange(30) % 2)


def test_repeated_rows_take_no_memory(monkeypatch):
    X = np.random.default_rng(0).normal(size=(15, 2))
    monkeypatch.setattr(kernelwise.memory, "free_memory", lambda: 6 * 8 * 15**2)
    LSSVMClassifier("gaussian", None).fit(np.tile(X, (2, 1)), np.arange(30) % 15 % 2)
