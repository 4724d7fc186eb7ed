"""Adversaries of the appliance game, who guess which appliances are on, and their controls.

Each is a module of this folder with the class ``ADVERSARY``; nothing else lists it.
"""
