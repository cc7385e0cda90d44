"""The commands ``kernelwise fit | predict | compare | reproduce | demo``."""

from kernelwise.cli.app import app

__all__ = ["app"]
