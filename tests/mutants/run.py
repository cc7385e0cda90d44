"""Run the tests against each mutant: ``make mutants``, or ``run.py WORD ...`` for some of them.

Each mutant is made in a copy of the source, which PYTHONPATH puts before the installed package; the
checkout is never changed. A mutant is killed if its tests fail or do not end. Before that, the same
tests must pass on the copy as it is: otherwise a death says nothing.
"""

import os
import shutil
import subprocess
import sys
import time
from importlib.util import cache_from_source
from pathlib import Path
from tempfile import TemporaryDirectory

from all_mutants import MUTANTS
from mutant import Mutant

REPOSITORY = Path(__file__).resolve().parents[2]
# The least share of mutants that must die.
LEAST_SCORE = 0.9
# Tests that take longer than this do not end.
SECONDS = 600
# What pytest returns if tests fail, and if it cannot import or collect them.
FAILED = (1, 2)


class Copy:
    """A copy of the source, and Python with this copy in place of the installed package."""

    def __init__(self, folder: Path):
        self.source = folder / "src"
        shutil.copytree(
            REPOSITORY / "src", self.source, ignore=shutil.ignore_patterns("__pycache__")
        )
        # Examples on which one mutant fails must not help against the next.
        self.examples = folder / "hypothesis"
        self.environment = os.environ | {
            "PYTHONPATH": str(self.source),
            "SCIPY_ARRAY_API": "1",
            "HYPOTHESIS_STORAGE_DIRECTORY": str(self.examples),
        }
        where = self.python("-c", "import kernelwise; print(kernelwise.__file__)").stdout.strip()
        if not Path(where).resolve().is_relative_to(self.source.resolve()):
            raise SystemExit(f"the tests would not see the mutants: kernelwise is that of {where}")

    def python(
        self, *arguments: str, seconds: float | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=REPOSITORY,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=seconds,
        )

    def tested(
        self, tests: tuple[str, ...], seconds: float | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run tests until one fails, always with the same examples of Hypothesis."""
        shutil.rmtree(self.examples, ignore_errors=True)
        options = ("-x", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=0")
        return self.python(
            "-m", "pytest", *options, *(f"tests/{test}" for test in tests), seconds=seconds
        )

    def kills(self, mutant: Mutant) -> bool:
        """Whether the tests notice the mutant; the copy is as before afterwards."""
        file = self.source / "kernelwise" / mutant.file
        original = file.read_text()
        self._write(file, original.replace(mutant.old, mutant.new))
        try:
            found = self.tested(mutant.tests, SECONDS)
        except subprocess.TimeoutExpired:
            return True
        finally:
            self._write(file, original)
        if found.returncode not in (0, *FAILED):
            raise SystemExit(f"pytest could not run {mutant.tests}:\n{found.stdout}{found.stderr}")
        return found.returncode != 0

    @staticmethod
    def _write(file: Path, text: str) -> None:
        """Write a file and forget its compiled form, which may look as new as the file."""
        file.write_text(text)
        Path(cache_from_source(str(file))).unlink(missing_ok=True)


def main(words: list[str]) -> int:
    chosen = [
        mutant
        for mutant in MUTANTS
        if not words or any(word in f"{mutant.file} {mutant.name}" for word in words)
    ]
    if not chosen:
        raise SystemExit(f"no mutant has any of {words} in its file or name")
    survivors = []
    with TemporaryDirectory() as folder:
        copy = Copy(Path(folder))
        found = copy.tested(tuple(sorted({test for mutant in chosen for test in mutant.tests})))
        if found.returncode:
            raise SystemExit(f"tests fail without any mutant:\n{found.stdout[-3000:]}")
        for mutant in chosen:
            began = time.monotonic()
            killed = copy.kills(mutant)
            survivors += [] if killed else [mutant]
            fate, seconds = "killed  " if killed else "SURVIVED", time.monotonic() - began
            print(f"{fate} {seconds:5.0f} s  {mutant.file}: {mutant.name}", flush=True)
    score = 1 - len(survivors) / len(chosen)
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} mutants killed: {score:.0%}")
    for mutant in survivors:
        print(f"  survived: {mutant.file}: {mutant.name}")
    return int(score < LEAST_SCORE)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
