"""What least-squares records share: the error that they minimize."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np


class Penalized:
    """What first-level kernel learning reads of any least-squares record.

    Its ``gradient`` takes the derivative in ``penalized_errors``.
    """

    gradient: ClassVar[Any]

    @property
    def penalized_errors(self) -> np.ndarray:
        """``sum w (y - f)^2 + regularization |f|^2`` of each target, at its minimum."""
        raise NotImplementedError
