"""How well a model does on rows it has not seen."""

from kernelwise.evaluation.honest_error import HonestError, honest_error, possible_folds

__all__ = ["HonestError", "honest_error", "possible_folds"]
