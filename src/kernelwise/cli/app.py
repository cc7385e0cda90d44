"""The application that the commands join, and the options they share."""

from typing import Annotated

import typer

app = typer.Typer(
    help="Kernel machines that choose their own kernel, for tables in CSV or Parquet files.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Seed = Annotated[int, typer.Option(min=0, help="Seed of every random choice.")]


def check_jobs(jobs: int) -> None:
    """0 processes can do nothing."""
    if jobs == 0:
        raise ValueError("--jobs 0: use at least one process, or -1 for all cores")


def names_of(text: str | None) -> list[str] | None:
    """The names in a list separated by commas; None where the option was not given."""
    if text is None:
        return None
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise ValueError("the list of names is empty: separate names by commas, or leave it out")
    return names
