"""The committed pages are those of the committed results; what pages show runs and is true."""

import inspect
import re
import subprocess
import sys
from functools import lru_cache
from importlib import import_module
from pathlib import Path

import pytest

from kernelwise import LSSVMClassifier, RVMClassifier, SVMClassifier
from kernelwise.papers import TABLES, compare_with_paper
from kernelwise.report.pages import write_page
from kernelwise.runs.results_csv import read_results

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs" / "results"
# The tables of each committed file of results: those whose names begin with the file's, but for
# those whose data cannot be had.
PAGES = [
    (path.stem, name)
    for path in sorted(RESULTS.glob("*.csv"))
    for name in TABLES
    if name.startswith(path.stem) and not TABLES[name].files
]


@lru_cache
def results_of(stem):
    return read_results(RESULTS / f"{stem}.csv")


def done_cells(stem):
    return [result.cell for result in results_of(stem)[0] if result.status == "done"]


@pytest.mark.parametrize(("stem", "name"), PAGES)
def test_a_page_is_made_from_the_results(stem, name, tmp_path):
    """Texts to the last byte; pictures by name, since another matplotlib draws other bytes."""
    results, heading = results_of(stem)
    comparison = compare_with_paper(TABLES[name], results)
    heading = {"results": f"{stem}.csv", **heading}
    page, *pictures = write_page(comparison, results, heading, tmp_path / f"{name}.md")
    assert page.read_text() == (RESULTS / page.name).read_text()
    assert all((RESULTS / picture.name).stat().st_size > 1000 for picture in pictures)


def test_every_page_is_named_in_the_list_of_pages():
    text = (RESULTS / "README.md").read_text()
    assert {name for _, name in PAGES} >= {path.stem for path in RESULTS.glob("*-table-*.md")}
    assert all(f"({name}.md)" in text for _, name in PAGES)


def test_the_first_level_results_are_complete():
    """Every method of Tables 2 and 3 and ours on all fourteen sets: 10 replicates, 5 on two."""
    table = TABLES["first-level-table-3"]
    wanted = (
        *TABLES["first-level-table-2"].columns,
        *table.columns,
        "LAPLACIAN",
        "MIXED",
        "AUTO",
        "LIGHTGBM",
    )
    done = done_cells("first-level")
    for name, stored in table.datasets.items():
        for method in wanted:
            found = [cell for cell in done if (cell.dataset, cell.method) == (stored, method)]
            assert len(found) >= (5 if name in table.protocol.fewer else 10)
            assert all(cell.split == "generated" for cell in found)


def test_the_alignment_results_are_complete():
    """Every method of the five tables on each of its data sets, ten folds each."""
    done = set(done_cells("alignment"))
    tables = [TABLES[name] for stem, name in PAGES if stem == "alignment"]
    ten = {name: 10 for table in tables for name in table.datasets}
    wanted = {cell for table in tables for cell in table.cells(10, "folds", ten)}
    # Hundreds of factorizations of 2876 rows: not tried.
    assert {(cell.dataset, cell.method) for cell in wanted - done} == {("kr_vs_kp", "MSEVID")}


def test_the_svm_results_are_complete():
    """25 trials of every method of the three tables on each of the five data sets."""
    done = set(done_cells("svm"))
    tables = [TABLES[name] for stem, name in PAGES if stem == "svm"]
    assert len(tables) == 3
    for table in tables:
        assert set(table.cells(25, None, dict.fromkeys(table.datasets, 1))) <= done


def test_the_results_on_kernel_validity_are_complete():
    """20 splits of every method on each of the seven data sets."""
    table = TABLES["rvm-validity-table-1"]
    assert len(table.datasets) == 7
    wanted = set(table.cells(20, "thirds", dict.fromkeys(table.datasets, 20)))
    assert set(done_cells("rvm-validity")) == wanted


def test_the_results_on_bayesian_kernels_are_complete():
    """The same splits of every method on each of the eight data sets, and the protein folds."""
    table, protein = TABLES["bemkl-table-1"], TABLES["bemkl-table-2"]
    done = set(done_cells("bemkl"))
    count = len({cell.number for cell in done if cell.dataset == "sonar"})
    wanted = set(table.cells(count, "random", dict.fromkeys(table.datasets, count)))
    wanted |= set(protein.cells(1, "published", {"Protein": 1}))
    assert count >= 5 and done == wanted


SOURCE = re.compile(r"<!-- source: (\S+) -->\n```python\n(.*?)```", re.DOTALL)
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)
WRITTEN = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/*/*.md")]
PAGES_WITH_PYTHON = [path for path in WRITTEN if "```python" in path.read_text()]
PAGES_WITH_SOURCE = [path for path in PAGES_WITH_PYTHON if SOURCE.search(path.read_text())]


# Examples that take more than some seconds are run when the site is built, as all are.
LONG = {"auto_kernel", "evidence_ascent"}
EXAMPLES = sorted({path.stem for path in (ROOT / "examples").glob("*.py")} - LONG)
FORKED = """
import os, runpy, sys
import sklearn.base  # kernelwise itself is imported by each program anew
for path in sys.argv[1:]:
    if not (child := os.fork()):
        runpy.run_path(path, run_name="__main__")
        sys.exit()
    if os.waitpid(child, 0)[1]:
        sys.exit(f"{path} failed")
"""


def source_of(name):
    """A file of the repository without the docstring on top, or a class by its full name."""
    if name.endswith(".py"):
        return re.sub(r'\A""".*?"""\n+', "", (ROOT / name).read_text(), flags=re.DOTALL)
    module, _, kind = name.rpartition(".")
    return inspect.getsource(getattr(import_module(module), kind))


@pytest.mark.parametrize("page", PAGES_WITH_SOURCE, ids=lambda path: path.name)
def test_source_on_a_page_is_the_source(page):
    text = page.read_text()
    found = SOURCE.findall(text)
    assert len(found) == len(PYTHON.findall(text)), "every block says where it is from"
    for name, block in found:
        assert block == source_of(name), name


@pytest.mark.parametrize("half", [0, 1])  # so that two cores share them
def test_examples_and_programs_run(half, tmp_path):
    """Each in a process of its own, forked from one that has imported what takes a second."""
    programs = []
    for page in sorted(set(PAGES_WITH_PYTHON) - set(PAGES_WITH_SOURCE)):
        programs.append(tmp_path / f"{page.stem}.py")
        programs[-1].write_text("\n".join(PYTHON.findall(page.read_text())))
    assert len(programs) >= 3
    programs += [ROOT / "examples" / f"{name}.py" for name in EXAMPLES]
    command = [sys.executable, "-W", "ignore", "-c", FORKED, *programs[half::2]]
    subprocess.run(command, check=True, cwd=tmp_path)


def test_every_link_leads_somewhere():
    for path in WRITTEN:
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", path.read_text()):
            assert (path.parent / target).exists(), f"{path.name}: {target}"


def test_the_glossary_is_sorted():
    text = (ROOT / "GLOSSARY.md").read_text().partition("## From the papers")[0]
    words = [word.lower() for word in re.findall(r"^\| \*\*(.*?)\*\*", text, re.MULTILINE)]
    assert words == sorted(words) and len(set(words)) == len(words) > 50


def test_the_lists_of_selections_are_complete():
    text = (ROOT / "docs" / "guide" / "selections.md").read_text()
    for part, kind in zip(
        text.split("\n## ")[1:4], (LSSVMClassifier, SVMClassifier, RVMClassifier), strict=True
    ):
        selections = kind._selections
        named = set(re.findall(r"^\| `(\S+?)`", part, re.MULTILINE)) - {"selection"}
        assert named == {"None" if name is None else f'"{name}"' for name in selections}
