"""Modules between Snakemake and the package: only they know of rules, outputs and logs."""
