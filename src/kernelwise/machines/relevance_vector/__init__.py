"""The relevance vector machine: few kernel columns, each with a prior variance of its own."""

from kernelwise.machines.relevance_vector.machine import RelevanceVector

__all__ = ["RelevanceVector"]
