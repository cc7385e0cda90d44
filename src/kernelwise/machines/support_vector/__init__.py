"""The support vector machine: hinge or squared hinge, with the offset in the kernel or free."""

from kernelwise.machines.support_vector.machine import LOSSES, SupportVector

__all__ = ["LOSSES", "SupportVector"]
