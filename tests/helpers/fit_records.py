"""Records of fits that were never made, in which every part is known."""

from dataclasses import replace

from made_records import made_record

from kernelwise.insight.fit_record import (
    CandidateRecord,
    CheckRecord,
    DependenceRecord,
    OptimumRecord,
    RecallRecord,
    Square,
    Stability,
)

TWINS = "'column 0', 'column 1' say nearly the same"
OTHERS = ("gaussian", "laplacian", "matern32", "polynomial", "ard-laplacian")


def classes_record(n_columns=4, n_classes=2, n_rows=300, **values):
    """A record of classes."""
    record = made_record(n_columns, n_classes, n_rows)
    recalls = tuple(RecallRecord(label, 0.9, 0.5, 1.0) for label in record.classes)
    return replace(_whole(record), recalls=recalls, **values)


def quantity_record(n_columns=4, n_rows=300, **values):
    """A record of a quantity; many rows are counted in squares."""
    record = made_record(n_columns, 0, n_rows)
    places = [(i, j) for i in range(30) for j in range(max(0, i - 8), min(30, i + 8))]
    squares = tuple(Square(float(i), float(j), 1 + (i * j) % 40) for i, j in places)
    shown = {"pairs": record.pairs[:500], "squares": squares if n_rows > 2000 else ()}
    return replace(_whole(record), **(shown | values))


def with_candidates(record, names=OTHERS):
    """The record with more candidates, each with a search."""
    last = record.candidates[-1]
    more = tuple(replace(last, name=name) for name in names)
    return replace(record, candidates=(*record.candidates, *more))


def _whole(record):
    optima = (OptimumRecord(3.0, 0.0), OptimumRecord(4.5, 0.25))
    stack, *candidates = record.candidates
    first: CandidateRecord = candidates[0]
    trace = replace(first.trace, optima=optima, at_limits=("scale",))
    levels = DependenceRecord("column 0", ("red", "blue"), record.dependence[0].outputs[:2])
    column = replace(record.columns[0], kind="category", common="red", low=None, high=None)
    return replace(
        record,
        candidates=(stack, replace(first, trace=trace), *candidates[1:]),
        columns=(column, *record.columns[1:]),
        features=tuple(replace(one, among_first=4) for one in record.features),
        stability=Stability(5, 2, 4),
        dependence=(levels, *record.dependence[1:]),
        checks=(CheckRecord("KW220", "care", TWINS, "any can get the credit"), *record.checks),
        skipped={"laplacian-scores": "the time was up"},
        parameters={"folds": "'auto'", "random_state": "3", "max_time": "60"},
        machine="a processor, 2 cores",
        date="2026-11-18T12:00:00+00:00",
    )
