"""Several kernels at once: how much of each."""

from kernelwise.multikernel.aligned import AlignedKernels, aligned_gram_weights, aligned_weights
from kernelwise.multikernel.bank import KernelBank
from kernelwise.multikernel.gram_bank import GramBank
from kernelwise.multikernel.infinite import InfiniteWeights, KernelGenerator, infinite_weights
from kernelwise.multikernel.priced import PricedProblem, PricedWeights, price_path
from kernelwise.multikernel.simple import SimpleProblem, SimpleWeights, weights_by_folds
from kernelwise.multikernel.stack import KernelStack

__all__ = [
    "AlignedKernels",
    "GramBank",
    "InfiniteWeights",
    "KernelBank",
    "KernelGenerator",
    "KernelStack",
    "PricedProblem",
    "PricedWeights",
    "SimpleProblem",
    "SimpleWeights",
    "aligned_gram_weights",
    "aligned_weights",
    "infinite_weights",
    "price_path",
    "weights_by_folds",
]
