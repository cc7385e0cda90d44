"""Check the built site: every link inside it leads somewhere, and reading it makes no request.

``python docs/_ext/check_site.py FOLDER`` prints what is wrong, and ends with code 1 if anything is.
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What a browser loads by itself, by tag and attribute.
LOADED = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("source", "src")}
# Relations of a <link> that load nothing.
NOT_LOADED = {"canonical", "search", "index", "genindex", "next", "prev", "author", "license"}
IN_STYLES = re.compile(r"(?:url\(\s*|@import\s+)[\"']?((?:https?:)?//[^\"')]+)")


class Page(HTMLParser):
    """The anchors of a page, where it links to, and what a browser loads with it."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loaded = set(), [], []
        self.in_style = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.in_style = tag == "style"
        self.anchors |= {values[name] for name in ("id", "name") if values.get(name)}
        rel = set((values.get("rel") or "").split())
        for name in ("href", "src", "xlink:href"):
            if (target := values.get(name)) is None:
                continue
            self.links.append(target)
            if (tag, name) in LOADED and not rel & NOT_LOADED:
                self.loaded.append(target)

    def handle_data(self, data):
        if self.in_style:
            self.loaded += IN_STYLES.findall(data)


def complaints(folder):
    """A sentence for each broken link, and for each thing that would be fetched from elsewhere."""
    folder = folder.resolve()
    paths = [path for path in folder.rglob("*.html") if "_static" not in path.parts]
    pages = {path: Page(path.read_text(errors="replace")) for path in paths}
    for path, page in pages.items():
        here = path.relative_to(folder)
        for target in page.loaded:
            if urlsplit(target).netloc:
                yield f"{here} loads {target}"
        for link in page.links:
            if why := broken(link, path, pages, folder):
                yield f"{here} links to {link}, which {why}"
    for style in folder.rglob("*.css"):
        for target in IN_STYLES.findall(style.read_text()):
            yield f"{style.relative_to(folder)} loads {target}"


def broken(link, path, pages, folder):
    """What is wrong with a link on the page at ``path``; None if it is right or leaves the site."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    to = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    to = to / "index.html" if to.is_dir() else to
    if not to.exists() or not to.is_relative_to(folder):
        return "is not there"
    place = unquote(parts.fragment)
    return "has no such place" if place and to in pages and place not in pages[to].anchors else None


def main():
    found = sorted(set(complaints(Path(sys.argv[1]))))
    print("\n".join(found) or "every link leads somewhere, and nothing is loaded from elsewhere")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
