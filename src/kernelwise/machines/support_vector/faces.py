"""The system of the free rows after a few have left, without factorising it again."""

from __future__ import annotations

import numpy as np

from kernelwise.machines.support_vector.dual_problem import Face


class FaceWithout(Face):
    """The face of a few rows less, by the factor of all: O(m^2) per row that leaves.

    A row has no coefficient where its own equation is missed by the right amount. Rows of the face
    must not depend on each other.
    """

    _face: Face
    _leaving: np.ndarray

    def __init__(self, face: Face, leaving: np.ndarray):
        if isinstance(face, FaceWithout):
            earlier = face._leaving.copy()
            earlier[~earlier] = leaving
            face, leaving = face._face, earlier
        self._face, self._leaving = face, leaving
        self.has_bias, self.is_singular, self.root = face.has_bias, False, face.root[~leaving]
        units = np.zeros((len(leaving), leaving.sum()), order="F")
        units[leaving] = np.eye(leaving.sum())
        if self.has_bias:
            units -= 1 / len(leaving)
        solved = face.apply(units)
        # The rows and columns of the whole system's inverse that leave.
        self._corner = solved[leaving] - solved.mean(axis=0) * self.has_bias

    def solve(self, right: np.ndarray, total: float) -> tuple[np.ndarray, float]:
        whole = np.zeros(len(self._leaving))
        whole[~self._leaving] = right
        coef, _ = self._face.solve(whole, total)
        whole[self._leaving] = -np.linalg.solve(self._corner, coef[self._leaving])
        coef, intercept = self._face.solve(whole, total)
        return coef[~self._leaving], intercept

    def adjoint(self, of_coef: np.ndarray, of_intercept: float) -> tuple[np.ndarray, float]:
        return self.solve(of_coef, of_intercept)
