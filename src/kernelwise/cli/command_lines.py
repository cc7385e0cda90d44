"""The command that is running, as it can be typed again."""

import shlex
from collections.abc import Collection
from pathlib import Path
from typing import get_args, get_type_hints

import typer


def command_line(context: typer.Context, without: Collection[str] = ()) -> str:
    """The command and the options that were given, but some; files by their names alone.

    A model may be given to others, who have the table elsewhere.
    """
    words = ["kernelwise", context.info_name or ""]
    hints = get_type_hints(context.command.callback)
    files = {name for name, hint in hints.items() if Path in (hint, *get_args(hint))}
    for parameter in context.command.params:
        name = parameter.name or ""
        source = context.get_parameter_source(name)
        if name in without or source is None or source.name != "COMMANDLINE":
            continue
        value = context.params[name]
        text = str(value)
        if name in files:
            text = Path(text).name or text
        if parameter.param_type_name == "argument":
            words.append(text)
        elif value is True:
            words.append(parameter.opts[0])
        else:
            words += [parameter.opts[0], text]
    return shlex.join(words)
