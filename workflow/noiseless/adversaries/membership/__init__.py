"""Adversaries of the membership game, one module for each, found by name."""
