"""The parameters of a search with sampled gradients, in the units that are drawn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kernelwise.kernels import Kernel
from kernelwise.kernels.composite import Composite
from kernelwise.kernels.radial import Radial, is_radial
from kernelwise.report.short_names import short_names
from kernelwise.selections import SampledTrace

NAME_WIDTH = 1.8  # inches


@dataclass(frozen=True)
class Curve:
    """One parameter at every step: its values, and the gradient in their logarithm.

    The gradient is that of the log evidence per row: sampled, with standard errors, and by
    expectation propagation.
    """

    label: str
    values: np.ndarray
    sampled: np.ndarray
    errors: np.ndarray
    propagated: np.ndarray
    is_scale: bool

    @property
    def moved(self) -> float:
        """The logarithm of the ratio of the largest to the smallest value."""
        return float(np.ptp(np.log(self.values)))


def curves_of(
    trace: SampledTrace, kernel: Kernel | None, features: Sequence[str] | None
) -> list[Curve]:
    """All parameters of a trace; weights as length scales, if the kernel is known."""
    curves = _as_searched(trace)
    if kernel is None:
        if features is not None:
            raise ValueError("names of features need the kernel as well: the model's kernel_")
        return curves
    names = [parameter.name for parameter in kernel.parameters]
    if names != list(trace.names[: len(names)]):
        raise ValueError(
            f"the kernel has the parameters {names}, but the trace has {list(trace.names)}: give "
            "the kernel_ of the same model"
        )
    for first, radial in _radials(kernel, 0):
        labels = _labels(radial, features)
        scales = np.atleast_1d(radial.length_scale)
        # ln(length scale) is linear in ln(weight): two points give its slope, -1/2 or -1.
        further = np.atleast_1d(radial.with_values(np.e * radial.values).length_scale)
        for r, label in enumerate(labels):
            power, curve = float(np.log(further[r] / scales[r])), curves[first + r]
            curves[first + r] = replace(
                curve,
                label=label,
                values=scales[r] * (curve.values / radial.weights[r]) ** power,
                sampled=curve.sampled / power,
                errors=curve.errors / abs(power),
                propagated=curve.propagated / power,
            )
    return curves


def _as_searched(trace: SampledTrace) -> list[Curve]:
    """All parameters as the search knew them; a step has the gradient of minus the evidence."""
    values = np.exp([step.point for step in trace.steps]).T
    sampled = -np.array([step.gradient for step in trace.steps]).T
    errors = np.array([step.standard_errors for step in trace.steps]).T
    propagated = -np.array([step.propagated for step in trace.steps]).T
    ends = [name.rpartition(".")[2] for name in trace.names]
    labels = ends if len(set(ends)) == len(ends) else list(trace.names)
    scales = [end.partition("[")[0] == "weight" for end in ends]
    columns = zip(labels, values, sampled, errors, propagated, scales, strict=True)
    return [Curve(*column) for column in columns]


def _radials(kernel: Kernel, first: int) -> Iterator[tuple[int, Radial]]:
    """The radial kernels within a kernel, each with the place of its first parameter."""
    if is_radial(kernel):
        yield first, kernel
    elif isinstance(kernel, Composite):
        first += len(kernel.own)
        for child in kernel.children:
            yield from _radials(child, first)
            first += len(child.values)


def _labels(radial: Radial, features: Sequence[str] | None) -> list[str]:
    if radial.isotropic:
        return ["length scale"]
    count = len(radial.weights)
    if features is None:
        return [f"length scale [{r}]" for r in range(count)]
    if len(features) != count:
        raise ValueError(f"{len(features)} features were named for {count} length scales")
    return [f"length scale of {name}" for name in short_names(features, NAME_WIDTH)]
