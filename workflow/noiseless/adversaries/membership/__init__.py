"""Adversaries of the membership game, who guess which of two homes is in an aggregate.

Each is a module of this folder with the class ``ADVERSARY``; nothing else lists it.
"""
