"""``kernelwise report`` and ``fit --report``: pages from what a model file keeps."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import CHEAP, run
from test_cli_auto import doses

from kernelwise.persistence import load_model
from kernelwise.report.fit_document import fit_document
from kernelwise.report.writing import fit_report
from kernelwise.runs import Store

OPENING = """
from pathlib import Path
from kernelwise.cli.pages import write_and_say
from kernelwise.report.document import Document
write_and_say(Document("Title", (), ("Lead",), ()), Path("page.html"), opens=True)
"""
MODELS = Path(__file__).parent.parent / "models"


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    """A folder with a table, a model fitted to it, the page of the fit, and what was said."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "doses.csv").write_bytes(doses())
    options = ("--target", "state", "--folds", 2, "--out", folder / "model.skops")
    result = run("fit", folder / "doses.csv", *options, "--report", folder / "fit.html")
    assert result.exit_code == 0, result.output
    return folder, result


def test_fit_writes_the_page_and_says_where_last(fitted):
    folder, result = fitted
    assert result.stdout.endswith(f"Report:          {folder / 'fit.html'}\n")
    page = (folder / "fit.html").read_text(encoding="utf-8")
    assert "Predicting &#39;state&#39;" in page and "doses.csv" in page
    assert "--report" not in page, "the command that repeats the fit writes no files"


@pytest.mark.parametrize("name", ["again.html", "again.md"])
def test_the_page_of_a_model_file_is_that_of_its_record(fitted, name):
    folder, _ = fitted
    result = run("report", folder / "model.skops", "--out", folder / name, "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout) == {"report": str(folder / name)}
    record = load_model(folder / "model.skops")[0][-1].record_
    assert (folder / name).read_text(encoding="utf-8") == fit_report(record, folder / f"own-{name}")
    if name.endswith("html"):
        assert (folder / name).read_bytes() == (folder / "fit.html").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("report", "model.skops", "--out", "fit.html"), "exists already"),
        (("report", "model.skops", "--out", "r.txt"), "must end in .html or .md"),
        (("report", "model.skops", "--out", "no/r.html"), "does not exist"),
        (("report", "other.skops", "--out", "r.html"), "no such file"),
        (("report", "doses.csv", "--out", "r.html"), "not a kernelwise model"),
        (("report", MODELS / "format-2-lssvm-classifier.skops", "--out", "r.html"), "no record"),
        (("fit", "doses.csv", "--target", "state", "--report", "r.txt"), "must end in"),
        (("fit", "doses.csv", "--target", "state", "--report", "doses.csv"), "is also an input"),
        (("fit", "doses.csv", "--target", "state", "--open"), "name its file with --report"),
        (("fit", "doses.csv", "--target", "state", "--report", "r.html", *CHEAP), "leave out"),
    ],
)
def test_what_cannot_be_reported_is_refused_in_a_line(fitted, monkeypatch, arguments, said):
    monkeypatch.chdir(fitted[0])
    result = run(*arguments)
    assert result.exit_code == 2 and said in result.stderr
    errors = [line for line in result.stderr.splitlines() if not line.startswith("note: ")]
    assert len(errors) == 1 and not Path("r.html").exists()


def test_without_a_file_the_report_is_printed(fitted):
    folder, _ = fitted
    result = run("report", folder / "model.skops")
    assert result.exit_code == 0 and result.stderr == ""
    record = load_model(folder / "model.skops")[0][-1].record_
    document = fit_document(record)
    lines = result.stdout.splitlines()
    assert lines[0] == "Predicting 'state'" and max(map(len, lines)) < 200
    for section in document.sections:
        assert lines[lines.index(section.title) + 1] == "-" * len(section.title)
    assert " ".join(document.lead) in " ".join(result.stdout.split())
    assert re.search(r"^stack +100.0 % ", result.stdout, re.MULTILINE)
    result = run("report", folder / "model.skops", "--open")
    assert result.exit_code == 2 and "name it with --out" in result.stderr


def test_a_report_is_overwritten_if_that_is_asked_for(fitted):
    folder, _ = fitted
    (folder / "old.html").write_text("old")
    result = run("report", folder / "model.skops", "--out", folder / "old.html", "--force")
    assert result.exit_code == 0
    assert (folder / "old.html").read_bytes() == (folder / "fit.html").read_bytes()


def test_a_browser_shows_the_report_if_that_is_asked_for(tmp_path):
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/shown\n')
    browser.chmod(0o755)
    environment = os.environ | {"BROWSER": f"{browser} %s"}
    subprocess.run([sys.executable, "-c", OPENING], cwd=tmp_path, env=environment, check=True)
    assert (tmp_path / "shown").read_text() == f"{(tmp_path / 'page.html').as_uri()}\n"


def test_the_page_of_a_store_is_that_of_the_comparison(fitted):
    folder, _ = fitted
    store, methods = folder / "store.sqlite", ("--methods", "rbf-loo,linear")
    how = (*methods, "--folds", 2, "--repeats", 1, "--store", store)
    compared = ("compare", folder / "doses.csv", "--target", "state", *how)
    result = run(*compared, "--report", folder / "compared.html")
    assert result.exit_code == 0, result.output
    assert f"Report:          {folder / 'compared.html'}\n" in result.stdout
    result = run("report", store, "--out", folder / "stored.html")
    assert result.exit_code == 0, result.output
    page = (folder / "stored.html").read_bytes()
    assert page == (folder / "compared.html").read_bytes() and b"Lowest error: " in page


def test_a_store_without_comparisons_is_refused(tmp_path):
    with Store(tmp_path / "empty.sqlite"):
        pass
    result = run("report", tmp_path / "empty.sqlite", "--out", tmp_path / "r.html")
    assert result.exit_code == 2 and "holds no comparison" in result.stderr
