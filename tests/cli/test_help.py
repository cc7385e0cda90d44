"""Help and version answer at once, and what they list is what there is."""

import os
import subprocess
import sys
from importlib import import_module

import pytest
import typer
from typer.testing import CliRunner

from kernelwise import (
    LSSVMClassifier,
    LSSVMRegressor,
    RVMClassifier,
    RVMRegressor,
    SVMClassifier,
    __version__,
    cli,
)
from kernelwise.cli.app import COMMANDS
from kernelwise.cli.choices import DEFAULT_KERNELS, KERNELS, SELECTIONS
from kernelwise.estimators import lssvm, svm
from kernelwise.kernels.names import KERNEL_NAMES

LATER = {"rich", "typer.rich_utils", "kernelwise.cli.console"}
HEAVY = {"joblib", "matplotlib", "numpy", "pandas", "scipy", "skops", "sklearn"}
LOADED = """
import sys
from kernelwise.__main__ import main
try:
    main()
except SystemExit as end:
    print("exit", end.code)
print("loaded", *sys.modules)
"""


def run(*arguments):
    return CliRunner().invoke(cli.app, arguments)


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["-h"], ["--version"], ["fit", "-h"], ["predict", "--help"], ["demo", "--help"]],
    ids=" ".join,
)
def test_help_and_version_load_nothing_heavy(arguments):
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *arguments], capture_output=True, text=True, check=True
    )
    *shown, end, loaded = done.stdout.splitlines()
    assert end == "exit 0" and "kernelwise" in shown[0]
    assert "kernelwise.cli.app" in loaded.split()
    assert not HEAVY & set(loaded.split())
    if arguments[0] not in COMMANDS:
        assert not LATER & set(loaded.split())


@pytest.mark.parametrize(
    ("words", "answer"),
    [("kernelwise re", {"report", "reproduce"}), ("kernelwise fit --kern", {"--kernel"})],
)
def test_the_shell_can_complete_commands_and_options(words, answer):
    asked = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    done = subprocess.run(
        [sys.executable, "-c", LOADED],
        capture_output=True,
        text=True,
        env=os.environ | asked | {"_KERNELWISE_COMPLETE": "complete_bash"},
    )
    *shown, end, loaded = done.stdout.splitlines()
    assert set(shown) == answer and end == "exit 0"
    assert not HEAVY & set(loaded.split())


def test_the_version():
    assert run("--version").stdout == f"kernelwise {__version__}\n"


def test_the_list_of_commands_is_complete_and_each_is_where_it_says():
    shown = run("--help").stdout
    for name, (module, summary) in COMMANDS.items():
        assert callable(getattr(import_module(f"kernelwise.cli.{module}"), name))
        assert f"{name} " in shown and summary in shown
        assert run(name, "--help").stdout.startswith(f"Usage: root {name} ")
    assert set(typer.main.get_command(cli.app).loaded) == set(COMMANDS)


def test_a_misspelt_command_gets_a_suggestion():
    result = run("fti")
    assert result.exit_code == 2 and "Did you mean 'fit'?" in result.stderr


def test_an_interrupt_while_a_command_is_loaded_is_quiet(monkeypatch):
    def interrupted(name):
        raise KeyboardInterrupt

    monkeypatch.setattr(sys.modules["kernelwise.cli.app"], "import_module", interrupted)
    result = run("compare", "--help")
    assert result.exit_code == 130 and result.output == ""


def test_the_kernels_are_the_library_s():
    assert list(KERNELS) == [name for name in KERNEL_NAMES if name != "precomputed"]


@pytest.mark.parametrize(
    ("machine", "known", "estimators"),
    [
        ("lssvm", lssvm.SELECTIONS, [LSSVMClassifier, LSSVMRegressor]),
        ("svm", svm.SELECTIONS, [SVMClassifier]),
        ("rvm", RVMClassifier._selections, [RVMClassifier, RVMRegressor]),
    ],
)
def test_the_selections_and_the_defaults_are_the_library_s(machine, known, estimators):
    assert set(SELECTIONS[machine]) == {name for name in known if name}
    defaults = {(estimator().kernel, estimator().selection) for estimator in estimators}
    assert defaults == {(DEFAULT_KERNELS[machine], SELECTIONS[machine][0])}
