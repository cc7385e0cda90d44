"""The pictures of the gallery: the files that an example has saved in the folder it runs in."""

from pathlib import Path

from sphinx_gallery.scrapers import figure_rst


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
    return figure_rst(moved, gallery_conf["src_dir"])
