"""Docstrings as this project writes them, for numpydoc.

In a list of attributes or parameters, `name : what it is` has words where numpydoc expects a type,
and may go on below. Words are moved below the name, where they are set as text. An entry with a
type has a default, or its description in sentences of their own, which begin with a capital.
"""

import re

UNDERLINE = re.compile(r"^-{3,}$")
ENTRY = re.compile(r"^(\S[^:]*?) : (.+)$")
LISTS = {"Attributes", "Parameters", "Returns"}


def items_as_text(lines):
    """The lines of a docstring, with words below the names of what they are about."""
    found, section = [], None
    for number, line in enumerate(lines):
        if number + 1 < len(lines) and UNDERLINE.match(lines[number + 1]):
            section = line.strip()
        entry = ENTRY.match(line) if section in LISTS else None
        if entry and not has_description(lines, number):
            found += [entry[1], f"    {entry[2]}"]
        else:
            found.append(line)
    return found


def has_description(lines, number):
    """Whether sentences follow an entry, so that it has a type."""
    if number + 1 == len(lines) or not lines[number + 1].startswith(" "):
        return False
    first = lines[number + 1].split()[0]
    return ", default" in lines[number] or (first[0].isupper() and first != "None")


def process(app, what, name, thing, options, lines):
    lines[:] = items_as_text(lines)


def skip(app, what, name, thing, skipped, options):
    """Leave out the fields of named tuples, of which Python only says their number."""
    return True if type(thing).__name__ == "_tuplegetter" else None


def setup(app):
    app.connect("autodoc-process-docstring", process, priority=400)  # numpydoc comes at 500
    app.connect("autodoc-skip-member", skip)
    return {"parallel_read_safe": True}
