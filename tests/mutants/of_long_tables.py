"""Wrong fits of long tables: folds, selections, estimators, pieces and the shell."""

from mutant import mutants_of

STREAMS = ["tables/test_stream_columns.py"]
SELECTIONS = ["selections/test_growing_criteria.py"]
GROWING = ["selections/test_growing.py"]
ESTIMATORS = ["estimators/test_landmark_estimators.py"]
PIECEWISE = ["estimators/test_piecewise_fits.py"]
SHELL = ["cli/test_cli_landmarks.py"]
IN_PIECES = ["cli/test_cli_pieces.py", "data/test_looks.py"]

LONG_TABLES = (
    *mutants_of(
        "tables/stream_columns.py",
        STREAMS,
        ("rows of several means", " + shift**2 * (self.weight * share)", ""),
        ("a mean without weights", "shares @ X", "X.mean(axis=0)"),
        ("the median stays out", "columns.center + found.mean", "found.mean"),
        ("constant columns", "plain | (spread <= CONSTANT)", "plain"),
        (
            "medians without weights",
            "Gaps.learn(numbers, weights[rows]",
            "Gaps.learn(numbers, 1 + 0 * weights[rows]",
        ),
    ),
    *mutants_of(
        "tables/stream_summary.py",
        STREAMS,
        ("rows of no weight count", "columns.numbers(X, None)[used]", "columns.numbers(X, None)"),
        (
            "levels of the last piece",
            "found.update(part.columns.levels[index])",
            "found = set(part.columns.levels[index])",
        ),
        (
            "one look is enough",
            "if any(len(part.columns.categorical) < len(categorical) for part in filled):",
            "if False:",
        ),
        ("gaps say nothing", "| ((self.gaps > 0) & (self.gaps < self.used))", ""),
    ),
    *mutants_of(
        "data/text_chunks.py",
        ["data/test_open_rows.py"],
        (
            "rows end inside quotes",
            "% 2 == 0:\n            return end + 1",
            "% 2 >= 0:\n            return end + 1",
        ),
        ("the header is a row", ".removeprefix(self.header) if line == 1", " if line == 1"),
    ),
    *mutants_of(
        "data/piece_reading.py",
        ["data/test_open_rows.py"],
        ("rows without a target stay", "frame = frame[known]", "frame = frame"),
        (
            "nothing is said",
            "warn_user(str(check)",
            "str(check) and (lambda *a, **k: 0)(str(check)",
        ),
        ("negative weights", "if not (values >= 0).all():", "if False:"),
    ),
    *mutants_of(
        "data/frame_pieces.py",
        ["data/test_open_rows.py"],
        (
            "the first part of each group",
            "islice(batches, self.number, None)",
            "islice(batches, 0, None)",
        ),
    ),
    *mutants_of(
        "selections/landmark_stage.py",
        SELECTIONS,
        ("the training error may choose", "criterion.reads is not Penalized and ", ""),
        ("folds of other rows", "np.flatnonzero(np.isin(some, fold))", "fold[: len(some) // 2]"),
    ),
    *mutants_of(
        "selections/growing_first_level.py",
        SELECTIONS,
        ("a search stops at its edge", "ROUNDS if number == 0 else 1", "1"),
        (
            "the first penalty has no weight",
            "float(values @ values) / self.stage.weight",
            "float(values @ values)",
        ),
        ("the worst kernel is kept", "found.value < best.value", "found.value > best.value"),
    ),
    *mutants_of(
        "selections/growing.py",
        SELECTIONS,
        (
            "a regularization of fewer rows",
            "float(machine.values[0]) / stage.weight",
            "float(machine.values[0])",
        ),
    ),
    *mutants_of(
        "cli/own_judgment.py",
        SHELL,
        ("rows that were seen judge", "copies.share > 0", "copies.share >= 0"),
        ("any kernel is honest", "not any(fit.chose_again", "not any(True"),
        (
            "the baseline has seen the rows",
            "trivial_prediction(estimator, targets[others])",
            "trivial_prediction(estimator, targets[rows])",
        ),
    ),
    *mutants_of(
        "evaluation/unseen.py",
        SHELL,
        ("groups are forgotten", "factor = clustering(own, held)", "factor = 1.0"),
    ),
    *mutants_of(
        "cli/landmark_effort.py",
        SHELL,
        ("one pass only", "OF_ALL_PASSES * rows", "rows"),
        ("learning grows on", "kernels * OF_AN_EVALUATION * steps * min(some, rows)", "rows"),
        ("folds are free", "again * folds / jobs", "again / jobs"),
    ),
    *mutants_of(
        "cli/limits.py",
        SHELL,
        ("folds never fit again", "how.folds is None and is_long", "is_long"),
        ("all landmarks in any time", "estimator.set_params(landmarks=fewer)", "pass"),
    ),
    *mutants_of(
        "cli/oddities.py",
        IN_PIECES,
        ("the last piece counts", "self.beyond.get(name, 0) + outside", "outside"),
        ("rows of one piece", "self.rows += len(features)", "self.rows = len(features)"),
    ),
    *mutants_of(
        "data/text_chunks.py",
        IN_PIECES,
        ("rows are looked at twice", "if place < CHUNK:", "if place < 0:"),
    ),
    *mutants_of(
        "data/reading.py", IN_PIECES, ("a header in every block", "header=first", "header=True")
    ),
    *mutants_of(
        "data/ranges.py",
        IN_PIECES,
        ("ranges of the last piece", "max(highest.get(name, -np.inf), high[name])", "high[name]"),
    ),
    *mutants_of(
        "scale/folds.py",
        ["scale/test_fold_sums.py"],
        ("a fold is forgotten", "joined[number] + part if number in joined else part", "part"),
    ),
    *mutants_of(
        "scale/landmark_fit.py",
        GROWING,
        ("a fold has seen its rows", "rest = total - part", "rest = total"),
        (
            "regularization of all rows",
            "lam = solution.regularization * rest.weight / total.weight",
            "lam = solution.regularization",
        ),
        (
            "outputs of another fold",
            "outputs[own, place] - intercept",
            "outputs[own, 0] - intercept",
        ),
    ),
    *mutants_of(
        "scale/landmark_fit.py",
        ["scale/test_conjugate_gradients.py"],
        (
            "targets explain nothing",
            "misfit=squares - (whole.coef * systems.cross[:, 0]).sum(axis=0)",
            "misfit=squares",
        ),
    ),
    *mutants_of(
        "scale/conjugate_gradients.py",
        ["scale/test_conjugate_gradients.py"],
        ("weights do not count", "targets.weights[:, None] * (targets.fold", "(targets.fold"),
        ("steps are not conjugate", "residual + ratio * direction", "residual"),
        ("landmarks are not centered", "self.lower - self.lower.mean(axis=0)", "self.lower"),
    ),
    *mutants_of(
        "scale/logistic.py",
        ["scale/test_logistic_landmarks.py"],
        ("the classes are swapped", "((y > 0) - probability)", "((y < 0) - probability)"),
        (
            "weights do not count",
            "Targets.plain(working, weights * curvature)",
            "Targets.plain(working, curvature)",
        ),
    ),
    *mutants_of(
        "estimators/landmarks.py",
        ESTIMATORS,
        ("rows that judge have been seen", "choice.learned_without == number", "True"),
        ("a copy sees its fold", "expansion=choice.without[number]", "expansion=choice.expansion"),
        ("repeated rows are landmarks of their own", "if parts is None:", "if False:"),
        ("any column may be missing", "np.shape(given)[1] != width", "False"),
    ),
    *mutants_of(
        "scale/entries.py",
        ["scale/test_entries.py"],
        (
            "little regularization in single precision",
            "machine.regularization >= LEAST",
            "1.0 >= LEAST",
        ),
    ),
    *mutants_of(
        "estimators/landmark_spread.py",
        ESTIMATORS,
        ("nothing is untold", "return untold + self", "return self"),
        ("the bias is known", "(left + 1 / self.weight)", "left"),
    ),
    *mutants_of(
        "selections/growing.py",
        ESTIMATORS,
        (
            "very many landmarks as learned",
            "with_values(np.array([lam]))",
            "with_values(machine.values)",
        ),
    ),
    *mutants_of(
        "selections/growing.py",
        GROWING,
        ("the fold apart has a say", "(fold != self.apart) & (", "(fold > -1) & ("),
    ),
    *mutants_of(
        "scale/landmark_fit.py",
        ["selections/test_growing_criteria.py"],
        ("the least of the regularizations", "np.flatnonzero(values <= enough)[-1]", "0"),
    ),
    *mutants_of(
        "estimators/pieces.py",
        PIECEWISE,
        ("columns are not weighted", "scan.learn_columns(given.weights)", "scan.learn_columns()"),
    ),
    *mutants_of(
        "selections/landmarks.py",
        [*ESTIMATORS, *PIECEWISE],
        ("a rare class stays rare", "if problem.classification else None", "if False else None"),
        (
            "rows of no weight are landmarks",
            "np.flatnonzero(problem.targets.weights > 0)",
            "np.arange(rows.n_rows)",
        ),
    ),
)
