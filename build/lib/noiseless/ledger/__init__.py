"""The ledger: every published claim, and a verdict on it.

- ``claims/``   one YAML file per paper: what it prints, and which rows of which table answer it
- ``claims``    reads and checks those files
- ``judge``     compares claims with tables; one row and one verdict per claim
- ``page``      the ledger as one HTML page, and the files that a run leaves

A paper's numbers and their tolerances stand in the claims files, never in code.
"""
