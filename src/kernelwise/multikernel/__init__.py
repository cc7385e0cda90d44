"""Several kernels at once: how much of each."""

from kernelwise.multikernel.aligned import AlignedKernels, aligned_gram_weights, aligned_weights

__all__ = ["AlignedKernels", "aligned_gram_weights", "aligned_weights"]
