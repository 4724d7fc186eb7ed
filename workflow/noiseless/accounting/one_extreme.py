"""Accounts with groups of answers for one extreme of the likelihood (``knowledge``, Appendix C).

The filter of Section 6.1 "groups every 10 regressions to reduce computation (see Section C)".
Appendix C begins with "the extrema of P(x)", but its only formula, Equation 26, is about the
maximum.  :data:`GROUPED` lists the possible choices of grouped extremes; :class:`OneExtremeGrouped`
is the account with exactly one of them in groups.
"""

import math
from fractions import Fraction

from noiseless.accounting.queries import Query, convert_to_fraction
from noiseless.accounting.realized_loss import GroupedAccount, LossAccount, LossBounds
from noiseless.errors import ConfigError

BOTH, MAXIMUM, MINIMUM, NEITHER = "both", "maximum", "minimum", "none"
GROUPED = (BOTH, MAXIMUM, MINIMUM, NEITHER)


class OneExtremeGrouped:
    """Loss account that groups queries for one extreme of the likelihood only.

    With the ``maximum`` grouped the loss is bounded by ``sum over groups of log max P_group - log
    min P``, with the ``minimum`` grouped by ``log max P - sum over groups of log min P_group``.
    The bounds of the base accounts are of losses, not of extremes, but come with points of the
    domain: ``upper`` plus the log-likelihood of any point is at least the maximum, and that of any
    point minus ``upper`` is at most the minimum.  Neither is above the sum of all epsilons, because
    the bound with both extremes grouped is not.

    The account is based on two empty accounts, of all answers together and of the groups, which
    other accounts can share: each answer that is added here must also be added to them, before or
    after.
    """

    def __init__(self, ungrouped: LossAccount, grouped: GroupedAccount, extreme: str) -> None:
        if extreme not in (MAXIMUM, MINIMUM):
            raise ConfigError(f"`extreme` must be {MAXIMUM} or {MINIMUM}, got {extreme!r}.")
        if isinstance(ungrouped, GroupedAccount):
            raise ConfigError(
                "`ungrouped` must be an account without groups, got a GroupedAccount. Give the "
                "account of all answers together."
            )
        self._all = ungrouped
        self._groups = grouped
        self._extreme = extreme
        self._closed: list[tuple[float, float]] = []  # bounds of what each full group adds
        self._closed_sums = [0.0, 0.0]

    @property
    def base_accounts(self) -> tuple[LossAccount, GroupedAccount]:
        """Accounts on which this account is based: all answers together, and the groups."""
        return self._all, self._groups

    @property
    def worst_case_nats(self) -> Fraction:
        """Sum of the epsilons of the recorded queries, in nats."""
        return self._all.worst_case_nats

    def require(self, query: Query) -> None:
        """Refuse a query that the base accounts refuse."""
        self._all.require(query)

    def bound_loss(self) -> LossBounds:
        """Compute bounds of the realized loss (nats) with one extreme grouped."""
        return self._add_group_bounds(
            self._all.bound_loss(), self._groups.open.bound_loss(), self.worst_case_nats
        )

    def bound_loss_after(self, query: Query, output: int, limit: float = math.nan) -> LossBounds:
        """Compute bounds of the realized loss (nats) if ``query`` were answered by ``output``.

        The ``limit`` has no effect.
        """
        return self._add_group_bounds(
            self._all.bound_loss_after(query, output),
            self._groups.open.bound_loss_after(query, output),
            self.worst_case_nats + convert_to_fraction(query.epsilon_nats),
        )

    def add(self, query: Query, output: int) -> None:
        """Do nothing, because the base accounts record the output."""

    def _bound_group(self, bounds: LossBounds) -> tuple[float, float]:
        """Bound the log-maximum of a group, or minus its log-minimum."""
        most, least = bounds.log_likelihoods
        if self._extreme == MAXIMUM:
            return most, bounds.upper + least
        return -least, bounds.upper - most

    def _add_group_bounds(
        self, overall: LossBounds, group: LossBounds, spent: Fraction
    ) -> LossBounds:
        """Bound the total loss by that of closed groups, the open one, and the rest."""
        if len(self._closed) < len(self._groups.full):
            self._closed += map(self._bound_group, self._groups.full[len(self._closed) :])
            self._closed_sums = [math.fsum(ends) for ends in zip(*self._closed, strict=True)]
        closed = self._closed_sums
        most, least = overall.log_likelihoods
        lower, upper = self._bound_group(group)
        if self._extreme == MAXIMUM:
            rest = (-least, overall.upper - most)
        else:
            rest = (most, overall.upper + least)
        return LossBounds(
            lower=max(0.0, closed[0] + lower + rest[0]),
            upper=min(closed[1] + upper + rest[1], math.nextafter(float(spent), math.inf)),
            most_likely=overall.most_likely,
            least_likely=overall.least_likely,
            nodes=overall.nodes + group.nodes,
            is_converged=overall.is_converged and group.is_converged,
        )
