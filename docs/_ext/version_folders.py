"""Versions of the site in folders side by side, which share a list and a first page.

Whoever publishes a version copies `docs/_build/site` over what is there: older versions then list
the new one, because the list is a file beside their folders.
"""

import json
from pathlib import Path

SWITCHER = Path(__file__).resolve().parent.parent / "switcher.json"
FIRST_PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={version}/index.html">
<title>kernelwise</title>
<a href="{version}/index.html">kernelwise {version}</a>
"""


def finish(app, exception):
    if exception is None and app.builder.name == "html":
        site = Path(app.outdir).parent
        versions = json.loads(SWITCHER.read_text())
        (site / "switcher.json").write_text(SWITCHER.read_text())
        (site / "versions.js").write_text(f"window.kernelwiseVersions = {json.dumps(versions)};\n")
        (site / "index.html").write_text(FIRST_PAGE.format(version=Path(app.outdir).name))


def setup(app):
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True}
