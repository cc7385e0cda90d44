"""Deciding what a column holds: numbers, dates or categories, and saying so where it is odd."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from kernelwise.data.checks import Check, count, listed
from kernelwise.data.columns import Column, holds_dates, numbers_of, typed_numbers, typed_whole
from kernelwise.data.dates import DateForm, dates_in, first_day, form_of, moments_of, varying_parts
from kernelwise.data.numbers import (
    Marks,
    are_groups,
    common_unit,
    decimal_marks,
    has_ambiguous_commas,
    is_plain_number,
    look_grouped,
    numbers_in,
)
from kernelwise.data.texts import Texts, gap_words, levels_alike, some_texts

if TYPE_CHECKING:
    from pandas import DataFrame, Series

# A column with at least this share of numbers, and more different ones than classes would have,
# holds numbers; its other texts are gaps.
MOSTLY, DIFFERENT = 0.9, 10
# From this share on, texts among numbers are worth a note.
HALF = 0.5
# Beyond this, doubles do not tell neighboring whole numbers apart.
EXACT = 2.0**53
MOST_SHOWN = 4
WHOLE = re.compile(r"[+-]?\d+")


@dataclass
class Reader:
    """What decides the kinds of columns: the user's wishes, and the decimal mark of the table."""

    missing: tuple[str, ...] | None = None
    decimal: str = "."
    decimal_given: bool = False
    points_may_group: bool = False
    categorical: Collection[str] = ()
    numeric: Collection[str] = ()
    checks: dict[str, list[Check]] = field(default_factory=dict)
    gaps_among_numbers: dict[str, set[str]] = field(default_factory=dict)
    marked_numbers: dict[str, str] = field(default_factory=dict)

    @classmethod
    def for_table(
        cls,
        frame: "DataFrame",
        *,
        missing: tuple[str, ...] | None,
        decimal: str | None,
        delimiter: str | None,
        categorical: Collection[str],
        numeric: Collection[str],
    ) -> "Reader":
        """A reader with the decimal mark that the numbers of a table agree on.

        Parameters
        ----------
        frame : the table
        missing, decimal : the texts that stand for gaps, and the decimal mark; None to find out
        delimiter : between the columns of the file; None if there is none
        categorical, numeric : columns of which the user has said what they hold
        """
        mark = decimal or _decimal_of(frame, delimiter)
        grouping = delimiter not in (",", None) and decimal is None
        return cls(missing, mark, decimal is not None, grouping, tuple(categorical), tuple(numeric))

    def column(self, series: "Series") -> Column:
        """What a column holds; oddities go to ``checks``, under its name."""
        name = str(series.name)
        if name in self.categorical:
            return self._category(name, Texts.of(series))
        typed = typed_numbers(series)
        if typed is not None:
            if typed_whole(series):
                self._say_inexact(name, typed)
            return Column(name, "number", missing=self.missing)
        if holds_dates(series):
            return self._date(name, moments_of(series), DateForm("typed"), unsure=False)
        if (found := self._plain(name, series)) is not None:
            return found
        texts = Texts.of(series)
        bare = texts.without(texts.gaps(self.missing, by_people=True))
        if name not in self.numeric and (found := self._dates(name, texts, bare)):
            return found
        return self._number(name, texts, bare) or self._category(name, texts)

    def _plain(self, name: str, series: "Series") -> Column | None:
        """A column of numbers as programs write them, without a look at each; None if it is not."""
        if self.missing is not None:
            return None
        few = some_texts(series)
        decimal = self.decimal_for(few)
        values = numbers_of(series, decimal)
        if values is None or np.isnan(values).all():
            return None
        self.say_marks(name, few, decimal)
        if all(map(WHOLE.fullmatch, few)):
            self._say_inexact(name, values)
        return Column(name, "number", decimal=decimal)

    def _dates(self, name: str, texts: Texts, bare: Texts) -> Column | None:
        form, unsure = form_of(bare.levels)
        if form is None:
            return None
        self._note_gaps(name, texts)
        found = dates_in(bare.levels, form)
        if np.isnat(found).any():
            self._say_mostly(name, bare, ~np.isnat(found), "dates", "dates, and the rest as gaps")
        moments = bare.spread(found, np.datetime64("NaT"))
        return self._date(name, moments, form, unsure)

    def _date(self, name: str, moments: np.ndarray, form: DateForm, unsure: bool) -> Column:
        parts = varying_parts(moments, form) or ("days",)
        column = Column(
            name,
            "date",
            missing=self.missing,
            dates=form.kind,
            day_first=form.day_first,
            first=first_day(moments),
            parts=parts,
        )
        order = "day" if form.day_first else "month"
        said = f"column '{name}' holds dates, which became numbers: {', '.join(parts)}"
        advice = f"the {order} was taken to come first; write 2020-12-31 if that is wrong"
        self._say(name, Check("KW204", said, advice if unsure else ""))
        return column

    def _number(self, name: str, texts: Texts, bare: Texts) -> Column | None:
        """A column of numbers, if its texts are; None if they are categories."""
        unit = common_unit(bare.written)
        decimal = self.decimal_for([text.removesuffix(unit) for text in bare.written])
        values = bare.numbers(decimal, unit)
        readable = ~np.isnan(values)
        counts = bare.counts()
        share = counts[readable].sum() / max(counts.sum(), 1)
        forced = name in self.numeric
        mostly = share >= MOSTLY and len(np.unique(values[readable])) > DIFFERENT
        if not (forced or mostly or (readable.all() and len(readable))):
            if share >= HALF:
                self._say_mostly(name, bare, readable, "numbers", "categories")
            return None
        self._note_gaps(name, texts)
        if not readable.all():
            rest = "numbers, and the rest as gaps"
            self._say_mostly(name, bare, readable, "numbers", rest)
        known = {text for text, good in zip(bare.levels, readable, strict=True) if good}
        self.say_marks(name, [text for text in bare.written if text in known], decimal, unit)
        if all(map(WHOLE.fullmatch, bare.levels)):
            self._say_inexact(name, values)
        return Column(name, "number", decimal=decimal, missing=self.missing, unit=unit)

    def _category(self, name: str, texts: Texts) -> Column:
        gaps = texts.gaps(self.missing, by_people=False)
        if gaps:
            said = f"column '{name}': {gap_words(texts, gaps)} counted as gaps, not as categories"
            self._say(name, Check("KW215", said, "name the texts that are gaps if not"))
        for check in alike_categories(name, texts):
            self._say(name, check)
        return Column(name, "category", missing=self.missing)

    def decimal_for(self, texts: Sequence[str]) -> str:
        """The decimal mark of a column: its own numbers decide, or those of the table."""
        if self.decimal_given:
            return self.decimal
        grouped = self.points_may_group and look_grouped(texts)
        return decimal_marks(texts).sure or ("," if grouped else self.decimal)

    def checks_of(self, columns: Sequence[Column]) -> list[Check]:
        """What was odd about these columns; all gaps among numbers, and all marks, in one check."""
        where: dict[str, list[str]] = {}
        for column in columns:
            for text in sorted(self.gaps_among_numbers.get(column.name, ())):
                where.setdefault(text, []).append(column.name)
        said = "; ".join(f"'{text}' in {listed(names, 4)}" for text, names in where.items())
        advice = "name the texts that are gaps if not"
        gaps = [Check("KW201", f"texts counted as gaps among numbers: {said}", advice)]
        others = [check for column in columns for check in self.checks.get(column.name, ())]
        marked = [c.name for c in columns if c.name in self.marked_numbers]
        shown = "; ".join(self.marked_numbers[name] for name in marked[:MOST_SHOWN])
        more = f" and {len(marked) - MOST_SHOWN} columns more" if len(marked) > MOST_SHOWN else ""
        advice = "name the decimal mark if that is wrong"
        marks = [Check("KW202", f"numbers with marks were read: {shown}{more}", advice)]
        return [*(gaps if where else []), *(marks if marked else []), *others]

    def _say(self, name: str, check: Check) -> None:
        self.checks.setdefault(name, []).append(check)

    def _note_gaps(self, name: str, texts: Texts) -> None:
        gaps = texts.gaps(self.missing, by_people=True)
        if gaps:
            self.gaps_among_numbers[name] = {texts.levels[code] for code in gaps}

    def _say_mostly(
        self, name: str, texts: Texts, readable: np.ndarray, what: str, taken: str
    ) -> None:
        counts = texts.counts()
        rows = count(int(counts[~readable].sum()), "row")
        example = texts.levels[int((~readable).argmax())]
        said = f"column '{name}' is mostly {what}, but not in {rows} with texts such as '{example}'"
        advice = "say whether it is numeric or categorical if that is wrong"
        self._say(name, Check("KW203", f"{said}; it was taken as {taken}", advice))

    def say_marks(self, name: str, texts: Sequence[str], decimal: str, unit: str = "") -> None:
        """Note how numbers are written that are not as programs write them."""
        odd = [text for text in texts if not is_plain_number(text)]
        if odd:
            value = numbers_in([odd[0].removesuffix(unit)], decimal)[0]
            self.marked_numbers[name] = f"'{odd[0]}' in '{name}' as {value:.12g}"
            return
        pointed = [text for text in texts if "." in text]
        if pointed and self.points_may_group and are_groups(pointed):
            (value,) = numbers_in(pointed[:1], decimal)
            said = f"column '{name}' has numbers like '{pointed[0]}', which may be thousands"
            advice = "name the decimal mark if that is wrong"
            self._say(name, Check("KW216", f"{said}; it was read as {value:.12g}", advice))

    def _say_inexact(self, name: str, values: np.ndarray) -> None:
        for check in inexact_numbers(name, values):
            self._say(name, check)


def alike_categories(name: str, texts: Texts) -> list[Check]:
    for one, other in levels_alike(texts)[:1]:
        said = f"column '{name}' has categories that differ only in case or blanks"
        return [Check("KW212", f"{said}: '{one}' and '{other}'", "make them equal")]
    return []


def inexact_numbers(name: str, values: np.ndarray) -> list[Check]:
    """Whole numbers, some of which doubles do not tell apart."""
    finite = values[np.isfinite(values)]
    if not len(finite) or np.abs(finite).max() < EXACT:
        return []
    said = f"column '{name}' has whole numbers beyond 2**53, which are rounded"
    return [Check("KW211", said, "drop it, or say it is categorical")]


def _decimal_of(frame: "DataFrame", delimiter: str | None) -> str:
    """The decimal mark that the texts of a table agree on."""
    marks, ambiguous = Marks(), False
    for _, series in frame.items():
        if typed_numbers(series) is None and not holds_dates(series):
            few = some_texts(series)
            marks += decimal_marks(few)
            ambiguous = ambiguous or has_ambiguous_commas(few)
    return marks.sure or ("," if ambiguous and delimiter not in (",", None) else ".")
