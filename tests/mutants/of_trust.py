"""Wrong probabilities, error bars and relevances."""

from mutant import mutants_of

CALIBRATION = ["estimators/test_calibration.py", "estimators/test_classifier.py"]
ERROR_BARS = ["estimators/test_error_bars.py", "estimators/test_regressor.py"]
FEATURES = ["estimators/test_told_features.py", "estimators/test_fold_fits.py"]

TRUST = (
    *mutants_of(
        "estimators/classifier.py",
        CALIBRATION,
        (
            "the claim is fitted to the labels",
            "self.calibrator_.fit(held_out[:, 0] if single else held_out, every)",
            "self.calibrator_.fit(reading.parts.targets.values[:, 0] if single else"
            " reading.parts.targets.values, every)",
        ),
        (
            "the trust is fitted to what the selection saw",
            "self.calibrator_.fit_trust(unseen[:, 0] if single else unseen, mass)",
            "self.calibrator_.fit_trust(held_out[:, 0] if single else held_out, mass)",
        ),
        (
            "class weights are ignored",
            "share = share * given.weights[parts.source] / given.counts[parts.source]",
            "share = share * 1.0",
        ),
        (
            "sample weights are ignored",
            "np.add.at(mass, (parts.part, reading.codes[parts.source]), share)",
            "np.add.at(mass, (parts.part, reading.codes[parts.source]), 1.0)",
        ),
        (
            "the honest error is the selection's",
            "self.honest_error_ = share_of_wrong(unseen, reading, copies.share)",
            "self.honest_error_ = share_of_wrong(held_out, reading, copies.share)",
        ),
    ),
    *mutants_of(
        "estimators/calibration.py",
        CALIBRATION,
        (
            "one slope for both signs",
            "np.where(outputs > 0, self.slopes_[1], self.slopes_[0])",
            "np.where(outputs > 0, self.slopes_[0], self.slopes_[0])",
        ),
        (
            "a temperature that was never fitted",
            "self.slope_ = best_slope(lambda slope: -(mass * log_softmax(slope * outputs, axis=1))"
            ".sum())",
            "self.slope_ = 1.0",
        ),
        ("no pseudo-counts", "np.append(against, 1.0),", "np.append(against, 0.0),"),
        (
            "chance is trusted",
            "max(best * (1 - (CHANCE / max(self.gain_, CHANCE)) ** 2), LEAST_TRUST)",
            "best",
        ),
        (
            "probabilities are drawn to one half",
            "scores = trust * scores + (1 - trust) * self.base_",
            "scores = trust * scores",
        ),
        ("the shares overrule predict", "scores[rows, winner] = scores.max(axis=1)", "pass"),
        ("a rare class has no order", "LEAST_TRUST = 0.002", "LEAST_TRUST = 0.0"),
        ("the trust is never fitted", "best = min((0.0, inside, 1.0), key=loss)", "best = 1.0"),
        (
            "ties are left open",
            "probabilities[rows[tied], winner[tied]] = np.nextafter(rival[tied], 1)",
            "pass",
        ),
    ),
    *mutants_of(
        "estimators/side_by_side.py",
        ["estimators/test_side_by_side.py"],
        ("nobody is stopped", "            if self.is_over:", "            if False:"),
        ("the follower is blamed", "isinstance(one, Stopped)):", "not isinstance(one, Stopped)):"),
        ("more than memory has room for", "fits, room)", "fits)"),
    ),
    *mutants_of(
        "estimators/fold_fits.py",
        [*FEATURES, *CALIBRATION],
        (
            "copies see the fold",
            "rest = without(reading, fold)",
            "rest = without(reading, fold[:0])",
        ),
        (
            "copies never choose again",
            "again = chooses_again(estimator.honest, len(reading.parts.X), number)",
            "again = False",
        ),
        (
            "large tables are judged where they were chosen",
            "return n_rows <= AUTO_ROWS or number == 0 if",
            "return n_rows <= AUTO_ROWS if",
        ),
        (
            "copies that kept the kernel judge as well",
            "return [fit for fit in fits if fit.chose_again] or fits",
            "return fits",
        ),
        (
            "every fold has a copy",
            "groups = [folds[first::MOST_COPIES] for first in range(min(len(folds), MOST_COPIES))]",
            "groups = [[fold] for fold in folds]",
        ),
    ),
    *mutants_of(
        "tables/rows.py",
        FEATURES,
        (
            "hidden squares stay with the whole",
            "targets=replace(targets, within=within),",
            "targets=replace(targets, within=self.targets.within),",
        ),
        (
            "a part of the rows counts as all",
            "n_observations=self.n_observations * share.sum() / self.share.sum(),",
            "n_observations=self.n_observations,",
        ),
        (
            "repeated rows are more evidence",
            "return float(cases.sum() ** 2 / (cases**2).sum())",
            "return self.n_observations",
        ),
        ("one fold is left in one piece", "folds = [folds[0][::2], folds[0][1::2]]", "pass"),
    ),
    *mutants_of(
        "estimators/scores.py",
        ERROR_BARS,
        (
            "the new row does not count",
            "needed = level * below[-1] * (rows + 1) / rows",
            "needed = level * below[-1]",
        ),
        (
            "the predicted class may be missing",
            "sets[np.arange(len(sets)), probabilities.argmax(axis=1)] = True",
            "pass",
        ),
        (
            "scores of labels are turned around",
            "return Scores(1 - probabilities[np.arange(len(codes)), codes][:, None], weights",
            "return Scores(probabilities[np.arange(len(codes)), codes][:, None], weights",
        ),
    ),
    *mutants_of(
        "estimators/regressor.py",
        ERROR_BARS,
        (
            "deviations are not stretched",
            "self._as_given(deviations * self._stretch)",
            "self._as_given(deviations)",
        ),
        (
            "the stretch is a mean of sizes",
            "self._stretch = np.sqrt(share @ relative**2)",
            "self._stretch = share @ np.abs(relative)",
        ),
        (
            "scores are not in deviations",
            "self._scores = Scores(np.abs(relative), copies.share, copies.n_cases)",
            "self._scores = Scores(np.abs(residuals), copies.share, copies.n_cases)",
        ),
        (
            "the machine judges its own deviations",
            "deviations[fit.parts] = fit.model._deviations_of(fit.rows)",
            "deviations[fit.parts] = self._deviations_of(fit.rows)",
        ),
    ),
    *mutants_of(
        "estimators/lssvm.py",
        ERROR_BARS,
        (
            "disagreement of equal rows is ignored",
            "misfit = misfit + targets.within / self.regularization_",
            "pass",
        ),
        (
            "noise is left out of deviations",
            "np.maximum(self.kernel_.diagonal(rows)[0] + spread, 0) + self.regularization_",
            "np.maximum(self.kernel_.diagonal(rows)[0] + spread, 0)",
        ),
        (
            "the factor of an earlier fit is kept",
            '("_system", "_weights_fit", "_spread")',
            '("_weights_fit", "_spread")',
        ),
    ),
    *mutants_of(
        "estimators/relevance.py",
        FEATURES,
        (
            "features are held at one half",
            "return float(np.average(column, weights=weights))",
            "return 0.5",
        ),
        (
            "the mean ignores weights",
            "return float(np.average(column, weights=weights))",
            "return float(np.average(column))",
        ),
        (
            "changes count by their size",
            "squares[r] = shares @ (change**2).sum(axis=1)",
            "squares[r] = shares @ np.abs(change).sum(axis=1)",
        ),
        (
            "changes are not weighted",
            "shown, shares = rows[chosen], weights[chosen] / weights[chosen].sum()",
            "shown, shares = rows[chosen], np.ones(len(chosen)) / len(chosen)",
        ),
        (
            "the commonest level ignores weights",
            "np.bincount(codes, weights).argmax()",
            "np.bincount(codes).argmax()",
        ),
        (
            "the jackknife is a plain variance",
            "variance = (k - 1) * np.var(without_folds, axis=0)",
            "variance = np.var(without_folds, axis=0) / (k - 1)",
        ),
        (
            "features are told by any gain",
            "return mean > ONE_SIDED * np.sqrt(variance / compared_cases)",
            "return mean > 0",
        ),
        (
            "features are told by the deviation of one row",
            "return mean > ONE_SIDED * np.sqrt(variance / compared_cases)",
            "return mean > ONE_SIDED * np.sqrt(variance)",
        ),
        (
            "the difference is turned around",
            "change[:, r] = losses_of(outputs_of(held)[place], y) - plain",
            "change[:, r] = plain - losses_of(outputs_of(held)[place], y)",
        ),
    ),
    *mutants_of(
        "estimators/base.py",
        FEATURES,
        (
            "trivial models tell features",
            "if copies.fits and not self._is_trivial:",
            "if copies.fits:",
        ),
    ),
    *mutants_of(
        "estimators/trivial.py",
        FEATURES,
        ("nobody is warned", "is_trivial = gain < limit", "is_trivial = False"),
        ("all are warned", "is_trivial = gain < limit", "is_trivial = True"),
        (
            "a negative trust gains as well",
            "trust = np.clip(weights @ (y * f) / square, 0, 1)",
            "trust = weights @ (y * f) / square",
        ),
        ("the limit is two-sided", "GAIN_BY_CHANCE = chi2.ppf(0.9, 1) / 2", "GAIN_BY_CHANCE = 3.0"),
    ),
    *mutants_of(
        "selections/second_look.py",
        ["selections/test_second_look.py"],
        ("columns never come back", "tuple(typical * weight for weight in WEIGHTS)", "()"),
        ("columns never go", "tried = (0.0,) if kept[r]", "tried = () if kept[r]"),
        ("the worst regularization judges", "return min(losses)", "return max(losses)"),
    ),
    *mutants_of(
        "evaluation/row_intervals.py",
        ["evaluation/test_row_intervals.py", "evaluation/test_honest_error.py"],
        ("rows count as independent", "SHARED_TRAINING = 1.7", "SHARED_TRAINING = 1.0"),
        (
            "no wrong row, no width",
            "center = (share + weight / 2) / (1 + weight)",
            "center = share",
        ),
        ("skewness is ignored", "if abs(skew) < 1e-6:", "if abs(skew) < 1e6:"),
        (
            "rows that agree leave no doubt",
            "counted = np.append(wrong - trivial, [1.0, -1.0])",
            "counted = wrong - trivial",
        ),
    ),
)
