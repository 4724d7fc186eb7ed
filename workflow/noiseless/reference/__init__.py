"""The verdicts of the reference run, as data of the package.

``verdicts.csv`` has one row for each claim: ``id``, ``paper``, ``locator``, ``statement``,
``verdict``, ``data`` (what the verdict rests on) and ``category`` (``paper``, or ``own`` for a
statement of this project).  :mod:`noiseless.ledger.reference` writes it, with ``docs/reference``.
"""
