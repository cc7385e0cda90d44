"""What is shipped: the files, one version, and extras that something uses."""

import ast
import datetime
import re
import tomllib
from pathlib import Path

import pytest

import kernelwise

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = PROJECT["project"]["optional-dependencies"]
# What a user of the library installs, unlike the tools of its developers.
FOR_USERS = ("cli", "persist", "excel", "report", "distributed", "fast", "competitors")


def package(requirement):
    return re.match(r"[\w-]+", requirement)[0].replace("-", "_")


def imported_packages():
    """Every package that the source imports, also by ``import_optional``."""
    found = set()
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module]
            elif isinstance(node, ast.Call) and "import_optional" in ast.unparse(node.func):
                names = [node.args[0].value]
            else:
                continue
            found |= {name.partition(".")[0] for name in names}
    return found


def test_the_source_distribution_has_what_it_needs_and_nothing_stray():
    sdist = pytest.importorskip("hatchling.builders.sdist", reason="hatchling is not installed")
    builder = sdist.SdistBuilder(str(ROOT))
    paths = {Path(file.relative_path) for file in builder.recurse_included_files()}
    assert {path.parts[0] for path in paths} == {
        *(
            "src",
            "tests",
            "recipe",
            "LICENSE",
            "README.md",
            "CHANGELOG.md",
            "CITATION.cff",
            "GLOSSARY.md",
        ),
        *("CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md"),
    }
    assert {Path("src/kernelwise/py.typed"), Path("src/kernelwise/cli/app.py")} <= paths
    assert Path("tests/test_docs.py") not in paths  # what it reads is not shipped
    models = {path for path in paths if path.parts[:2] == ("tests", "models")}
    assert not [p for p in paths - models if p.suffix in {".pyc", ".sqlite", ".skops"}]


def test_every_file_of_the_source_distribution_is_there():
    for name in PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]:
        assert (ROOT / name.removeprefix("/")).exists(), name


def test_the_version_is_written_once_and_cited():
    assert PROJECT["project"]["dynamic"] == ["version"] and "version" not in PROJECT["project"]
    source = ROOT / PROJECT["tool"]["hatch"]["version"]["path"]
    assert f'__version__ = "{kernelwise.__version__}"' in source.read_text()
    others = [ROOT / "pyproject.toml", ROOT / "README.md", *ROOT.glob("docs/*.py")]
    assert not [path for path in others if kernelwise.__version__ in path.read_text()]


def changelog_sections():
    """``(version, date)`` of each section, as the headings of the changelog have them."""
    return re.findall(r"^## (\S+)(?: - (\S+))?$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)


def test_the_version_has_a_dated_section_that_the_citation_repeats():
    """``Unreleased`` may stand above it, between releases."""
    sections = [section for section in changelog_sections() if section != ("Unreleased", "")]
    version, date = sections[0]
    assert version == kernelwise.__version__
    assert datetime.date.fromisoformat(date)
    cited = (ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {version}\ndate-released: {date}\n" in cited


def test_the_sections_of_the_changelog_are_dated_and_in_order():
    text = (ROOT / "CHANGELOG.md").read_text()
    assert len(re.findall("^## ", text, re.MULTILINE)) == len(changelog_sections())
    numbers = [tuple(map(int, v.split("."))) for v, _ in changelog_sections() if v != "Unreleased"]
    assert numbers == sorted(set(numbers), reverse=True)
    assert "Unreleased" not in [version for version, _ in changelog_sections()[1:]]


def lowest(lines):
    """``{name: version}`` of requirements with a lowest version, those of pip or of conda."""
    pairs = (re.match(r"([\w-]+) ?>=([\d.]+)$", line) for line in lines)
    return {pair[1].removesuffix("-base"): pair[2] for pair in pairs if pair}


def test_the_recipe_of_conda_is_that_of_the_project():
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    recipe = yaml.safe_load((ROOT / "recipe" / "recipe.yaml").read_text())
    of_project, needed = PROJECT["project"], recipe["requirements"]
    assert recipe["context"]["version"] == kernelwise.__version__
    assert of_project["requires-python"] == f">={recipe['context']['python_min']}"
    built_in = [*EXTRAS["cli"], *EXTRAS["persist"], *EXTRAS["report"]]
    assert lowest(needed["run"]) == lowest([*of_project["dependencies"], *built_in])
    others = [line for extra in FOR_USERS for line in EXTRAS[extra] if line not in built_in]
    assert lowest(needed["run_constraints"]) == lowest(others)
    assert lowest(needed["host"]) == lowest(PROJECT["build-system"]["requires"])
    assert recipe["about"]["license"] == of_project["license"]
    assert recipe["about"]["summary"] == of_project["description"]
    scripts = [f"{name} = {target}" for name, target in of_project["scripts"].items()]
    assert recipe["build"]["python"]["entry_points"] == scripts


def test_every_package_of_an_extra_for_users_is_imported_somewhere():
    wanted = {package(line) for extra in FOR_USERS for line in EXTRAS[extra]} - {"kernelwise"}
    assert wanted <= imported_packages()


def test_every_extra_for_users_is_in_all():
    assert EXTRAS["all"] == [f"kernelwise[{','.join(FOR_USERS)}]"]
    developers = {"all", "test", "bench", "docs", "release"}
    assert set(EXTRAS) == {*FOR_USERS, *developers}
