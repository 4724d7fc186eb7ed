"""Figures of *Deterministic Privacy-Preserving Policies*, one module for each topic."""
