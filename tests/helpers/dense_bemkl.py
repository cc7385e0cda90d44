"""Bayesian efficient multiple kernel learning, written plainly: every covariance is formed.

The updates are those of Gönen (2012), section 4.1, and their like for several outputs, rows without
labels and quantities; the bound is a sum of textbook expectations.
"""

import numpy as np
from scipy.optimize import brentq
from scipy.special import digamma, gammaln
from scipy.stats import gamma, multivariate_normal, norm

FACTORS = ("precisions", "rows", "intermediate", "bias_precisions", "weight_precisions", "weights")


class DenseModel:
    def __init__(self, grams, priors, signs=None, margin=1.0, shares=None, y=None, spread=1.0):
        self.K, self.priors, self.signs, self.margin = grams, priors, signs, margin
        self.shares, self.y = shares, y
        self.P, self.N = grams.shape[:2]
        self.squares = sum(K @ K for K in grams)
        first = signs * (margin + np.sqrt(2 / np.pi)) if y is None else y
        self.L = L = first.shape[1]
        self.f, self.location = first.copy(), first.copy()
        self.a, self.cov_a = np.zeros((self.N, L)), np.stack([np.eye(self.N)] * L)
        self.G, self.cov_g = np.repeat(first.T[:, None], self.P, 1), np.stack([np.eye(self.P)] * L)
        self.b, self.e, self.cov_be = np.zeros(L), np.ones(self.P), np.eye(L + self.P)
        self.lam, self.gam, self.om = np.ones((self.N, L)), np.ones(L), np.ones(self.P)
        self.noise, self.spread, self.tilts = np.ones(L), np.full(L, spread), np.zeros(L)

    @property
    def factors(self):
        return (*FACTORS, *(("outputs",) if self.y is None else ("noises", "spreads")))

    def sweep(self, watch=None):
        for name in self.factors:
            getattr(self, f"update_{name}")()
            if watch is not None:
                watch.append(self.bound())

    def update_precisions(self):
        variances = np.stack([np.diag(cov) for cov in self.cov_a], 1)
        self.lam = self.priors.coef.mean(self.a**2 + variances)

    def update_rows(self):
        for o in range(self.L):
            precision = np.diag(self.lam[:, o]) + self.spread[o] * self.squares
            self.cov_a[o] = np.linalg.inv(precision)
            right = sum(self.K[m] @ self.G[o, m] for m in range(self.P))
            self.a[:, o] = self.spread[o] * self.cov_a[o] @ right

    def update_intermediate(self):
        L = self.L
        squares = np.outer(self.e, self.e) + self.cov_be[L:, L:]
        for o in range(L):
            self.cov_g[o] = np.linalg.inv(self.spread[o] * np.eye(self.P) + self.noise[o] * squares)
            with_bias = self.e * self.b[o] + self.cov_be[L:, o]
            pull = np.outer(self.e, self.f[:, o]) - with_bias[:, None]
            self.G[o] = self.cov_g[o] @ (self.spread[o] * self.of_kernels(o) + self.noise[o] * pull)

    def of_kernels(self, o):
        return np.stack([K @ self.a[:, o] for K in self.K])

    def update_bias_precisions(self):
        self.gam = self.priors.bias.mean(self.b**2 + np.diag(self.cov_be)[: self.L])

    def update_weight_precisions(self):
        self.om = self.priors.weights.mean(self.e**2 + np.diag(self.cov_be)[self.L :])

    def update_weights(self):
        L, N = self.L, self.N
        precision, right = np.diag(np.append(self.gam, self.om)), np.zeros(L + self.P)
        for o in range(L):
            design = np.zeros((L + self.P, N))
            design[o], design[L:] = 1, self.G[o]
            precision += self.noise[o] * design @ design.T
            precision[L:, L:] += self.noise[o] * N * self.cov_g[o]
            right += self.noise[o] * design @ self.f[:, o]
        self.cov_be = np.linalg.inv(precision)
        mean = self.cov_be @ right
        self.b, self.e = mean[:L], mean[L:]

    def means(self):
        return np.stack([self.G[o].T @ self.e + self.b[o] for o in range(self.L)], 1)

    def update_outputs(self):
        self.location = self.means()
        self.tilts = [self.balancing_tilt(o) for o in range(self.L)]
        for (i, o), m in np.ndenumerate(self.location):
            weights = self.sides(i, o)
            t = np.array([-m, m]) - self.margin
            Z = weights @ norm.cdf(t)
            self.f[i, o] = m + weights @ (np.array([-1, 1]) * norm.pdf(t)) / Z

    def balancing_tilt(self, o):
        """With it, rows without a label are as often positive as the shares say."""
        m = self.location[self.signs[:, o] == 0, o]
        minus, plus = norm.cdf(-m - self.margin), norm.cdf(m - self.margin)

        def excess(tilt):
            return np.mean(plus * np.exp(tilt) / (plus * np.exp(tilt) + minus)) - self.shares[o, 1]

        return brentq(excess, -50, 50, xtol=1e-13) if len(m) else 0.0

    def sides(self, i, o):
        """How much of each side of the margin is possible."""
        if self.signs[i, o] == 0:
            return np.array([1.0, np.exp(self.tilts[o])])
        return np.array([self.signs[i, o] < 0, self.signs[i, o] > 0], float)

    def update_noises(self):
        squares = [self.residual_squares(o) for o in range(self.L)]
        self.noise = self.priors.noise.mean(np.array(squares), self.N)

    def update_spreads(self):
        squares = [self.inner_squares(o) for o in range(self.L)]
        self.spread = self.priors.spread.mean(np.array(squares), self.P * self.N)

    def residual_squares(self, o):
        residuals = self.y[:, o] - self.means()[:, o]
        return residuals @ residuals + self.variance_of_means(o)

    def variance_of_means(self, o):
        """``sum_i Var(e'g_i + b_o)``, row by row."""
        own = [o, *range(self.L, self.L + self.P)]
        cov, mean = self.cov_be[np.ix_(own, own)], np.append(self.b[o], self.e)
        squares = cov + np.outer(mean, mean)
        rows = (np.append(1, g) for g in self.G[o].T)
        return sum(g @ cov @ g + np.sum(squares[1:, 1:] * self.cov_g[o]) for g in rows)

    def inner_squares(self, o):
        misfit = np.sum((self.G[o] - self.of_kernels(o)) ** 2)
        of_rows = np.trace(self.squares @ self.cov_a[o])
        return misfit + self.N * np.trace(self.cov_g[o]) + of_rows

    def bound(self):
        L, P, N, half = self.L, self.P, self.N, 0.5 * (1 + np.log(2 * np.pi))
        total = _precisions(self.priors.bias, self.gam, self.b**2 + np.diag(self.cov_be)[:L])
        total += _precisions(self.priors.weights, self.om, self.e**2 + np.diag(self.cov_be)[L:])
        total += 0.5 * np.linalg.slogdet(self.cov_be)[1] + (P + L) * half
        for o in range(L):
            squares = self.a[:, o] ** 2 + np.diag(self.cov_a[o])
            total += _precisions(self.priors.coef, self.lam[:, o], squares)
            total += 0.5 * np.linalg.slogdet(self.cov_a[o])[1] + N * half
            total += N / 2 * np.linalg.slogdet(self.cov_g[o])[1] + P * N * half
            total += self._bound_of_labels(o) if self.y is None else self._bound_of_quantities(o)
        return total

    def _bound_of_labels(self, o):
        N, P, spread = self.N, self.P, self.spread[o]
        total = P * N / 2 * np.log(spread / (2 * np.pi)) - spread / 2 * self.inner_squares(o)
        for i, m in enumerate(self.means()[:, o]):
            start = self.location[i, o]
            Z = self.sides(i, o) @ norm.cdf(np.array([-start, start]) - self.margin)
            total += np.log(Z) - (self.f[i, o] - start) * (start - m) - (start - m) ** 2 / 2
        unknown, shares = np.sum(self.signs[:, o] == 0), self.shares[o]
        total += unknown * (shares @ np.log(shares) - self.tilts[o] * shares[1])
        return total - self.variance_of_means(o) / 2

    def _bound_of_quantities(self, o):
        noise = _precisions(self.priors.noise, self.noise[o], self.residual_squares(o), self.N)
        spread = self.spread[o], self.inner_squares(o), self.P * self.N
        return noise + _precisions(self.priors.spread, *spread)

    def sampled_bound(self, draws, seed):
        """Monte Carlo mean of ``log p - log q`` with its standard error: labels, one output."""
        rng, values = np.random.default_rng(seed), np.empty(draws)
        cov_f = np.eye(self.P)
        for k in range(draws):
            log_p = log_q = 0.0
            drawn = {}
            for name, means, prior in (
                ("lam", self.lam[:, 0], self.priors.coef),
                ("gam", self.gam, self.priors.bias),
                ("om", self.om, self.priors.weights),
            ):
                shape = prior.shape + 0.5
                drawn[name] = rng.gamma(shape, means / shape)
                log_q += gamma.logpdf(drawn[name], shape, scale=means / shape).sum()
                log_p += gamma.logpdf(drawn[name], prior.shape, scale=prior.scale).sum()
            a = rng.multivariate_normal(self.a[:, 0], self.cov_a[0])
            be = rng.multivariate_normal(np.append(self.b, self.e), self.cov_be)
            G = self.G[0] + np.linalg.cholesky(self.cov_g[0]) @ rng.normal(size=(self.P, self.N))
            log_q += multivariate_normal.logpdf(a, self.a[:, 0], self.cov_a[0])
            log_q += multivariate_normal.logpdf(be, np.append(self.b, self.e), self.cov_be)
            log_q += multivariate_normal.logpdf((G - self.G[0]).T, cov=self.cov_g[0]).sum()
            log_p += norm.logpdf(a, 0, drawn["lam"] ** -0.5).sum()
            log_p += norm.logpdf(be[0], 0, drawn["gam"] ** -0.5).sum()
            log_p += norm.logpdf(be[1:], 0, drawn["om"] ** -0.5).sum()
            of_kernels = np.stack([K @ a for K in self.K])
            covariance = cov_f / self.spread[0]
            log_p += multivariate_normal.logpdf((G - of_kernels).T, cov=covariance).sum()
            sign, location = self.signs[:, 0], self.location[:, 0]
            mass = norm.cdf(sign * location - self.margin)
            f = location - sign * norm.ppf(rng.uniform(size=self.N) * mass)
            log_q += (norm.logpdf(f, location) - np.log(mass)).sum()
            log_p += norm.logpdf(f, G.T @ be[1:] + be[0]).sum()
            values[k] = log_p - log_q
        return values.mean(), values.std() / np.sqrt(draws)


def _precisions(prior, means, squares, count=1):
    """``E[log p(x | r) + log p(r) - log q(r)]`` of precisions with posterior means ``means``."""
    shape = prior.shape + count / 2
    scale = means / shape
    logs = digamma(shape) + np.log(scale)
    values = count / 2 * (logs - np.log(2 * np.pi)) - means * squares / 2
    values += (prior.shape - 1) * logs - means / prior.scale
    values -= gammaln(prior.shape) + prior.shape * np.log(prior.scale)
    values += shape + np.log(scale) + gammaln(shape) + (1 - shape) * digamma(shape)
    return np.sum(values)
