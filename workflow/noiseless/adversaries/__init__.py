"""Adversaries: what they see, and what they conclude from it."""
