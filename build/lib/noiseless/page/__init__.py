"""The results as one page: charts that answer a question, the ledger, the errata, the run times."""
