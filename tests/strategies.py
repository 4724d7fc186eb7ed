"""Strategies of Hypothesis that several tests share."""

from hypothesis import strategies as st

# Joint ranges of two uncertain variables with at most five values.
pairs = st.frozensets(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1)
