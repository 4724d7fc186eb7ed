"""Figures of questions that no paper asks, one module for each topic."""
