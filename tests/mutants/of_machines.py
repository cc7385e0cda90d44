"""Wrong values of machines, criteria, kernels and the algebra below them."""

from mutant import mutants_of

MACHINES = (
    *mutants_of(
        "linalg.py",
        ["test_linalg.py"],
        (
            "ten thousand times the jitter",
            "MAX_RELATIVE_JITTER = 1e-7",
            "MAX_RELATIVE_JITTER = 1e-3",
        ),
        (
            "jitter begins far too large",
            "relative = 1e-14 if relative == 0",
            "relative = 1e-10 if relative == 0",
        ),
        ("the level stays in the determinant", " - float(np.log(self._level))", ""),
        (
            "the intercept forgets the row means",
            "y.mean(axis=0) - self._row_means @ coef",
            "y.mean(axis=0)",
        ),
        (
            "the constant stays in the inverse",
            "inverse -= 1 / (len(inverse) * self._level)",
            "inverse -= 0",
        ),
        (
            "the constant stays in the diagonal",
            "return lengths - 1 / (len(lengths) * self._level)",
            "return lengths",
        ),
        (
            "squares of tangents that are not centered",
            "np.ascontiguousarray(flat - flat.mean(axis=0)).T",
            "np.ascontiguousarray(flat).T",
        ),
    ),
    *mutants_of(
        "machines/regularized.py",
        ["machines/test_least_squares.py", "contracts/test_product_contract.py"],
        ("a factor strengthens the ridge", "ridge / factor", "ridge * factor"),
    ),
    *mutants_of(
        "machines/least_squares.py",
        ["machines/test_least_squares.py", "contracts/test_product_contract.py"],
        (
            "weights do not count",
            "self.regularization / targets.weights",
            "self.regularization / np.ones(len(gram))",
        ),
        (
            "folds are left out row by row",
            "held_out[S] = cho_solve(factor, whole.coef[S], check_finite=False)",
            "held_out[S] = whole.left_out[S]",
        ),
    ),
    *mutants_of(
        "solutions/linearized.py",
        ["machines/test_least_squares.py", "machines/test_linearized.py"],
        (
            "the tangent machine has no penalty",
            "ratio * np.eye(len(inner)) +",
            "1e-9 * np.eye(len(inner)) +",
        ),
        (
            "learning the kernel costs nothing",
            "blocks = blocks - reduced @",
            "blocks = blocks - 0 * reduced @",
        ),
        (
            "the curvature of the kernel has no say in its evidence",
            "self.tangents.shape[1] * machine + kernel)",
            "self.tangents.shape[1] * machine)",
        ),
        (
            "repeated rows have the evidence of one",
            "machine += np.log(weights).sum() - np.log(weights.sum() / n)",
            "machine += 0.0",
        ),
        (
            "a kernel that has no prior",
            "kernel -= len(self._lower) * np.log(self.penalty / lam)",
            "kernel -= 0.0",
        ),
    ),
    *mutants_of(
        "machines/refitting.py",
        ["machines/test_least_squares.py", "contracts"],
        ("held-out rows have no intercept", "@ fit.coef - fit.intercept", "@ fit.coef"),
    ),
    *mutants_of(
        "machines/support_vector/machine.py",
        ["machines/test_support_vector.py", "machines/test_support_vector_edges.py"],
        (
            "weights do not raise ceilings",
            "else self.C * weights",
            "else self.C * np.ones(len(gram))",
        ),
        (
            "weights do not lower the ridge",
            "1 / (self.C * weights) if squared",
            "1 / (self.C * np.ones(len(gram))) if squared",
        ),
        (
            "indefinite matrices are accepted",
            "diagonal.min() < -MAX_RELATIVE_NEGATIVE *",
            "diagonal.min() < -1e9 *",
        ),
    ),
    *mutants_of(
        "machines/support_vector/hinge.py",
        ["machines/test_support_vector.py", "machines/test_support_vector_edges.py"],
        (
            "dependent rows share at random",
            "undecided = ~point.free &",
            "undecided = False & point.free &",
        ),
    ),
    *mutants_of(
        "machines/support_vector/dual_problem.py",
        ["machines/test_support_vector.py", "machines/test_support_vector_edges.py"],
        (
            "a hard row never comes back",
            "| (point.hard & (slack < -tolerance))",
            "| (point.hard & (slack < -1e9))",
        ),
        (
            "the intercept is an end of its range",
            "float(residual[pinning].mean())",
            "float(residual[pinning].max())",
        ),
    ),
    *mutants_of(
        "machines/support_vector/squared_hinge.py",
        ["machines/test_exact_step.py"],
        ("steps are always full", "if slope(1.0) <= 0 or slope(0.0) >= 0:", "if True:"),
    ),
    *mutants_of(
        "machines/relevance_vector/normal.py",
        ["machines/test_relevance_vector.py"],
        (
            "a free bias costs no freedom",
            "float(weights.sum()) - free_bias, 1.0",
            "float(weights.sum()), 1.0",
        ),
        (
            "hidden squares are no noise",
            "(float(self.targets @ left) + self.within) / self.freedom",
            "float(self.targets @ left) / self.freedom",
        ),
        (
            "the evidence lacks its determinant",
            "evidence -= half_log_determinant(factor)",
            "evidence -= 0.0",
        ),
    ),
    *mutants_of(
        "machines/relevance_vector/logistic.py",
        ["machines/test_relevance_vector.py"],
        (
            "the prior does not pull on the mode",
            "slope = scaled.T @ residuals - prior * mode",
            "slope = scaled.T @ residuals",
        ),
    ),
    *mutants_of(
        "machines/relevance_vector/reestimation.py",
        ["machines/test_relevance_vector.py"],
        (
            "variances are not divided by gamma",
            "found = model.weights**2 / (gamma * model.posterior.noise)",
            "found = model.weights**2 / model.posterior.noise",
        ),
    ),
    *mutants_of(
        "solutions/relevance_vector.py",
        ["machines/test_relevance_vector.py", "estimators/test_rvm.py"],
        (
            "probabilities are moderated ten times as much",
            "1 + np.pi / 8 * variances",
            "1 + 10 * np.pi / 8 * variances",
        ),
    ),
    *mutants_of(
        "machines/posterior/sites.py",
        ["machines/test_posterior_moments.py"],
        (
            "the hinge's curvature lacks a term",
            "curvature = C * density - C * C * r * np.exp(log_above - log_rest)",
            "curvature = C * density",
        ),
        ("the squared hinge's mean loss is doubled", "-0.5 * r * second)", "-r * second)"),
    ),
    *mutants_of(
        "machines/posterior/propagation.py",
        ["machines/test_posterior_propagation.py", "machines/test_propagation_steps.py"],
        (
            "left-out means keep their own shift",
            "(means - variances * shifts) / left",
            "means / left",
        ),
        (
            "left-out variances are the posterior's",
            "left_out_variances = variances / left",
            "left_out_variances = variances * 1.0",
        ),
    ),
    *mutants_of(
        "criteria/evidence.py",
        ["contracts", "machines/test_least_squares.py"],
        (
            "the bias takes no freedom",
            "float(targets.weights.sum()) - 1\n",
            "float(targets.weights.sum())\n",
        ),
        (
            "weights are left out of the determinant",
            "log_determinant += np.log(targets.weights).sum()",
            "log_determinant += 0.0",
        ),
    ),
    *mutants_of(
        "criteria/leave_one_out.py",
        ["machines/test_least_squares.py", "estimators/test_selections_by_name.py"],
        (
            "no floor",
            "BayesianLeaveOneOut(0.01 * float(values @ values))",
            "BayesianLeaveOneOut(0.0)",
        ),
        (
            "hidden squares are left out",
            "float((weighted * residuals).sum() + targets.within.sum())",
            "float((weighted * residuals).sum())",
        ),
    ),
    *mutants_of(
        "criteria/gacv.py",
        ["criteria/test_support_vector_definitions.py"],
        (
            "rows far on the wrong side count once",
            "BELOW_MINUS_ONE, 2.0, 1.0",
            "BELOW_MINUS_ONE, 1.0, 1.0",
        ),
    ),
    *mutants_of(
        "criteria/radius_margin.py",
        ["criteria/test_support_vector_definitions.py"],
        ("the ball is found roughly", "RELATIVE_TOLERANCE = 1e-11", "RELATIVE_TOLERANCE = 1e-3"),
        ("the noise is not small", "RELATIVE_NOISE = 1e-12", "RELATIVE_NOISE = 1e-8"),
    ),
    *mutants_of(
        "criteria/span.py",
        ["criteria/test_support_vector_definitions.py", "criteria/test_support_vector_criteria.py"],
        ("the noise is not small", "RELATIVE_NOISE = 1e-10", "RELATIVE_NOISE = 1e-6"),
        (
            "first-order errors are taken for rounding",
            "WELL_DETERMINED = 1e4",
            "WELL_DETERMINED = 1e8",
        ),
        (
            "hard rows count like free ones",
            "limits = np.where(solution.hard, margins(solution), 1.0)",
            "limits = np.where(solution.hard, 1.0, 1.0)",
        ),
        ("a lone row has a span", "missing = own <= 1e-14", "missing = own <= -1.0"),
    ),
    *mutants_of(
        "criteria/likelihood.py",
        ["criteria/test_support_vector_definitions.py", "selections/test_sampled_evidence.py"],
        (
            "the null model knows both labels equally",
            "shares = np.average(targets.values > 0, axis=0, weights=targets.weights)",
            "shares = np.full(targets.values.shape[1], 0.5)",
        ),
    ),
    *mutants_of(
        "kernels/radial.py",
        ["kernels/test_kernels.py", "contracts/test_kernels_contract.py"],
        (
            "Matern 5/2 is another kernel",
            "(1 + r + r * r / 3) * np.exp(-r)",
            "(1 + r + r * r / 2) * np.exp(-r)",
        ),
        ("an almost constant kernel is rounded", "NEARLY_CONSTANT = 0.1", "NEARLY_CONSTANT = 0.0"),
    ),
    *mutants_of(
        "kernels/dissimilarities.py",
        ["kernels/test_kernels.py"],
        (
            "length scales are not halved",
            "return 0.5 / length_scale**2",
            "return 1.0 / length_scale**2",
        ),
        (
            "columns far from 0 lose their digits",
            "(A if B is None else B).mean(axis=0, dtype=float)",
            "np.zeros(A.shape[1])",
        ),
    ),
)
