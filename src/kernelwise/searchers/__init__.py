"""Searchers: a function, a start and limits in; a trace out."""

from kernelwise.searchers.adaptive_gradient import AdaptiveGradient
from kernelwise.searchers.base import Evaluation, Searcher, SearchTrace
from kernelwise.searchers.by_values import NelderMead, TrustRegion
from kernelwise.searchers.gauss_newton import GaussNewton
from kernelwise.searchers.multistart import MultiStart, merge_traces
from kernelwise.searchers.quadratic_belief import Earlier, QuadraticBelief
from kernelwise.searchers.quasi_newton import QuasiNewton
from kernelwise.searchers.random_walk import RandomWalk
from kernelwise.searchers.relay import Relay
from kernelwise.searchers.rprop import Rprop
from kernelwise.searchers.secant import Secant

__all__ = [
    "AdaptiveGradient",
    "Earlier",
    "Evaluation",
    "GaussNewton",
    "MultiStart",
    "NelderMead",
    "QuadraticBelief",
    "QuasiNewton",
    "RandomWalk",
    "Relay",
    "Rprop",
    "SearchTrace",
    "Searcher",
    "Secant",
    "TrustRegion",
    "merge_traces",
]
