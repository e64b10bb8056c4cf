"""One word: all that can be said of it without the other words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from senseshift.calibration import Calibration
from senseshift.comparing.certainty import Certainty, certainty
from senseshift.comparing.senses import Labelled, WordSenses, labelled, senses_of
from senseshift.comparing.settings import Settings
from senseshift.comparing.tasks import Pair, Task
from senseshift.errors import InputError
from senseshift.measures import INSTANCE, Comparison, measure
from senseshift.transport import Transport

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Side:
    """The usages of one period, in the order of their rows.

    Attributes
    ----------
    rows
        The usages, as rows of the table.
    scores
        Instance measures by the names of their columns, with ``excess`` and ``p``.
    cluster
        WiDiD's clusters, if they were asked for.
    partner, partner_share
        The usage of the other period that most mass goes to or comes from, −1 where none does,
        and the share of this usage's weight that is exchanged with it.
    nearest, distance
        The closest usage of the other period and what matching them costs.
    """

    rows: Ints
    scores: dict[str, Floats]
    cluster: Ints | None
    partner: Ints
    partner_share: Floats
    nearest: Ints
    distance: Floats


@dataclass(frozen=True, eq=False)
class PairResult:
    """One word, old against new: columns of the words, the usages, and what chance makes of it."""

    values: dict[str, float | str | None]
    old: Side
    new: Side
    transport: Transport
    by_chance: dict[str, Floats]


@dataclass(frozen=True, eq=False)
class WordResult:
    """One word: each pair of periods with its result or the reason why it has none; its senses.

    ``failed`` says that something went wrong which may go well another time.
    """

    pairs: dict[Pair, PairResult | str]
    senses: WordSenses | None
    failed: bool = False

    @classmethod
    def without(cls, task: Task, reason: str, *, failed: bool = False) -> WordResult:
        """What there is of a word that cannot be measured."""
        return cls({**task.absent, **dict.fromkeys(task.pairs, reason)}, None, failed)


def measure_word(
    task: Task,
    vectors: Floats,
    settings: Settings,
    calibration: Calibration | None,
    threads: int | None = None,
) -> WordResult:
    """Measure one word in all its pairs of periods; ``vectors`` are those of its usages."""
    pairs: dict[Pair, PairResult | str] = dict(task.absent)
    try:
        found = labelled(task, vectors, settings, calibration) if task.pairs else None
        curve = None if settings.cost == "cosine" else calibration
        for pair in task.pairs:
            pairs[pair] = _measure_pair(task, pair, vectors, settings, curve, found, threads)
        senses = senses_of(task, vectors, found, task.pairs, settings) if found else None
    except InputError as error:  # vectors that cannot be compared spoil all pairs alike
        return WordResult.without(task, str(error))
    for pair, result in pairs.items():
        if senses is not None and isinstance(result, PairResult):
            result.values.update(senses.values(pair))
    return WordResult(pairs, senses)


def _measure_pair(
    task: Task,
    pair: Pair,
    vectors: Floats,
    settings: Settings,
    calibration: Calibration | None,
    found: Labelled | None,
    threads: int | None,
) -> PairResult:
    old, new = (task.side(period) for period in pair)
    word = Comparison(
        vectors[old], vectors[new], rho=settings.rho, lam=settings.lam, method=settings.method,
        weights=settings.weights, damping=settings.damping, r=settings.r, compat=settings.compat,
        calibration=calibration,
        senses=None if found is None else (found.labels[old], found.labels[new]),
        per_million=task.frequencies(pair),
    )  # fmt: skip
    clustered = settings.clusters(old.size + new.size) and word.clusters_found
    of_word = [m.name for m in settings.word_measures if clustered or not m.slow]
    of_usages = [m for m in INSTANCE if clustered or not m.slow]
    scores = {m.raw_name: (m.raw or m.compute)(word) for m in of_usages}
    values: dict[str, float | str | None] = {**measure(word, of_word)}
    by_chance: dict[str, Floats] = {}
    if settings.permutations:
        owners = task.documents
        documents = None if owners is None else (owners[old], owners[new])
        known = certainty(word, documents, settings, task.seed, threads)
        values |= known.values
        by_chance = known.by_chance
        scores |= _by_side(known, old.size)
    sides = [_side(word, k, task.rows[at], scores, clustered) for k, at in enumerate((old, new))]
    return PairResult(values, sides[0], sides[1], word.transport, by_chance)


def _by_side(known: Certainty, olds: int) -> dict[str, tuple[Floats, Floats]]:
    return {
        "excess": (known.excess[:olds], known.excess[olds:]),
        "p": (known.p[:olds], known.p[olds:]),
    }


def _side(
    word: Comparison, k: int, rows: Ints, scores: dict[str, tuple[Floats, Floats]], clustered: bool
) -> Side:
    solved, cost = word.transport, word.cost
    here, there = (solved.arcs.rows, solved.arcs.columns)[:: 1 if k == 0 else -1]
    weight = (solved.a, solved.b)[k]
    partner, mass = _heaviest(here, there, solved.arcs.mass, weight.size)
    return Side(
        rows=rows,
        scores={name: pair[k] for name, pair in scores.items()},
        cluster=word.clusters[k] if clustered else None,
        partner=partner,
        partner_share=mass / weight,
        nearest=cost.argmin(axis=1 - k),
        distance=cost.min(axis=1 - k).astype(np.float64),
    )


def _heaviest(
    here: NDArray[np.integer], there: NDArray[np.integer], mass: Floats, count: int
) -> tuple[Ints, Floats]:
    """For each usage here the one there that exchanges most mass with it, and how much."""
    partner, most = np.full(count, -1, np.int64), np.zeros(count)
    order = np.argsort(mass, kind="stable")  # the heaviest is written last and stays
    partner[here[order]] = there[order]
    most[here[order]] = mass[order]
    return partner, most
