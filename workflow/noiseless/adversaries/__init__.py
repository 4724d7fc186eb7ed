"""Adversaries: they infer something about people from a release.

Adversaries are independent of the origin of the data, and mechanisms of the adversaries.
"""
