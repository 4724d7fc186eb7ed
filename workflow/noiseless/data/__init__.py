"""Datasets: downloads, readers of the original formats, checks, and synthetic samples."""
