"""Figures, ``<paper>/<topic>.py``: drawn from tables alone, in one style."""
