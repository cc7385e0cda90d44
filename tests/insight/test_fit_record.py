"""The record of a fit: it reads back equal, and its words say what its numbers say."""

import json
from dataclasses import replace

import pytest

from kernelwise.insight import FitRecord, headline, record_in_words
from kernelwise.insight.fit_record import (
    CandidateRecord,
    CheckRecord,
    ColumnRecord,
    CurvePoint,
    DependenceRecord,
    ErrorRecord,
    FeatureRecord,
    TraceRecord,
)
from kernelwise.insight.headline import number, percent

ERROR = ErrorRecord(0.023, 0.012, 0.039, 0.373, 0.019, 5, 569, True, {"AUC": 0.99})
APART = "least held-out squares, not told apart"
TRACE = TraceRecord(3, "flat", (3.0, 2.5, 2.4), ("scale",))
RECORD = FitRecord(
    task="classification",
    target="diagnosis",
    classes=("benign", "malignant"),
    counts=(357.0, 212.0),
    n_rows=569,
    n_distinct=569,
    columns=(ColumnRecord("a", "number", 0, 500, 0.5, 9.5), ColumnRecord("b", "category", 2, 3)),
    candidates=(
        CandidateRecord("stack", 1.0, 0.023, 0.012, 0.039, 0.019, 9.0, 300, "predicts"),
        CandidateRecord("ard", 0.75, 0.024, 0.01, 0.04, 0.02, 5.0, 200, APART, "", TRACE),
        CandidateRecord("linear", 0.25, 0.06, 0.04, 0.09, 0.05, 1.0, 100, "worse"),
    ),
    combine="stack",
    features=(
        FeatureRecord("a", 0.96, 0.9, 1.0, True),
        FeatureRecord("b", 0.04, None, None, False),
    ),
    is_trivial=False,
    seconds=9.5,
    factorizations=300,
    versions={"kernelwise": "0"},
    checks=(CheckRecord("KW220", "care", "'a', 'b' say nearly the same", "look"),),
    skipped={"polynomial": "the time was up"},
    error=ERROR,
    confusion=((350, 7), (6, 206)),
    dependence=(DependenceRecord("b", ("red", "blue"), ((0.1, 0.9), (0.2, 0.8))),),
    curve=(CurvePoint(114, 0.05), CurvePoint(228, 0.04), CurvePoint(455, 0.02)),
)


def words(record, **options):
    return " ".join(record_in_words(record, **options).split())


def test_a_record_reads_back_equal():
    text = RECORD.as_json()
    assert FitRecord.from_json(text) == RECORD
    assert FitRecord.from_json(text).as_json() == text
    assert json.loads(text)["schema"] == 1


def test_a_record_of_another_format_or_type_is_refused():
    value = json.loads(RECORD.as_json())
    with pytest.raises(ValueError, match="format 2"):
        FitRecord.from_json(json.dumps(value | {"schema": 2}))
    with pytest.raises(ValueError, match="n_rows"):
        FitRecord.from_json(json.dumps(value | {"n_rows": "many"}))
    with pytest.raises(ValueError, match="format None"):
        FitRecord.from_json("[]")
    with pytest.raises(ValueError, match="JSON compliant"):
        replace(RECORD, seconds=float("nan")).as_json()


def test_optimism_is_what_the_search_did_not_see():
    assert RECORD.candidates[1].optimism == pytest.approx(0.004)
    assert replace(RECORD.candidates[1], error=None).optimism is None


def test_headline_of_classes():
    assert headline(RECORD) == (
        "Expect about 2 wrong in 100 new rows (2.3 %, 95 % interval 1.2 to 3.9 %). Always "
        "answering 'benign' is wrong in 37 of 100."
    )


def test_headline_of_a_rare_class_and_few_rows():
    rare = replace(
        RECORD, counts=(190.0, 10.0), confusion=((188, 2), (3, 7)), n_distinct=150, n_rows=300
    )
    assert "Of the rare class 'malignant' it finds 70 in 100." in headline(rare)
    assert "Only 150 different rows" in headline(rare) and "about 600 would halve it" in headline(
        rare
    )


def test_headline_of_very_few_errors():
    few = replace(RECORD, error=replace(ERROR, value=0.004, low=0.001, high=0.02))
    assert headline(few).startswith("Expect about 4 wrong in 1000 new rows (0.4 %")


def test_headline_of_classes_told_apart_with_as_many_errors():
    doubtful = replace(RECORD, error=replace(ERROR, beats_constant=False))
    assert headline(doubtful).endswith(
        "is wrong in 37 of 100: the model tells the classes apart, but is not shown to be wrong "
        "less often."
    )


def test_headline_without_an_error():
    none = replace(RECORD, error=replace(ERROR, value=0.0, low=0.0, high=0.0213, rows=178))
    assert headline(none).startswith(
        "None of 178 rows that no choice had seen was wrong: expect at most about 3 wrong in 100 "
        "new rows (95 % interval 0.0 to 2.1 %). Always answering"
    )


def test_headline_of_a_useless_model_warns():
    useless = replace(RECORD, is_trivial=True, error=replace(ERROR, value=0.38))
    assert headline(useless).startswith(
        "No better than always answering 'benign' (38 % wrong against 37 %): do not use this model"
    )
    assert "no feature is known to matter" in words(useless)
    doubtful = replace(RECORD, error=replace(ERROR, is_useful=False, high=0.4))
    assert headline(doubtful).startswith("Not shown to be better than always answering 'benign'")
    assert "chance may explain the difference" in headline(doubtful)
    lucky = replace(RECORD, is_trivial=True, error=replace(ERROR, value=0.35))
    assert headline(lucky).startswith("No better than chance (35 % wrong against 37 % of always")


def test_headline_of_equal_classes_speaks_of_one_error():
    asked = {"class_weight": "'balanced'"}
    error = replace(ERROR, value=0.45, measures={"balanced error": 0.26})
    error = replace(error, balanced_low=0.2, balanced_high=0.33)
    record = replace(RECORD, parameters=asked, error=error)
    assert headline(record) == (
        "Expect about 26 wrong in 100 new rows if every class counts alike, as the model was asked "
        "to weigh them (26 %, 95 % interval 20 to 33 %); any constant answer is wrong in 50 of 100."
        " Of rows as they come 45 % are wrong, and 37 % if the answer is always 'benign'."
    )
    doubtful = headline(replace(record, error=replace(error, is_useful=False)))
    assert doubtful.startswith(
        "Not shown to be better than any constant answer (every class counted alike, 26 % wrong "
        "against 50 %; chance may explain the difference)"
    )
    useless = headline(replace(record, is_trivial=True))
    assert "counted alike, 26 % wrong against 50 % of any constant answer" in useless
    assert headline(replace(RECORD, error=error)).startswith("Expect about 45 wrong in 100 new")


def test_chance_does_not_explain_why_a_model_is_worse():
    worse = replace(RECORD, error=replace(ERROR, value=0.4, is_useful=False))
    assert "(40 % wrong against 37 %): do not rely on it yet." in headline(worse)


def test_headline_of_quantities():
    error = ErrorRecord(54.83, 50.7, 59.6, 77.0, 53.7, 5, 442, True)
    record = replace(RECORD, task="regression", classes=(), counts=(), confusion=(), error=error)
    assert headline(record) == (
        "Expect to be off by about 54.8 in 'diagnosis' (root mean squared; 95 % interval 50.7 to "
        "59.6), 71 % of what always predicting the mean is off by."
    )
    assert "it flatters itself by 1.13" in words(record)


def test_words_have_every_part():
    said = words(RECORD)
    assert said.startswith("Predicting 'diagnosis' (benign, malignant) from 2 features, 569 rows.")
    assert "A weighted sum of 2 machines: 75 % ard, 25 % linear." in said
    assert "Clearly worse: linear (6.0 %)." in said
    assert "alone 'ard' had the least error (2.4 %), not told apart from that of the sum." in said
    assert "'polynomial' was not tried: the time was up." in said
    assert "a 96 %, b 4.0 %. 1 of 2 carries 95 %. Told apart from noise: 1." in said
    assert "KW220 'a', 'b' say nearly the same: look." in said
    assert "From 114 to 455 rows the error fell from 5.0 % to 2.0 %: more would help." in said
    assert "it flatters itself by 0.4 points" in said
    assert max(map(len, record_in_words(RECORD, 50).splitlines())) <= 50


def test_a_stack_of_one_machine_is_not_compared_with_itself():
    stack, ard, linear = RECORD.candidates
    ard, linear = replace(ard, weight=0.996, verdict="worse"), replace(linear, weight=0.004)
    record = replace(RECORD, candidates=(stack, ard, linear))
    said = words(record)
    assert "Of 2 candidates it alone gets weight. The folds that judge the stack choose" in said
    assert "than the sum" not in said and "The weights are those" not in said
    assert "Clearly worse: linear (6.0 %)." in said
    seen_only = words(replace(record, error=None, curve=()))
    assert "it alone gets weight." in seen_only and "The folds that judge" not in seen_only


@pytest.mark.parametrize(
    ("half", "uncertain", "verdict"),
    [
        (0.03, None, "more would help"),
        (0.03, 0.001, "more would help"),
        (0.03, 0.006, "that may be chance, so whether more would help is not known"),
        (0.0202, 0.006, "that may be chance, so whether more would help is not known"),
        (0.022, 0.0005, "more would help a little"),
        (0.022, 0.0015, "more would hardly help"),
        (0.0202, None, "more would hardly help"),
        (0.019, 0.0005, "more would hardly help"),
    ],
)
def test_more_rows_are_advised_only_beyond_chance(half, uncertain, verdict):
    curve = (CurvePoint(228, half, uncertain), CurvePoint(455, 0.02, 0.0))
    assert f" 2.0 %: {verdict}. Time" in words(replace(RECORD, curve=curve))


def test_what_did_not_change_stayed():
    for errors, went in [((0.3333, 0.3334), "stayed at 33.3 %"), ((0.3, 0.4), "rose from 30")]:
        points = (CurvePoint(228, errors[0]), CurvePoint(455, errors[1]))
        assert f"the error {went}" in words(replace(RECORD, curve=points))


def test_one_sentence_says_what_was_skipped_for_one_reason():
    skipped = {"a": "the time was up", "b": "it is slow", "c": "the time was up"}
    said = words(replace(RECORD, skipped=skipped))
    assert "'a' and 'c' were not tried: the time was up. 'b' was not tried: it is slow." in said


def test_words_without_an_estimate():
    said = words(replace(RECORD, error=None, curve=()))
    assert "How good it is on new rows was not estimated. The search itself saw 1.9 %" in said
    assert "More rows?" not in said
    unknown = replace(RECORD.candidates[1], error=None, verdict="")
    two = (RECORD.candidates[0], unknown, replace(unknown, name="linear"))
    assert "(2.0 %), as the search saw it." in words(replace(RECORD, candidates=two))


@pytest.mark.parametrize(
    ("value", "said"),
    [(54.83, "54.8"), (0.001234, "0.00123"), (12345.6, "12346"), (1.2e9, "1.2e+09"), (0, "0")],
)
def test_numbers_have_three_digits(value, said):
    assert number(value) == said


def test_percents():
    assert (percent(0.0123), percent(0.0996), percent(0.5)) == ("1.2 %", "10 %", "50 %")
