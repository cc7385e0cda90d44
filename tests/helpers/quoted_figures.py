"""Where figures of our results are quoted, and how to find them."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs" / "results"
FIGURE = re.compile(r"(?<![\w.`+-])\d+(?:\.\d+)?(?: %)?(?![\w-])")


def section(path, heading):
    """The words of a section in one line, code blocks left out."""
    text = re.search(rf"^## {heading}$(.*?)(?=^## |\Z)", path.read_text(), re.M | re.S).group(1)
    return " ".join(re.sub(r"```.*?```", "", text, flags=re.S).split())


def listed(texts):
    *first, last = texts
    return f"{', '.join(first)} and {last}" if first else last
