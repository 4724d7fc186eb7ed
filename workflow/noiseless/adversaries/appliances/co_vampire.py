"""Combinatorial optimisation with vampire power, the edition of NILMTK's documentation on REDD.

Its page "Disaggregation and metrics" has house 1, days before 30 April 2011, the five appliances of
``noiseless``, one minute and ``vampire_power``.
"""

from noiseless.adversaries.appliances.co import Combinatorial
from noiseless.adversaries.inputs.appliances import Guess, MeterReports


class CombinatorialVampire(Combinatorial):
    """Combinatorial adversary that adds the smallest report to every sum of states."""

    name, order = "co_vampire", 5
    label = "combinatorial optimisation with vampire power (older NILMTK)"

    def states(self, reports: MeterReports) -> Guess:
        """Guess from the reports less the smallest one, which equals adding it to every sum."""
        value_w = reports.asked.value_w
        return self.guess_from_mains(value_w - value_w.min())


ADVERSARY = CombinatorialVampire
