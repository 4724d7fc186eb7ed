"""Published attacks on aggregates as adversaries of the membership game, rewritten from the papers.

No code of their authors is used.  The game asks which of two homes is in a published mean; these
papers ask whether one person is.  So an attack scores both homes, and prefers the larger score.

``homer``
    Homer et al., "Resolving individuals contributing trace amounts of DNA to highly complex
    mixtures using high-density SNP genotyping microarrays", PLoS Genetics 2008.  A statistic adds
    up by how much a person is nearer to the released means than to those of a reference.
    *Difference*: readings in kWh take the place of the frequencies of alleles.
``tracing``
    Dwork, Smith, Steinke, Ullman, Vadhan, "Robust traceability from trace amounts", FOCS 2015.  The
    score is the inner product of a person's data, less those of a person outside, with the
    released means, less those of a reference, truncated.  *Differences*: each reading is
    standardised by the reference; the person outside cancels between two candidates; the accuracy
    alpha of the released means, twice which truncates, is their mean distance from the reference in
    games of other homes.
``knock_knock``
    Pyrgelis, Troncoso, De Cristofaro, "Knock knock, who's there?  Membership inference on aggregate
    location data", NDSS 2018, with knowledge of the traces of other people.  A classifier for each
    target is trained on aggregates of known people with and without the target, from seven
    statistics of the series of each location.  *Differences*: weeks of the one series take the
    place of locations; the two classes are means with either candidate, of the same known homes;
    logistic regression alone, of the paper's four classifiers, without its selection of features;
    :data:`LESSONS` means of each class.

``knock_knock_values``
    The same attack without its seven statistics: the classifier takes the released values.  The
    shadow means of the two classes are the same means of known homes, moved by either candidate's
    share, so that one linear discriminant, of :data:`SHADOWS` means, serves all targets.  Its ridge
    is the one of :data:`RIDGES` that wins most games between known homes, with shadow means of the
    other half of them.

The complete texts were not at hand for this: the truncation of ``tracing`` and the seven statistics
of ``knock_knock`` may differ from the papers' in details that are not named here.

The adversaries ``correlation``, ``mse`` and ``peaks`` of the package are published, too:
``noiseless`` takes them and the game from Buescher, Boukoros, Bauregger, Katzenbeisser, "Two is not
enough: Privacy assessment of aggregation schemes in smart metering", PETS 2017.
"""

from typing import Self

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from noiseless.adversaries.inputs.membership import MembershipView, Training
from noiseless.adversaries.interface import Adversary
from noiseless.arrays import Floats
from noiseless.seeds import make_generator

LESSONS = 100
SHADOWS = 2000
RIDGES = (0.003, 0.03, 0.3)  # of the mean variance of a reading
WEEK = 7


class HomerStatistic(Adversary):
    """Adversary by the statistic of Homer et al."""

    name, label = "homer", "Homer et al."
    is_trained = sees_series = True

    def fit(self, training: Training) -> Self:
        self._reference = training.homes_kwh.mean(axis=0)
        return self

    def prefer(self, view: MembershipView) -> Floats:
        """Compare the mean of |x - reference| - |x - output| over its standard error."""
        x, output = view.series.candidates_kwh, view.series.output_kwh[:, None]
        nearer = np.abs(x - self._reference) - np.abs(x - output)
        spread = nearer.std(axis=2, ddof=1)
        score = nearer.mean(axis=2) * np.sqrt(x.shape[2]) / np.where(spread > 0, spread, np.inf)
        return score[:, 0] - score[:, 1]


class Tracing(Adversary):
    """Adversary by the inner product of Dwork et al."""

    name, label = "tracing", "Dwork et al."
    is_trained = sees_series = True

    def fit(self, training: Training) -> Self:
        self._reference = training.homes_kwh.mean(axis=0)
        spread = training.homes_kwh.std(axis=0, ddof=1)
        self._scale = np.where(spread > 0, spread, np.inf)
        distances = [np.abs(self._centre(each.series.output_kwh)) for each, _ in training.games()]
        self._truncation = 2 * np.concatenate(distances).mean()
        return self

    def _centre(self, kwh: Floats) -> Floats:
        return (kwh - self._reference) / self._scale

    def prefer(self, view: MembershipView) -> Floats:
        """Compute the inner product of the candidates' difference with the truncated output."""
        series = view.series
        output = np.clip(self._centre(series.output_kwh), -self._truncation, self._truncation)
        x = self._centre(series.candidates_kwh)
        return ((x[:, 0] - x[:, 1]) * output).sum(axis=1)


class KnockKnock(Adversary):
    """Adversary by a classifier for each pair of candidates, after Pyrgelis et al."""

    name, label = "knock_knock", "Pyrgelis et al."
    is_trained = sees_series = True

    def fit(self, training: Training) -> Self:
        if training.noise_kwh:
            raise ValueError("this rewriting repeats quantizers alone, and the release adds noise")
        self._homes, self._cell_kwh = training.homes_kwh, training.cell_kwh
        return self

    def publish(self, mean_kwh: Floats) -> Floats:
        """Publish means as the curator does: the middles of their cells."""
        return (np.floor(mean_kwh / self._cell_kwh) + 0.5) * self._cell_kwh

    def prefer(self, view: MembershipView) -> Floats:
        series = view.series
        rng = make_generator(1, self.name)  # equal groups in all batches
        n, known = series.n, len(self._homes)
        groups = [rng.permutation(known)[: n - 1] for _ in range(LESSONS)]
        sums = np.array([self._homes[group].sum(axis=0) for group in groups])
        classes = np.repeat([0, 1], LESSONS)
        preference = np.empty(len(series.output_kwh))
        for game, (x, output) in enumerate(
            zip(series.candidates_kwh, series.output_kwh, strict=True)
        ):
            means = np.concatenate([(sums + x[0]) / n, (sums + x[1]) / n])
            scaler, model = StandardScaler(), LogisticRegression(max_iter=1000)
            model.fit(scaler.fit_transform(compute_features(self.publish(means))), classes)
            preference[game] = -model.decision_function(
                scaler.transform(compute_features(output[None]))
            )[0]
        return preference


class KnockKnockValues(Adversary):
    """Adversary by a discriminant of the released values, trained on shadow means."""

    name, label = "knock_knock_values", "Pyrgelis et al., released values"
    is_trained = sees_series = True

    def fit(self, training: Training) -> Self:
        if training.noise_kwh:
            raise ValueError("this rewriting repeats quantizers alone, and the release adds noise")
        self._homes, self._cell_kwh = training.homes_kwh, training.cell_kwh
        self._fitted: dict[int, tuple[Floats, Floats]] = {}
        return self

    def prefer(self, view: MembershipView) -> Floats:
        series = view.series
        if series.n not in self._fitted:
            self._fitted[series.n] = self._train(series.n)
        mean, inverse = self._fitted[series.n]
        return self._score(series.candidates_kwh, series.n * series.output_kwh, mean, inverse)

    def _train(self, n: int) -> tuple[Floats, Floats]:
        """Compute mean and inverse covariance of shadow sums of n - 1 known homes."""
        rng = make_generator(1, self.name, "n", n)
        played, others = np.array_split(self._homes[rng.permutation(len(self._homes))], 2)
        size = min(n, len(played) - 1, len(others) + 1)  # few homes: games of fewer
        drawn = np.stack([rng.permutation(len(played))[: size + 1] for _ in range(300)])
        candidates = played[drawn[:, :2]]
        totals = self._publish(played[drawn[:, 1:]].sum(axis=1), size)  # candidate 1 is in it
        shadows = self._publish(self._draw_sums(rng, others, size), size)
        lost = [
            (self._score(candidates, totals, *self._invert(shadows, ridge)) > 0).mean()
            for ridge in RIDGES
        ]
        every = self._publish(self._draw_sums(rng, self._homes, n), n)
        return self._invert(every, RIDGES[int(np.argmin(lost))])

    def _publish(self, sums_kwh: Floats, n: int) -> Floats:
        """Publish sums as the curator does: the middles of their cells."""
        cell = n * self._cell_kwh
        return (np.floor(sums_kwh / cell) + 0.5) * cell if cell else sums_kwh

    @staticmethod
    def _draw_sums(rng: np.random.Generator, homes: Floats, n: int) -> Floats:
        replace = len(homes) < n - 1
        drawn = (rng.choice(len(homes), n - 1, replace=replace) for _ in range(SHADOWS))
        return np.stack([homes[each].sum(axis=0) for each in drawn])

    @staticmethod
    def _invert(sums: Floats, ridge: float) -> tuple[Floats, Floats]:
        covariance = np.atleast_2d(np.cov(sums.T))
        t = len(covariance)
        # Homes that are all alike have no variance; any ridge will do for them.
        ridged = covariance + ridge * (np.trace(covariance) / t or 1.0) * np.eye(t)
        return sums.mean(axis=0), np.linalg.inv(ridged)

    @staticmethod
    def _score(candidates: Floats, totals: Floats, mean: Floats, inverse: Floats) -> Floats:
        difference = candidates[:, 0] - candidates[:, 1]
        left = totals - mean - candidates.mean(axis=1)
        return np.asarray((difference @ inverse * left).sum(axis=1))


def compute_features(series: Floats) -> Floats:
    """Compute seven statistics of each week of series, shape (G, 7 x weeks).

    Days after the last complete week belong to it; a series of less than a week is one.
    """
    weeks = max(series.shape[1] // WEEK, 1)
    parts = np.split(series, WEEK * np.arange(1, weeks), axis=1)
    return np.concatenate([_compute_statistics(part) for part in parts], axis=1)


def _compute_statistics(part: Floats) -> Floats:
    return np.stack(
        [
            part.var(axis=1),
            part.min(axis=1),
            part.max(axis=1),
            np.median(part, axis=1),
            part.mean(axis=1),
            part.std(axis=1),
            part.sum(axis=1),
        ],
        axis=1,
    )


ATTACKS = (HomerStatistic, Tracing, KnockKnock, KnockKnockValues)
