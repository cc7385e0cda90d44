"""Wrong records of stacks, and wrong treatment of what is not installed."""

from mutant import mutants_of

RECORDS = ["evaluation/test_records_of_stacks.py"]
COMPETITORS = ["cli/test_cli_competitors.py"]

METHODS = (
    *mutants_of(
        "evaluation/fold_records.py",
        RECORDS,
        (
            "copies judge beside the evaluation",
            "last._is_judged_elsewhere = True",
            "last._is_judged_elsewhere = False",
        ),
        (
            "the longest search counts alone",
            'return found | {"evaluations": sum(trace',
            'return found | {"evaluations": max(trace',
        ),
        (
            "weights of a stack are not kept",
            'chosen[f"weight of {name}"] = float(weight)',
            'chosen[f"weight of {name}"] = 1.0',
        ),
        (
            "the regularization of a stack is not kept",
            'machine = getattr(fitted, "best_estimator_", fitted)',
            "machine = fitted",
        ),
    ),
    *mutants_of(
        "methods/competitors.py",
        COMPETITORS,
        ("LightGBM on all cores", "(n_jobs=1, verbosity=-1)", "(verbosity=-1)"),
        (
            "LightGBM takes quantities for classes",
            '_lightgbm("LGBMRegressor")',
            '_lightgbm("LGBMClassifier")',
        ),
    ),
    *mutants_of(
        "cli/running.py",
        COMPETITORS,
        (
            "what is asked for by name is left out",
            "if reason and by_name:",
            "if reason and not by_name:",
        ),
        ("left out without a word", 'console.note(f"left out: {reason}")', "continue"),
    ),
    *mutants_of(
        "cli/reproducing.py",
        COMPETITORS,
        (
            "tables run what is not installed",
            "        of_table = _installed(published, of_table)\n",
            "",
        ),
    ),
)
