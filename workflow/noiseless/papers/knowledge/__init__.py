"""Experiments of *Actual Knowledge Gain as Privacy Loss*, one module for each topic."""
