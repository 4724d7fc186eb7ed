"""Mechanisms of the comparisons at the same error, one module for each, found by name."""
