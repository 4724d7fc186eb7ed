"""Proofs by z3 of the arithmetic in docs/proofs: the negation of what is proved has no solution."""

from z3 import BoolRef, Solver, sat, unsat

_PATIENCE_MS = 20_000


def is_closed(*assumptions: BoolRef) -> bool:
    """Whether the assumptions have no common solution; fails where z3 cannot tell."""
    solver = Solver()
    solver.set("timeout", _PATIENCE_MS)
    solver.add(*assumptions)
    found = solver.check()
    assert found in (sat, unsat), found
    return found == unsat
