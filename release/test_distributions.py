"""The files that are uploaded: what is in them, and what is not."""

import email
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import PurePosixPath

import pytest
from release.environments import ROOT, must

import kernelwise

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
NAME = f"kernelwise-{kernelwise.__version__}"
# What nobody wants to have published: keys, tokens, passwords in addresses, homes of a machine.
SECRETS = (
    rb"-----BEGIN [A-Z ]*PRIVATE KEY",
    rb"\bAKIA[0-9A-Z]{16}\b",
    rb"\bgh[pousr]_[A-Za-z0-9]{36}",
    rb"\bpypi-[A-Za-z0-9_-]{60}",
    rb"://[^/\s:@'\"]+:[^/\s:@'\"{}]+@[a-z]",
    rb"(?<![\w.])/(home|Users)/\w+/",
    rb"(?<![\w.])/root/",
)


def files_of(archive):
    """``{path: bytes}`` of a wheel, or of a source distribution below its folder."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as opened:
            return {name: opened.read(name) for name in opened.namelist()}
    with tarfile.open(archive) as opened:
        members = [member for member in opened.getmembers() if member.isfile()]
        return {
            member.name.partition("/")[2]: opened.extractfile(member).read() for member in members
        }


def committed(folder):
    """Files of a folder of the repository that git knows, below the folder."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", folder], cwd=ROOT, capture_output=True, check=True, text=True
    )
    return {name.removeprefix(f"{folder}/") for name in listed.stdout.split("\0") if name}


def metadata(wheel):
    return email.message_from_bytes(files_of(wheel)[f"{NAME}.dist-info/METADATA"])


def test_both_are_well_formed(dist, wheel, sdist):
    assert {path.name for path in dist.iterdir() if path.suffix != ".gitignore"} >= {
        f"{NAME}.tar.gz",
        f"{NAME}-py3-none-any.whl",
    }
    must(sys.executable, "-m", "twine", "check", "--strict", wheel, sdist)


def test_the_wheel_has_the_package_as_committed_and_nothing_else(wheel):
    files = set(files_of(wheel))
    package = {name.removeprefix("kernelwise/") for name in files if name.startswith("kernelwise/")}
    assert package == committed("src/kernelwise") and "py.typed" in package
    assert {name for name in files if not name.startswith("kernelwise/")} == {
        f"{NAME}.dist-info/{name}"
        for name in ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")
    }


def test_the_metadata_are_those_of_the_project(wheel):
    told = metadata(wheel)
    assert told["Version"] == kernelwise.__version__
    assert told["License-Expression"] == PROJECT["license"]
    assert told["Requires-Python"] == PROJECT["requires-python"]
    hard = [line for line in told.get_all("Requires-Dist") if "extra ==" not in line]
    assert sorted(hard) == sorted(PROJECT["dependencies"])
    assert set(told.get_all("Provides-Extra")) == set(PROJECT["optional-dependencies"])


def test_the_source_distribution_has_no_results_and_no_leftovers(sdist):
    files = files_of(sdist)
    parts = {PurePosixPath(name).parts[0] for name in files}
    assert parts.isdisjoint({"docs", "benchmarks", "release", "dist", ".ci", ".git"})
    known = {name for folder in ("src", "tests") for name in committed(folder)}
    shipped = {name.partition("/")[2] for name in files if name.startswith(("src/", "tests/"))}
    assert shipped <= known


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_nothing_secret_is_shipped(kind, request):
    for name, content in files_of(request.getfixturevalue(kind)).items():
        found = [pattern for pattern in SECRETS if re.search(pattern, content)]
        assert not found, f"{name}: {found}"


@pytest.mark.parametrize("secret", [b"https://me:word@host", b"/root/x", b"ghp_" + b"a" * 36])
def test_a_secret_would_be_seen(secret):
    assert any(re.search(pattern, b"x = '" + secret) for pattern in SECRETS)


def test_the_wheel_of_the_source_distribution_is_that_of_the_checkout(wheel, tmp_path):
    """To the last byte; ``build`` has made the first from the source distribution."""
    must(
        *(sys.executable, "-m", "build", "--wheel", "--installer", "uv"),
        *("--outdir", tmp_path, ROOT),
    )
    assert (tmp_path / wheel.name).read_bytes() == wheel.read_bytes()
