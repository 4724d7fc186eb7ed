"""Combinatorial optimisation with vampire power, as older editions of NILMTK had it."""

from noiseless.adversaries.appliances.co import Combinatorial
from noiseless.adversaries.appliances.evidence import Guess, MeterReports


class CombinatorialVampire(Combinatorial):
    """Adds the smallest value that it sees to every sum of states."""

    name, order = "co_vampire", 5
    label = "combinatorial optimisation with vampire power (older NILMTK)"

    def states(self, reports: MeterReports) -> Guess:
        """To take the smallest value off the mains is to add it to every sum."""
        value_w = reports.asked.value_w
        return self.read(value_w - value_w.min())


ADVERSARY = CombinatorialVampire
