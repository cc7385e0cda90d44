"""Wrong numbers about a fitted model, and wrong words and pictures of them."""

from mutant import mutants_of

ROW_EFFECTS = ["insight/test_row_effects.py"]
ROW_EFFECT_WORDS = ["insight/test_row_effect_words.py"]

SURFACES = ["insight/test_criterion_surface.py"]
DISPLAYS = ["report/test_displays.py"]

INSIGHT = (
    *mutants_of(
        "insight/row_effects.py",
        ROW_EFFECTS,
        (
            "a pair's own effects are not taken off",
            "strength = both - effects[every, first] - effects[every, second]",
            "strength = both - effects[every, first]",
        ),
        ("a stack does not weigh its models", "weight * part.outputs(some)", "part.outputs(some)"),
        (
            "the typical row of the first output",
            "seen.outputs(seen.typical[None, :])[0, chosen]",
            "seen.outputs(seen.typical[None, :])[0, 0 * chosen]",
        ),
        (
            "the weakest pair",
            "np.abs(strength) > np.abs(strengths)",
            "np.abs(strength) < np.abs(strengths)",
        ),
        (
            "pairs of the smallest effects",
            "np.argsort(-np.abs(effects), axis=1",
            "np.argsort(np.abs(effects), axis=1",
        ),
        (
            "interactions are turned around",
            "interactions = outputs - typical - effects.sum(axis=1)",
            "interactions = effects.sum(axis=1) - outputs + typical",
        ),
        (
            "positive is the first of two classes",
            "(classes[1], classes[0])",
            "(classes[0], classes[1])",
        ),
    ),
    *mutants_of(
        "estimators/base.py",
        ROW_EFFECTS,
        (
            "what is typical ignores weights",
            "typical_row(parts.X, parts.targets.weights, reading.columns)",
            "typical_row(parts.X, np.ones(len(parts.X)), reading.columns)",
        ),
    ),
    *mutants_of(
        "insight/row_effect_words.py",
        ROW_EFFECT_WORDS,
        ("every change is toward", "if change > 0:", "if True:"),
        (
            "any pair is named",
            "if abs(effect.pair_interaction) < MOSTLY * abs(effect.interaction):",
            "if False:",
        ),
    ),
    *mutants_of(
        "insight/criterion_surface.py",
        SURFACES,
        ("shorter scales", "* 10.0**factor", "* 10.0**-factor"),
        (
            "nothing is charged for the values",
            "values.append(float(criterion(found.solution)[0]) + penalty)",
            "values.append(float(criterion(found.solution)[0]))",
        ),
        (
            "the grid is around a regularization of 1",
            "np.linspace(center - decades[1], center + decades[1], points)",
            "np.linspace(-decades[1], decades[1], points)",
        ),
    ),
    *mutants_of(
        "report/leaderboard.py",
        DISPLAYS,
        ("the worst on top", "np.argsort(self.errors,", "np.argsort(-self.errors,"),
        (
            "the baseline is no share",
            "weights, size * estimate.baseline",
            "weights, estimate.baseline",
        ),
        (
            "heads hide the baseline",
            "self.baseline > 0.3 * low + 0.7 * high",
            "self.baseline > 2 * high",
        ),
    ),
    *mutants_of(
        "report/search_trace.py",
        DISPLAYS,
        ("the last so far", "np.minimum.accumulate(known)", "known.copy()"),
        ("the first is the best", "int(np.argmin(known))", "0"),
    ),
    *mutants_of(
        "report/relevance.py",
        DISPLAYS,
        (
            "whiskers in the order of columns",
            "ends = 100 * self.intervals[self._order]",
            "ends = 100 * self.intervals[: len(self._order)]",
        ),
    ),
)
