"""Running a command of kernelwise inside a test."""

from typer.testing import CliRunner

from kernelwise import cli

# Options of a fit that takes no time.
CHEAP = ("--kernel", "gaussian", "--selection", "loo", "--folds", 2)


def run(*arguments, input=None):
    return CliRunner().invoke(cli.app, [str(argument) for argument in arguments], input=input)
