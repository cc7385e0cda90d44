"""Wrong tables, errors, statistics, files and runs."""

from mutant import mutants_of

JUDGMENTS = (
    *mutants_of(
        "estimators/table_estimator.py",
        ["tables/test_columns.py"],
        (
            "an estimator's columns have the scales of equal rows",
            "columns.learn_scales(parts.X, parts.targets.weights)",
            "columns.learn_scales(parts.X, np.ones(len(parts.X)))",
        ),
    ),
    *mutants_of(
        "tables/folds.py",
        ["tables/test_rows.py"],
        (
            "more folds than rows are accepted",
            "if n_folds > max(n_rows, DEFAULT_FOLDS):",
            "if False:",
        ),
    ),
    *mutants_of(
        "tables/columns.py",
        ["tables/test_columns.py"],
        (
            "weights do not count in standardizing",
            "weights / weights.sum()\n        center",
            "np.full(len(weights), 1 / len(weights))\n        center",
        ),
        ("far rows are not cut off", "scaled = np.clip(scaled, -FARTHEST, FARTHEST)", "pass"),
    ),
    *mutants_of(
        "tables/rows.py",
        ["tables/test_rows.py"],
        (
            "fractions of rows count as rows",
            "n_observations=effective_rows(rows.counts),\n    )\n\n\ndef rows_as",
            "n_observations=len(rows.counts),\n    )\n\n\ndef rows_as",
        ),
        ("weights of any size are rows", "    if are_counts(weights):\n", "    if True:\n"),
        ("hidden squares are lost", "weights @ (y - means[part]) ** 2)", "0 * totals[:1])"),
        (
            "equal rows that disagree stay together",
            "return bool((lowest < highest).any())",
            "return False",
        ),
    ),
    *mutants_of(
        "tables/folds.py",
        ["tables/test_rows.py", "estimators/test_bad_input.py"],
        (
            "folds are not stratified",
            'order = order[np.argsort(labels[order], kind="stable")]',
            "order = order * 1",
        ),
        (
            "a row may be held out twice",
            "np.array_equal(np.sort(held_out), np.arange(len(labels)))",
            "set(held_out) == set(range(len(labels)))",
        ),
    ),
    *mutants_of(
        "evaluation/intervals.py",
        ["evaluation/test_intervals.py"],
        ("splits count as independent", "np.sqrt(1 / count + shared)", "np.sqrt(1 / count)"),
        ("Nadeau and Bengio's factor", "SHARED_ROWS = 2.25", "SHARED_ROWS = 1.0"),
        (
            "degrees of freedom are the splits",
            "student.ppf((1 + level) / 2, count - 1)",
            "student.ppf((1 + level) / 2, count)",
        ),
    ),
    *mutants_of(
        "evaluation/nested_cv.py",
        ["evaluation/test_nested_clip.py", "evaluation/test_nested_cv.py"],
        (
            "errors may be above 1",
            "most = 1.0 if percent else interval.upper",
            "most = interval.upper",
        ),
        ("errors may be below 0", "max(interval.lower, 0.0)", "interval.lower"),
        (
            "errors of quantities end at 1",
            "most = 1.0 if percent else interval.upper",
            "most = 1.0",
        ),
        (
            "optimism has the wrong sign",
            "corrected_resampled_interval(errors - claims,",
            "corrected_resampled_interval(claims - errors,",
        ),
    ),
    *mutants_of(
        "evaluation/fold_records.py",
        ["evaluation/test_fold_records.py"],
        (
            "wall times are those of the clock",
            "time.perf_counter() - wall\n",
            "time.perf_counter()\n",
        ),
        (
            "CPU times are those of the thread",
            "cpu, wall = time.thread_time() - cpu,",
            "cpu, wall = time.thread_time(),",
        ),
        (
            "an error is a mean square",
            "loss if is_classifier(estimator) else np.sqrt(loss)",
            "loss",
        ),
        (
            "the baseline knows the test rows",
            "trivial_prediction(estimator, y_train))",
            "trivial_prediction(estimator, y_test))",
        ),
    ),
    *mutants_of(
        "evaluation/ranking.py",
        ["evaluation/test_ranking.py", "evaluation/test_statistics.py"],
        (
            "a standard error of other ranks",
            "k * (k + 1) / (6 * self.n_datasets)",
            "k * (k + 1) / (12 * self.n_datasets)",
        ),
    ),
    *mutants_of(
        "evaluation/statistics.py",
        ["evaluation/test_statistics.py"],
        ("ties are not corrected", "spread / untied if untied > 0", "spread if untied > 0"),
        ("Holm is Bonferroni", "np.arange(len(p), 0, -1)", "len(p)"),
        ("Nemenyi's constant is not divided", "k, np.inf) / math.sqrt(2))", "k, np.inf))"),
    ),
    *mutants_of(
        "evaluation/signed_ranks.py",
        ["evaluation/test_signed_ranks.py"],
        ("p is one-sided", "np.abs(leads) >= lead - 1e-9", "leads >= lead - 1e-9"),
    ),
    *mutants_of(
        "multikernel/aligned.py",
        ["multikernel/test_aligned.py"],
        (
            "norms of kernels do not count",
            "mix[varies] = direction / norms",
            "mix[varies] = direction",
        ),
        (
            "column means stay in the products",
            "self.products - self.weights.sum() * (means @ means.T)",
            "self.products",
        ),
    ),
    *mutants_of(
        "multikernel/simple.py",
        ["multikernel/test_simple.py"],
        (
            "kernels that have lost their weight never return",
            "outside = (found.weights == 0) &",
            "outside = (found.weights < 0) &",
        ),
        (
            "folds see the rows they hold out",
            "T = np.setdiff1d(np.arange(bank.n_rows), S)",
            "T = np.arange(bank.n_rows)",
        ),
    ),
    *mutants_of(
        "multikernel/stack.py",
        ["multikernel/test_stack.py"],
        (
            "a case's distance to itself counts",
            "pairs = len(rows) * (len(rows) - 1)",
            "pairs = len(rows) ** 2",
        ),
    ),
    *mutants_of(
        "runs/runner.py",
        ["runs/test_runner.py"],
        (
            "times of failures are those of the clock",
            "(time.perf_counter() - wall, time.thread_time() - cpu)",
            "(time.perf_counter(), time.thread_time())",
        ),
        (
            "time left ignores the number of jobs",
            "self._left.items()) / n_jobs",
            "self._left.items())",
        ),
        ("finished cells are computed again", "if cell not in finished]", "]"),
    ),
    *mutants_of(
        "runs/cells.py",
        ["runs/test_runner.py", "runs/test_store.py"],
        ("an error that is not finite is kept", "if not math.isfinite(record.error):", "if False:"),
        ("outcomes depend on times", "if name not in SECONDS}", "}"),
    ),
    *mutants_of(
        "compare/comparison.py",
        ["compare/test_compare_methods.py"],
        ("seconds count", "WORTHWHILE_SECONDS = 60.0", "WORTHWHILE_SECONDS = 0.5"),
        (
            "cost counts alone",
            "as_good = filter(is_as_good, compared[1:])",
            "as_good = compared[1:]",
        ),
    ),
    *mutants_of(
        "compare/words.py",
        ["compare/test_compare_methods.py"],
        ("two splits tell", "FEWEST_SPLITS = 5", "FEWEST_SPLITS = 2"),
    ),
    *mutants_of(
        "cli/next_step.py",
        ["cli/test_cli_compare.py"],
        (
            "what a command cannot say is left out",
            "if type(made)(kernel, selection, random_state=0).get_params() != made.get_params():",
            "if False:",
        ),
        (
            "methods no better than chance are offered",
            "if command and summary.beats_trivial",
            "if command",
        ),
    ),
)
