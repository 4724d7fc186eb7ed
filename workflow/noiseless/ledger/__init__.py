"""Ledger of every published claim, with a verdict on each.

- ``claims``      reads and checks the claims files, ``papers/<paper>/claims.yaml``
- ``judge``       compares claims with tables; one row and one verdict per claim
- ``intervals``   widens intervals that must hold together
- ``statements``  verdicts on statements, from those on the claims that are their readings
- ``robustness``  verdicts under other seeds, on halves of the homes, and by reading
- ``errata``      commands and table rows that show that a claim does not hold as printed
- ``reference``   the results that are published, and how a run compares with them
- ``files``       ledgers as files: one per paper, and all of them joined

A paper's numbers and their tolerances stand in the claims files, never in code.
"""
