"""The tests in an environment of their own: ``python -m release.suite [--lowest] [--python 3.13]``.

It stays beside the checkout's own, as ``.venv-lowest`` or ``.venv-3.13``.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys

from release.environments import ROOT, Environment, clean_surroundings, interpreter


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lowest", action="store_true", help="the lowest versions allowed")
    parser.add_argument("--python", default="3.11", help="such as 3.13")
    parser.add_argument("tests", nargs="*", help="files and options for pytest; all tests without")
    chosen, options = parser.parse_known_args()
    python = interpreter(chosen.python)
    if python is None:
        sys.exit(f"error: there is no Python {chosen.python} here")
    folder = ROOT / f".venv-{'lowest' if chosen.lowest else chosen.python}"
    shutil.rmtree(folder, ignore_errors=True)
    environment = Environment(folder, python)
    resolution = "lowest-direct" if chosen.lowest else "highest"
    environment.install(
        *("--resolution", resolution, "-r", ROOT / "pyproject.toml", "--extra", "test")
    )
    environment.install("--no-deps", "--editable", ROOT)
    command = [environment.python, "-m", "pytest", "-n", "2", *chosen.tests, *options]
    return subprocess.run(command, cwd=ROOT, env=clean_surroundings()).returncode


if __name__ == "__main__":
    sys.exit(main())
