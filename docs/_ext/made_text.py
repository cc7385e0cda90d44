"""Text of pages that is made from the library: its commands, its record, its packages.

A page says where with a line such as ``<!-- made by: commands -->``.
"""

import inspect
import re
from dataclasses import fields, is_dataclass

import typer
from api_pages import places, summary

from kernelwise.cli.app import COMMANDS, _load
from kernelwise.cli.app import app as application
from kernelwise.insight import fit_record

MADE = re.compile(r"^<!-- made by: (\w+) -->$", re.MULTILINE)


def table(heads, rows):
    """A table in Markdown; bars inside of cells are kept."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(c.replace('|', chr(92) + '|') for c in r)} |" for r in lines)


def code(text):
    return f"`{text}`"


def commands():
    """Every command with its arguments and options, as ``--help`` has them."""
    parts = []
    group = typer.main.get_command(application)
    for name in COMMANDS:
        command = _load(name)
        context = command.context_class(
            command, info_name=name, parent=group.make_context("", [""], resilient_parsing=True)
        )
        parts += [f"## {name}", command.help or ""]
        usage = " ".join(command.collect_usage_pieces(context))
        parts.append(f"```text\nkernelwise {name} {usage}\n```")
        records = [parameter.get_help_record(context) for parameter in command.get_params(context)]
        parts.append(table(["option", "meaning"], [[code(a), b] for a, b in filter(None, records)]))
        if command.epilog:
            parts.append(f"```text\n{inspect.cleandoc(command.epilog)}\n```")
    return "\n\n".join(parts)


def record():
    """The parts of a record, each with its fields and their types."""
    parts = [kind for kind in vars(fit_record).values() if is_dataclass(kind)]
    text = []
    for kind in [fit_record.FitRecord, *(k for k in parts if k is not fit_record.FitRecord)]:
        about, _, listed = inspect.getdoc(kind).replace("``", "`").partition("Attributes\n")
        rows = [[code(item.name), code(item.type)] for item in fields(kind)]
        text += [f"## {kind.__name__}", about.strip(), meanings(listed)]
        text.append(table(["field", "type"], rows))
    return "\n\n".join(text)


def meanings(listed):
    """The attributes of a docstring, ``names : what they are``, as a list."""
    items = re.findall(r"^([\w, ]+) : (.*(?:\n +.*)*)", listed, re.MULTILINE)
    lines = [(", ".join(map(code, names.split(", "))), what) for names, what in items]
    return "\n".join(f"- {names}: {' '.join(what.split())}" for names, what in lines)


def api():
    """The estimators, then the packages, each with its first sentence and a link to its page."""
    first, *others = (package for package, names in places().items() if names)
    rows = [[f"[{n}](api/{n}.rst)", summary(getattr(first, n))] for n in first.__all__]
    more = [[f"[{p.__name__}](api/{p.__name__}.rst)", summary(p)] for p in others]
    return "\n\n".join(
        [
            "## Estimators",
            table(["estimator", "what it is"], rows),
            "## Packages",
            table(["package", "what it has"], more),
        ]
    )


MAKERS = {"commands": commands, "record": record, "api": api}


def make(app, name, source):
    source[0] = MADE.sub(lambda found: MAKERS[found[1]](), source[0])


def setup(app):
    app.connect("source-read", make)
    return {"parallel_read_safe": True}
