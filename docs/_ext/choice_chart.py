"""The chart of "Which method when": its questions in a column, each with its answer beside it.

It is drawn from the list on the page, so both always say the same, and those who do not see the
chart read the list. A page says where with ``<!-- chart of the list below -->``.
"""

import re
from html import escape

MARK = "<!-- chart of the list below -->"
ITEM = re.compile(r"^- \*\*(.+?)\*\* \[(.+?)\]\((\S+?)\.md(#\S+)?\)$", re.MULTILINE)
LEFT, GAP, RIGHT, TALL, STEP = 375, 60, 370, 42, 62


def box(x, y, width, words, kind):
    middle = f'x="{x + width / 2:g}" y="{y + TALL / 2 + 5:g}"'
    return (
        f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{TALL}" rx="8"/>'
        f'<text class="{kind}" {middle} text-anchor="middle">{escape(words)}</text>'
    )


def arrow(x, y, to_x, to_y, word, place):
    return (
        f'<path class="arrow" d="M{x} {y} L{to_x} {to_y}" marker-end="url(#tip)"/>'
        f'<text class="word" x="{place[0]}" y="{place[1]}">{word}</text>'
    )


def drawing(items):
    """The chart as SVG: question by question from the top, yes to the right, no below."""
    width, height = LEFT + GAP + RIGHT + 4, len(items) * STEP - STEP + TALL + 4
    parts = [
        f'<svg class="chart" viewBox="0 0 {width} {height}" aria-labelledby="chart-title">',
        '<title id="chart-title">Which method when; the list below says the same</title>',
        '<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">'
        '<path d="M0 0 L8 4 L0 8 z"/></marker></defs>',
    ]
    for number, (question, answer, page, place) in enumerate(items):
        y, middle = 2 + number * STEP, 2 + number * STEP + TALL / 2
        answered = LEFT + GAP + 2
        parts.append(box(2, y, LEFT, question, "question"))
        parts.append(arrow(LEFT + 4, middle, answered - 4, middle, "yes", (LEFT + 22, middle - 6)))
        link = f"{page}.html{place}"
        parts.append(f'<a href="{escape(link)}">{box(answered, y, RIGHT, answer, "answer")}</a>')
        if number < len(items) - 1:
            below = (2 + LEFT / 2 + 10, y + TALL + 16)
            parts.append(arrow(2 + LEFT / 2, y + TALL + 2, 2 + LEFT / 2, y + STEP - 3, "no", below))
    return "\n".join([*parts, "</svg>"])


def with_chart(text):
    return text.replace(MARK, f"```{{raw}} html\n{drawing(ITEM.findall(text))}\n```")


def draw(app, name, source):
    if MARK in source[0]:
        source[0] = with_chart(source[0])


def setup(app):
    app.connect("source-read", draw)
    return {"parallel_read_safe": True}
