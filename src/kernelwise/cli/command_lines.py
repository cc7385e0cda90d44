"""The command that is running, as it can be typed again."""

import shlex
from collections.abc import Collection
from pathlib import Path

import typer


def command_line(context: typer.Context, without: Collection[str] = ()) -> str:
    """The command and the options that were given, but some; files by their names alone.

    A model may be given to others, who have the table elsewhere.
    """
    words = ["kernelwise", context.info_name or ""]
    for parameter in context.command.params:
        name = parameter.name or ""
        source = context.get_parameter_source(name)
        if name in without or source is None or source.name != "COMMANDLINE":
            continue
        value = context.params[name]
        text = value.name or str(value) if isinstance(value, Path) else str(value)
        if parameter.param_type_name == "argument":
            words.append(text)
        elif value is True:
            words.append(parameter.opts[0])
        else:
            words += [parameter.opts[0], text]
    return shlex.join(words)
