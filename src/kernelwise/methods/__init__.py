"""Methods by name: ours, and the competitors everyone has."""

from kernelwise.methods.competitors import COMPETITORS
from kernelwise.methods.method import Method
from kernelwise.methods.registry import METHODS, methods_named

__all__ = ["COMPETITORS", "METHODS", "Method", "methods_named"]
