"""Environments of their own, in which programs run as a user's would."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from glob import glob
from pathlib import Path
from shutil import which

ROOT = Path(__file__).resolve().parent.parent
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def clean_surroundings() -> dict[str, str]:
    """The variables of this process without those that lead Python elsewhere."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return kept | ONE_THREAD | {"UV_PYTHON_DOWNLOADS": "never"}


def called(*command: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    """A finished process, its output as text."""
    return subprocess.run(
        [str(part) for part in command],
        **{"capture_output": True, "text": True, "env": clean_surroundings()} | options,
    )


def must(*command: str | Path, **options: object) -> str:
    """What a process says that has to succeed."""
    done = called(*command, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def uv(*arguments: str | Path) -> str:
    return must(sys.executable, "-m", "uv", *arguments)


def interpreter(version: str) -> str | None:
    """A Python of this version, such as "3.13", on the path or among those of pyenv."""
    pyenv = os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")
    found = [which(f"python{version}"), *glob(f"{pyenv}/versions/{version}*/bin/python")]
    asked = "import sys; print('%d.%d' % sys.version_info[:2])"
    for path in filter(None, found):
        done = called(path, "-c", asked)
        if done.returncode == 0 and done.stdout.strip() == version:
            return path
    return None


class Environment:
    """A virtual environment, empty at first."""

    def __init__(self, folder: Path, python: str = sys.executable) -> None:
        uv("venv", "--quiet", "--python", python, folder)
        self.programs = folder / "bin"
        self.python = self.programs / "python"

    def install(self, *wanted: str | Path) -> Environment:
        uv("pip", "install", "--quiet", "--python", self.python, *wanted)
        return self

    def packages(self) -> dict[str, str]:
        """Name and version of all that is installed."""
        listed = uv("pip", "list", "--format", "json", "--python", self.python)
        return {package["name"]: package["version"] for package in json.loads(listed)}

    def run(self, program: str, *arguments: str, **options: object) -> str:
        """What a file of `programs` prints."""
        return must(self.python, ROOT / "release" / "programs" / program, *arguments, **options)
