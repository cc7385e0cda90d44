"""Small problems for relevance vector machines, and their evidence by dense brute force."""

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit
from scipy.stats import multivariate_normal

from kernelwise.kernels import Gaussian
from kernelwise.machines.relevance_vector.columns import CenteredColumns
from kernelwise.machines.relevance_vector.machine import LIKELIHOODS
from kernelwise.machines.relevance_vector.model import Problem


def draw(n=30, d=3, seed=0, labels=False):
    """Rows and a smooth, noisy target; or labels."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d))
    y = np.sin(1.5 * X[:, 0]) + 0.5 * X[:, 1] + 0.3 * random.normal(size=n)
    return X, np.where(y > 0, 1.0, -1.0) if labels else y


def problem_of(gram, y, likelihood, bias="free", weights=None, within=0.0):
    weights = np.ones(len(y)) if weights is None else weights
    kind = LIKELIHOODS[likelihood](y, weights, within, bias == "free")
    return Problem(CenteredColumns(gram, weights), kind, bias == "free")


def small_problem(likelihood, bias="free", n=40, width=1.5, seed=0):
    X, y = draw(n, labels=likelihood == "logistic", seed=seed)
    return problem_of(Gaussian(width)(X), y, likelihood, bias)


def dense_columns(problem):
    """All columns, with that of ones last: what `CenteredColumns` never builds."""
    gram = problem.columns.gram
    weights = problem.columns.weights
    centered = gram - np.average(gram, axis=0, weights=weights)
    return np.column_stack([centered, np.ones(len(gram))])


def normal_density(t, columns, variances, noise):
    """Log density of the targets; variances in units of the noise."""
    covariance = noise * (np.eye(len(t)) + (columns * variances) @ columns.T)
    return multivariate_normal.logpdf(t, np.zeros(len(t)), covariance)


def laplace_evidence(t, columns, variances):
    """Laplace's approximation, weights as they are: the mode by a general optimizer."""
    share = (1 + t) / 2

    def loss(w):
        f = columns @ w
        value = np.logaddexp(0, f).sum() - share @ f + 0.5 * (w**2 / variances).sum()
        return value, columns.T @ (expit(f) - share) + w / variances

    found = minimize(loss, np.zeros(len(variances)), jac=True, method="BFGS", tol=1e-12)
    p = expit(columns @ found.x)
    hessian = columns.T @ ((p * (1 - p))[:, None] * columns) + np.diag(1 / variances)
    _, log_determinant = np.linalg.slogdet(hessian * variances)
    return -loss(found.x)[0] - 0.5 * log_determinant
