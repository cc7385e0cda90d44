"""The gallery: what an example saves in its folder are its pictures and pages; the order of all."""

from pathlib import Path

from sphinx_gallery.scrapers import figure_rst

PAGES = Path(__file__).resolve().parent.parent / "_build" / "pages"
# What a newcomer should see first; the others follow by name.
FIRST = ("start", "report", "relevance", "calibration", "intervals", "trust", "pipeline", "compare")


def saved_pictures(block, block_vars, gallery_conf):
    """Move the pictures that a part of an example has saved to its page."""
    folder = Path(block_vars["src_file"]).parent
    moved = []
    for path in sorted(
        [*folder.glob("*.png"), *folder.glob("*.svg")], key=lambda p: p.stat().st_mtime_ns
    ):
        target = Path(next(block_vars["image_path_iterator"])).with_suffix(path.suffix)
        path.rename(target)
        moved.append(str(target))
    for path in [*folder.glob("*.json"), *folder.glob("*.md")]:
        path.unlink()  # written for those who run the example themselves
    return figure_rst(moved, gallery_conf["src_dir"]) + saved_pages(folder)


def saved_pages(folder):
    """Move the pages that an example has saved to the top of the site, and link to them."""
    PAGES.mkdir(parents=True, exist_ok=True)
    links = []
    for path in sorted(folder.glob("*.html")):
        path.rename(PAGES / path.name)
        links.append(f'<p><a href="../{path.name}">Open the page that was written</a></p>')
    return "".join(f"\n.. raw:: html\n\n    {link}\n\n" for link in links)


class Order:
    """The key by which sphinx-gallery sorts the files of a folder."""

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, name):
        stem = Path(name).stem
        return (FIRST.index(stem) if stem in FIRST else len(FIRST), stem)
