"""Every mechanism at the same error on taxi trips: to whom a report is linked.

The data's user wants the places where trips begin and end; the error is the mean distance, in
metres, of a reported place from the true one.  Places lie on a plane: degrees of the public box
times the length of a degree in its middle.

Uniqueness cannot compare mechanisms, because every noisy report is unique and yet names nobody.
The adversary here knows the true trips of N people and sees the report of one of them.
The adversary ``likelihood`` names the person under whose trip the report is most likely, and tosses
a fair coin among equals:

- quantizer: any person whose start and end lie in the reported cells;
- planar Laplace: the smallest sum of the distances of start and end;
- Gaussian: the smallest sum of their squares; Laplace, on each coordinate: of their absolute
  values along both axes;
- one bit of each coordinate: the largest product of the four probabilities.

1. :class:`TripTask` is the task: a mechanism's error, its reports, and how often each adversary
   names the right person.  :class:`PeopleTask` is the same task on numbers about people, each as a
   share of its public range.
2. :func:`build_comparison_tables` draws N trips for each report, and plays against every mechanism.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import pandas as pd
from tqdm import tqdm

from noiseless.adversaries.inputs.linkage import LinkageTraining, LinkageView
from noiseless.adversaries.interface import Adversary
from noiseless.adversaries.registry import load_adversaries
from noiseless.arrays import Floats
from noiseless.data.plane import Plane, compute_lengths_m
from noiseless.games.comparison import (
    TOLERANCE,
    CalibratedMechanism,
    Statistics,
    estimate_gain,
    play_comparison,
)
from noiseless.games.linkage import (
    LIKELIHOOD,
    LINKAGE,
    CandidateSet,
    LinkageTally,
    ask_scores,
    draw_people,
)
from noiseless.mechanisms.interface import (
    CommonRandomNumbers,
    Domain,
    Mechanism,
    check_played_domain,
)
from noiseless.seeds import make_generator

_CALIBRATION_PLACES = 20_000
_MAX_BATCH_PEOPLE = 200_000


@dataclass(frozen=True)
class TripTask:
    """Task of the comparison: trips on a plane, and adversaries who know those of N people."""

    places_m: Floats  # start and end of each trip, shape (trips, 2, 2)
    domain: Domain  # the public box
    reports: int  # number of reports to be linked
    people: Sequence[int]  # numbers N
    seed: int
    adversaries: Sequence[type[Adversary]] | None = None  # None: all that are known

    error_unit = "m"
    counted = "trips"  # what a report is linked to, as tables name their number
    stream_key = ("comparison", "trips")

    @property
    def key_columns(self) -> dict[str, object]:
        """Key columns of the task: none, because there is one set of trips."""
        return {}

    @cached_property
    def typical_m(self) -> Floats:
        """Places (m) that are typical of those to be reported, shape (n, 2)."""
        places = self.places_m.reshape(-1, self.places_m.shape[-1])
        rng = make_generator(self.seed, *self.stream_key, "typical")
        return places[rng.integers(0, len(places), _CALIBRATION_PLACES)]

    def measure_error(self, mechanism: Mechanism) -> float:
        """Measure the error of reports of typical places, in ``error_unit``."""
        if not mechanism.is_deterministic:
            error = self._compute_error(mechanism)
            if error is not None:
                return error
        rng = make_generator(self.seed, *self.stream_key, "measured", mechanism.name)
        away = mechanism.release(self.typical_m, rng) - self.typical_m
        return self._average_errors(self._sum_errors(away), len(away))

    def _compute_error(self, mechanism: Mechanism) -> float | None:
        """Compute the error of a mechanism's reports of typical places; None without a formula."""
        return mechanism.mean_distance(self.typical_m)

    def _sum_errors(self, away: Floats) -> float:
        """Sum the distances of reported from true places, shape (..., d)."""
        return float(compute_lengths_m(away).sum())

    def _average_errors(self, total: float, places: int) -> float:
        """Compute the error from the sum over some places."""
        return total / places

    @property
    def _constant_error(self) -> float:
        """Error of people who all report one place, the median."""
        away = self.typical_m - np.median(self.typical_m, axis=0)
        return self._average_errors(self._sum_errors(away), len(away))

    def _make_noise_rng(self, start: int, mechanism: str) -> np.random.Generator:
        """Create the generator of a mechanism's noise for the batch from report ``start`` on."""
        return make_generator(self.seed, *self.stream_key, "noise", mechanism, start)

    def play(
        self, releases: Sequence[CalibratedMechanism]
    ) -> Iterator[tuple[CalibratedMechanism, dict[str, object], Statistics]]:
        """Link reports to people; yield the gain by release, number of people and adversary."""
        for release in releases:
            check_played_domain(release.mechanism, self.domain)
        max_people, reports = max(self.people), self.reports
        adversaries = self.adversaries
        if adversaries is None:
            adversaries = load_adversaries(LINKAGE)
        fitted = [
            [each().fit(LinkageTraining(release.mechanism, self.typical_m)) for each in adversaries]
            for release in releases
        ]
        tallies = {
            (index, each.name, number): LinkageTally()
            for index in range(len(releases))
            for each in adversaries
            for number in self.people
        }
        errors, places = [0.0] * len(releases), reports * self.places_m.shape[1]
        # Controls, who see no report, have coins of their own; all other adversaries share theirs.
        blind_coin = make_generator(self.seed, *self.stream_key, "control").random(reports)
        batch_size = max(1, _MAX_BATCH_PEOPLE // max_people)
        for start in tqdm(
            range(0, reports, batch_size), desc=f"comparison, {self.counted}", unit="batch"
        ):
            count = min(batch_size, reports - start)
            people = draw_people(
                make_generator(self.seed, *self.stream_key, "people", start),
                trips=len(self.places_m),
                people=max_people,
                reports=count,
            )
            known = self.places_m[people]
            # Smaller line-ups are subsets of larger ones, so that numbers of people compare.
            line_ups = {
                number: CandidateSet.draw(
                    make_generator(self.seed, *self.stream_key, "line-up", number, start),
                    known[:, :number],
                )
                for number in self.people
            }
            coins = {
                False: make_generator(self.seed, *self.stream_key, "coin", start).random(count),
                True: blind_coin[start : start + count],
            }
            # All errors of a mechanism share one stream, so that their noise differs in size only.
            noise = CommonRandomNumbers(partial(self._make_noise_rng, start))
            for index, release in enumerate(releases):
                reported = noise.release(release.mechanism, known[:, 0])
                errors[index] += self._sum_errors(reported - known[:, 0])
                for number, line_up in line_ups.items():
                    view = LinkageView(reported, line_up.people_m)
                    for adversary in fitted[index]:
                        tallies[index, adversary.name, number].judge(
                            ask_scores(adversary, view),
                            line_up.true_index,
                            coins[adversary.is_control],
                        )
        for index, release in enumerate(releases):
            for number in self.people:
                facts = {
                    f"error_{self.error_unit}": self._average_errors(errors[index], places),
                    f"constant_error_{self.error_unit}": self._constant_error,
                    **self._count_equals(tallies, index, number),
                    "reports": reports,
                    self.counted: len(self.places_m),
                }
                for each in adversaries:
                    correct = np.concatenate(tallies[index, each.name, number].correct)
                    yield (
                        release,
                        {"people": number, "adversary": each.name},
                        {**estimate_gain(correct, chance=1 / number, over="reports"), **facts},
                    )

    def _count_equals(
        self, tallies: Mapping[tuple[int, str, int], LinkageTally], index: int, number: int
    ) -> dict[str, float]:
        """Count how many people are likeliest together, if the likelihood is asked for."""
        tally = tallies.get((index, LIKELIHOOD, number))
        return {} if tally is None else {"equals": tally.n_top_scores / self.reports}


@dataclass(frozen=True)
class PeopleTask(TripTask):
    """Task of the comparison: numbers about people, of whom an adversary knows those of N.

    ``places_m`` are the numbers, each as a share of its public range, shape (people, 1, d).  The
    error is the root mean square over people and columns.
    """

    error_unit = "share"
    counted = "persons"
    stream_key = ("comparison", "people")

    def _compute_error(self, mechanism: Mechanism) -> float | None:
        """Compute the root mean square error; None if the mechanism has no formula."""
        variance = mechanism.variance(self.typical_m)
        return None if variance is None else math.sqrt(variance)

    def _sum_errors(self, away: Floats) -> float:
        """Sum the mean squares over the columns."""
        return float((away**2).sum()) / away.shape[-1]

    def _average_errors(self, total: float, places: int) -> float:
        """Compute the root mean square."""
        return math.sqrt(total / places)

    @property
    def _constant_error(self) -> float:
        """Error of people who all report the mean."""
        return math.sqrt(self.typical_m.var(axis=0).mean())


def build_trip_domain(plane: Plane) -> Domain:
    """Build the domain of a trip's two places (m) from the public box."""
    return Domain((0.0, 0.0), plane.size_m, "m", values=2)


def build_comparison_tables(
    trips: pd.DataFrame,
    *,
    seed: int,
    reports: int,
    people: Sequence[int],
    target_error_m: Sequence[float],
    latitude_range_deg: Sequence[float],
    longitude_range_deg: Sequence[float],
    delta: float,
    tolerance: float = TOLERANCE,
) -> dict[str, pd.DataFrame]:
    """Play the linkage game against every mechanism at every error (m).

    Errors are mean distances of a reported from a true place.  Each report is to be linked among
    other people, N of them: the smaller numbers are among the larger.

    The mechanism ``none`` stands at 0; a gap has no rows.  ``won_share`` of the reports are linked
    to the right trip, and ``gain`` is (won_share - 1/N) / (1 - 1/N).  ``constant_error_m`` is that
    of a person who reports the median place always, and ``equals`` the mean number of people who
    are likeliest together.  ``calibration`` is of
    :func:`noiseless.games.comparison.build_calibration_rows`.
    """
    plane = Plane.from_edges(latitude_range_deg, longitude_range_deg)
    task = TripTask(plane.project_trips_m(trips), build_trip_domain(plane), reports, people, seed)
    return play_comparison([task], targets=target_error_m, delta=delta, tolerance=tolerance)
