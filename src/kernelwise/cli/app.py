"""The application that the commands join, and the options they share."""

import os
from importlib import import_module
from typing import Annotated, cast

import typer
from typer.core import TyperCommand, TyperGroup

from kernelwise import __version__

INTERRUPTED = 130
# The environment variable that asks for tracebacks.
TRACEBACK = "KERNELWISE_TRACEBACK"
# The module of each command, and a summary for the list of them.
COMMANDS = {
    "fit": ("learning", "Fit a model to a table, say what it learned, and save it."),
    "check": ("checking", "Check a table: how it is read, and what would mislead a model."),
    "predict": ("learning", "Predict each row of a table with a saved model."),
    "explain": ("checking", "Say what a model has learned, or why a row is predicted so."),
    "report": ("reporting", "Write a report on a model, or on a comparison, as one file."),
    "demo": ("learning", "Fit an example table, and say what was learned."),
    "compare": ("comparing", "Compare methods on a table, and say which one to use."),
    "reproduce": ("reproducing", "Run published tables again, beside the paper's figures."),
}


class LazyCommands(TyperGroup):
    """Commands known by name and summary, each loaded when it is called.

    Loading all of them takes seconds, because they import scikit-learn.
    """

    def __init__(self, **options) -> None:
        super().__init__(**options)
        self.loaded = self.commands
        self.commands = {
            name: TyperCommand(name, help=summary) for name, (_, summary) in COMMANDS.items()
        }

    def resolve_command(self, ctx, args):
        if args[0] in COMMANDS:
            self.commands[args[0]] = _load(args[0])
        return super().resolve_command(ctx, args)


def _load(name: str):
    """The command itself, which its module adds to the application."""
    try:
        import_module(f"kernelwise.cli.{COMMANDS[name][0]}")
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    return cast(LazyCommands, typer.main.get_command(app)).loaded[name]


app = typer.Typer(
    cls=LazyCommands,
    help="Kernel machines that choose their own kernel, for any table.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"kernelwise {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
    traceback: Annotated[
        bool, typer.Option("--traceback", help=f"Show where an error arose, as {TRACEBACK}=1 does.")
    ] = False,
) -> None:
    """Options of all commands."""
    if traceback and TRACEBACK not in os.environ:
        os.environ[TRACEBACK] = "1"
        context.call_on_close(lambda: os.environ.pop(TRACEBACK))


Seed = Annotated[int, typer.Option(min=0, help="Seed of every random choice.")]


def check_jobs(jobs: int) -> None:
    """Refuse a run with 0 processes."""
    if jobs == 0:
        raise ValueError("--jobs 0: use at least one process, or -1 for all cores")


def names_of(text: str | None) -> list[str] | None:
    """The names in a comma-separated list; None if the option was not given."""
    if text is None:
        return None
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise ValueError("the list of names is empty: separate names with commas, or leave it out")
    return names
