"""Wrong stacks, wrong errors of unseen rows, wrong records and words."""

from mutant import mutants_of

STACK = ["auto"]
RECORD = ["insight/test_fit_record.py"]
UNSEEN = ["evaluation/test_unseen.py"]

AUTO = (
    *mutants_of(
        "auto/base.py",
        STACK,
        (
            "members are not weighed",
            "weight * member.outputs_of(rows) for",
            "member.outputs_of(rows) for",
        ),
        ("offsets are forgotten", "axis=0) + self._offsets", "axis=0)"),
        (
            "the worst candidate is best",
            "weights = np.eye(len(fits))[int(np.argmin(",
            "weights = np.eye(len(fits))[int(np.argmax(",
        ),
        (
            "copies keep their kernels",
            "        if again:\n            self._tried",
            "        if not again:\n            self._tried",
        ),
        (
            "groups are not held out together",
            'self.estimate == "auto" and self._groups is not None',
            'self.estimate == "auto" and False',
        ),
        (
            "weights see the fold that judges",
            "shown = shown & (fit.choice.fold != fit.choice.learned_without)",
            "shown = shown & (fit.choice.fold >= 0)",
        ),
        ("levels need no landmarks", "n_coordinates + levels + 1", "n_coordinates + 1"),
        ("the time is never up", "limited = bool(fits) and self._tried is None", "limited = False"),
    ),
    *mutants_of(
        "auto/leaderboard.py",
        STACK,
        (
            "optimism turned around",
            'table["error"] - table["seen"]',
            'table["seen"] - table["error"]',
        ),
        ("verdicts turned around", '"worse" if ends.lower > 0', '"worse" if ends.lower < 0'),
        ("scores are errors", "mean = -np.average(", "mean = np.average("),
        ("a choice is called a stack", 'if combine == "best":', 'if combine == "none":'),
    ),
    *mutants_of(
        "auto/judging.py",
        STACK,
        (
            "trivial predictions do not weigh rows",
            "np.arange(len(parts.part)), parts.share)",
            "np.arange(len(parts.part)), 1 + 0 * parts.share)",
        ),
    ),
    *mutants_of(
        "auto/members.py",
        STACK,
        (
            "scores are learned but not used",
            "return rows if scores is None else scores(rows)",
            "return rows",
        ),
        (
            "rows of a group stay when one leaves",
            "return found.held_out(parts.folds).held_out",
            "return found.held_out(None).held_out",
        ),
    ),
    *mutants_of(
        "auto/other_member.py",
        STACK,
        ("probabilities as outputs", "outputs = 2 * share - 1", "outputs = share"),
    ),
    *mutants_of(
        "estimators/classifier.py",
        STACK,
        ("noise moves probabilities", "self.calibrator_.trust_ = LEAST_TRUST", "pass"),
    ),
    *mutants_of(
        "evaluation/unseen.py",
        UNSEEN,
        ("no allowance for shared rows", "(SHARED_TRAINING if unseen.folds > 1 else 1.0)", "1.0"),
        ("rounds count as further rows", "share * rows.weights", "rows.weights / share"),
        ("squares are not rooted", "float(mean if classes else np.sqrt(mean))", "float(mean)"),
    ),
    *mutants_of(
        "evaluation/row_intervals.py",
        UNSEEN,
        ("weights are left out", "np.average(wrong, weights=rows.weights)", "np.average(wrong)"),
    ),
    *mutants_of(
        "tables/normal_scores.py",
        ["tables/test_normal_scores.py"],
        ("ranks of the upper end", "np.cumsum(mass) - mass / 2", "np.cumsum(mass) - mass / 3"),
        (
            "weights of scores are left out",
            "np.bincount(codes.reshape(-1), weights)",
            "np.bincount(codes.reshape(-1))",
        ),
    ),
    *mutants_of(
        "insight/headline.py",
        RECORD,
        (
            "a useless model is praised",
            "if record.is_trivial:\n        return [_useless",
            "if False:\n        return [_useless",
        ),
        (
            "a balanced fit is told the plain error",
            "if not was_asked or value is None",
            "if True or value is None",
        ),
        (
            "errors per thousand",
            "round(100 * share), 100) if share >= 0.0095",
            "round(100 * share), 100) if share >= 0",
        ),
    ),
    *mutants_of(
        "insight/record_sentences.py",
        RECORD,
        (
            "flattery turned around",
            "flattery = error.value - error.seen",
            "flattery = error.seen - error.value",
        ),
        ("machines without weight are named", "if one.weight >= 0.005", "if one.weight >= -1"),
        ("a machine is compared with itself", "ALONE = 0.995", "ALONE = 1.0"),
    ),
    *mutants_of(
        "notices.py",
        ["test_notices.py"],
        (
            "the library's own line",
            'INSIDE = ("kernelwise", "sklearn", "joblib")',
            'INSIDE = ("kernelwise",)',
        ),
    ),
)
