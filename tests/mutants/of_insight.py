"""Wrong numbers about a fitted model, and wrong words and pictures of them."""

from mutant import mutants_of

ROW_EFFECTS = ["insight/test_row_effects.py"]
ROW_EFFECT_WORDS = ["insight/test_row_effect_words.py"]

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
)
