"""Results page: the ledger, the figures, the errata and the run times."""
