"""How fast the bound of a variational model rises."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from kernelwise.report.style import (
    BLUE,
    DARK,
    MIDDLE,
    ORANGE,
    as_label,
    check_methods,
    figure_style,
    finite_array,
    new_figure,
    settle,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLORS = (BLUE, ORANGE, DARK, MIDDLE)
WIDTH, HEIGHT = 5.6, 3.2
# Below this many nats from the best bound, the distance is not drawn: it is rounding.
SMALLEST = 1e-3


def bounds_plot(bounds: Mapping[str, ArrayLike]) -> "Figure":
    """The distance of the bound from the highest one, in nats, after every sweep.

    ``bounds`` are ``lower_bound_`` of fits to the same table, by name, such as "plain" and "with
    momentum". Both axes are logarithmic; a curve ends where it comes within 0.001 nats of the
    highest bound, or where its sweeps ended. At most four.
    """
    check_methods(bounds, "the bounds after its sweeps")
    if any(isinstance(values, list) and np.ndim(values[0]) for values in bounds.values()):
        raise ValueError("each class has its own bounds: draw those of one, lower_bound_[k]")
    if len(bounds) > len(COLORS):
        raise ValueError(f"at most {len(COLORS)} curves can be told apart, got {len(bounds)}")
    curves = {name: finite_array(values, 1, str(name)) for name, values in bounds.items()}
    highest = max(values.max() for values in curves.values())
    with figure_style():
        figure = new_figure(WIDTH, HEIGHT)
        axes = figure.subplots()
        axes.set_xscale("log")
        axes.set_yscale("log")
        for color, (name, values) in zip(COLORS, curves.items(), strict=False):
            gaps = highest - values
            drawn = gaps >= SMALLEST
            sweeps = 1 + np.flatnonzero(drawn)
            axes.plot(sweeps, gaps[drawn], color=color, lw=1.4, label=as_label(name), gid="bound")
        axes.set_xlabel("sweep")
        axes.set_ylabel("nats below the highest bound")
        axes.grid(axis="y")
        axes.legend(loc="lower left")
        settle(figure)
    return figure
