"""An ascent of the evidence by sampled gradients: parameters, gradients and errors by steps."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kernelwise.kernels import Kernel
from kernelwise.optional import import_optional
from kernelwise.report.ascent_curves import Curve, curves_of
from kernelwise.report.style import (
    BLUE,
    LINE_HEIGHT,
    MIDDLE,
    ORANGE,
    check_count,
    figure_style,
    new_figure,
    settle,
)
from kernelwise.selections import SampledTrace

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Inches of the figure, of a panel's height with its title, and of the lines above all panels.
WIDTH, PANEL, HEAD = 7.2, 1.0, 2.5 * LINE_HEIGHT
ERRORS = 2.0  # standard errors to either side of a sampled gradient
# What labels each decade of a log axis whose ends have a ratio below the key; any numbers may, if
# the ratio is small.
NARROW_RANGE, LABELS = 3.0, {12.0: (1, 2, 5), 150.0: (1, 3), np.inf: (1,)}
# No axis of values has a smaller ratio, so that what hardly moves looks like it.
LEAST_RANGE = 1.5


def ascent_plot(
    trace: SampledTrace,
    kernel: Kernel | None = None,
    features: Sequence[str] | None = None,
    most: int = 6,
) -> "Figure":
    """Each parameter, and the gradient of the log evidence per row in its logarithm, by steps.

    ``trace`` is ``trace_`` of ``SVMClassifier(selection="evidence-hmc")`` (one step, unless
    ``searcher="ascent"``) or with a `SampledEvidence`. Every point that was sampled is a step, even
    one from which the search went back. Dots are sampled gradients with 2 standard errors to either
    side, the gray line is expectation propagation; an orange mark is the step that was chosen. With
    a validation split, the last panels are error and mean squared hinge on it. Scales have the same
    axes.

    Parameters
    ----------
    trace : with at least one sampled step
    kernel : the model's ``kernel_``, with which weights are drawn as length scales
    features : names of the columns, if the kernel has a length scale for each
    most : scales that are drawn at most: those that move most, or, after one step, are steepest

    References
    ----------
    Gold & Sollich (2003), Neurocomputing 55, Figs. 5 and 6.
    """
    _check(trace, most)
    curves = curves_of(trace, kernel, features)
    alone = len(trace.steps) == 1
    scales = [curve for curve in curves if curve.is_scale]
    scales.sort(key=lambda curve: -(np.abs(curve.sampled).max() if alone else curve.moved))
    drawn = scales[:most] + [curve for curve in curves if not curve.is_scale]
    validated = bool(np.isfinite([step.validation_error for step in trace.steps]).all())
    with figure_style():
        rows = len(drawn) + validated
        figure = new_figure(WIDTH, HEAD + PANEL * rows + 0.3)
        layout: Any = figure.get_layout_engine()
        layout.set(h_pad=0.03, hspace=0.0)
        head, *pairs = figure.subplots(
            1 + rows, 2, sharex="row", gridspec_kw={"height_ratios": [HEAD] + [PANEL] * rows}
        )
        for curve, pair in zip(drawn, pairs[: len(drawn)], strict=True):
            _draw(curve, *pair)
        _same_axes(pairs[: len(scales[:most])])
        if validated:
            _draw_validation(trace, *pairs[-1])
        _finish(pairs, _chosen(trace), len(trace.steps))
        kind = "scales" if kernel is None else "length scales"
        which = "with the largest gradients" if alone else "that move most"
        note = f"the {most} of {len(scales)} {kind} {which}" if len(scales) > most else ""
        _write_head(head, pairs[0][1], note)
        settle(figure)
    return figure


def _check(trace: SampledTrace, most: int) -> None:
    if not isinstance(trace, SampledTrace) or not trace.steps:
        raise ValueError(
            "trace must be that of a search with sampled gradients, such as trace_ of "
            f"SVMClassifier(selection='evidence-hmc'), not {trace!r}"
        )
    check_count(most, "most")
    for step in trace.steps:
        for numbers in (step.point, step.gradient, step.standard_errors, step.propagated):
            if np.shape(numbers) != (len(trace.names),) or not np.isfinite(numbers).all():
                raise ValueError(
                    "every step of the trace must have a finite number for each of the parameters "
                    f"{list(trace.names)}"
                )


def _chosen(trace: SampledTrace) -> int:
    """The sampled step at the point that was chosen, or nearest to it."""
    distances = [np.linalg.norm(step.point - trace.best_point) for step in trace.steps]
    return int(np.argmin(distances))


def _draw(curve: Curve, values: "Axes", gradients: "Axes") -> None:
    steps = np.arange(len(curve.values))
    values.set_yscale("log")
    values.plot(steps, curve.values, "o-", color=BLUE, lw=1.2, ms=3, gid="value")
    values.set_title(curve.label)
    values.margins(y=0.12)
    gradients.margins(y=0.12)
    gradients.axhline(0, color=MIDDLE, lw=0.5)
    dots, _, (bars,) = gradients.errorbar(
        steps, curve.sampled, ERRORS * curve.errors, fmt="o", color=BLUE, ms=3, elinewidth=1
    )
    dots.set_gid("sampled")
    bars.set_gid("errors")
    # A single step has no line: a dash instead.
    shape: dict[str, Any] = {"ls": "-", "lw": 1.2} if len(steps) > 1 else {"marker": "_", "ms": 14}
    gradients.plot(steps, curve.propagated, color=MIDDLE, zorder=1.5, gid="propagated", **shape)


def _draw_validation(trace: SampledTrace, errors: "Axes", losses: "Axes") -> None:
    """The error on the validation split, and the loss by which equal errors were decided."""
    percents = [100 * step.validation_error for step in trace.steps]
    chosen = _chosen(trace)
    for axes, title, numbers in (
        (errors, "validation error, %", percents),
        (losses, "validation loss", [step.validation_loss for step in trace.steps]),
    ):
        axes.plot(numbers, "o-", color=BLUE, lw=1.2, ms=3, gid=title)
        axes.plot([chosen], [numbers[chosen]], "o", color=ORANGE, ms=7, gid="chosen")
        axes.set_title(title)
        axes.margins(y=0.15)
    errors.set_title(f"step {chosen}: {percents[chosen]:.1f} %", loc="right", color=ORANGE)


def _same_axes(pairs: Sequence[Sequence["Axes"]]) -> None:
    """Give scales, and their gradients, the same axes, so that they can be compared."""
    for column in zip(*pairs, strict=True):
        low, high = zip(*(axes.get_ylim() for axes in column), strict=True)
        for axes in column:
            axes.set_ylim(min(low), max(high))


def _finish(pairs: Sequence[Sequence["Axes"]], chosen: int, steps: int) -> None:
    """Marks, limits and ticks; steps are whole numbers, written under the last panels only."""
    ticker = import_optional("matplotlib.ticker", extra="report")
    for axes in (axes for pair in pairs for axes in pair):
        last = axes in pairs[-1]
        if steps > 1:
            axes.axvline(chosen, color=ORANGE, lw=1, ls=(0, (4, 2)), zorder=1, gid="chosen step")
        axes.grid(axis="y")
        axes.set_xlim(-0.5, steps - 0.5)
        axes.xaxis.set_major_locator(ticker.MaxNLocator(8, integer=True, min_n_ticks=1))
        axes.tick_params(axis="x", labelbottom=last, length=3 if last else 0)
        if last:
            axes.set_xlabel("step")
        if axes.get_yscale() == "log":
            _value_ticks(axes)
        else:
            axes.yaxis.set_major_locator(ticker.MaxNLocator(3))


def _value_ticks(axes: "Axes") -> None:
    """Plain numbers on a logarithmic axis that is not too short."""
    ticker = import_optional("matplotlib.ticker", extra="report")
    low, high = axes.get_ylim()
    room = max(LEAST_RANGE * low / high, 1.0) ** 0.5
    low, high = low / room, high * room
    axes.set_ylim(low, high)
    ratio = high / low
    labels = next(numbers for most, numbers in LABELS.items() if ratio < most)
    logarithmic = ticker.LogLocator(subs=labels, numticks=5)
    axes.yaxis.set_major_locator(ticker.MaxNLocator(3) if ratio < NARROW_RANGE else logarithmic)
    axes.yaxis.set_major_formatter(ticker.FormatStrFormatter("%g"))
    axes.yaxis.set_minor_locator(ticker.NullLocator())


def _write_head(head: Sequence["Axes"], gradients: "Axes", note: str) -> None:
    """Above all panels: what is left out, and what the gradients' marks mean."""
    for axes in head:
        axes.axis("off")
    head[0].text(0, 1, note, transform=head[0].transAxes, va="top", gid="note")
    (line,) = [line for line in gradients.lines if line.get_gid() == "propagated"]
    labels = [f"sampled, ± {ERRORS:g} standard errors", "expectation propagation"]
    handles: list[Any] = [gradients.containers[0], line]
    head[1].legend(handles, labels, loc="upper left", borderaxespad=0, borderpad=0)
    gradients.set_title("gradient of the log evidence per row")
