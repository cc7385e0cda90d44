"""The commands ``kernelwise fit | predict | reproduce | demo``."""

from kernelwise.cli import learning, reproducing
from kernelwise.cli.app import app

__all__ = ["app", "learning", "reproducing"]
