"""The sections of a report on a fit, each from its record."""
