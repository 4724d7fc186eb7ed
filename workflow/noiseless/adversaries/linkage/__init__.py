"""Adversaries of the linkage game, one module for each, found by name."""
