"""Parts of other files on a page of the site, so that a table or a program is written once.

``<!-- part of: docs/results/large-tables.md, Who is ahead -->`` is the first table under that
heading; of words that begin a block of code, the block. ``<!-- file: CITATION.cff -->`` is a
whole file. On a code host the page has a link to the file instead.
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PART = re.compile(r"<!-- part of: (\S+), (.+?) -->")
FILE = re.compile(r"<!-- file: (\S+) -->")
SOURCE = re.compile(r"<!-- source: examples/(\w+)\.py -->\n(```python\n.*?```)", re.DOTALL)
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


def put(app, name, source):
    source[0] = with_parts(source[0])


def setup(app):
    app.connect("source-read", put)
    return {"parallel_read_safe": True}
