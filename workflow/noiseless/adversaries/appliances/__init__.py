"""Adversaries who tell which appliance is on, and their controls.

Each is a module of this folder with the class ``ADVERSARY``; nothing else lists it.
"""
