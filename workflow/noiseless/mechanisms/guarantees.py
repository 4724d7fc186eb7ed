"""Guarantees of a mechanism to one person: a range in bits, or differential privacy in nats.

Two types, because no number of one is more or less than a number of the other.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class BitsOfRange:
    """Noiseless privacy: logarithm of the number of outputs that one person can choose among.

    Attributes
    ----------
    bits : float
        Definition 1 of ``noiseless``.

    Examples
    --------
    >>> BitsOfRange(2.0).statistics
    {'epsilon_bits': 2.0}
    """

    bits: float

    @property
    def statistics(self) -> dict[str, float]:
        """Statistics of a table, by name."""
        return {"epsilon_bits": self.bits}


@dataclass(frozen=True)
class NatsOfDifferentialPrivacy:
    """Differential privacy: epsilon in nats, and delta (0 if pure).

    Attributes
    ----------
    epsilon_nats, delta : float

    Examples
    --------
    >>> NatsOfDifferentialPrivacy(0.5, 1e-6).statistics
    {'epsilon_nats': 0.5, 'delta': 1e-06}
    """

    epsilon_nats: float
    delta: float = 0.0

    @property
    def statistics(self) -> dict[str, float]:
        """Statistics of a table, by name; without delta if it is 0."""
        named = {"epsilon_nats": self.epsilon_nats}
        return named | ({"delta": self.delta} if self.delta else {})


Guarantee = BitsOfRange | NatsOfDifferentialPrivacy
