"""Figures of *Noiseless Privacy*, one module for each topic."""
