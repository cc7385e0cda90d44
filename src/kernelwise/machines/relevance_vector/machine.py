"""The relevance vector machine."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from kernelwise.machines.base import Machine
from kernelwise.machines.refitting import no_way_back
from kernelwise.machines.relevance_vector.ascent import ascend
from kernelwise.machines.relevance_vector.columns import CenteredColumns
from kernelwise.machines.relevance_vector.logistic import Logistic
from kernelwise.machines.relevance_vector.model import Problem
from kernelwise.machines.relevance_vector.normal import Normal
from kernelwise.machines.relevance_vector.output import ConstantOutput, LearnedOutput
from kernelwise.machines.relevance_vector.polishing import polished
from kernelwise.machines.relevance_vector.reestimation import reestimate
from kernelwise.solutions import HeldOutSolution, RelevanceVectorSolution, Targets, moderated

LIKELIHOODS: dict[str, Any] = {"normal": Normal, "logistic": Logistic}
ALGORITHMS = {"sequential": ascend, "reestimation": reestimate}
BIASES = ("free", "penalized")


class RelevanceVector(Machine):
    """Bayesian regression or classification on kernel columns, few of which remain.

    ``f = columns @ w + bias``, ``w_i ~ Normal(0, v_i)``, with all prior variances ``v`` at a local
    maximum of the evidence: most are exactly 0 there, and the columns left are the relevance
    vectors. Columns have their mean over the rows taken off. Nothing is left to regularize, so the
    machine has no parameters to search.

    Parameters
    ----------
    likelihood : "normal" (quantities) or "logistic" (labels from -1 to 1)
    bias : "free" (a flat prior; of deviation 10 if logistic) or "penalized" (a prior variance
        learned like all others, as in the papers)
    algorithm : "sequential" (the pooled ascent) or "reestimation" (all columns at once, as printed)
    tolerance : the gain in log evidence for which nothing more is changed
    max_vectors : the most that the sequential ascent takes, None for half the rows up to 300;
        without a limit a narrow kernel has one for each row, no noise, and a cost of n^3

    Cost: some products of the Gram matrix with the model's m columns, ``n^2 m`` each; re-estimation
    costs n^3. Memory: no second Gram matrix.

    References
    ----------
    Tipping (2001), JMLR 1; Kropotov, Ryazanov & Vetrov, Extended Bayesian framework for automatic
    tuning of kernel data-mining methods, section 2.
    """

    gives = RelevanceVectorSolution
    takes_constant_targets = True
    held_out_leads_back = False

    def __init__(
        self,
        likelihood: str = "normal",
        bias: str = "free",
        algorithm: str = "sequential",
        tolerance: float = 1e-3,
        max_vectors: int | None = None,
    ):
        for name, value, known in (
            ("likelihood", likelihood, tuple(LIKELIHOODS)),
            ("bias", bias, BIASES),
            ("algorithm", algorithm, tuple(ALGORITHMS)),
        ):
            if value not in known:
                raise ValueError(f"{name} must be one of {known}, got {value!r}")
        if not isinstance(tolerance, int | float | np.number) or not 0 < tolerance < np.inf:
            raise ValueError(f"tolerance must be a positive number, got {tolerance!r}")
        whole = isinstance(max_vectors, int | np.integer)
        if max_vectors is not None and not (whole and max_vectors >= 1):
            raise ValueError(f"max_vectors must be 1, 2, 3, ... or None, got {max_vectors!r}")
        self.likelihood, self.bias, self.algorithm = likelihood, bias, algorithm
        self.tolerance, self.max_vectors = float(tolerance), max_vectors

    def at_ridge(self, ridge: float, factor: float = 1.0) -> RelevanceVector:
        """The machine itself: its prior variances are its regularization."""
        return self

    def rescaled(self, amplitude: float) -> RelevanceVector:
        return self

    def solve(self, grams: list[np.ndarray], targets: Targets) -> RelevanceVectorSolution:
        (gram,) = grams
        if self.likelihood == "logistic" and np.abs(targets.values).max() > 1:
            raise ValueError("the targets of a logistic relevance vector machine are from -1 to 1")
        columns = CenteredColumns(gram, targets.weights)
        kind, algorithm = LIKELIHOODS[self.likelihood], ALGORITHMS[self.algorithm]
        free_bias, spent, most = self.bias == "free", 0, self.max_vectors
        most = min(max(len(gram) // 2, 2), 300) if most is None else most
        found: list[LearnedOutput | ConstantOutput] = []
        for values, within in zip(targets.values.T, targets.within, strict=True):
            if kind.is_constant(values, within):
                found.append(ConstantOutput(values[0], targets.weights.sum(), self.likelihood))
                continue
            likelihood = kind(values, targets.weights, within, free_bias)
            problem = Problem(columns, likelihood, free_bias)
            model, tried = algorithm(problem, self.tolerance, most)
            model, more = polished(problem, model, self.tolerance)
            found.append(LearnedOutput(problem, model))
            spent += tried + more

        def back(evidence_gradient: np.ndarray) -> np.ndarray:
            total = np.zeros_like(gram)
            for output, slope in zip(found, evidence_gradient, strict=True):
                output.add_gram_gradient(total, float(slope))
            return total

        vectors = tuple(output.vectors for output in found)
        return RelevanceVectorSolution(targets, vectors, back, spent)

    def held_out(
        self,
        grams: list[np.ndarray],
        targets: Targets,
        folds: list[np.ndarray] | None,
        solution: RelevanceVectorSolution | None = None,
    ) -> HeldOutSolution:
        """Residuals of rows held out by fold, refitted; those of moderated outputs if logistic."""
        if folds is None:
            return super().held_out(grams, targets, folds, solution)
        (gram,) = grams
        held_out, spent = np.empty_like(targets.values), 0
        for S in folds:
            T = np.setdiff1d(np.arange(len(gram)), S)
            part = targets.take(T)
            # What equal rows hide is known in total only; the rows that are left have their share.
            share = part.weights.sum() / targets.weights.sum()
            fit = self.solve([gram[np.ix_(T, T)]], replace(part, within=share * targets.within))
            spent += fit.n_factorizations
            for j, vectors in enumerate(fit.machines):
                across = gram[np.ix_(S, T[vectors.rows])]
                outputs = vectors.outputs(across)
                if self.likelihood == "logistic":
                    outputs = moderated(outputs, vectors.output_variances(across))
                held_out[S, j] = targets.values[S, j] - outputs
        return HeldOutSolution(held_out, targets, no_way_back, spent)

    def __repr__(self) -> str:
        return (
            f"RelevanceVector(likelihood={self.likelihood!r}, bias={self.bias!r}, "
            f"algorithm={self.algorithm!r})"
        )
