"""Adversaries of the membership game.

Each is a module of this folder with the class ``ADVERSARY``; nothing else lists it.
"""
