"""Wrong searches and selections."""

from mutant import mutants_of

CHOICES = (
    *mutants_of(
        "searchers/quasi_newton.py",
        ["searchers/test_no_room.py"],
        ("limits without room are searched", "if no_room(limits):", "if not len(start):"),
    ),
    *mutants_of(
        "selections/minimize.py",
        ["selections/test_limits.py", "selections/test_selections.py"],
        (
            "a start beyond the limits has no room",
            "start = np.clip(objective.point[size:], *limits[size:].T)",
            "start = objective.point[size:]",
        ),
        (
            "least squares warns of its ends",
            "misleading = problem.machine.limits_mislead",
            "misleading = True",
        ),
    ),
    *mutants_of(
        "searchers/base.py",
        ["searchers"],
        (
            "times are those of the clock",
            "self.trace.seconds.append(time.perf_counter() - self.start)",
            "self.trace.seconds.append(time.perf_counter())",
        ),
        (
            "failures look like good points",
            "value = max(seen) + abs(max(seen)) + 1.0 if seen else 1e300",
            "value = min(seen) - 1.0 if seen else 1e300",
        ),
        (
            "a second search begins at time 0",
            "[after + second for second in other.seconds]",
            "[second for second in other.seconds]",
        ),
    ),
    *mutants_of(
        "searchers/rprop.py",
        ["searchers"],
        (
            "no step is taken back",
            "taken_back = -moves if value > last_value else",
            "taken_back = -moves if False else",
        ),
        (
            "every step is taken back",
            "taken_back = -moves if value > last_value else",
            "taken_back = -moves if True else",
        ),
        (
            "steps never shrink",
            "steps[agreement < 0] *= self.shrink",
            "steps[agreement < 0] *= 1.0",
        ),
        ("steps never grow", "steps[agreement > 0] *= self.grow", "steps[agreement > 0] *= 1.0"),
    ),
    *mutants_of(
        "searchers/quasi_newton.py",
        ["searchers"],
        (
            "the tolerance is far too large",
            '"ftol": self.tolerance *',
            '"ftol": 1e6 * self.tolerance *',
        ),
        ("limits do not bind", "bounds=limits,", "bounds=None,"),
    ),
    *mutants_of(
        "searchers/gauss_newton.py",
        ["searchers"],
        ("steps that lose are kept", "if ratio > 1e-3:", "if True:"),
        ("damping never grows", "if ratio > 0.25 else 5.0", "if ratio > 0.25 else 1.0"),
    ),
    *mutants_of(
        "selections/first_level.py",
        ["selections/test_first_part.py"],
        (
            "the slopes forget how coefficients change",
            'ridge**2 * np.einsum("nt,ntp->p", change, tangents) - pull',
            "0.0 * change.sum() - pull",
        ),
        (
            "the slopes point backward",
            "[-in_ridge, -penalty * values]",
            "[in_ridge, penalty * values]",
        ),
    ),
    *mutants_of(
        "searchers/quadratic_belief.py",
        ["selections/test_first_part.py", "searchers"],
        ("losses are sought", "hoped = gains + spreads", "hoped = spreads - gains"),
        ("known points are tried again", "(apart > 0.2 * radius)", "(apart >= 0)"),
    ),
    *mutants_of(
        "searchers/quadratic_step.py",
        ["searchers/test_quadratic_step.py"],
        ("a step that stopped is never set free", "if not (inward > 0).any():", "if True:"),
        (
            "steps that stopped do not pull at the others",
            "gradient[free] + curvature[np.ix_(free, fixed)] @ step[fixed]",
            "gradient[free]",
        ),
        (
            "a clipped Newton step",
            "            if (step[free] != wanted).any():",
            "            if 0:",
        ),
    ),
    *mutants_of(
        "searchers/secant.py",
        ["searchers/test_searchers.py"],
        (
            "secants teach nothing",
            "return curvature + np.outer(missing, missing) / along",
            "return curvature",
        ),
        ("the region never grows", "radius *= GROW", "pass"),
        ("steps that lose are kept", "if ratio > 1e-3:", "if True:"),
        (
            "a hole ends the search",
            "return met.followed_by(QuasiNewton()(function, point, limits))",
            "return met",
        ),
    ),
    *mutants_of(
        "searchers/by_values.py",
        ["searchers"],
        ("an early end is called convergence", "if result.status == 0:", "if True:"),
        (
            "the trust region ends large",
            '"final_tr_radius": self.tolerance',
            '"final_tr_radius": 0.5 * self.first_radius',
        ),
    ),
    *mutants_of(
        "searchers/multistart.py",
        ["searchers"],
        (
            "the first search counts, not the best",
            "key=lambda k: traces[k].lowest)",
            "key=lambda k: k)",
        ),
        ("all searches begin at time 0", "            offset + second\n", "            second\n"),
    ),
    *mutants_of(
        "selections/minimize.py",
        ["selections/test_selections.py", "selections/test_support_vector_selection.py"],
        (
            "the room of the regularization is its start",
            "np.log(self.room) * np.array([-1, 1])",
            "0 * np.array([-1, 1])",
        ),
        (
            "the preference ignores the criterion's size",
            "strength = self.near * abs(objective.value(point))",
            "strength = self.near",
        ),
        (
            "a folded criterion sees fitted rows",
            "judged = Folded(machine, problem.folds) if self.is_folded",
            "judged = Folded(machine, [np.arange(len(problem.X))]) if False",
        ),
    ),
    *mutants_of(
        "estimators/lssvm.py",
        ["estimators/test_selections_by_name.py"],
        (
            "evidence cannot move the regularization",
            "MinimizeCriterion(Evidence(), room=10.0)",
            "MinimizeCriterion(Evidence(), room=1.0)",
        ),
        (
            "loo-bayes is plain leave-one-out",
            "MinimizeCriterion(BayesianLeaveOneOut(), room=3.0)",
            "MinimizeCriterion(LeaveOneOut(), room=3.0)",
        ),
        (
            "cv is leave-one-out",
            "MinimizeCriterion(HeldOutSquares())",
            "MinimizeCriterion(LeaveOneOut())",
        ),
    ),
    *mutants_of(
        "estimators/svm.py",
        ["estimators/test_selections_by_name.py"],
        ("ten times the preference for equal scales", "NEAR_START = 0.01", "NEAR_START = 0.1"),
        ("no preference for equal scales", "NEAR_START = 0.01", "NEAR_START = 0.0"),
    ),
    *mutants_of(
        "estimators/svm.py",
        ["estimators/test_svm_posterior.py::test_class_weights_do_not_choose_the_kernel"],
        (
            "class weights choose the kernel",
            "steered = self.class_weight is not None and judged",
            "steered = False",
        ),
    ),
    *mutants_of(
        "selections/starts.py",
        ["selections/test_tied_before.py"],
        ("a tied search done before is done again", "if problem.tied is None:", "if True:"),
        (
            "the regularization of a tied search done before is forgotten",
            "problem.machine.at_ridge(ridge)\n    return kernel, machine, problem",
            "problem.machine\n    return kernel, machine, problem",
        ),
        (
            "the worst tied kernel is taken",
            "key=lambda k: found[k].squares)",
            "key=lambda k: -found[k].squares)",
        ),
    ),
    *mutants_of(
        "selections/first_level.py",
        ["selections/test_selections.py"],
        (
            "inactive parameters count in the tangent machine",
            "active = self.kernel.values > 0",
            "active = self.kernel.values >= 0",
        ),
        ("evidence has no say", "        if self.by_evidence:", "        if False:"),
        (
            "inner problems are left unfinished",
            "TOLERANCE, LAST_TOLERANCE = 1e-5, 1e-8",
            "TOLERANCE, LAST_TOLERANCE = 1e-5, 1e-2",
        ),
        (
            "folds see the rows they hold out",
            "T = np.setdiff1d(np.arange(len(X)), S)",
            "T = np.arange(len(X))",
        ),
        (
            "the kernel has no penalty in its curvature",
            "curvature = penalty * np.eye(len(values))",
            "curvature = 1e-9 * np.eye(len(values))",
        ),
    ),
    *mutants_of(
        "selections/alignment.py",
        ["selections/test_alignment_filter.py", "selections/test_alignment_selection.py"],
        (
            "columns are filtered by the root of the threshold",
            "weak = effects < threshold**2 * effects.max()",
            "weak = effects < threshold * effects.max()",
        ),
        (
            "the default filters thirty times as much",
            "threshold: float = 1e-3,",
            "threshold: float = 3e-2,",
        ),
        (
            "nothing is filtered",
            "weak = effects < threshold**2 * effects.max()",
            "weak = effects < 0",
        ),
        ("a class counts by its rows", "np.sqrt(np.maximum(weights @ shares, 1e-300))", "1.0"),
        (
            "several quantities are not projected",
            "(directions / roots)[:, sizes >",
            "(directions * sizes / roots)[:, sizes >",
        ),
    ),
    *mutants_of(
        "selections/limits.py",
        ["selections/test_limits.py"],
        ("every end is warned of", "back > here + NOTABLE_LOSS * abs(here)", "back > -np.inf"),
        ("no end is warned of", "    if choice.at_limits:\n", "    if False:\n"),
        ("switched-off scales are warned of", "    low[:size] = False\n", ""),
        (
            "a mere trifle is warned of",
            "AT_LIMIT, NOTABLE_LOSS = 1e-3, 1e-3",
            "AT_LIMIT, NOTABLE_LOSS = 1e-3, -1.0",
        ),
    ),
    *mutants_of(
        "selections/starts.py",
        ["selections/test_scan.py", "selections/test_support_vector_selection.py"],
        (
            "the scan takes the worst",
            "best = min(best, (criterion(found.solution)[0], scale, ridge))",
            "best = (criterion(found.solution)[0], scale, ridge)",
        ),
        (
            "tied parameters leave their limits",
            "[room[:, 0].max(), room[:, 1].min()]",
            "[room[:, 0].min(), room[:, 1].max()]",
        ),
        (
            "the regularizations tried are not compared",
            "best = min(found, key=lambda pair: pair[0])[1]\n        tried",
            "best = found[-1][1]\n        tried",
        ),
    ),
    *mutants_of(
        "selections/null_model.py",
        ["selections/test_sampled_evidence.py"],
        (
            "weak models are not searched again",
            "AS_GOOD_AS_NOTHING, WEAK = 1e-3, 0.02",
            "AS_GOOD_AS_NOTHING, WEAK = 1e-3, 1e-3",
        ),
    ),
    *mutants_of(
        "selections/optima.py",
        ["selections/test_support_vector_selection.py"],
        (
            "false optima are preferred",
            "(bool(choice.at_limits), choice.criterion)",
            "choice.criterion",
        ),
        (
            "disagreement does not weigh rows",
            "classes[0] != classes[1], weights=weights",
            "classes[0] != classes[1]",
        ),
    ),
    *mutants_of(
        "estimators/stacking.py",
        ["estimators/test_stacking.py"],
        ("rows do not weigh", "residuals * np.sqrt(weights)[:, None]", "residuals * 1.0"),
        ("the weights of squared rows", "np.sqrt(weights)[:, None]", "weights[:, None]"),
        (
            "equal machines do not share",
            "np.sqrt(TIE_BREAK) * np.eye(machines)",
            "0 * np.eye(machines)",
        ),
        (
            "a hopeless machine is the unit",
            "max(squares.min(), np.finfo(float).eps * squares.mean())",
            "squares.max()",
        ),
        (
            "no pseudo-counts",
            "mass @ ((np.diag(total) + 1) / (total + len(total))[:, None])",
            "mass @ np.diag(1 + 0 * total)",
        ),
        ("classes count the same", "mass = share * weights[:, None]", "mass = share"),
        ("offsets in other units", "np.clip(offsets / total", "np.clip(offsets"),
        ("slopes in other units", "point[:machines] / scale", "point[:machines] * scale"),
        ("the gradient forgets the labels", "chance * total - self.mass", "chance * total"),
        (
            "scores are not centered",
            "centered = self.design - (self.design * chance).sum(axis=2, keepdims=True)",
            "centered = self.design",
        ),
        (
            "offsets are kept",
            "np.append(signed, rest) - point",
            "np.append(signed, point[f]) - point",
        ),
        (
            "offsets do not move with the slopes",
            "wanted[f] - curvature[f, s] @ signed",
            "wanted[f]",
        ),
        ("steps are not halved", "length /= 2", "break"),
    ),
)
