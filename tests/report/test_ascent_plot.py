"""The panels of an ascent: what is drawn where, in which units, and what is left out."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from drawn import assert_readable, lines, texts

from kernelwise import SVMClassifier
from kernelwise.kernels import Constant, Gaussian, Laplacian, Scaled
from kernelwise.kernels.radial import is_radial
from kernelwise.report import ascent_plot, save_figure
from kernelwise.searchers import AdaptiveGradient, SearchTrace
from kernelwise.selections import Given, SampledEvidence, SampledTrace
from kernelwise.selections.sampled_gradients import SampledStep

KERNEL = Scaled(Gaussian([1.0, 2.0]) + Constant())
NAMES = (
    "amplitude",
    "Sum.Gaussian.weight[0]",
    "Sum.Gaussian.weight[1]",
    "Sum.Constant.offset",
    "C",
)
ERRORS = (0.4, 0.1, 0.2)


def made(steps, names=NAMES, errors=None, seed=0):
    """A trace of random numbers, the step of the least validation error chosen."""
    random = np.random.default_rng(seed)
    made_steps = [
        SampledStep(
            point=random.normal(size=len(names)),
            gradient=0.1 * random.normal(size=len(names)),
            standard_errors=0.01 * random.uniform(size=len(names)),
            propagated=0.1 * random.normal(size=len(names)),
            reports=(),
            validation_error=np.nan if errors is None else errors[k],
            validation_loss=np.nan if errors is None else 2 * errors[k],
        )
        for k in range(steps)
    ]
    points, unknown = [step.point for step in made_steps], [np.nan] * steps
    chose = steps - 1 if errors is None else int(np.argmin(errors))
    search = SearchTrace(points, unknown, unknown, unknown, chose=chose)
    return SampledTrace(**vars(search), names=names, steps=made_steps)


TRACE = made(3, errors=ERRORS)


@pytest.fixture(scope="module")
def figure():
    return ascent_plot(TRACE)


def titles(figure, where="left"):
    found = [axes.get_title(where) for axes in figure.axes]
    return [title for title in found if title]


def column(name, parameter, trace=TRACE):
    return np.array([getattr(step, name)[parameter] for step in trace.steps])


def bars(figure):
    """Lower and upper ends of the error bars, panel by panel."""
    found = [part for axes in figure.axes for part in axes.collections]
    return [
        np.array([segment[:, 1] for segment in part.get_segments()])
        for part in found
        if part.get_gid() == "errors"
    ]


def by_label(figure, gid):
    """What is drawn for each parameter, by the name over its values."""
    labels = [title for title in titles(figure) if not title.startswith(("grad", "valid"))]
    return dict(zip(labels, lines(figure, gid), strict=True))


def test_every_parameter_has_a_panel_of_values_and_one_of_gradients(figure):
    assert_readable(figure)
    values, sampled = by_label(figure, "value"), by_label(figure, "sampled")
    propagated, ends = by_label(figure, "propagated"), dict(zip(values, bars(figure), strict=True))
    assert set(values) == {"amplitude", "weight[0]", "weight[1]", "offset", "C"}
    for r, name in enumerate(NAMES):
        label = name.split(".")[-1]
        np.testing.assert_allclose(values[label][:, 0], [0, 1, 2])
        np.testing.assert_allclose(values[label][:, 1], np.exp(column("point", r)))
        # The trace has gradients of minus the evidence, the picture those of the evidence.
        np.testing.assert_allclose(sampled[label][:, 1], -column("gradient", r))
        np.testing.assert_allclose(propagated[label][:, 1], -column("propagated", r))
        reach = 2 * column("standard_errors", r)
        np.testing.assert_allclose(ends[label], sampled[label][:, 1:] + reach[:, None] * [-1, 1])


@pytest.mark.parametrize(
    ("kernel", "length", "power"),
    [(Gaussian([1.0, 2.0]), lambda w: 1 / np.sqrt(2 * w), -2), (Laplacian(), lambda w: 1 / w, -1)],
    ids=["per feature", "shared"],
)
def test_with_the_kernel_weights_are_length_scales(kernel, length, power):
    names = (*(parameter.name for parameter in kernel.parameters), "C")
    trace = made(4, names)
    figure = ascent_plot(trace, kernel)
    assert_readable(figure)
    values, sampled = by_label(figure, "value"), by_label(figure, "sampled")
    ends = dict(zip(values, bars(figure), strict=True))
    labels = ["length scale"] if kernel.isotropic else ["length scale [0]", "length scale [1]"]
    assert set(values) == {*labels, "C"}
    for r, label in enumerate(labels):
        expected = length(np.exp(column("point", r, trace)))
        np.testing.assert_allclose(values[label][:, 1], expected)
        # In the logarithm of the length scale: the chain rule's factor is d ln w / d ln l.
        slopes = -power * column("gradient", r, trace)
        np.testing.assert_allclose(sampled[label][:, 1], slopes)
        widths = 4 * abs(power) * column("standard_errors", r, trace)
        np.testing.assert_allclose(np.ptp(ends[label], axis=1), widths)


def test_the_trace_and_the_kernel_of_a_model_belong_together():
    random = np.random.default_rng(0)
    X = random.normal(size=(24, 2))
    selection = SampledEvidence(Given(), chains=8, trajectories=4, validation=True)
    y = X[:, 0] > 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # so few samples are not to be believed
        searcher = AdaptiveGradient(max_iterations=2)
        model = SVMClassifier(selection=selection, searcher=searcher, random_state=0).fit(X, y)
    figure = ascent_plot(model.trace_, model.kernel_)
    assert_readable(figure)
    scales = by_label(figure, "value")
    last = len(model.trace_.steps) - 1
    at = next(int(mark[0, 0]) for mark in lines(figure, "chosen step"))
    assert 0 <= at <= last
    (radial,) = [child for child in model.kernel_.children[0].children if is_radial(child)]
    drawn = [scales[f"length scale [{r}]"][at, 1] for r in range(2)]
    np.testing.assert_allclose(drawn, radial.length_scale)


def test_features_have_their_names():
    figure = ascent_plot(TRACE, KERNEL, ["age", "price in $"])
    assert_readable(figure)
    found = by_label(figure, "value")
    assert {"length scale of age", r"length scale of price in \$"} <= set(found)


def test_of_many_scales_those_that_move_most_are_drawn_on_the_same_axes():
    kernel = Gaussian(np.ones(9))
    trace = made(5, (*(parameter.name for parameter in kernel.parameters), "C"))
    moved = np.ptp([step.point for step in trace.steps], axis=0)[:9]
    figure = ascent_plot(trace, kernel, most=4)
    assert_readable(figure)
    assert list(by_label(figure, "value")) == [
        *(f"length scale [{r}]" for r in np.argsort(-moved)[:4]),
        "C",
    ]
    (note,) = texts(figure, "note")
    assert note.get_text() == "the 4 of 9 length scales that move most"
    for column_of_panels in (figure.axes[2:10:2], figure.axes[3:10:2]):
        assert len({axes.get_ylim() for axes in column_of_panels}) == 1
    low, high = figure.axes[3].get_ylim()
    ends = np.concatenate(bars(figure)[:4])
    assert low < ends.min() and ends.max() < high


def test_the_validation_error_is_drawn_and_the_chosen_step_marked(figure):
    (errors,), (losses,) = lines(figure, "validation error, %"), lines(figure, "validation loss")
    np.testing.assert_allclose(errors[:, 1], [40, 10, 20])
    np.testing.assert_allclose(losses[:, 1], [0.8, 0.2, 0.4])
    np.testing.assert_allclose(lines(figure, "chosen"), [[[1, 10]], [[1, 0.2]]])
    assert "step 1: 10.0 %" in titles(figure, "right")
    marks = lines(figure, "chosen step")
    assert len(marks) == 12 and all((mark[:, 0] == 1).all() for mark in marks)


def test_without_a_validation_split_there_is_no_panel_for_it():
    figure = ascent_plot(made(3))
    assert_readable(figure)
    assert not lines(figure, "validation error, %") and not lines(figure, "chosen")
    assert all((mark[:, 0] == 2).all() for mark in lines(figure, "chosen step"))


def test_one_step_can_be_drawn():
    trace = made(1)
    # The point of a search that was only checked differs from the sampled one by rounding.
    trace.points = [trace.points[0] + 3, trace.points[0] + 1e-14]
    trace.values, trace.chose = [0.9, 0.5], None
    figure = ascent_plot(trace)
    assert_readable(figure)
    assert all(len(drawn) == 1 for drawn in lines(figure, "sampled") + lines(figure, "propagated"))
    assert not lines(figure, "chosen step")
    # Nothing has moved yet, so the gradients say which scales matter.
    figure = ascent_plot(trace, most=1)
    steep = int(np.argmax(np.abs(trace.steps[0].gradient[1:3])))
    assert next(iter(by_label(figure, "value"))) == f"weight[{steep}]"
    assert texts(figure, "note")[0].get_text() == "the 1 of 2 scales with the largest gradients"


def test_what_hardly_moves_looks_like_it():
    trace = made(3)
    trace.steps = [replace(step, point=1e-6 * step.point) for step in trace.steps]
    figure = ascent_plot(trace)
    assert_readable(figure)
    for axes in figure.axes[2::2]:
        low, high = axes.get_ylim()
        assert high / low > 1.4


def test_names_that_end_alike_are_written_in_full():
    names = ("Sum.Constant.offset", "Sum.Product.Constant.offset")
    assert list(by_label(ascent_plot(made(3, names)), "value")) == list(names)


def test_the_same_trace_is_the_same_file(figure, tmp_path):
    one, two = tmp_path / "one.svg", tmp_path / "two.svg"
    save_figure(figure, one)
    save_figure(ascent_plot(TRACE), two)
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: ascent_plot(SearchTrace()), "sampled gradients.*evidence-hmc"),
        (lambda: ascent_plot(SampledTrace()), "sampled gradients.*evidence-hmc"),
        (lambda: ascent_plot(TRACE, most=0), "most must be"),
        (lambda: ascent_plot(TRACE, Gaussian()), "kernel has the parameters.*same model"),
        (lambda: ascent_plot(TRACE, features=["a", "b"]), "need the kernel"),
        (lambda: ascent_plot(TRACE, KERNEL, ["a"]), "1 features were named for 2"),
        (lambda: ascent_plot(replace(TRACE, names=NAMES[:2])), "for each of the parameters"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_words(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()
