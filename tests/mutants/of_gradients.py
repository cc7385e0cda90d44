"""Wrong derivatives, in every criterion, machine and kernel: the contract of gradients kills them.

Values are as they were, so nothing but a comparison with differences can tell.
"""

from mutant import mutants_of

CONTRACT = ["contracts/test_product_contract.py::test_gradient"]

GRADIENTS = (
    *mutants_of(
        "criteria/alignment.py",
        CONTRACT,
        (
            "the size's slope has the wrong sign",
            "= np.empty(gram.shape), -value",
            "= np.empty(gram.shape), value",
        ),
    ),
    *mutants_of(
        "criteria/leave_one_out.py",
        CONTRACT,
        (
            "weights are left out of the slope",
            "return value, solution.gradient(left_out=weighted)",
            "return value, solution.gradient(left_out=residuals)",
        ),
        (
            "the penalty's slope forgets the floor",
            "len(values) * values / size,",
            "len(values) * values / (size - self.floor),",
        ),
    ),
    *mutants_of(
        "criteria/evidence.py",
        CONTRACT,
        (
            "the log determinant's slope has the wrong sign",
            "            log_determinant=0.5 * n_targets,",
            "            log_determinant=-0.5 * n_targets,",
        ),
        (
            "no slope in the ridge of repeated rows",
            "0.5 * n_targets * repeats / ridge - misfit",
            "-misfit",
        ),
    ),
    *mutants_of(
        "criteria/first_level.py",
        CONTRACT,
        (
            "the penalty's slope is doubled",
            "return value, strength * values,",
            "return value, 2 * strength * values,",
        ),
    ),
    *mutants_of(
        "solutions/held_out.py",
        CONTRACT,
        (
            "weights are left out of the slope",
            "2 * gradient.squared_error * self._weighted",
            "2 * gradient.squared_error * self.held_out",
        ),
    ),
    *mutants_of(
        "criteria/held_out_margins.py",
        CONTRACT,
        (
            "the sigmoid's slope forgets its steepness",
            "held_out=share * self.slope * counts",
            "held_out=share * counts",
        ),
    ),
    *mutants_of(
        "criteria/gacv.py",
        CONTRACT,
        (
            "the centered diagonal has no slope",
            "            gram_gradient -= centered + centered.T\n",
            "            gram_gradient -= 0 * centered\n",
        ),
        (
            "no slope in alpha",
            "coef=y * factors * diagonal[:, None] / n + through.coef",
            "coef=through.coef",
        ),
    ),
    *mutants_of(
        "criteria/laplace_evidence.py",
        CONTRACT,
        (
            "curvatures do not move with alpha",
            "0.5 * y[:, t] * slopes[:, t] * in_scales",
            "0 * in_scales",
        ),
        (
            "the smoothed step has no slope",
            "steps * exponents / slacks, weights",
            "0 * steps, weights",
        ),
        (
            "damped evidence does not move with C",
            "C_gradient -= float(in_floors.sum()) / n / solution.C**2",
            "C_gradient -= 0.0",
        ),
    ),
    *mutants_of(
        "criteria/likelihood.py",
        CONTRACT,
        (
            "the hinge's normalization has half its slope",
            "2 * float(expit(-2 * C))",
            "float(expit(-2 * C))",
        ),
    ),
    *mutants_of(
        "criteria/near_start.py",
        CONTRACT,
        (
            "a kernel's value counts like a machine's",
            "0.5 * slopes[:size] / values + in_values",
            "slopes[:size] / values + in_values",
        ),
    ),
    *mutants_of(
        "criteria/posterior_evidence.py",
        CONTRACT,
        ("the normalization does not move with C", "C=-outputs * slope)", "C=0 * slope)"),
    ),
    *mutants_of(
        "criteria/priced_evidence.py",
        CONTRACT,
        ("the evidence's slope has the wrong sign", "evidence=-np.ones(", "evidence=np.ones("),
    ),
    *mutants_of(
        "criteria/radius_margin.py",
        CONTRACT,
        ("the radius does not move with C", "C=-alpha / n * spread * ridge / solution.C", "C=0.0"),
        (
            "the center's outer product is missing",
            "(np.diag(beta) - np.outer(beta, beta))",
            "np.diag(beta)",
        ),
    ),
    *mutants_of(
        "criteria/span.py",
        CONTRACT,
        (
            "the room does not move with C",
            "in_C = float(in_room @ room_C_slopes[column])",
            "in_C = 0.0",
        ),
        (
            "penalties do not move with alpha",
            "in_excess * finite + in_room * room_slopes[column]",
            "in_excess * finite",
        ),
    ),
    *mutants_of(
        "solutions/least_squares.py",
        CONTRACT,
        (
            "no slope in the diagonal",
            "in_diagonal = _sum(in_diagonal, -(slopes * self.left_out).sum(axis=1))",
            "in_diagonal = _sum(in_diagonal, 0 * self.diagonal)",
        ),
        (
            "the way back from the intercept is lost",
            "left = left + np.outer(self.system.intercept_weights, gradient.intercept)",
            "left = left + 0.0",
        ),
        (
            "the way back from coefficients has the wrong sign",
            "add_symmetric_product(gram_gradient, -left, self.coef)",
            "add_symmetric_product(gram_gradient, left, self.coef)",
        ),
    ),
    *mutants_of(
        "machines/least_squares.py",
        CONTRACT,
        (
            "one term of the folds' way back is lost",
            "np.hstack([-sum(left[1:], left[0]), *left])",
            "np.hstack([0 * left[0], *left])",
        ),
    ),
    *mutants_of(
        "machines/refitting.py",
        CONTRACT,
        (
            "the intercept has no way back",
            "intercept=outputs_gradient.sum(axis=0)",
            "intercept=0 * outputs_gradient.sum(axis=0)",
        ),
    ),
    *mutants_of(
        "machines/no_machine.py",
        ["machines/test_no_machine.py"],
        ("half of the centering has no way back", "sums - sums.sum() * share", "0 * sums"),
    ),
    *mutants_of(
        "machines/support_vector/way_back.py",
        CONTRACT,
        (
            "hard rows do not scale with C",
            "slope = np.where(point.hard, point.coef, 0.0) / self.C",
            "slope = 0 * point.coef",
        ),
        (
            "the balance has no multiplier",
            "(coef_gradient - self.gram @ v - total) @ slope",
            "(coef_gradient - self.gram @ v) @ slope",
        ),
    ),
    *mutants_of(
        "solutions/support_vector.py",
        CONTRACT,
        ("outputs move half as much with the Gram matrix", "across = 0.5 * g", "across = 0.25 * g"),
    ),
    *mutants_of(
        "machines/posterior/propagated.py",
        CONTRACT,
        (
            "weights are left out of the slope in C",
            "slope * float(weights @ one.moments.C_slope)",
            "slope * float(one.moments.C_slope.sum())",
        ),
    ),
    *mutants_of(
        "machines/relevance_vector/logistic.py",
        CONTRACT,
        ("the determinant does not move with the mode", "np.outer(g, u + z)", "np.outer(g, u)"),
    ),
    *mutants_of(
        "kernels/radial.py",
        CONTRACT,
        (
            "the slope of Matern 3/2 is two thirds",
            "return -3 * np.exp(-np.sqrt(6 * s))",
            "return -2 * np.exp(-np.sqrt(6 * s))",
        ),
        (
            "the shape's slope lacks a term",
            "value * (ratio / (1 + ratio) - np.log1p(ratio))",
            "-value * np.log1p(ratio)",
        ),
    ),
    *mutants_of(
        "kernels/dissimilarities.py",
        CONTRACT,
        (
            "the way back of squares lacks their mixed term",
            "- 2 * a * moments[..., :d] + moments",
            "+ moments",
        ),
        (
            "the way back of overlaps has the wrong sign",
            "M.sum(axis=1, dtype=float)[:, None] - np.add.reduceat",
            "M.sum(axis=1, dtype=float)[:, None] + np.add.reduceat",
        ),
    ),
    *mutants_of(
        "kernels/inner_product.py",
        CONTRACT,
        (
            "the polynomial's slope lacks its degree",
            "M * (self.degree * inner ** (self.degree - 1))",
            "M * inner ** (self.degree - 1)",
        ),
    ),
    *mutants_of(
        "kernels/inner_product.py",
        ["contracts/test_kernels_contract.py::test_diagonal"],
        ("codes are squared", "squares[:, list(self.categorical)] = 1.0", "pass"),
    ),
    *mutants_of(
        "kernels/inner_product.py",
        ["contracts/test_kernels_contract.py::test_pullback"],
        (
            "a column has the slope of its first level",
            "np.add.reduceat(columns, first, axis=1)",
            "columns[:, first]",
        ),
    ),
    *mutants_of(
        "kernels/composite.py",
        CONTRACT,
        (
            "a product's factors do not see the later ones",
            "for gram in grams[:m] + grams[m + 1 :]:",
            "for gram in grams[:m]:",
        ),
        ("normalizing has half its slope", "- 0.5 * (own + across)", "- 0.5 * own"),
    ),
    *mutants_of(
        "parameters.py",
        CONTRACT,
        (
            "logarithms have the slopes of the values",
            "return values_gradient * self.values",
            "return values_gradient",
        ),
    ),
    *mutants_of(
        "objective.py",
        CONTRACT,
        (
            "the kernel's penalty has no slope",
            "kernel_gradient + kernel.theta_gradient(in_values)",
            "kernel_gradient",
        ),
    ),
)
