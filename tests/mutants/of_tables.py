"""Wrong readings of a user's table: gaps, and whether it fits in memory."""

from mutant import mutants_of

GAPS = ["tables/test_gaps.py", "estimators/test_gaps_in_fits.py"]

TABLES = (
    *mutants_of(
        "tables/gaps.py",
        GAPS,
        (
            "the lower median",
            "0.5 * values[order[first]] + 0.5 * values[order[last]]",
            "values[order[first]]",
        ),
        (
            "weights do not count in the median",
            "np.cumsum(weights[order])",
            "np.cumsum(order >= 0)",
        ),
        ("rounding splits a tie", "ROUNDING = 1e-10", "ROUNDING = 0.0"),
        ("rows of weight 0 have gaps", "used = weights > 0", "used = weights >= 0"),
        ("gaps are not shown", "np.flatnonzero(partly & show)", "np.flatnonzero(partly & False)"),
        (
            "gaps are shown to kernel objects",
            "np.flatnonzero(partly & show)",
            "np.flatnonzero(partly)",
        ),
        ("an empty column comes to life", "missing | self.is_empty", "missing"),
        ("gaps of other columns", "missing[:, self.shown]", "missing[:, self.shown - 1]"),
    ),
    *mutants_of(
        "tables/columns.py",
        GAPS,
        (
            "shown gaps are standardized",
            "plain[coordinates.shape[1] - len(self.shown) :] = True",
            "plain[coordinates.shape[1] :] = True",
        ),
        ("every gap is new", "& (self.missing.counts == 0)", "& (self.missing.counts >= 0)"),
        ("pandas' NA is left", "gaps_as_nan(X),", "X,"),
        (
            "names of gaps are those of other columns",
            'f"gaps of {columns[r]}"',
            'f"gaps of {columns[r - 1]}"',
        ),
        ("gaps are always taken", "if takes_gaps else True", "if True else True"),
    ),
    *mutants_of(
        "estimators/relevance.py",
        GAPS,
        (
            "gaps are not held",
            "np.where(column_of == np.reshape(features, (-1, 1)), typical, shown)",
            "np.where(np.arange(len(column_of)) == np.reshape(features, (-1, 1)), typical, shown)",
        ),
    ),
    *mutants_of(
        "estimators/table_estimator.py",
        GAPS,
        ("a Gram matrix has gaps", "return not self._precomputed", "return True"),
        (
            "the median is not weighted",
            "self._coordinates(columns, given.X, given.weights)",
            "self._coordinates(columns, given.X, np.sign(given.weights))",
        ),
    ),
    *mutants_of(
        "multikernel/bank.py",
        GAPS,
        (
            "every view sees all gaps",
            "np.flatnonzero(np.isin(shown, columns))",
            "np.arange(len(shown))",
        ),
    ),
    *mutants_of(
        "estimators/aligner.py",
        GAPS,
        (
            "gaps are no columns",
            "of_selected = np.isin(self.columns_.column_of, self.selected_features_)",
            "of_selected = np.isin(np.arange(len(factors)), self.selected_features_)",
        ),
    ),
    *mutants_of(
        "memory.py",
        ["test_memory.py"],
        ("containers have no limits", ", *_container_limits(root)]", "]"),
        ("one limit is enough", "(place, *place.parents)", "(place,)"),
        ("any memory will do", "rows > most", "rows > 2 * most"),
        ("free is available", '"MemAvailable"', '"MemTotal"'),
    ),
    *mutants_of(
        "estimators/table_estimator.py",
        ["test_memory.py"],
        ("a Gram matrix is not counted", "check_memory(len(parts.X))\n        kept", "kept"),
        (
            "repeated rows count",
            "check_memory(len(parts.X))\n        return",
            "check_memory(len(given.X))\n        return",
        ),
    ),
)
