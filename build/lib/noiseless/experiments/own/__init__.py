"""Experiments of data of the user's, one module for each topic."""
