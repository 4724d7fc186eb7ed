"""The largest epsilon that keeps a bound of the F-score (``prrelation``, Table 1)."""
