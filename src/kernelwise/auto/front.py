"""The front door: parameters checked, groups dealt to folds, the stack and its best candidate."""

from __future__ import annotations

import time
from dataclasses import replace
from html import escape
from os import PathLike
from typing import Any, Self

import numpy as np
from sklearn.utils import estimator_html_repr
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from kernelwise.auto.base import DEFAULT_FOLDS
from kernelwise.auto.checks import checks_of, target_name
from kernelwise.auto.judging import JudgedStack
from kernelwise.auto.recording import feature_names, record_of_fit
from kernelwise.auto.row_words import effects_in_words
from kernelwise.auto.time_budget import TimeBudget, TimeBudgetWarning
from kernelwise.estimators.fold_fits import Copies
from kernelwise.estimators.progress import progress_of
from kernelwise.evaluation import error_of_unseen, group_folds
from kernelwise.evaluation.unseen import joined
from kernelwise.insight.headline import headline
from kernelwise.insight.record_words import record_in_words
from kernelwise.notices import warn_user
from kernelwise.selections import AsGiven

# What only a fit needs.
TRANSIENT = (
    "_judged_folds",
    "_budget",
    "_splits",
    "_groups",
    "_tried",
    "_judged_with",
    "_unseen",
    "_copied_relevances",
    "_fold_round",
)


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
        if self.repeats > 1 and getattr(self, "_unseen", None) is not None:
            self._judge_again(X, y, sample_weight)
        self._warn_of_folds()
        self.refit_time_ = time.perf_counter() - start
        if "_judged_with" in self.__dict__:
            self.record_ = record_of_fit(
                self,
                *self._judged_with,
                seconds=self.refit_time_,
                target=target_name(y),
                checks=checks_of(self, X, y, self._judged_with[0], feature_names(self)),
            )
        for name in TRANSIENT:
            self.__dict__.pop(name, None)
        return self

    @property
    def checks_(self) -> Any:
        """What to know first, each under a code (docs/checks/index.md)."""
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

    def report(self, path: str | PathLike[str] | None = None, *, title: str | None = None) -> str:
        """Everything that is known about the fit as one page, which needs no other file.

        Needs matplotlib and jinja2, the extra ``report``.

        Parameters
        ----------
        path : a file to write it to, too, ending in .html, or in .md for Markdown
        title : of the page

        Returns
        -------
        page : str
            HTML, or Markdown where ``path`` asks for it; the same record gives the same text.
        """
        from kernelwise.report.writing import fit_report

        check_is_fitted(self, "columns_")
        return fit_report(self.record_, path, title)

    def _warn_of_folds(self) -> None:
        """Say if there was no time for all folds."""
        judged, wanted = self._judged_folds, self.__dict__.get("n_splits_", 0)
        if self.max_time is not None and judged is not None and judged < wanted:
            warn_user(
                f"{self.max_time:g} s were enough for {judged} of {wanted} folds of the error "
                "estimate: its interval is wider for it",
                TimeBudgetWarning,
            )

    def _judge_again(self, X: Any, y: Any, sample_weight: Any) -> None:
        """The error of all rounds of folds together: of each row the mean of its losses."""
        _, choice, _ = self._judged_with
        rounds: list[Any] = [self._unseen]
        for number in range(1, self.repeats):
            self._fold_round = number
            reading = self._read(X, y, sample_weight)
            fits = self._fold_fits(AsGiven(), reading, choice, progress_of(self, X, y)[0])
            if not any(fit.chose_again for fit in fits):
                break  # the time is up
            rounds.append(self._judged(reading, choice, Copies.of(fits, reading.parts))[0])
        once: Any = self.error_estimate_
        together = error_of_unseen(joined(rounds), self._groups)
        self.error_estimate_ = replace(together, confusion=once.confusion)

    def _splits_for(self, X: Any, y: Any, groups: Any) -> Any:
        if groups is None:
            return self.cv
        check_consistent_length(X, y, groups)
        if self.repeats > 1:
            raise ValueError("repeats deals rows to other folds, and groups stay as they are: 1")
        if self.cv is None or isinstance(self.cv, (int, np.integer)):
            splits = group_folds(np.asarray(y), self._groups, self._is_classification)
            if splits is None:
                raise ValueError("groups must be at least 2, with something to learn in each")
            return splits
        return list(self.cv.split(np.zeros((len(y), 1)), y, groups))

    def _html_repr(self) -> str:
        """scikit-learn's diagram, and under it what to expect of the fitted model."""
        said = getattr(self, "record_", None)
        below = "" if said is None else f"<p>{escape(headline(said))}</p>"
        return estimator_html_repr(self) + below

    @property
    def _wanted_folds(self) -> Any:
        if self._splits is not None:
            return self._splits
        return DEFAULT_FOLDS if isinstance(self.folds, str) or not self.folds else self.folds

    def get_metadata_routing(self) -> MetadataRouter:
        """What is passed on: weights and groups to `fit`, groups to the splitter of `cv`."""
        router = MetadataRouter(owner=self).add_self_request(self)
        if hasattr(self.cv, "split"):
            mapping = MethodMapping().add(caller="fit", callee="split")
            router.add(splitter=self.cv, method_mapping=mapping)
        return router


def _numbered(groups: Any) -> np.ndarray:
    return np.unique(np.asarray(groups), return_inverse=True)[1].reshape(-1)
