"""Boxes of learned kernel parameters: as many as there are, where numpy's quartiles are."""

import numpy as np
import pytest
from drawn import assert_readable

from kernelwise.report import parameter_box_plots, parameter_by_dataset_box_plots

DATASETS = ["banana", "breast cancer", "flare solar", "german", "image", "splice", "twonorm"]


def learnt(replicates, count, zeros=0.0, seed=0):
    random = np.random.default_rng(seed)
    values = np.exp(random.normal(-2, 1.5, size=(replicates, count)))
    values[random.random(values.shape) < zeros] = 0
    return values


def boxes(axes):
    """Lower and upper quartile of each box, from left to right."""
    return np.array([(box.get_y(), box.get_y() + box.get_height()) for box in axes.patches])


def medians(axes):
    """The level lines within boxes, from left to right."""
    (lines,) = [found for found in axes.collections if found.get_gid() == "medians"]
    return np.array([segment[0, 1] for segment in lines.get_segments()])


@pytest.mark.parametrize("log", [True, False])
def test_boxes_are_numpy_quartiles(log):
    tables = {"ARD-XVAL": learnt(31, 5), "ARD-FLKL": learnt(20, 5, seed=1)}
    figure = parameter_box_plots(tables, log=log, title="thyroid")
    assert_readable(figure)
    assert [axes.get_title(loc="left") for axes in figure.axes] == list(tables)
    assert figure.axes[0].get_ylim() == figure.axes[1].get_ylim()
    for axes, table in zip(figure.axes, tables.values(), strict=True):
        assert axes.get_yscale() == ("log" if log else "linear")
        assert len(axes.patches) == 5
        assert medians(axes) == pytest.approx(np.median(table, axis=0))
        assert boxes(axes) == pytest.approx(np.quantile(table, [0.25, 0.75], axis=0).T)


def test_zeros_stand_on_a_line_marked_zero():
    """Half of an even number are zero: the median is half of the smallest positive value."""
    table = np.column_stack([np.zeros(6), [0, 0, 0, 0.2, 0.3, 0.4], [1, 2, 3, 4, 5, 6]])
    figure = parameter_box_plots({"a": table})
    assert_readable(figure)
    (axes,) = figure.axes
    labels = {
        text.get_text(): place
        for place, text in zip(axes.get_yticks(), axes.get_yticklabels(), strict=True)
    }
    floor = labels["0"]
    assert 0 < floor < 0.1 and axes.get_ylim()[0] < floor
    assert medians(axes) == pytest.approx([floor, 0.1, 3.5])
    assert boxes(axes)[0] == pytest.approx([floor, floor])


def test_without_zeros_there_is_no_zero_on_a_logarithmic_axis():
    figure = parameter_box_plots({"a": learnt(9, 3)})
    assert "0" not in [text.get_text() for text in figure.axes[0].get_yticklabels()]


@pytest.mark.parametrize("value", [0.0, 1e-7, 1.0, 5.0])
@pytest.mark.parametrize("log", [True, False])
@pytest.mark.filterwarnings("error", "ignore::DeprecationWarning")
def test_equal_values_can_be_drawn(value, log):
    figure = parameter_box_plots(dict.fromkeys("ab", np.full((3, 2), value)), log=log)
    assert_readable(figure)
    bottom, top = figure.axes[0].get_ylim()
    median = medians(figure.axes[1])[0]
    assert bottom + 0.01 * abs(value) < median < top - 0.01 * abs(value)
    assert median == value or (value == 0 and log)


@pytest.mark.parametrize("count", [1, 13, 60])
@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("methods", [1, 3])
def test_texts_are_inside_and_apart(count, named, methods):
    names = [f"concentration of substance {j}" for j in range(count)] if named else None
    tables = {
        f"a method with a long name {j}": learnt(8, count, zeros=0.2, seed=j)
        for j in range(methods)
    }
    figure = parameter_box_plots(tables, names=names, title="a data set with a long name")
    assert_readable(figure)
    assert len(figure.axes[0].patches) == count


def test_numbers_are_thinned_to_round_ones():
    figure = parameter_box_plots({"a": learnt(5, 60), "b": learnt(5, 60)})
    labels = [text.get_text() for text in figure.axes[0].get_xticklabels()]
    assert labels == [str(number) for number in range(5, 61, 5)]
    assert list(figure.axes[0].get_xticks()) == list(range(5, 61, 5))


def test_one_box_per_data_set():
    values = {
        method: {name: learnt(12, 1, seed=i + j)[:, 0] for j, name in enumerate(DATASETS)}
        for i, method in enumerate(["RBF-XVAL", "RBF-FLKL"])
    }
    figure = parameter_by_dataset_box_plots(values)
    assert_readable(figure)
    for axes, by_dataset in zip(figure.axes, values.values(), strict=True):
        assert [text.get_text() for text in axes.get_xticklabels()] == DATASETS
        assert medians(axes) == pytest.approx([np.median(by_dataset[name]) for name in DATASETS])


def test_data_sets_of_another_order_find_their_box():
    figure = parameter_by_dataset_box_plots(
        {"a": {"x": [1.0], "y": [2.0]}, "b": {"y": [3.0, 3.0], "x": [4.0]}}
    )
    assert medians(figure.axes[1]) == pytest.approx([4, 3])


@pytest.mark.parametrize(
    ("parameters", "options", "message"),
    [
        ({}, {}, "at least one method"),
        ([[1.0]], {}, "at least one method"),
        ({"a": [1.0, 2.0]}, {}, r"a: an array of 2 dimension\(s\).*shape \(2,\)"),
        ({"a": np.ones((0, 2))}, {}, "at least one number"),
        ({"a": np.ones((3, 2)), "b": np.ones((3, 4))}, {}, "same kernel parameters.*'b': 4"),
        ({"a": [[1.0, np.nan]]}, {}, "of a: some numbers are missing"),
        ({"a": [[1.0, -1.0]]}, {}, "negative values: use log=False"),
        ({"a": [[1.0, 1.0]]}, {"names": ["x"]}, "1 names were given for 2 kernel parameters"),
    ],
)
def test_bad_parameters_are_refused(parameters, options, message):
    with pytest.raises(ValueError, match=message):
        parameter_box_plots(parameters, **options)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "at least one method"),
        ({"a": {}}, "data sets of a"),
        ({"a": {"x": [1.0]}, "b": {"y": [1.0]}}, r"same data sets: b has \['y'\]"),
        ({"a": {"x": [[1.0]]}}, r"of a on x: an array of 1 dimension\(s\)"),
    ],
)
def test_bad_data_sets_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        parameter_by_dataset_box_plots(parameters)
