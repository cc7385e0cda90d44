"""The comparison of methods on one table, against direct formulas."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_results import changed, made
from scipy import stats

from kernelwise.compare.comparison import WORTHWHILE_SECONDS, compare_methods
from kernelwise.compare.words import (
    difference_text,
    in_words,
    names_in_words,
    number_text,
    recommendation,
)
from kernelwise.evaluation import corrected_resampled_interval
from kernelwise.methods import METHODS
from kernelwise.runs import Cell, CellResult


def results_of(errors, seconds=None, baseline=0.5, inner=None):
    """Results of methods with these errors on 100 rows, 80 to train on."""
    return [
        made(
            Cell("t.csv:0", "5-fold", number, method),
            error=error,
            baseline=baseline,
            inner_error=inner,
            cpu_seconds=(seconds or {}).get(method, 1.0),
        )
        for method, column in errors.items()
        for number, error in enumerate(column)
    ]


def test_the_numbers_against_direct_formulas():
    generator = np.random.default_rng(0)
    errors = {
        name: np.round(generator.normal(mean, 0.03, 10), 2)
        for name, mean in (("MIXED", 0.2), ("LINEAR", 0.22), ("FOREST", 0.3))
    }
    comparison = compare_methods(results_of(errors, inner=0.1), "classification")
    mixed, linear, forest = comparison.compared
    assert [s.method for s in comparison.compared] == ["MIXED", "LINEAR", "FOREST"]
    assert (comparison.rows, comparison.splits, comparison.baseline) == (100, 10, 50)

    direct = corrected_resampled_interval(100 * errors["LINEAR"], 80, 20)
    assert (linear.error.value, linear.error.upper) == pytest.approx((direct.value, direct.upper))
    ranks = stats.rankdata(np.column_stack(list(errors.values())), axis=1).mean(axis=0)
    assert [mixed.rank, linear.rank, forest.rank] == pytest.approx(list(ranks))
    assert mixed.optimism.value == pytest.approx(100 * errors["MIXED"].mean() - 10)

    raw = []
    for name in ("LINEAR", "FOREST"):
        difference = errors[name] - errors["MIXED"]
        error = corrected_resampled_interval(difference, 80, 20).standard_error
        raw.append(2 * stats.t.sf(abs(difference.mean()) / error, 9))
    assert forest.p_value == pytest.approx(2 * raw[1])
    assert linear.p_value == pytest.approx(max(raw[0], 2 * raw[1]))
    assert mixed.p_value is None and mixed.difference is None
    assert forest.differs and not linear.differs


def test_the_order_of_results_does_not_matter():
    generator = np.random.default_rng(1)
    found = results_of({name: generator.random(6) for name in ("MIXED", "LINEAR", "FOREST")})
    shuffled = [found[i] for i in generator.permutation(len(found))]
    once, again = (compare_methods(given, "regression") for given in (found, shuffled))
    assert once.compared == again.compared and in_words(once) == in_words(again)


def test_a_method_without_all_splits_is_shown_but_not_compared():
    found = results_of({"LINEAR": [0.2, 0.3, 0.25, 0.2], "FOREST": [0.0, 0.0, 0.1, 0.1]})
    found[-1] = CellResult(found[-1].cell, "failed", "ValueError: no\ntrace")
    skipped = found[0].cell._replace(method="GP-ARD")
    found.append(CellResult(skipped, "skipped", "GP-ARD is tried on up to 250 rows, not 400"))
    comparison = compare_methods(found, "classification")
    assert [s.method for s in comparison.compared] == ["LINEAR"]
    forest, gp = comparison.incomplete
    assert (forest.finished, forest.asked, forest.rank) == (3, 4, None)
    assert forest.error.value == pytest.approx(100 / 30) and gp.error is None
    text = " ".join(comparison.problems)
    assert "FOREST failed: ValueError: no (1 cell)" in text
    assert "GP-ARD skipped: GP-ARD is tried on up to 250 rows" in text
    sentences = in_words(comparison)
    assert sum("FOREST" in sentence for sentence in sentences) == 1
    assert "Not compared, because splits are missing: FOREST, GP-ARD (see the notes)." in sentences


def test_an_error_that_is_no_number_is_no_result():
    found = results_of({"LINEAR": [0.2, 0.3], "FOREST": [np.nan, 0.1], "MIXED": [np.inf, 0.1]})
    comparison = compare_methods(found, "regression")
    assert [s.method for s in comparison.compared] == ["LINEAR"]
    assert "FOREST gave an error that is not a number in 1 fit" in comparison.problems


def test_no_method_with_all_splits():
    found = results_of({"LINEAR": [0.2, 0.3, np.nan], "FOREST": [np.nan, 0.1, 0.2]})
    comparison = compare_methods(found, "classification")
    assert comparison.compared == () and comparison.recommended is None
    assert comparison.baseline == pytest.approx(50)
    assert in_words(comparison)[0].startswith("No method finished every split")


@pytest.mark.parametrize(
    ("found", "message"),
    [
        ([], "not of 0"),
        (results_of({"LINEAR": [0.1]}), "one split only"),
        (
            [CellResult(Cell("t", "5-fold", 0, "LINEAR"), "failed", "ValueError: bad")],
            "LINEAR failed: ValueError: bad",
        ),
    ],
)
def test_too_few_results_are_refused(found, message):
    with pytest.raises(ValueError, match=message):
        compare_methods(found, "classification")


def second_p(task, **errors):
    return compare_methods(results_of(errors), task).compared[1].p_value


def test_equal_differences_are_judged_as_if_they_varied_by_one_row():
    """The spread of 20 test rows is then 5 points; quantities have no such unit."""
    error = 5 * corrected_resampled_interval([-1, 0, 1], 80, 20).standard_error
    far = second_p("classification", MIXED=[0.0] * 3, LINEAR=[0.6] * 3)
    assert far == pytest.approx(2 * stats.t.sf(60 / error, 2)) and far < 0.01
    near = second_p("classification", MIXED=[0.0] * 3, LINEAR=[0.05] * 3)
    assert near == pytest.approx(2 * stats.t.sf(5 / error, 2)) and near > 0.2
    assert 0.3 - 0.2 != 0.2 - 0.1
    rounded = second_p("classification", MIXED=[0.2, 0.1], LINEAR=[0.3, 0.2])
    of_two = 5 * corrected_resampled_interval(np.sqrt([0, 2]), 80, 20).standard_error
    assert rounded == pytest.approx(2 * stats.t.sf(10 / of_two, 1))
    assert second_p("regression", MIXED=[0.1, 0.2], LINEAR=[0.1, 0.2]) == 1
    assert second_p("regression", MIXED=[0.0, 0.0], LINEAR=[0.5, 0.5]) == 0


def test_far_better_than_trivial_with_the_same_error_on_few_splits():
    comparison = compare_methods(results_of({"MIXED": [0.05] * 3}), "classification")
    assert comparison.recommended.method == "MIXED"
    assert "so its interval means nothing: MIXED." in in_words(comparison)[-1]


@pytest.mark.parametrize(
    ("standard_errors", "saved", "chosen"),
    [(0.9, 61, "LINEAR"), (1.1, 61, "MIXED"), (0.9, 59, "MIXED"), (9, 900, "MIXED")],
)
def test_the_rule_of_the_recommendation(standard_errors, saved, chosen):
    """A cheaper method must save a minute per fit, and be within one standard error."""
    noise = np.tile([-0.02, 0.02], 5)
    behind = standard_errors * corrected_resampled_interval(noise, 80, 20).standard_error
    errors = {"MIXED": [0.1] * 10, "LINEAR": 0.1 + behind + noise}
    found = results_of(errors, seconds={"MIXED": 0.01 + saved, "LINEAR": 0.01})
    comparison = compare_methods(found, "classification")
    assert comparison.recommended.method == chosen
    saves = "saves 1 min of CPU" if chosen == "LINEAR" else "Recommendation: MIXED"
    assert any(saves in sentence for sentence in in_words(comparison))


@pytest.mark.parametrize(
    ("splits", "said"),
    [
        (2, "none of them yet; two splits are too few to tell."),
        (4, "none of them yet; four splits are too few to tell."),
        (5, "none of them. The columns say nothing about the target"),
    ],
)
def test_few_splits_say_nothing_about_the_columns(splits, said):
    errors = np.resize([0.45, 0.55], splits)
    comparison = compare_methods(results_of({"MIXED": errors}), "classification")
    assert comparison.recommended is None
    assert any(s.startswith(f"Recommendation: {said}") for s in in_words(comparison))


def test_every_method_is_explained_in_a_line():
    found = results_of({"RBF-LOO": [0.2, 0.3], "FOREST": [0.25, np.nan]})
    assert names_in_words(compare_methods(found, "classification")) == [
        "RBF-LOO  Gaussian kernel, leave-one-out",
        "FOREST   scikit-learn's random forest of 500 trees",
    ]


def test_no_difference_is_said_without_a_sign():
    comparison = compare_methods(results_of({"MIXED": [0.2, 0.3]}), "classification")
    for text in (number_text(-1e-17, comparison), difference_text(-1e-17, comparison)):
        assert text.startswith("0.00")
    quantities = compare_methods(results_of({"MIXED": [0.2, 0.3]}), "regression")
    assert number_text(-1e-9, quantities) == "0.0000"


def test_a_minute_is_told_only_where_one_could_be_saved():
    errors = {"MIXED": [0.1] * 10, "LINEAR": [0.3] * 10}
    for seconds, said in (
        (0.3, "Recommendation: MIXED."),
        (60.0, "Recommendation: MIXED; nothing"),
    ):
        found = results_of(errors, seconds={"MIXED": seconds, "LINEAR": 0.1})
        assert recommendation(compare_methods(found, "classification")).startswith(said)


def test_methods_without_an_error():
    """The cheapest of equals is named, and a method without errors is not called perfect."""
    errors = {"MIXED": [0.0] * 10, "LINEAR": [0.0] * 10}
    found = results_of(errors, seconds={"MIXED": 5, "LINEAR": 1})
    comparison = compare_methods(found, "classification")
    assert comparison.recommended.method == comparison.compared[0].method == "LINEAR"
    sentences = in_words(comparison)
    assert "No error in 100 rows only rules out a true error above about 3.00 %." in sentences
    assert "so its interval means nothing: LINEAR, MIXED." in " ".join(sentences)
    assert not any("That does not make them equal" in sentence for sentence in sentences)


NAMES = ("MIXED", "RBF-LOO", "MSCKTA", "LINEAR", "FOREST", "BOOSTING", "CV", "SVM")
SHARES = st.integers(0, 20).map(lambda count: count / 20)


@st.composite
def many_results(draw):
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=5, unique=True))
    splits = draw(st.integers(2, 10))
    level = {name: draw(SHARES) for name in names}
    noise = st.integers(-2, 2).map(lambda count: count / 20)
    errors = {
        name: [min(1.0, max(0.0, level[name] + draw(noise))) for _ in range(splits)]
        for name in names
    }
    seconds = {
        name: draw(st.sampled_from([0.0, 0.01, 1.0, 9.0, 59.0, 70.0, 900.0])) for name in names
    }
    return results_of(errors, seconds, baseline=draw(st.sampled_from([0.2, 0.5, 0.8])))


def named_after(sentences, start):
    """The methods listed in the sentence with that beginning."""
    for sentence in sentences:
        if sentence.startswith(start):
            return set(sentence[len(start) :].split(" (")[0].split(".")[0].split(", "))
    return set()


@settings(max_examples=200)
@given(many_results())
def test_the_words_say_what_the_numbers_say(found):
    comparison = compare_methods(found, "classification")
    sentences, best = in_words(comparison), comparison.compared[0]
    assert best.error.value == min(s.error.value for s in comparison.compared)
    assert sentences[0].startswith(f"Lowest error: {best.method}, {best.error.value:.2f} %")
    theirs = best.method in ("LINEAR", "FOREST", "BOOSTING", "CV", "SVM")
    assert ("not one of kernelwise's own" in sentences[0]) == theirs

    others = comparison.compared[1:]
    worse = named_after(sentences, "Worse than it: ")
    assert worse == {s.method for s in others if s.p_value <= 0.05}
    alike = named_after(sentences, "Not significantly different from it: ")
    assert alike == {s.method for s in others} - worse
    reach = max((s.difference.upper for s in others if s.method in alike), default=0)
    said = any(f"may be up to {reach:z.2f} points behind" in s for s in sentences)
    assert said == (reach > 0)

    (choice,) = [s for s in sentences if s.startswith("Recommendation: ")]
    if comparison.recommended is None:
        assert "none of them" in choice and not best.beats_trivial
        return
    chosen = comparison.recommended
    assert choice.startswith(f"Recommendation: {chosen.method}")
    assert chosen.beats_trivial and chosen.error.value < comparison.baseline
    assert chosen.method == best.method or chosen.method in alike
    if chosen is not best:
        assert chosen.difference.value <= chosen.difference.standard_error
        assert chosen.cpu_seconds + WORTHWHILE_SECONDS <= best.cpu_seconds
        assert f"({chosen.difference.value:z.2f} points behind" in choice


@given(many_results(), st.sampled_from([2.0**-20, 0.5, 2.0**20]))  # free of rounding
def test_the_unit_of_the_target_changes_no_verdict(found, unit):
    scaled = [
        changed(r, error=unit * r.record.error, baseline=unit * r.record.baseline) for r in found
    ]
    plain, other = (compare_methods(given, "regression") for given in (found, scaled))
    for summary, twin in zip(plain.compared, other.compared, strict=True):
        assert (twin.method, twin.rank, twin.p_value, twin.beats_trivial) == (
            *(summary.method, summary.rank, summary.p_value, summary.beats_trivial),
        )
        assert twin.error.value == unit * summary.error.value
    assert getattr(plain.recommended, "method", "") == getattr(other.recommended, "method", "")


@pytest.mark.parametrize("theirs", ["CV", "SVM", "SVM-GRID", "GP-ARD"])
def test_a_method_of_scikit_learn_is_not_called_ours(theirs):
    found = results_of({theirs: [0.1, 0.12, 0.1], "MSCKTA": [0.2, 0.25, 0.2]})
    first = in_words(compare_methods(found, "classification"))[0]
    assert f"It is not one of kernelwise's own methods ({METHODS[theirs].summary})" in first
    assert "the best of these is MSCKTA" in first


def test_a_wide_interval_is_called_wide():
    wide = compare_methods(results_of({"MIXED": [0.0, 0.3, 0.1, 0.2, 0.3]}), "classification")
    said = "100 rows are few. More repeats would narrow it somewhat, more rows more."
    assert in_words(wide)[-1].endswith(said)
    once = compare_methods(results_of({"MIXED": [0.0, 0.3]}), "classification")
    assert "two splits are few. More repeats would narrow it." in in_words(once)[-1]
    narrow = compare_methods(results_of({"MIXED": [0.1, 0.11, 0.1, 0.1]}), "classification")
    assert not any("rows are few" in sentence for sentence in in_words(narrow))


@pytest.mark.parametrize(
    ("unit", "said"),
    [(1, "0.1000 ("), (1e3, "100.0 ("), (1e-9, "1.000e-10 ("), (1e8, "10000000 (")],
)
def test_quantities_are_said_in_digits_that_suit_them(unit, said):
    found = results_of({"MIXED": [0.05 * unit, 0.15 * unit]}, baseline=0.5 * unit)
    assert f"MIXED, {said}" in in_words(compare_methods(found, "regression"))[0]
