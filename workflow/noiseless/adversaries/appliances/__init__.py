"""Adversaries who tell which appliance is on, and their controls, one module for each."""
