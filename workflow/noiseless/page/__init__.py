"""The results as one page: the ledger, the figures, the errata, the run times."""
