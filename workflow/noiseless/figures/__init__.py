"""Figures, drawn from tables alone: one module per paper, one style."""
