"""Mechanisms: what a curator releases in place of values, independent of any adversary."""
