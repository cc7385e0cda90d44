"""What is to be released, built once: the wheel, the source distribution, and installed wheels."""

import shutil
import sys
from pathlib import Path

import pytest
from release.environments import ROOT, Environment, must

DIST = ROOT / "dist"


def pytest_sessionstart(session):
    """Make the folder ``dist`` anew, once: the source distribution, and the wheel built from it."""
    if hasattr(session.config, "workerinput"):
        return  # one of several processes: the first has built
    shutil.rmtree(DIST, ignore_errors=True)
    must(sys.executable, "-m", "build", "--installer", "uv", "--outdir", DIST, ROOT)


@pytest.fixture(scope="session")
def dist():
    return DIST


@pytest.fixture(scope="session")
def wheel(dist):
    (path,) = dist.glob("*.whl")
    return path


@pytest.fixture(scope="session")
def sdist(dist):
    (path,) = dist.glob("*.tar.gz")
    return path


@pytest.fixture(scope="session")
def environment(tmp_path_factory):
    """``environment(*wanted, python=...)``: a new environment in which this is installed."""

    def made(*wanted: str | Path, python: str = sys.executable) -> Environment:
        return Environment(tmp_path_factory.mktemp("environment") / "venv", python).install(*wanted)

    return made


@pytest.fixture(scope="session")
def plain(environment, wheel):
    """The wheel and what it cannot do without."""
    return environment(wheel)
