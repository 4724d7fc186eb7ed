"""Noiseless: deterministic privacy mechanisms, their adversaries, and privacy accounting.

data -> mechanism -> adversary -> table -> figure -> verdict.  Each word is a folder here:

- ``datasets``     download, parse and validate the public data; write look-alike samples
- ``mechanisms``   what a curator releases, and the budget it costs
- ``experiments``  one module per experiment: parameters in, tidy table out
- ``figures``      one module per paper: tables in, figure out
- ``ledger``       the papers' claims, and the judge that compares them with the tables

Nothing here knows of Snakemake but :mod:`noiseless.jobs`, which the scripts share.
"""

__version__ = "0.1.0"
