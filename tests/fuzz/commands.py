"""The command line on a table: codes 0 and 2, one line per error, no raw control characters."""

import re
from pathlib import Path

from typer.testing import CliRunner, Result

from fuzz.manners import Unmannerly, refused_or
from kernelwise import cli

CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")


def check_commands(path: Path, target: str, folder: Path) -> None:
    """Check a table, fit it, and predict its rows."""
    model = folder / "model.skops"
    model.unlink(missing_ok=True)
    _check("check", path, f"--target={target}")
    fitted = _check("fit", path, f"--target={target}", "--folds", 0, "--out", model)
    if fitted.exit_code == 0:
        _check("predict", model, path, "--out", folder / "predictions.csv")


def _check(*arguments: object) -> Result:
    given = [str(argument) for argument in arguments]
    result = refused_or(lambda: CliRunner().invoke(cli.app, given), ())
    assert isinstance(result, Result)
    said = f"kernelwise {given[0]}"
    if result.exit_code not in (0, 2):
        raise Unmannerly(f"{said} ends with code {result.exit_code}: {result.exception!r}")
    errors = [line for line in result.stderr.splitlines() if line.startswith("error:")]
    if len(errors) != (result.exit_code == 2):
        raise Unmannerly(f"{said} ends with code {result.exit_code} and {len(errors)} errors")
    if "Traceback" in result.output:
        raise Unmannerly(f"{said} shows a traceback")
    if found := CONTROLS.search(result.output):
        raise Unmannerly(f"{said} prints {found[0]!r}")
    return result
