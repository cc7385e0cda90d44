"""What people and programs do to tables: short rows, spare delimiters, row names, equal headers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fuzz.meant import Meant

if TYPE_CHECKING:
    from fuzz.tables import Draft


def spoil(rng: np.random.Generator, draft: Draft) -> None:
    """Perhaps one of these."""
    if draft.rows == 0:
        draft.must_refuse = "no rows"
    elif draft.rows == 1:
        draft.must_refuse = "one row"
    ways = (short_rows, spare_delimiters, longer_rows, row_names, nameless, equal_names)
    more = (derived_name, long_header, one_nul, no_header)
    if draft.rows > 1 and rng.random() < 0.45:
        way = (*ways, *ways, *more)[int(rng.integers(2 * len(ways) + len(more)))]
        way(rng, draft)


def short_rows(rng, draft):
    """Rows that end early: the fields that are not there are gaps."""
    width = len(draft.columns)
    for row in range(draft.rows):
        if row in draft.anchors or rng.random() > 0.3:
            continue
        kept = int(rng.integers(1, width))
        if not any(column.texts[row].strip() for column in draft.columns[:kept]):
            continue  # a line with one blank field is no row at all
        draft.shortened[row] = kept
        draft.must_say.add("KW103")
        for place in range(kept, width):
            draft.columns[place] = draft.columns[place].without([row], [""])
    draft.must_read = False  # the target may be gone


def spare_delimiters(rng, draft):
    """A delimiter after the last field, of every row or of some."""
    every = rng.random() < 0.6
    rows = [row for row in range(draft.rows) if every or rng.random() < 0.5]
    draft.appended = {row: [""] for row in rows}
    if 0 < len(rows) < draft.rows:
        draft.must_refuse = "some rows end in a spare delimiter"
    elif rows:
        draft.must_say.add("KW101")


def longer_rows(rng, draft):
    """More fields than names in some rows: nothing tells which of them is the odd one.

    One more in *every* row is how R writes row names: then the file itself has two meanings.
    """
    rows = [row for row in range(draft.rows) if row not in draft.anchors and rng.random() < 0.2]
    for row in rows:
        draft.appended[row] = ["7"] * int(rng.integers(1, 4))
    if rows:
        draft.must_refuse = "a row is longer than the header"


def row_names(rng, draft):
    """Names before the first field of each row, as R writes them, without a header.

    Without quotes they look like any first field: such a table may be refused.
    """
    numbers, draft.quotes_row_names = rng.random() < 0.5, bool(rng.random() < 0.7)
    draft.must_read = draft.must_read and draft.quotes_row_names
    draft.must_say.add("KW102")
    draft.row_names = [str(row + 1) if numbers else f"case {row}" for row in range(draft.rows)]


def nameless(rng, draft):
    place = int(rng.integers(len(draft.headers)))
    if place != draft.target:
        draft.headers[place] = str(rng.choice(["", "  "]))


def equal_names(rng, draft):
    """Two columns of one name: refused, unless they are equal."""
    one, other = (int(i) for i in rng.choice(len(draft.headers), 2, replace=False))
    if other == draft.target:
        one, other = other, one
    draft.headers[other] = draft.headers[one]
    if rng.random() < 0.5:
        draft.columns[other] = draft.columns[one]
    if draft.columns[other].texts != draft.columns[one].texts:
        draft.must_refuse = "two columns of one name"
        return
    draft.must_say.add("KW106")
    if len(set(draft.headers)) < 3:
        draft.must_read = False  # nothing besides the target


def derived_name(rng, draft):
    """A name that the reader would give to a part of a date."""
    dated = [i for i, column in enumerate(draft.columns) if column.moments]
    others = [i for i in range(len(draft.columns)) if i not in dated]
    if dated and others:
        part = str(rng.choice(["days", "weekday", "month", "hour"]))
        draft.headers[others[0]] = f"{draft.headers[dated[0]].strip()} ({part})"
        draft.must_read = False


def long_header(rng, draft):
    place = int(rng.integers(len(draft.headers)))
    draft.headers[place] = "long " * int(rng.choice([50, 1_000, 30_000])) + "name"


def one_nul(rng, draft):
    place = int(rng.integers(len(draft.columns)))
    column = draft.columns[place]
    texts = list(column.texts)
    texts[draft.anchors[0]] += "\0x"
    draft.columns[place] = Meant(tuple(texts))
    draft.must_refuse = "a NUL"


def no_header(rng, draft):
    draft.headers = [str(i) for i in range(len(draft.headers))]
    draft.must_refuse = "a header of numbers"
