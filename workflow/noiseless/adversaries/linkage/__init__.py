"""Adversaries of the linkage game, who guess which person made a report.

Each is a module of this folder with the class ``ADVERSARY``; nothing else lists it.
"""
