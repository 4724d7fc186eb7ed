"""Noiseless: deterministic privacy mechanisms, their adversaries, and privacy accounting.

data -> mechanism -> adversary -> game -> table -> figure -> verdict -> page:

- ``datasets``     download, parse and validate the data; write look-alike samples
- ``mechanisms``   what a curator releases, and the budget it costs
- ``adversaries``  what somebody guesses from a release
- ``games``        how candidates are drawn, what an adversary observes, and who wins
- ``theory``       what can be known without probabilities, computed exactly
- ``accounting``   what answers have told about an object: realized privacy loss, filters, a ledger
- ``experiments``  ``<paper>/<topic>.py``: parameters in, tidy table out
- ``figures``      ``<paper>/<topic>.py``: tables in, figure out
- ``ledger``       the papers' claims, and the judge that compares them with the tables
- ``page``         the results as one HTML page
- ``labels``       what mechanisms, adversaries, policies and filters are called
- ``statistics``   estimates with intervals, and rows of tables
- ``plane``        the public box of trips, in metres
- ``plugins``      mechanisms and adversaries of the user's own

A table ``<paper>/<topic>...`` is made by the rule ``<paper>_<topic>...`` in ``rules/<paper>.smk``.
Nothing here knows of Snakemake but :mod:`noiseless.jobs`, which the scripts share.
"""

__version__ = "0.1.0"
