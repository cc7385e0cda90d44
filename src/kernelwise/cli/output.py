"""What a command prints: text line by line, or one JSON document at its end."""

import json
import math
from dataclasses import dataclass, field
from typing import Any

import typer


@dataclass
class Output:
    """The output of the running command.

    Attributes
    ----------
    as_json, quiet : print a document instead of lines; print no lines but errors
    holds_data : standard output is for data, so lines go to standard error
    document : what the document will hold
    said : messages that were printed, without their numbers
    """

    as_json: bool = False
    quiet: bool = False
    holds_data: bool = False
    document: dict[str, Any] = field(default_factory=dict)
    said: set[str] = field(default_factory=set)

    @property
    def shows_lines(self) -> bool:
        return not (self.as_json or self.quiet)

    def put(self, **values: Any) -> None:
        """Add values to the document."""
        self.document |= values

    def finish(self) -> None:
        """Print the document, if one was asked for."""
        if self.as_json:
            typer.echo(json.dumps(_plain(self.document), indent=2, ensure_ascii=True))


def _plain(value: Any) -> Any:
    """Values as JSON has them: no infinities, no arrays, no tuples."""
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, (str, bool, int, float, type(None))) else str(value)


# One command runs in a process; each begins with a new one.
current = Output()


def begin(as_json: bool = False, quiet: bool = False) -> Output:
    """Start the output of a command."""
    global current
    current = Output(as_json, quiet)
    return current
