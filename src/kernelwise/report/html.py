"""A document as one HTML file that needs nothing else: no request, no font, no library."""

from __future__ import annotations

import base64
import hashlib
import warnings
from functools import cache
from typing import Any

from kernelwise.optional import import_optional
from kernelwise.report.document import Document, Figure
from kernelwise.report.svg import inline_svg

# Characters that could end a script element, or a line of a program.
UNSAFE_IN_SCRIPT = str.maketrans({unsafe: f"\\u{ord(unsafe):04x}" for unsafe in "<>&\u2028\u2029"})


def as_html(document: Document) -> str:
    """The whole page; the same document gives the same text (with the same matplotlib)."""
    environment = _environment()
    # Jinja would take the style for a template.
    style, script = (_compact(_source(environment, name)) for name in ("page.css", "page.js"))
    return environment.get_template("page.html").render(
        document=document,
        style=style,
        script=script,
        policy=content_policy(style, script),
        data=None if document.data is None else _for_script(document.data),
    )


def content_policy(style: str, script: str) -> str:
    """What the page may load: nothing but this style and this script, which are within it."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _for_script(data: str) -> str:
    """JSON that reads back equal, and that no text within it can end."""
    return data.translate(UNSAFE_IN_SCRIPT)


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _source(environment: Any, name: str) -> str:
    source: str = environment.loader.get_source(environment, name)[0]
    return source


def _compact(source: str) -> str:
    """A style or script without indentation, empty lines and lines of comment."""
    lines = (line.strip() for line in source.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def _figure_svg(figure: Figure, name: str) -> str:
    with warnings.catch_warnings():
        # The browser has a font for letters that matplotlib's lacks.
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        return inline_svg(figure.draw(), figure.title, name, figure.mark)


@cache
def _environment() -> Any:
    jinja2 = import_optional("jinja2", extra="report")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("kernelwise.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.globals["svg"] = _figure_svg
    return environment
