"""What every criterion is: a value to minimise and its derivative in what it read."""

from __future__ import annotations

from typing import Any

from kernelwise.solutions import SolutionGradient


class Criterion:
    """Reads a record (``reads``), knows no kernel and no machine."""

    reads: type

    def __call__(self, solution: Any) -> tuple[float, SolutionGradient]:
        raise NotImplementedError

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({settings})"
