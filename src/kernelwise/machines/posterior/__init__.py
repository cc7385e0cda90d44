"""The posterior of a support vector machine: by expectation propagation, and by sampling."""
