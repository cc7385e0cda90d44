"""A report on a fit: every section from the record alone, and no text that is taken for HTML."""

import json
import re
import time
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser

import pytest
from fit_records import TWINS, classes_record, quantity_record, with_candidates
from made_records import HOSTILE
from sklearn.datasets import make_classification

from kernelwise import AutoKernelClassifier
from kernelwise.insight import FitRecord, headline
from kernelwise.insight.fit_record import DependenceRecord
from kernelwise.report.fit_document import fit_document
from kernelwise.report.markdown import as_markdown
from kernelwise.report.writing import fit_report

SECTIONS = ["notes", "chosen", "errors", "features", "curve", "search", "data", "repeat"]
VOID = {"meta", "link", "path", "use", "br", "img", "input", "hr"}


class Page(HTMLParser):
    """What a page consists of, if its elements are closed in order."""

    def __init__(self, page):
        super().__init__()
        self.open, self.elements, self.texts = [], [], []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes), tuple(self.open)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes), tuple(self.open)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append((self.open[-1] if self.open else "", data))

    def all(self, tag):
        return [attributes for name, attributes, _ in self.elements if name == tag]

    def text_of(self, tag):
        return [text for name, text in self.texts if name == tag]


RECORDS = {"classes": classes_record(), "quantity": quantity_record()}
either = pytest.mark.parametrize("kind", RECORDS)


@cache
def page_of(kind):
    return fit_report(RECORDS[kind])


@pytest.fixture(scope="module")
def fitted():
    X, y = make_classification(150, 4, random_state=0)
    return AutoKernelClassifier(["gaussian", "linear"], random_state=0).fit(X, y)


def sections(record):
    return {section.id: section for section in fit_document(record).sections}


def said(section):
    """All texts of a section."""
    return " ".join(_texts(section))


def _texts(value):
    if isinstance(value, str):
        return [value]
    parts = value if isinstance(value, tuple) else getattr(value, "__dict__", {}).values()
    return [text for part in parts for text in _texts(part)]


@either
def test_sections_stand_in_the_order_of_questions(kind):
    page = Page(page_of(kind))
    found = [d for d in page.all("details") if d.get("class") != "numbers"]
    assert [d["id"] for d in found] == SECTIONS
    assert [d["id"] for d in found if "open" in d] == ["notes", "chosen", "errors", "features"]
    links = [a["href"] for a in page.all("a")]
    assert links == [f"#{name}" for name in SECTIONS]


def test_the_estimator_writes_the_page_that_it_returns(fitted, tmp_path):
    page = fitted.report(tmp_path / "r.html", title="A title")
    assert (tmp_path / "r.html").read_text(encoding="utf-8") == page
    assert "<h1>A title</h1>" in page and page == fit_report(fitted.record_, title="A title")
    text = fitted.report(str(tmp_path / "r.md"))
    assert (tmp_path / "r.md").read_text(encoding="utf-8") == text
    assert text.startswith("# Predicting 'y'\n")
    assert headline(fitted.record_) in " ".join(text.replace("**", "").split())
    with pytest.raises(ValueError, match=r"must end in .html or .md"):
        fitted.report(tmp_path / "r.pdf")
    assert not (tmp_path / "r.pdf").exists()


@either
def test_the_record_in_the_page_gives_the_same_bytes(kind):
    page = page_of(kind)
    (data,) = re.findall(r'<script type="application/json" id="record">(.*?)</script>', page)
    again = FitRecord.from_json(data)
    assert again == RECORDS[kind]
    assert fit_report(again) == page


def test_a_name_is_never_html():
    record = classes_record(target=HOSTILE, table=HOSTILE, command=f"kernelwise fit {HOSTILE}")
    named = replace(record.features[0], name=HOSTILE)
    column = replace(record.columns[0], name=HOSTILE, common=HOSTILE)
    check = replace(record.checks[0], text=HOSTILE, advice=HOSTILE)
    drawn = DependenceRecord(HOSTILE, (HOSTILE, "b"), ((0.1, 0.9), (0.3, 0.7)))
    candidate = replace(record.candidates[1], name=HOSTILE, words=HOSTILE, verdict=HOSTILE)
    record = replace(
        record,
        features=(named, *record.features[1:]),
        columns=(column, *record.columns[1:]),
        checks=(check, *record.checks[1:]),
        dependence=(drawn, *record.dependence[1:]),
        classes=(HOSTILE, "b"),
        candidates=(record.candidates[0], candidate, *record.candidates[2:]),
        skipped={HOSTILE: HOSTILE},
        surest_wrong=(replace(record.surest_wrong[0], truth=HOSTILE),),
        versions=record.versions | {HOSTILE: HOSTILE},
    )
    written = fit_report(record)
    page = Page(written)
    assert not page.all("img") and len(page.all("script")) == 2
    (data,) = re.findall(r'id="record">(.*?)</script>', written)
    assert not set(data) & set("<>&"), "whatever a name has after them"
    assert sum(HOSTILE in text for _, text in page.texts) > 20
    assert json.loads("".join(page.text_of("script")[:1]))["target"] == HOSTILE
    text = as_markdown(fit_document(record, title=HOSTILE))
    assert "<img" not in re.sub(r"```\w+\n[^`]*```", "", text)


def test_a_name_ends_no_column_of_markdown():
    record = classes_record(columns=(replace(RECORDS["classes"].columns[0], name="a | b_c"),))
    (line,) = re.findall(r"^\| a .*$", as_markdown(fit_document(record)), re.MULTILINE)
    assert line.startswith("| a \\| b\\_c | category | 0 |")


def test_lines_to_copy_cannot_end_their_fence():
    text = as_markdown(fit_document(classes_record(command="kernelwise fit 'a\n```\n<img>'")))
    assert "\n````shell\nkernelwise fit 'a\n```\n<img>'\n````\n" in text


def test_the_page_loads_nothing_and_allows_nothing_else():
    page = Page(page_of("classes"))
    policy = page.all("meta")[1]
    assert policy["http-equiv"] == "Content-Security-Policy"
    assert policy["content"].startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy["content"]
    for _, attributes, _ in page.elements:
        assert "style" not in attributes and not any(name.startswith("on") for name in attributes)
        for name in ("href", "src"):
            assert attributes.get(name, "#").startswith(("#", "data:,"))


def test_every_identifier_is_there_once_and_every_reference_has_one():
    page = Page(page_of("classes"))
    found = [attributes["id"] for _, attributes, _ in page.elements if "id" in attributes]
    assert len(set(found)) == len(found)
    for _, attributes, _ in page.elements:
        named = [attributes.get("aria-labelledby")]
        named += [attributes["href"][1:]] if attributes.get("href", "").startswith("#") else []
        named += re.findall(r"url\(#([^)]+)\)", " ".join(v or "" for v in attributes.values()))
        assert {name for name in named if name} <= set(found)


@either
def test_every_picture_has_a_title_a_table_and_colors_of_the_page(kind):
    page = page_of(kind)
    figures = re.findall(r'<figure id="[^"]+" data-rows.*?</figure>', page, re.DOTALL)
    assert len(figures) == page.count("<svg") > 6
    for figure in figures:
        assert re.search(r"<svg [^>]*><title id=\"[^\"]+\">[^<]+</title>", figure)
        assert figure.count("<table") == 1 and "<td" in figure
        assert not re.search(r'(fill|stroke)="#', figure), "a color by day and by night"
    (chosen, *_), record = figures, RECORDS[kind]
    assert chosen.count('class="mark"') == len(record.candidates)
    (relevances,) = [figure for figure in figures if "Relevance of the features<" in figure]
    assert relevances.count('class="mark"') == len(record.features)


def test_marks_and_rows_say_the_same():
    record = RECORDS["classes"]
    (figure,) = (p for p in sections(record)["chosen"].parts if p.kind == "figure")
    drawn = [one.error for one in record.candidates]
    shown = [figure.table.rows[row][2].value for row in figure.rows]
    assert shown == sorted(drawn) and len(figure.rows) == len(record.candidates)
    assert figure.table.rows[-1][0].text == f"always '{record.classes[0]}'"


@pytest.mark.parametrize(
    ("record", "budget"),
    [
        (with_candidates(classes_record(30, 2, 569)), 600_000),
        (classes_record(500, 2, 5000), 1_500_000),
        (classes_record(20, 50, 5000), 1_500_000),
        (quantity_record(500, 100_000), 1_500_000),
    ],
    ids=["ordinary", "500 columns", "50 classes", "many rows"],
)
def test_large_tables_make_no_large_pages(record, budget):
    start = time.process_time()
    page = fit_report(record)
    assert len(page.encode()) < budget
    assert time.process_time() - start < 30, "ten times what it takes"


def test_script_and_style_stay_small():
    classes = page_of("classes")
    style, script = re.search(
        r"<style>(.*?)</style>.*<script>(.*?)</script>", classes, re.DOTALL
    ).groups()
    assert len(style.encode()) <= 6000 and len(script.encode()) <= 4000


def test_the_page_answers_what_was_asked():
    found = {name: said(section) for name, section in sections(RECORDS["classes"]).items()}
    assert TWINS in found["notes"] and TWINS in found["features"]
    assert "4 of 5" in found["features"] and "Among the first 2 in folds" in found["features"]
    assert "50.0 to 100.0 %" in found["errors"], "the interval of a recall"
    assert "scale" in found["search"] and "the time was up" in found["search"]
    assert "2, from 3.00 to 4.50; they disagree by up to 0.250" in found["search"]
    for part in ("kernelwise fit table.csv", "0" * 64, "a processor", "2026-11-18T12:00"):
        assert part in found["repeat"]
    assert "max_time=60" in found["repeat"] and "folds=" not in found["repeat"]
    assert "79.0 %" in said(sections(quantity_record())["errors"]), "coverage"
    assert fit_document(RECORDS["classes"]).subject[1:] == (
        "table.csv",
        "300 rows, 4 columns",
        "2026-11-18",
    )


def test_many_rows_are_counted_in_squares():
    few, many = (said(sections(quantity_record(n_rows=n))["errors"]) for n in (300, 3000))
    assert "All 300 rows." in few and "counted in squares" in many
    squares = quantity_record(n_rows=3000).squares
    (pair, *_) = (
        p for p in sections(quantity_record(n_rows=3000))["errors"].parts if p.kind == "gallery"
    )
    assert [len(figure.table.rows) for figure in pair.figures] == [len(squares)] * 2
    drawn = [len(line.get_xdata()) for line in pair.figures[0].draw().axes[0].lines[:-1]]
    assert sum(drawn) == len(squares) and len(drawn) == 5, "in five shades"


def test_without_folds_nothing_is_claimed():
    record = replace(
        RECORDS["classes"],
        error=None,
        confusion=(),
        calibration=(),
        surest_wrong=(),
        recalls=(),
        candidates=tuple(
            replace(one, error=None, low=None, high=None) for one in RECORDS["classes"].candidates
        ),
    )
    found = sections(record)
    assert "Not estimated" in said(found["errors"]) and "folds=0" in said(found["chosen"])
    assert not [part for part in found["chosen"].parts if part.kind == "figure"]
    assert "Seen by the search, %" in said(found["chosen"])


def test_of_a_useless_model_no_relevance_is_shown():
    found = sections(classes_record(is_trivial=True))
    assert "no feature is known to matter" in said(found["features"])
    assert "do not" not in said(found["features"]), "the lead has said it"
    assert "do not read the relevances" in fit_document(classes_record(is_trivial=True)).lead[0]
    assert not [part for part in found["features"].parts if part.kind != "paragraph"]
    assert "column 0" not in said(found["features"])


def test_an_older_record_lacks_sections_but_no_answer():
    record = classes_record(checks=(), stability=None, curve=(), date=None, machine=None)
    record = replace(record, table=None, sha256=None, command=None, dependence=(), features=())
    found = sections(record)
    assert list(found) == SECTIONS[1:], "nothing to know first"
    assert "AutoKernelClassifier(random_state=3, max_time=60).fit(X, y)" in said(found["repeat"])


def test_rare_classes_and_few_rows_are_in_the_lead():
    rare = replace(classes_record(), counts=(95.0, 5.0))
    assert any("Of the rare class 'class 1' it finds" in line for line in fit_document(rare).lead)
    few = replace(classes_record(), n_distinct=60)
    assert any("about 240 would halve it" in line for line in fit_document(few).lead)


@either
def test_markdown_has_all_sections_and_tables(kind):
    document = fit_document(RECORDS[kind])
    text = as_markdown(document)
    heads = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert heads == [section.title for section in document.sections]
    assert text.count("\n| ---") == page_of(kind).count("<table")
    for line in re.findall(r"^\|.*\|$", text, re.MULTILINE):
        assert len(re.findall(r"(?<!\\)\|", line)) >= 3


def test_every_table_of_a_search_names_its_candidate():
    text = as_markdown(fit_document(RECORDS["classes"]))
    assert "**Criterion of 'ard'.**\n\n| Evaluation | Criterion |" in text
    stack, first, *others = classes_record().candidates
    first = replace(first, trace=replace(first.trace, n_points=90))
    text = as_markdown(fit_document(classes_record(candidates=(stack, first, *others))))
    assert "**Criterion of 'ard' (40 of 90 values).**\n\n| Kept evaluation |" in text


def test_noise_and_intervals_are_two_questions():
    (figure, *_) = (p for p in sections(classes_record())["features"].parts if p.kind == "figure")
    assert "Noise is about unseen rows: are they predicted better" in figure.about


def test_weights_and_groups_are_said():
    record = classes_record(command=None, weighted=True, groups=12)
    judged = replace(record, error=replace(record.error, rows=200))
    found = {name: said(section) for name, section in sections(judged).items()}
    assert "in 5 folds that split none of 12 groups, with every choice" in found["chosen"]
    assert "Weight of each class, the lightest row as 1, by what was said" in found["errors"]
    assert "bins hold about equal weights." in found["errors"]
    assert "Weight Share" in found["data"]
    assert ".fit(X, y, sample_weight=sample_weight, groups=groups)" in found["repeat"]
    total = sum(map(sum, record.confusion))
    unweighted = replace(record, error=replace(record.error, rows=total))
    assert "Rows of each class by what was said" in said(sections(unweighted)["errors"])
    assert ".fit(X, y)" in said(sections(classes_record(command=None))["repeat"])
    assert "groups" not in said(sections(classes_record())["chosen"])


def test_all_features_are_not_the_first_ones():
    assert "Relevance of all 4 features" in said(sections(classes_record(4))["features"])
    many = said(sections(classes_record(120))["features"])
    assert "Relevance of the first 100 of 120 features" in many


def test_names_that_no_font_has_are_drawn_without_a_warning(recwarn):
    record = classes_record()
    name = "\u8840\u5727 \x07 $x$"
    feature = replace(record.features[0], name=name)
    trace = [replace(one, trace=None) for one in record.candidates]
    record = replace(record, candidates=tuple(trace), dependence=(), curve=())
    page = fit_report(replace(record, features=(feature, *record.features[1:])))
    assert "\u8840\u5727" in page and not recwarn.list
