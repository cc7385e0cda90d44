"""A report on a fit: every section from the record alone, and no text that is taken for HTML."""

import re
from dataclasses import replace

import pytest
from sklearn.datasets import make_classification

from kernelwise import AutoKernelClassifier
from kernelwise.insight import FitRecord
from kernelwise.report.writing import fit_report

SECTIONS = ["notes", "chosen", "errors", "features", "curve", "search", "data", "repeat"]


@pytest.fixture(scope="module")
def fitted():
    X, y = make_classification(150, 4, random_state=0)
    return AutoKernelClassifier(["gaussian", "linear"], random_state=0).fit(X, y)


def test_the_estimator_writes_the_page_that_it_returns(fitted, tmp_path):
    page = fitted.report(tmp_path / "r.html")
    assert (tmp_path / "r.html").read_text(encoding="utf-8") == page == fitted.report()
    assert re.findall(r'<details id="(\w+)"', page) == SECTIONS


def test_the_page_carries_its_record(fitted):
    page = fitted.report()
    (data,) = re.findall(r'<script type="application/json" id="record">(.*?)</script>', page)
    assert FitRecord.from_json(data) == fitted.record_


def test_a_name_is_never_html(fitted):
    name = "</script><img src=x onerror=alert(1)>"
    features = (replace(fitted.record_.features[0], name=name), *fitted.record_.features[1:])
    page = fit_report(replace(fitted.record_, features=features, target=name))
    assert "<img" not in page and "&lt;/script&gt;&lt;img" in page
