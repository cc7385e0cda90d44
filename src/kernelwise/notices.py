"""Warnings that point to the line of the user's program, however deep they come from."""

import sys
import warnings
from types import FrameType

# Frames of these packages are not the user's.
INSIDE = ("kernelwise", "sklearn", "joblib")


def warn_user(message: str, category: type[Warning]) -> None:
    """Warn, naming the nearest caller outside kernelwise and the libraries that call it."""
    level = 1
    frame: FrameType | None = sys._getframe(0)
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] in INSIDE:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
