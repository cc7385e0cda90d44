"""A figure as part of a page: text as text, colors of the page, names that are the page's own."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from kernelwise.optional import import_optional
from kernelwise.report.style import BLUE, DARK, LIGHT, MIDDLE, ORANGE, figure_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The page says what these are, by day and by night.
COLORS = {
    BLUE: "var(--blue)",
    ORANGE: "var(--orange)",
    DARK: "var(--text)",
    MIDDLE: "var(--soft)",
    LIGHT: "var(--line)",
    "#ffffff": "var(--page)",
    "#000000": "var(--text)",
}
VARIABLES = {color.lower(): name for color, name in COLORS.items()}
COLOR = re.compile(r"#[0-9a-fA-F]{6}\b")
LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}")
REFERENCE = re.compile(r"url\(#([^)]+)\)")
# What matplotlib writes of a text's font; the style sheet of the page names the family.
FONT_SIZE = re.compile(r"([\d.]+)px")
UPRIGHT = re.compile(r"rotate\(-?0 [^)]*\)")
UNWANTED = {"metadata", "style"}
# Pixels; a wider picture is not made as narrow as a phone, but scrolled there.
WIDE = 470
# What XML has no way to write, even where a name of a column holds it.
UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def inline_svg(figure: Figure, title: str, name: str, mark: str) -> str:
    """The SVG of a figure for a page, without styles or scripts of its own.

    The same figure gives the same text. An artist whose ``gid`` is ``mark`` gets the class "mark".

    Parameters
    ----------
    figure, title : the picture, and what a screen reader calls it
    name : begins every identifier in it, so that these differ from those of other figures
    mark : the name of the artists that stand for a row of a table
    """
    svg = ElementTree.fromstring(_as_written(figure))
    for element in svg.iter():
        element.tag = element.tag.rpartition("}")[2]
    used = set(_references(svg))
    for element in svg.iter():
        _rename(element, name, mark, used)
        _without_style(element)
        _shorten(element)
    _remove(svg)
    width, height = (svg.attrib.pop(side).removesuffix("pt") for side in ("width", "height"))
    box = svg.attrib["viewBox"]
    svg.attrib.clear()
    svg.attrib |= {"viewBox": box, "width": f"{_pixels(width)}", "height": f"{_pixels(height)}"}
    svg.attrib |= {"role": "img", "aria-labelledby": f"{name}-title"}
    if _pixels(width) > WIDE:
        svg.attrib["class"] = "wide"
    head = ElementTree.Element("title", {"id": f"{name}-title"})
    head.text = title
    svg.insert(0, head)
    return ElementTree.tostring(svg, encoding="unicode")


def _as_written(figure: Figure) -> str:
    matplotlib = import_optional("matplotlib", extra="report")
    backend = import_optional("matplotlib.backends.backend_svg", extra="report")
    written = io.StringIO()
    for patch in (figure.patch, *(axes.patch for axes in figure.axes)):
        patch.set_visible(False)
    with figure_style(), matplotlib.rc_context({"svg.fonttype": "none"}):
        # What savefig does besides would draw everything twice.
        backend.FigureCanvasSVG(figure).print_svg(written, metadata={"Date": None})
    return UNWRITABLE.sub("\ufffd", written.getvalue())


def _pixels(points: str) -> int:
    return round(float(points) * 4 / 3)


def _remove(parent: ElementTree.Element) -> None:
    """Leave out what shows nothing: metadata, style sheets, bare groups, blanks between lines."""
    children: list[ElementTree.Element] = []
    for child in parent:
        _remove(child)
        if child.tag == "g" and not child.attrib:
            children += child
        elif child.tag not in UNWANTED and not _is_empty(child):
            children.append(child)
    for child in list(parent):
        parent.remove(child)
    parent.extend(children)
    if parent.tag != "text":
        parent.text = None
    for child in parent:
        child.tail = None


def _is_empty(element: ElementTree.Element) -> bool:
    if element.tag in ("g", "defs"):
        return not len(element)
    # A use of the path brings its own colors.
    named = "id" in element.attrib
    attributes = element.attrib
    return (
        element.tag == "path"
        and not named
        and attributes.get("fill") == "none"
        and ("stroke" not in attributes)
    )


def _references(svg: ElementTree.Element) -> Iterator[str]:
    for element in svg.iter():
        for key, value in element.attrib.items():
            if key.endswith("href"):
                yield value.removeprefix("#")
            yield from REFERENCE.findall(value)


def _rename(element: ElementTree.Element, name: str, mark: str, used: set[str]) -> None:
    """Keep identifiers that are referred to, as this figure's own; marks become a class."""
    own = element.attrib.pop("id", None)
    if own in used:
        element.attrib["id"] = f"{name}-{own}"
    elif own == mark:
        element.attrib["class"] = "mark"
    for key in list(element.attrib):
        value = element.attrib[key]
        if key.endswith("href"):
            del element.attrib[key]
            element.attrib["href"] = f"#{name}-{value.removeprefix('#')}"
        else:
            element.attrib[key] = REFERENCE.sub(rf"url(#{name}-\1)", value)


def _without_style(element: ElementTree.Element) -> None:
    """Attributes in place of a style, which a strict content policy does not allow."""
    for rule in element.attrib.pop("style", "").split(";"):
        key, _, value = (part.strip() for part in rule.partition(":"))
        if key == "font":
            size = FONT_SIZE.search(value)
            if size:
                element.attrib["font-size"] = size[1]
        elif key == "font-size":
            element.attrib[key] = value.removesuffix("px")
        elif key and key not in ("font-family", "stroke-linejoin", "stroke-linecap"):
            element.attrib[key] = value
    for key in ("fill", "stroke"):
        if key in element.attrib:
            element.attrib[key] = COLOR.sub(_variable, element.attrib[key])
        elif element.tag == "text" and key == "fill":
            element.attrib[key] = "var(--text)"


def _variable(found: re.Match[str]) -> str:
    return VARIABLES.get(found[0].lower(), found[0])


def _shorten(element: ElementTree.Element) -> None:
    for key in ("d", "x", "y", "transform", "width", "height", "points"):
        if key in element.attrib:
            short = UPRIGHT.sub("", element.attrib[key])
            short = " ".join(LONG_NUMBER.sub(_rounded, short).split())
            element.attrib[key] = short
            if not short:
                del element.attrib[key]


def _rounded(found: re.Match[str]) -> str:
    return f"{float(found[0]):.2f}".rstrip("0").rstrip(".")
