"""The ledger of answers about people: what may still be answered, and what answers have cost."""
