"""Experiments of *Statistical Privacy Frameworks*, one module for each topic."""
