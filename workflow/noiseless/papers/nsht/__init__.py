"""Experiments of *Non-Stochastic Hypothesis Testing for Privacy*, one module for each topic."""
