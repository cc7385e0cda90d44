"""The application that the commands join, and the options they share."""

from importlib import import_module
from typing import Annotated, cast

import typer
from typer.core import TyperCommand, TyperGroup

from kernelwise import __version__
from kernelwise.memory import check_memory as check_memory

INTERRUPTED = 130
# The module of each command, and a summary for the list of them.
COMMANDS = {
    "fit": ("learning", "Fit a model to a table, say what it learned, and save it."),
    "predict": ("learning", "Predict each row of a table with a saved model."),
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
    help="Kernel machines that choose their own kernel, for tables in CSV or Parquet files.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"kernelwise {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Options that need no command."""


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
