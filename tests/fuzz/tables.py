"""A table from a seed: the bytes of a file, and what its author meant by every column."""

from dataclasses import dataclass, field, replace

import numpy as np

from fuzz.file_text import as_bytes, as_text, draw_style
from fuzz.meant import Meant, with_gaps
from fuzz.number_columns import (
    NUMBER_MAKERS,
    beyond_doubles,
    decimal_commas,
    plain,
    thousands_marks,
    whole,
)
from fuzz.spoiling import spoil
from fuzz.text_columns import TARGET_MAKERS, TEXT_MAKERS, huge_field

HEADERS = (
    *("a", "b", "size", "Weight", "x 1", "größe", "naïve", "id", "patient_id", "year", "index"),
    *("日本", "col,umn", "semi;colon", 'quo"ted', "two\nlines", "\x1b[2Jclear", "bell\x07", "NA"),
    *("nan", "1", "2020", "a.1", "é", "\u202eturned", "Unnamed: 1", "=cmd", "None", "  padded  "),
    *("constant", "target", "Intercept", "a (days)", "emoji 🙂", "bar|s", "tab\tname"),
)


@dataclass(frozen=True)
class TableCase:
    """A file, and what was meant.

    Attributes
    ----------
    seed, name, content : the case, and the file's name and bytes
    target : the name of the target column, as a reader must call it
    columns : what is meant by each name
    rows : the number of rows
    must_read, must_refuse : nothing is wrong with the table, or what is
    must_say : codes of checks without which the reading is silent about what it did
    claims : whether the bytes still say what was meant; else only the manners are judged
    """

    seed: int
    name: str
    content: bytes
    target: str
    columns: dict[str, Meant]
    rows: int
    must_read: bool = False
    must_refuse: str = ""
    claims: bool = True
    must_say: frozenset[str] = frozenset()


@dataclass
class Draft:
    """A table before it is written: headers and columns in the order of the file."""

    headers: list[str]
    columns: list[Meant]
    target: int
    anchors: list[int]
    rows: int
    must_read: bool = True
    must_refuse: str = ""
    claims: bool = True
    # Fields of each row that are written, where fewer than all; and what follows the last one.
    shortened: dict[int, int] = field(default_factory=dict)
    appended: dict[int, list[str]] = field(default_factory=dict)
    row_names: list[str] | None = None
    quotes_row_names: bool = True
    must_say: set[str] = field(default_factory=set)


def table_case(seed: int) -> TableCase:
    """The table of a seed."""
    rng = np.random.default_rng([seed, 1])
    draft = _draft(rng)
    style = draw_style(rng)
    spoil(rng, draft)
    text = as_text(rng, draft, style)
    if '"' not in text and rng.random() < 0.03 and draft.rows > 2:
        # The only quotation mark of the file opens a field and never closes.
        lines = text.split(style.newline)
        lines[1] = '"' + lines[1]
        text, draft.must_refuse = style.newline.join(lines), "a quotation mark that never closes"
    if style.padded and '"' in text:
        draft.must_read = False  # "a" , "b" is refused: the quotes should be the whole field
    content, suffix = as_bytes(rng, text, draft, style)
    return TableCase(
        seed=seed,
        name=f"table{suffix}",
        content=content,
        target=names_as_read(draft.headers, draft)[draft.target],
        columns=meant_by_name(draft),
        rows=draft.rows,
        must_read=draft.must_read and draft.claims and not draft.must_refuse,
        must_refuse=draft.must_refuse if draft.claims else "",
        claims=draft.claims,
        must_say=frozenset(draft.must_say),
    )


def names_as_read(headers: list[str], draft: Draft) -> list[str]:
    """Blanks around do not count; a column without a name is called by its place in the rows."""
    stripped = [header.strip() for header in headers]
    first = 1 if draft.row_names else 0
    names = []
    for place, name in enumerate(stripped):
        if not name:
            name = f"Unnamed: {place + first}"
            while name in stripped:
                name += "'"
        names.append(name)
    return names


def meant_by_name(draft: Draft) -> dict[str, Meant]:
    """What is meant by each name; a column without a name and without a value is none."""
    names = names_as_read(draft.headers, draft)
    return {
        name: column
        for name, header, column in zip(names, draft.headers, draft.columns, strict=True)
        if header.strip() or any(text.strip() for text in column.texts)
    }


def _draft(rng: np.random.Generator) -> Draft:
    rows = int(rng.choice([rng.integers(8, 41), rng.integers(8, 41), rng.integers(2, 12)]))
    if rng.random() < 0.02:
        rows = int(rng.integers(0, 2))
    anchors = list(range(min(rows, 2)))
    wide = rng.random() < 0.01
    count = 200 if wide else int(rng.integers(1, 7))
    columns = [_feature(rng, rows, anchors, wide) for _ in range(count)]
    target = int(rng.integers(count + 1))
    columns.insert(target, with_gaps(rng, _target(rng, rows, anchors), anchors))
    if rng.random() < 0.06 and count > 1:
        other = (target + 1) % len(columns)
        columns[other] = columns[target]
    order = rng.permutation(rows)  # the anchors are not always the first rows
    columns = [_reordered(column, order) for column in columns]
    return Draft(
        headers=_headers(rng, len(columns)),
        columns=columns,
        target=target,
        anchors=[int(np.flatnonzero(order == anchor)[0]) for anchor in anchors],
        rows=rows,
        must_read=_is_learnable(columns, target),
    )


def _is_learnable(columns: list[Meant], target: int) -> bool:
    """Whether nothing is a reason to refuse the table, and one column is sure to be kept."""
    others = [column for column in columns if column.texts != columns[target].texts]
    return (
        all(column.harmless for column in columns)
        and len({*(columns[target].numbers or columns[target].words or ())} - {None}) > 1
        and any(column.ordinary and len(set(column.texts)) > 3 for column in others)
    )


def _reordered(column: Meant, order: np.ndarray) -> Meant:
    def moved(values):
        return None if values is None else tuple(values[i] for i in order)

    return replace(
        column,
        texts=moved(column.texts),
        numbers=moved(column.numbers),
        words=moved(column.words),
        moments=moved(column.moments),
    )


def _feature(rng: np.random.Generator, rows: int, anchors: list[int], wide: bool) -> Meant:
    if rows == 0:
        return Meant(())
    if rng.random() < 0.01:
        maker = huge_field
    elif wide or rng.random() < 0.5:
        maker = NUMBER_MAKERS[int(rng.integers(4 if wide else len(NUMBER_MAKERS)))]
    else:
        maker = TEXT_MAKERS[int(rng.integers(len(TEXT_MAKERS)))]
    return with_gaps(rng, maker(rng, rows, anchors), anchors)


def _target(rng: np.random.Generator, rows: int, anchors: list[int]) -> Meant:
    if rows == 0:
        return Meant(())
    makers = (*TARGET_MAKERS, plain, plain, whole, decimal_commas, thousands_marks)
    maker = makers[int(rng.integers(len(makers)))]
    if rng.random() < 0.02:
        maker = beyond_doubles
    return maker(rng, rows, anchors)


def _headers(rng: np.random.Generator, count: int) -> list[str]:
    chosen = [str(name) for name in rng.permutation(HEADERS)[: min(count, len(HEADERS))]]
    if rng.random() < 0.5:  # an ordinary header
        chosen = [f"column {i}" for i in range(len(chosen))]
    return chosen + [f"c{i}" for i in range(count - len(chosen))]
