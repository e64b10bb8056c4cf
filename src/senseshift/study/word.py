"""One word of a study: all that can be said of it without the other words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from senseshift.measures import REGISTRY, WORD, Comparison, measure
from senseshift.measures.chance import deal, p_value
from senseshift.transport import Transport
from senseshift.transport.problem import Penalty
from senseshift.transport.solvers import Method
from senseshift.vectors import Weighting

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# These depend on the largest SUS of all words, so they wait until all are measured.
OVER_ALL_WORDS = ("f_2", "g_1")


@dataclass(frozen=True)
class Settings:
    """How the words of a study are measured."""

    measures: tuple[str, ...] = tuple(m.name for m in WORD)
    rho: float | None = None
    lam: Penalty | None = None
    method: Method = "exact"
    weights: Weighting = "uniform"
    damping: float = 0.9
    r: float = 0.5
    compat: bool = False
    deals: int = 0

    @property
    def clusters(self) -> bool:
        """Whether WiDiD's clusters are wanted, which take longer than all the rest."""
        return any(REGISTRY[name].kind == "sense-based" for name in self.measures)


@dataclass(frozen=True, eq=False)
class Side:
    """The usages of one period, in the order of their rows.

    ``partner`` is the usage of the other period that most mass goes to or comes from, −1 where
    none does, and ``partner_share`` the share of this usage's weight that is exchanged with it;
    ``nearest`` is the closest usage of the other period and ``distance`` how far it is.
    """

    sus: Floats
    ldr: Floats
    cluster: Ints | None
    tau: Floats | None  # of WiDiD, with infinities; they are imputed over all words
    partner: Ints
    partner_share: Floats
    nearest: Ints
    distance: Floats


@dataclass(frozen=True, eq=False)
class WordResult:
    """One word, old against new."""

    values: dict[str, float]
    old: Side
    new: Side
    transport: Transport


def measure_word(old: Floats, new: Floats, settings: Settings) -> WordResult:
    """Measure one word."""
    word = Comparison(
        old, new, rho=settings.rho, lam=settings.lam, method=settings.method,
        weights=settings.weights, damping=settings.damping, r=settings.r, compat=settings.compat,
    )  # fmt: skip
    values = measure(word, [name for name in settings.measures if name not in OVER_ALL_WORDS])
    if settings.deals:
        is_new = np.repeat([False, True], [len(old), len(new)])
        dealt = deal(
            np.concatenate([old, new]), is_new, settings.deals,
            rho=settings.rho, lam=settings.lam, weights=settings.weights,
        )  # fmt: skip
        values["p_value"] = p_value(*dealt)
    clusters: Sequence[Ints | None] = word.clusters if settings.clusters else (None, None)
    tau: Sequence[Floats | None] = word.cluster_tau if settings.clusters else (None, None)
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
                sus=word.sus[k],
                ldr=word.ldr[k],
                cluster=clusters[k],
                tau=tau[k],
                partner=partner,
                partner_share=mass / weight,
                nearest=nearest,
                distance=cost.min(axis=1 - k).astype(np.float64),
            )
        )
    return WordResult(values, sides[0], sides[1], solved)


def _heaviest(
    here: NDArray[np.integer], there: NDArray[np.integer], mass: Floats, count: int
) -> tuple[Ints, Floats]:
    """For each usage here the one there that exchanges most mass with it, and how much."""
    partner, most = np.full(count, -1, np.int64), np.zeros(count)
    order = np.argsort(mass, kind="stable")  # the heaviest is written last and stays
    partner[here[order]] = there[order]
    most[here[order]] = mass[order]
    return partner, most
