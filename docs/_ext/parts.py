"""Parts of other files on a page of the site, so that a table or a program is written once.

``<!-- part of: docs/results/large-tables.md, Who is ahead -->`` is the first table under that
heading; of words that begin a block of code, the block. ``<!-- file: CITATION.cff -->`` is a
whole file. On a code host the page has a link to the file instead. A picture ``x.png`` on a line of
its own, with ``x-dark.png`` beside it, is shown in the colors of the page.
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PART = re.compile(r"^<!-- part of: (\S+), (.+?) -->$", re.MULTILINE)
FILE = re.compile(r"^<!-- file: (\S+) -->$", re.MULTILINE)
SOURCE = re.compile(r"<!-- source: examples/(\w+)\.py -->\n(```python\n.*?```)", re.DOTALL)
PNG = re.compile(r"^!\[(.*?)\]\((\S+?)\.png\)$", re.MULTILINE)
TABLE = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)


def part_of(name, words):
    """The block of code that begins with these words, or the first table below this heading."""
    text = (ROOT / name).read_text()
    if block := re.search(rf"^```\n{re.escape(words)}.*?^```$", text, re.MULTILINE | re.DOTALL):
        return block[0]
    heading = re.search(rf"^#+ {re.escape(words)}$", text, re.MULTILINE)
    if not heading or not (table := TABLE.search(text, heading.end())):
        raise ValueError(f"{name} has no table below a heading {words!r}")
    return table[0]


def whole(name):
    return f"```yaml\n{(ROOT / name).read_text()}```"


def with_parts(text):
    """The text with the parts in their places, and below each example a link to its output."""
    text = PART.sub(lambda found: part_of(found[1], found[2]), text)
    text = FILE.sub(lambda found: whole(found[1]), text)
    return SOURCE.sub(r"\2\n\n[What it prints and draws](../gallery/\1.rst)", text)


def in_both_colors(text, folder):
    """Pictures that have a dark twin beside them, each where it belongs."""

    def twins(found):
        words, path = found.groups()
        if not (folder / f"{path}-dark.png").exists():
            return found[0]
        pair = [(f"{path}.png", "only-light"), (f"{path}-dark.png", "only-dark")]
        return "\n\n".join(f"```{{image}} {p}\n:alt: {words}\n:class: {c}\n```" for p, c in pair)

    return PNG.sub(twins, text)


def put(app, name, source):
    folder = Path(app.env.doc2path(name)).parent
    source[0] = in_both_colors(with_parts(source[0]), folder)


def setup(app):
    app.connect("source-read", put)
    return {"parallel_read_safe": True}
