"""The front door: parameters checked, groups dealt to folds, the stack and its best candidate."""

from __future__ import annotations

import time
from typing import Any, Self

import numpy as np
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from kernelwise.auto.base import DEFAULT_FOLDS
from kernelwise.auto.judging import JudgedStack
from kernelwise.auto.recording import record_of_fit
from kernelwise.auto.row_words import effects_in_words
from kernelwise.auto.time_budget import TimeBudget
from kernelwise.evaluation import group_folds
from kernelwise.insight.record_words import record_in_words


class FrontDoor(JudgedStack):
    """What `AutoKernelClassifier` and `AutoKernelRegressor` share."""

    cv: Any
    repeats: Any
    _splits: Any = None

    def _fit_table(self, X: Any, y: Any, sample_weight: Any, groups: Any) -> Self:
        self._checked_selection()
        self._tried = None
        self._groups = None if groups is None else _numbered(groups)
        self._splits = self._splits_for(X, y, groups)
        self._budget = TimeBudget(self.max_time)
        start = time.perf_counter()
        self._fit(X, y, sample_weight)
        self.refit_time_ = time.perf_counter() - start
        if "_judged_with" in self.__dict__:
            self.record_ = record_of_fit(self, *self._judged_with, self.refit_time_)
        for name in ("_budget", "_splits", "_groups", "_tried", "_judged_with", "_unseen"):
            self.__dict__.pop(name, None)
        return self

    @property
    def checks_(self) -> Any:
        """What to know first, each under a code (docs/checks.md)."""
        return self.record_.checks

    def explain(self, X: Any = None, *, width: int = 79) -> str:
        """What was learned, in words; or, of given rows, why they are predicted as they are.

        Parameters
        ----------
        X : array or data frame of shape (rows, columns), default None
        width : of the lines

        Returns
        -------
        text : str
        """
        check_is_fitted(self, "columns_")
        if X is None:
            return record_in_words(self.record_, width)
        return effects_in_words(self, X, width)

    def _splits_for(self, X: Any, y: Any, groups: Any) -> Any:
        if groups is None:
            return self.cv
        check_consistent_length(X, y, groups)
        if self.cv is None or isinstance(self.cv, (int, np.integer)):
            splits = group_folds(np.asarray(y), self._groups, self._is_classification)
            if splits is None:
                raise ValueError("groups must be at least 2, with something to learn in each")
            return splits
        return list(self.cv.split(np.zeros((len(y), 1)), y, groups))

    @property
    def _wanted_folds(self) -> Any:
        if self._splits is not None:
            return self._splits
        return DEFAULT_FOLDS if isinstance(self.folds, str) or not self.folds else self.folds

    def get_metadata_routing(self) -> MetadataRouter:
        router = MetadataRouter(owner=self).add_self_request(self)
        if hasattr(self.cv, "split"):
            mapping = MethodMapping().add(caller="fit", callee="split")
            router.add(splitter=self.cv, method_mapping=mapping)
        return router


def _numbered(groups: Any) -> np.ndarray:
    return np.unique(np.asarray(groups), return_inverse=True)[1].reshape(-1)
