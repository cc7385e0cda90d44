"""What makes the site out of the repository: pages, links, commands, the chart, and the check."""

import json
import re
import shlex
import sys
import tomllib
from pathlib import Path

import pytest

import kernelwise
from kernelwise.cli.app import COMMANDS, _load

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
sys.path.append(str(DOCS / "_ext"))

import api_pages  # noqa: E402
import check_site  # noqa: E402
import choice_chart  # noqa: E402
import made_text  # noqa: E402
import our_docstrings  # noqa: E402
import parts  # noqa: E402
import repository_links  # noqa: E402

WRITTEN = [ROOT / "README.md", *DOCS.glob("*.md"), *DOCS.glob("*/*.md")]


def commands_on_pages():
    """Every line in a block of code, without a language, that runs kernelwise."""
    for page in WRITTEN:
        for block in re.findall(r"^```\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
            for line in block.replace("\\\n", " ").splitlines():
                if line.startswith("kernelwise "):
                    yield page.name, line


@pytest.mark.parametrize(("page", "line"), [*commands_on_pages()])
def test_a_command_on_a_page_is_understood(page, line):
    name, *words = shlex.split(line, comments=True)[1:]
    if name in COMMANDS:
        _load(name).make_context(name, words)  # a wrong option or a missing one is an error
    else:
        assert name == "--version"


def test_the_reference_has_every_option_of_every_command():
    text = made_text.commands()
    for name in COMMANDS:
        section = text.partition(f"## {name}\n")[2].partition("\n## ")[0]
        options = [p.opts[0] for p in _load(name).params if p.param_type_name == "option"]
        assert options or name == "demo"
        assert [option for option in options if option not in section] == []


def test_every_public_name_is_on_one_page_of_the_reference():
    named = [(p.__name__, n) for p, names in api_pages.places().items() for n, _ in names]
    assert ("kernelwise", "AutoKernelClassifier") in named
    assert ("kernelwise.estimators", "LSSVMClassifier") not in named, "shown where named first"
    things = [id(thing) for names in api_pages.places().values() for _, thing in names]
    for package in api_pages.packages():
        assert {id(getattr(package, name)) for name in package.__all__} <= set(things)


def test_the_record_has_every_field():
    text = made_text.record()
    assert "| `surest_wrong` |" in text and "## CalibrationBin" in text


def test_links_lead_from_files_to_pages():
    pages = repository_links.pages_of_files()
    page = DOCS / "guide" / "gaps.md"

    def linked(text):
        return repository_links.with_links_to_pages(text, page, page, pages)

    assert linked("[new](../../CHANGELOG.md)") == "[new](../project/changes.md)"
    assert linked("[run](../../examples/gaps.py)") == "[run](../gallery/gaps.rst)"
    assert linked("[all](../../Makefile)") == "all"
    same = "[trust](trust.md#features) ![x](../results/a.svg)\n```\n[a](../../Makefile)\n```"
    assert linked(same) == same
    text = repository_links.with_links_to_pages(
        "[words](GLOSSARY.md)", ROOT / "CONTRIBUTING.md", DOCS / "project" / "x.md", pages
    )
    assert text == "[words](../reference/glossary.md)"


def test_anchors_are_those_of_code_hosts_and_checks_have_their_code():
    assert repository_links.anchor("KW219: gaps (tip)") == "kw219"
    assert repository_links.anchor("What the paper's `C` is") == "what-the-papers-c-is"


def test_parts_come_from_their_files():
    table = parts.part_of("docs/results/auto-kernel.md", "Mean ranks of five")
    assert table.startswith("| method |") and "| AutoKernel |" in table and "\n\n" not in table
    assert "How good" in parts.part_of("README.md", "Predicting 'diagnosis'")
    with pytest.raises(ValueError, match="no table below a heading 'No such heading'"):
        parts.part_of("README.md", "No such heading")
    for page in WRITTEN:
        parts.with_parts(page.read_text())  # a heading that is gone is an error


def test_the_chart_says_what_the_list_says():
    text = (DOCS / "choose" / "index.md").read_text()
    items = choice_chart.ITEM.findall(text)
    assert len(items) == text.count("\n- **") >= 10
    drawn = choice_chart.drawing(items)
    for question, answer, page, _ in items:
        assert f">{question}<" in drawn and f'href="{page}.html' in drawn
        assert 8.2 * len(question) < choice_chart.LEFT, "no room for the words"
        assert 8.2 * len(answer) < choice_chart.RIGHT, "no room for the words"


def test_the_versions_to_choose_from_have_this_one():
    versions = json.loads((DOCS / "switcher.json").read_text())
    assert kernelwise.__version__ in [one["version"] for one in versions]
    assert [one["version"] for one in versions if one.get("preferred")] == [versions[0]["version"]]
    assert all(one["url"] == f"../{one['version']}/" for one in versions)


def test_every_extra_for_users_is_in_the_table_of_extras():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    text = (DOCS / "start" / "install.md").read_text()
    named = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
    developers = {"test", "bench", "docs", "release"}
    assert set(named) == set(project["optional-dependencies"]) - developers


def test_words_about_an_item_are_no_type():
    lines = [
        "Attributes",
        "-" * 10,
        "a, b : what they are,",
        "    in two lines",
        "c : int",
        "    Rows.",
    ]
    found = our_docstrings.items_as_text(lines)
    assert found[2:] == ["a, b", "    what they are,", "    in two lines", "c : int", "    Rows."]
    assert our_docstrings.items_as_text(["Notes", "-----", "a : b"])[2] == "a : b"


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ('<a href="other.html#there">', None),
        ('<a href="https://example.org">', None),
        ('<a href="gone.html">', "a.html links to gone.html, which is not there"),
        ('<a href="other.html#nowhere">', "a.html links to other.html#nowhere, which has no such"),
        ('<script src="https://example.org/x.js">', "a.html loads https://example.org/x.js"),
        ('<img src="//example.org/x.png">', "a.html loads //example.org/x.png"),
        ('<link rel="stylesheet" href="http://example.org/x.css">', "a.html loads http"),
        ('<style>@import "https://example.org/x.css"</style>', "a.html loads https"),
    ],
)
def test_a_site_is_checked(body, complaint, tmp_path):
    (tmp_path / "a.html").write_text(f"<html><body>{body}</body></html>")
    (tmp_path / "other.html").write_text('<html><body><p id="there"></body></html>')
    found = [*check_site.complaints(tmp_path)]
    assert found == [] if complaint is None else found[0].startswith(complaint)


def test_a_style_that_loads_a_font_is_found(tmp_path):
    (tmp_path / "a.css").write_text("@font-face { src: url('https://example.org/f.woff') }")
    assert [*check_site.complaints(tmp_path)] == ["a.css loads https://example.org/f.woff"]
