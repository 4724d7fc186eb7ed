"""Adversaries of the linkage game.

Each is a module of this folder with the class ``ADVERSARY``; nothing else lists it.
"""
