"""Wrong sums, solutions and ways back of machines on landmarks."""

from mutant import mutants_of

TESTS = ["scale/test_landmarks.py", "contracts/test_blocked_contract.py"]
CRITERIA = ["scale/test_landmark_criteria.py"]
FIRST_LEVEL = ["scale/test_landmark_first_level.py"]
SELECTIONS = ["selections/test_growing_criteria.py"]

LANDMARKS = (
    *mutants_of(
        "solutions/row_statistics.py",
        TESTS,
        ("weights count twice", "root = np.sqrt(weights)", "root = weights"),
        ("hidden squares are forgotten", ".sum(axis=0) + targets.within", ".sum(axis=0)"),
        (
            "products are not centered",
            "self.products - np.outer(self.kernel, self.kernel / self.weight)",
            "1.0 * self.products",
        ),
        ("half of the products", "dgemm(2.0, self.products", "dgemm(1.0, self.products"),
        ("rows keep their level", "beta=1.0", "beta=0.0"),
    ),
    *mutants_of(
        "solutions/nystrom.py",
        TESTS,
        ("the bias has no parameter", "return 1.0 + float(", "return float("),
        (
            "the freedom has no way back",
            "products += gradient.freedom * lam * squared",
            "products += 0.0",
        ),
        (
            "the jitter does not follow the kernel",
            "self.jitter * np.trace(in_gram)",
            "0.0 * np.trace(in_gram)",
        ),
        (
            "jitter does not follow the regularization",
            "in_regularization -= share * self._products_error",
            "in_regularization -= 0 * self._products_error",
        ),
        ("jitter does not follow the products", "+= share * DOUBLE", "+= 0 * DOUBLE"),
        ("rows keep their mean", "+ statistics.weight * shift**2", ""),
    ),
    *mutants_of(
        "solutions/nystrom.py",
        CRITERIA,
        (
            "the trace of landmarks has no way back",
            "products -= gradient.unexplained * identity",
            "products -= 0.0",
        ),
        (
            "the trace of landmarks is centered",
            "in_kernel -= 2 * gradient.unexplained * solved",
            "in_kernel -= 0.0",
        ),
        (
            "the determinant forgets the landmarks",
            "(lam * self.white_inverse - identity)",
            "(lam * self.white_inverse)",
        ),
        ("the mean has no way back", "(gradient.mean_kernel - centering)", "(-centering)"),
        ("the penalty stays in the error", "sum()) - penalty", "sum())"),
    ),
    *mutants_of(
        "solutions/nystrom_on_rows.py",
        CRITERIA,
        (
            "rows left out have no weight",
            "/ left).sum(axis=1) * self.targets.weights",
            "/ left).sum(axis=1)",
        ),
        ("the inverse has no way back", "in_inverse += scaled", "in_inverse += 0 * scaled"),
        ("rows that spread far are free", "in_rows[rows] += 2 * scales", "in_rows[rows] += scales"),
        (
            "the diagonal is not weighted",
            "found.diagonal * self.targets.weights",
            "found.diagonal * np.ones(len(in_rows))",
        ),
    ),
    *mutants_of(
        "solutions/nystrom_folds.py",
        CRITERIA,
        (
            "folds train themselves",
            "[total - own for own in gradients]",
            "[total for own in gradients]",
        ),
        ("folds have one mean", "- np.outer(apart, lifted)", ""),
        ("the level of a fold has no say", "2 * coef @ level", "0 * coef @ level"),
    ),
    *mutants_of(
        "solutions/tangent_sums.py",
        FIRST_LEVEL,
        ("tangents are not weighted", "weights * tangent for", "1.0 * tangent for"),
        (
            "tangents are not centered",
            "self.sums.squares - totals",
            "self.sums.squares - 0 * totals",
        ),
        ("landmarks learn nothing of it", "centered - white.T", "centered - 0 * white.T"),
        ("shared parameters count twice", "curvature - shared[kept]", "curvature"),
        ("targets have kernels of their own", "float(inner) / len(solved)", "float(inner)"),
    ),
    *mutants_of(
        "scale/blocked_first_level.py",
        FIRST_LEVEL,
        ("the norm has no slope", "gradient += own.pullback", "gradient += 0 * own.pullback"),
        (
            "unused columns are charged",
            "self.found.kernel.values > 0",
            "self.found.kernel.values >= 0",
        ),
    ),
    *mutants_of(
        "machines/nystrom.py",
        TESTS,
        ("rounding has no say", "MARGIN * max(errors)", "0 * max(errors)"),
        ("jitter grows", "min(max(missing, 0.0), most)", "max(missing, 0.0)"),
    ),
    *mutants_of(
        "machines/nystrom.py",
        CRITERIA,
        (
            "held-out rows have no way back",
            "in_rows[S] -= held_out_gradient[S] @ fit.coef.T",
            "pass",
        ),
        ("folds are trained on themselves", "whole.statistics - part", "whole.statistics"),
    ),
    *mutants_of(
        "criteria/evidence_bound.py",
        CRITERIA,
        (
            "the bias takes no freedom",
            "solution.statistics.weight - 1",
            "solution.statistics.weight",
        ),
        (
            "landmarks see all",
            "solution.log_determinant + solution.unexplained / ridge",
            "solution.log_determinant",
        ),
    ),
    *mutants_of(
        "criteria/generalized_cross_validation.py",
        TESTS,
        ("no parameter is charged", "left = 1 - solution.freedom / rows", "left = 1.0"),
        ("rows for weight", "freedom=2 * value / (left * rows)", "freedom=value / (left * rows)"),
    ),
    *mutants_of(
        "scale/row_blocks.py",
        TESTS,
        ("the order of sums", "part = waiting.pop()[1] + part", "part = part + waiting.pop()[1]"),
        ("rows between blocks", "slice(first, first + ROWS_IN_BLOCK)", "slice(first, first + 31)"),
    ),
    *mutants_of(
        "scale/landmarks.py",
        TESTS,
        ("the seed has no say", "+ np.uint64(seed) * FIRST", ""),
        ("classes have no say", "if codes is not None:", "if False:"),
    ),
    *mutants_of(
        "selections/landmark_stage.py",
        SELECTIONS,
        ("the training error may choose", "criterion.reads is not Penalized and ", ""),
        (
            "evidence is not asked along the path",
            "return criterion if of_sums and not of_rows else",
            "return",
        ),
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
)
