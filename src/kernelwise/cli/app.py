"""The application that the commands join, and the options they share."""

import math
import os
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


def check_memory(rows: int, gram_sized_arrays: int = 6) -> None:
    """Refuse a table whose Gram matrices cannot fit, where the system tells its memory."""
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return
    if rows > (most := math.isqrt(memory // (8 * gram_sized_arrays))):
        raise ValueError(
            f"the table has {rows} rows; this machine's memory is enough for about {most}: "
            "fit a random sample of its rows"
        )
