"""Pages of the reference, one for each package with ``__all__`` and one for each estimator.

Nothing is listed by hand: what a package names as its own is what its page has. A name that a
package only passes on is shown where it is named first.
"""

import inspect
import pkgutil
import re
from importlib import import_module
from pathlib import Path

import kernelwise
from kernelwise import cli  # which has pages of its own

FOLDER = Path(__file__).resolve().parent.parent / "reference" / "api"


def packages():
    """Every package with public names: kernelwise itself, then those in it, outermost first."""
    found = [kernelwise]
    for module in pkgutil.walk_packages(kernelwise.__path__, "kernelwise."):
        if module.ispkg:
            found.append(import_module(module.name))
    return sorted(
        (package for package in found if hasattr(package, "__all__") and package is not cli),
        key=lambda package: (package.__name__.count("."), package.__name__),
    )


def places():
    """The names of each package that no package before it has, with what they stand for."""
    seen, found = set(), {}
    for package in packages():
        own = [(name, getattr(package, name)) for name in sorted(package.__all__)]
        own = [(name, thing) for name, thing in own if id(thing) not in seen]
        seen |= {
            id(thing) for _, thing in own if inspect.isroutine(thing) or inspect.isclass(thing)
        }
        found[package] = own
    return found


def summary(thing):
    text = (inspect.getdoc(thing) or "").partition("\n\n")[0]
    return text.replace("\n", " ").replace("``", "`")


def heading(text, line):
    return [text, line * len(text), ""]


def page_of(package, names):
    """The page of a package: its own words, a table of its names, and each of them."""
    lines = [f".. py:module:: {package.__name__}", "", *heading(package.__name__, "=")]
    lines += [inspect.getdoc(package) or "", ""]
    return lines + [line for name, thing in names for line in entry(package, name, thing)]


def entry(package, name, thing):
    """One name of a package by autodoc; a class with its methods."""
    full = f"{package.__name__}.{name}"
    if inspect.isclass(thing):
        return [f".. autoclass:: {full}", "   :members:", ""]
    if inspect.isroutine(thing):
        return [f".. autofunction:: {full}", ""]
    return [f".. py:data:: {full}", "", f"   {comment_above(package, name)}", ""]


def comment_above(package, name):
    """What the source says above a value, in the first module of the package that sets it."""
    pattern = re.compile(rf"((?:^# .*\n)+){name}\b.* = ", re.MULTILINE)
    for path in sorted(Path(package.__file__).parent.rglob("*.py")):
        if found := pattern.search(path.read_text()):
            return re.sub(r"\s*# ", " ", found[1]).strip()
    raise ValueError(f"{package.__name__}.{name} has no comment that says what it is")


def estimator_page(name):
    full = f"kernelwise.{name}"
    return [
        *heading(name, "="),
        f".. currentmodule:: kernelwise\n\n.. autoclass:: {full}",
        "   :members:",
        "   :inherited-members:",
        "",
    ]


def write(app):
    """Write the pages of the reference; only those that changed, so that a build can go on."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    pages = {}
    for package, names in places().items():
        if package is kernelwise:
            pages |= {name: estimator_page(name) for name, _ in names}
        elif names:
            pages[package.__name__] = page_of(package, names)
    for path in FOLDER.glob("*.rst"):
        if path.stem not in pages:
            path.unlink()
    for name, lines in pages.items():
        path, text = FOLDER / f"{name}.rst", "\n".join(lines)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


def setup(app):
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True}
