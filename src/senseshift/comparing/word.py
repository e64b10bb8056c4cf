"""One word in two periods: all that can be said of it without the other words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from senseshift.comparing.settings import Settings
from senseshift.measures import INSTANCE, Comparison, measure
from senseshift.transport import Transport

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Side:
    """The usages of one period, in the order of their rows.

    Attributes
    ----------
    scores
        Instance measures by the names of their columns.
    cluster
        WiDiD's clusters, if they were asked for.
    partner, partner_share
        The usage of the other period that most mass goes to or comes from, −1 where none does,
        and the share of this usage's weight that is exchanged with it.
    nearest, distance
        The closest usage of the other period and how far it is.
    """

    scores: dict[str, Floats]
    cluster: Ints | None
    partner: Ints
    partner_share: Floats
    nearest: Ints
    distance: Floats


@dataclass(frozen=True, eq=False)
class PairResult:
    """One word, old against new."""

    values: dict[str, float]
    old: Side
    new: Side
    transport: Transport


def measure_pair(old: Floats, new: Floats, settings: Settings) -> PairResult:
    """Measure one word in two periods."""
    word = Comparison(
        old, new, rho=settings.rho, lam=settings.lam, method=settings.method,
        weights=settings.weights, damping=settings.damping, r=settings.r, compat=settings.compat,
    )  # fmt: skip
    clustered = settings.clusters(len(old) + len(new)) and word.clusters_found
    of_word = [m.name for m in settings.word_measures if clustered or not m.slow]
    of_usages = [m for m in INSTANCE if clustered or not m.slow]
    scores = {m.raw_name: (m.raw or m.compute)(word) for m in of_usages}
    clusters = word.clusters if clustered else (None, None)
    solved, cost = word.transport, word.cost
    arcs = solved.arcs
    sides = []
    for k in (0, 1):
        here, there = (arcs.rows, arcs.columns)[:: 1 if k == 0 else -1]
        weight = (solved.a, solved.b)[k]
        partner, mass = _heaviest(here, there, arcs.mass, weight.size)
        nearest = cost.argmin(axis=1 - k)
        sides.append(
            Side(
                scores={name: pair[k] for name, pair in scores.items()},
                cluster=clusters[k],
                partner=partner,
                partner_share=mass / weight,
                nearest=nearest,
                distance=cost.min(axis=1 - k).astype(np.float64),
            )
        )
    return PairResult(measure(word, of_word), sides[0], sides[1], solved)


def _heaviest(
    here: NDArray[np.integer], there: NDArray[np.integer], mass: Floats, count: int
) -> tuple[Ints, Floats]:
    """For each usage here the one there that exchanges most mass with it, and how much."""
    partner, most = np.full(count, -1, np.int64), np.zeros(count)
    order = np.argsort(mass, kind="stable")  # the heaviest is written last and stays
    partner[here[order]] = there[order]
    most[here[order]] = mass[order]
    return partner, most
