"""The wheel in empty environments: what a new user meets."""

import re
import sys
import tomllib

from release.environments import ROOT, called, must

import kernelwise

EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
# Five lines of a user's; what mypy is to say of them.
REVEALED = """
reveal_type(model)
reveal_type(model.predict(X))
reveal_type(model.explain())
reveal_type(LSSVMRegressor().predict(X))
"""


def test_nothing_comes_along_but_the_hard_dependencies(plain):
    packages = plain.packages()
    assert packages["kernelwise"] == kernelwise.__version__
    assert {"numpy", "scipy", "scikit-learn", "joblib"} <= set(packages)
    lines = [line for extra in EXTRAS.values() for line in extra]
    of_extras = {re.match(r"[\w-]+", line)[0] for line in lines}
    assert set(packages) & of_extras <= {"kernelwise", "threadpoolctl"}  # scikit-learn needs that


def test_a_first_program_runs(plain, tmp_path):
    *_, missing, version = plain.run("fit.py", cwd=tmp_path).splitlines()
    assert missing == "this needs the package skops: pip install 'kernelwise[persist]'"
    assert version == kernelwise.__version__
    assert not list(tmp_path.iterdir())


def test_scikit_learn_finds_nothing_wrong(plain):
    assert len(plain.run("scikit_learn_checks.py").splitlines()) == 2


def test_the_command_says_what_to_install(plain):
    for command in ([plain.programs / "kernelwise", "--help"], [plain.python, "-m", "kernelwise"]):
        done = called(*command)
        assert done.returncode == 1 and done.stdout == ""
        assert done.stderr == (
            "error: the command line needs typer: pip install 'kernelwise[cli]'\n"
        )


def test_the_types_of_a_script_hold(plain, tmp_path):
    script = tmp_path / "typed.py"
    script.write_text((ROOT / "release" / "programs" / "typed.py").read_text() + REVEALED)
    options = ("--strict", "--config-file", "", "--python-executable", plain.python)
    said = must(sys.executable, "-m", "mypy", *options, script, cwd=tmp_path)
    *revealed, last = said.splitlines()
    assert last == "Success: no issues found in 1 source file"
    types = [line.split('"')[1] for line in revealed]
    assert types[0] == "kernelwise.auto.classifier.AutoKernelClassifier" and types[2] == "str"
    assert types[1].startswith("numpy.ndarray") and types[3] == types[1]


def test_a_new_user_comes_to_a_model_and_its_words(environment, wheel, tmp_path):
    user = environment(f"{wheel}[cli,report]")
    user.run("table.py", cwd=tmp_path)

    def kernelwise_says(*words):
        return must(user.programs / "kernelwise", *words, cwd=tmp_path)

    assert "patient" in kernelwise_says("check", "patients.csv", "--target", "outcome")
    told = kernelwise_says(
        *("fit", "patients.csv", "--target", "outcome", "--seed", "0"),
        *("--out", "model.skops", "--report", "report.html"),
    )
    assert "Expect about" in told
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.index("Expect about") < page.index("<table") and "patients.csv" in page
    assert len(page) < 1_500_000
    assert "Expect about" in kernelwise_says("explain", "model.skops")
    assert kernelwise_says("explain", "model.skops", "patients.csv", "--row", "17")
