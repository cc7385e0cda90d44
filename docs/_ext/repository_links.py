"""Pages that are files of the repository, and links from its files to pages of the site.

On a code host the pages under docs/ are read as they are, so their links lead to files. Here a link
to a file that is a page of the site leads to that page; one to any other file outside docs/ becomes
plain text. A page with the line ``<!-- page: CHANGELOG.md -->`` is that file.
"""

import os
import re
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent
ROOT = DOCS.parent
PAGE = re.compile(r"^<!-- page: (\S+) -->$", re.MULTILINE)
LINK = re.compile(r"(!?)\[([^\[\]]*)\]\(([^)#:\s]+)(#[^)\s]*)?\)")
FENCE = re.compile(r"^(```.*?^```$)", re.MULTILINE | re.DOTALL)


def anchor(title):
    """The anchor of a heading as code hosts make it; of a check its code alone, which stays."""
    code = re.match(r"KW\d+", title)
    return code[0].lower() if code else re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def pages_of_files():
    """The page of each file outside docs/ that has one."""
    pages = {ROOT / "README.md": DOCS / "index.md"}
    for page in DOCS.glob("*/*.md"):
        for name in PAGE.findall(page.read_text()):
            pages[ROOT / name] = page
    for example in (ROOT / "examples").glob("*.py"):
        pages[example] = DOCS / "gallery" / f"{example.stem}.rst"
    return pages


def with_links_to_pages(text, file, page, pages):
    """The text of a file as a page has it: links are relative to the page."""

    def link(found):
        picture, label, target, place = found.groups(default="")
        path = Path(os.path.normpath(file.parent / target))
        if path in pages:
            path = pages[path]
        elif not path.is_relative_to(DOCS):
            return label
        return f"{picture}[{label}]({os.path.relpath(path, page.parent)}{place})"

    parts = FENCE.split(text)
    parts[::2] = [LINK.sub(link, part) for part in parts[::2]]
    return "".join(parts)


def read(app, name, source):
    """Replace the text of a page as it is read."""
    page = Path(app.env.doc2path(name))
    if page.suffix != ".md":
        return
    text, file = source[0], page
    if named := PAGE.search(text):
        file = ROOT / named[1]
        text = file.read_text()
        app.env.note_dependency(str(file))
    source[0] = with_links_to_pages(text, file, page, app.pages_of_files)


def setup(app):
    app.pages_of_files = pages_of_files()
    app.connect("source-read", read)
    return {"parallel_read_safe": True}
