"""The wheel with other interpreters, and with the oldest packages that it says it works with."""

import tomllib

import pytest
from release.environments import ROOT, interpreter

import kernelwise

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
NAMED = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if " :: 3." in line]
OLDEST, *NEWER = sorted(NAMED, key=lambda version: int(version.partition(".")[2]))
NEXT = f"3.{int(NEWER[-1].partition('.')[2]) + 1}"


def works(environment, tmp_path):
    """Whether a first program runs, and scikit-learn finds nothing wrong."""
    assert environment.run("fit.py", cwd=tmp_path).endswith(f"{kernelwise.__version__}\n")
    return len(environment.run("scikit_learn_checks.py", "gaussian").splitlines()) == 2


def test_the_oldest_python_is_the_one_required():
    assert PROJECT["requires-python"] == f">={OLDEST}"


@pytest.mark.parametrize("version", [*NEWER, NEXT])
def test_with_another_python(version, environment, wheel, tmp_path):
    python = interpreter(version)
    if python is None:
        pytest.skip(f"there is no Python {version} here")
    assert works(environment(wheel, python=python), tmp_path)


def test_with_the_lowest_versions_and_the_oldest_python(environment, wheel, tmp_path):
    python = interpreter(OLDEST)
    if python is None:
        pytest.skip(f"there is no Python {OLDEST} here")
    lowest = environment(
        *("--resolution", "lowest-direct", "-r", ROOT / "pyproject.toml"), python=python
    )
    lowest.install("--no-deps", wheel)
    installed = lowest.packages()
    for line in PROJECT["dependencies"]:
        name, _, least = line.partition(">=")
        assert installed[name].startswith(least)
    assert works(lowest, tmp_path)
