"""The commands ``kernelwise fit | predict | compare | reproduce | demo``."""

from kernelwise.cli import comparing, learning, reproducing
from kernelwise.cli.app import app

__all__ = ["app", "comparing", "learning", "reproducing"]
