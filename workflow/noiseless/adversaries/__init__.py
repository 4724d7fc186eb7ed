"""Adversaries: they infer something about people from a release.

An adversary does not know where data came from, nor a mechanism who attacks it.
"""
