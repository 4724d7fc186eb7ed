"""What statements of several sections say in the same way."""

from collections.abc import Iterable
from dataclasses import replace

from noiseless.statements import Finding, bounded, for_all
from noiseless.statements.findings import Fact


def find_some(facts: Iterable[Fact]) -> Finding:
    """State that some facts do not hold; ``found`` is their number, and the example the first."""
    broken = for_all(facts)
    return replace(bounded([broken.failed], at_least=1), example=broken.example)
