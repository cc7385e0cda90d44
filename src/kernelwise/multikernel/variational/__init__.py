"""Bayesian efficient multiple kernel learning by variational sweeps."""
