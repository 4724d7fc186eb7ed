"""Uncertain variables: what can be known without probabilities, computed exactly.

One convention for all papers: functions return the *number whose logarithm the paper takes*, as
an integer or a :class:`fractions.Fraction`, so that an inequality which is tight is tight here,
too.  A bound on ``log a`` is a bound on ``a``.  To read a paper's value from it:

=================  ==========================================  =======================
paper              quantity                                    is
=================  ==========================================  =======================
noiseless, nsht    H0, H0(X|Y), I0, L0, P(T), Priv, discrete   log2 of the number
noiseless, nsht    h0, h0(X|Y), I0, L0, P(T), Priv, intervals  natural log of it
noiseless          I* (Equation 9)                             log2 of the count
deterministic      h0, d0, L0, I* (Equation 9)                 natural log of it
deterministic      I* in the proofs of Section IV              the count itself
noiseless          budget epsilon (Definition 1)               log2 of a number of values
nsht               budget epsilon (Definition 3)               exp Priv - 1
nsht               budget epsilon (Definition 5), discrete     log2 of a number of values
=================  ==========================================  =======================

1. :mod:`.finite`: finite ranges, leakage, maximin information.
2. :mod:`.intervals`: unions of intervals and of boxes, and maps on an interval.
3. :mod:`.hypotheses`: a binary hypothesis seen through reports, tests and their performance.
4. :mod:`.capacity`: zero-error codes of small channels.
5. :mod:`.levels`: how many levels a quantizer may have.
6. :mod:`.policies`: the optimal policies of a given accuracy.
7. :mod:`.geometry`: how far off an adversary must be: radii of what a report leaves open.
8. :mod:`.stochastic`: adversaries with a prior.
9. :mod:`.enumeration`: all small universes, and the count of cases that break a statement.
10. :mod:`.laws`: joint distributions of records that depend on each other.
"""
