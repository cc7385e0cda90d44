"""Packages that only some parts need, imported when they are needed."""

from importlib import import_module
from types import ModuleType


def import_optional(package: str, extra: str) -> ModuleType:
    """Import ``package``, or say which extra of kernelwise installs it."""
    try:
        return import_module(package)
    except ImportError as error:
        raise ImportError(
            f"this needs the package {package.partition('.')[0]}: pip install 'kernelwise[{extra}]'"
        ) from error
