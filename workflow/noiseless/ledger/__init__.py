"""Ledger of every published statement, with a verdict on each.

- ``rows``        verdicts in words, one row for each reading or part of a statement
- ``statements``  verdicts on statements, from those on the rows that are their readings
- ``robustness``  verdicts under other seeds, on halves of the homes, and by reading
- ``errata``      commands and functions that show that words do not hold as printed
- ``printed``     the printed numbers that figures draw
- ``reference``   the results that are published, and how a run compares with them
- ``files``       ledgers as files: one per paper, and all of them joined

A paper's numbers and their tolerances stand beside its statements (:mod:`noiseless.statements`).
"""
