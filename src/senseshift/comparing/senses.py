"""The senses of one word, over all its periods: induced or given, their shares, their changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senseshift.calibration import Calibration
from senseshift.comparing.certainty import columns, documents_to_deal
from senseshift.comparing.settings import Settings
from senseshift.comparing.tasks import Pair, Task
from senseshift.resampling.deals import Dealer
from senseshift.resampling.dispersion import disperse
from senseshift.senses.bounds import Bounds, distance_bounds
from senseshift.senses.changes import Changes, changes, entropy_change, log_ratio
from senseshift.senses.consensus import confidence
from senseshift.senses.core import typical
from senseshift.senses.induction import STRAY, induce
from senseshift.senses.membership import membership
from senseshift.senses.shares import Shares, count_shares
from senseshift.senses.spread import Spread, spread, spread_change

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DEALS = 4_000  # of documents, which cost little here: only shares are counted again
TYPICAL = 5


@dataclass(frozen=True, eq=False)
class Labelled:
    """Each usage's sense.

    Attributes
    ----------
    names
        What each sense is called: numbers from 1, the largest first, or as they were given.
    labels
        The sense of every usage as a number from 0, −1 for a stray.
    confidence
        How sure that is; None where senses were given.
    calibration
        By which senses were told apart; None where a person did.
    """

    names: list[str]
    labels: Ints
    confidence: Floats | None = None
    calibration: Calibration | None = None

    @property
    def induced(self) -> list[str | None]:
        """The sense of every usage by its name."""
        return [None if k == STRAY else self.names[k] for k in self.labels]


def labelled(
    task: Task, vectors: Floats, settings: Settings, calibration: Calibration | None
) -> Labelled | None:
    """The sense of every usage of a word; None where nothing tells them."""
    if settings.senses == "given":
        if task.given is None:
            return None
        names, labels = _given(task.given)
        return Labelled(names, labels) if names else None
    if settings.senses == "none" or calibration is None or calibration.cut is None:
        return None
    labels = induce(vectors, calibration.cut)
    names = [str(k + 1) for k in range(int(labels.max(initial=STRAY)) + 1)]
    sure = confidence(vectors, labels, calibration.cut)
    return Labelled(names, labels, sure, calibration)


@dataclass(frozen=True, eq=False)
class WordSenses:
    """The senses of one word.

    Attributes
    ----------
    periods
        The periods, in the order of the shares.
    shares
        Counts and shares of the senses in every period.
    changes, scopes, spreads, distances
        For each pair of periods how the shares differ, the difference of their entropies, how
        much farther usages are spread (empty where a person told the senses), and the bounds of
        the shares' Jensen–Shannon distance.
    typical
        Places of the usages in the middle of each sense.
    labelled
        The senses themselves, and each usage's.
    carriers
        For each pair of periods and sense, in how many ``documents`` it stands in the period that
        has more of it and what share of these usages the ``largest`` has; None if not known.
    ratios
        For each pair of periods and usage, the log ratio of the shares of its sense; of those that
        it lies between, where senses were induced.
    """

    periods: list[str]
    shares: Shares
    changes: dict[Pair, Changes]
    scopes: dict[Pair, tuple[float, float, float]]
    spreads: dict[Pair, tuple[float, float, float]]
    distances: dict[Pair, Bounds]
    typical: dict[int, Ints]
    labelled: Labelled
    carriers: dict[Pair, list[dict[str, float | None]]]
    ratios: dict[Pair, Floats]

    def share_rows(self, word: str) -> Iterator[dict[str, Any]]:
        """Rows of the study's senses."""
        shares = self.shares
        for k, sense in enumerate(self.labelled.names):
            for column, period in enumerate(self.periods):
                yield {
                    "word": word,
                    "sense": sense,
                    "name": sense,
                    "period": period,
                    "count": int(shares.counts[k, column]),
                    "share": float(shares.share[k, column]),
                    "low": float(shares.low[k, column]),
                    "high": float(shares.high[k, column]),
                }

    def change_rows(self, word: str) -> Iterator[dict[str, Any]]:
        """Rows of the study's changes of senses; q and marks follow when all words are known."""
        for (old, new), found in self.changes.items():
            for k, sense in enumerate(self.labelled.names):
                yield {
                    "word": word,
                    "sense": sense,
                    "name": sense,
                    "old": old,
                    "new": new,
                    "difference": float(found.difference[k]),
                    "low": float(found.low[k]),
                    "high": float(found.high[k]),
                    "p": float(found.p[k]),
                    **self.carriers[old, new][k],
                }

    def values(self, pair: Pair) -> dict[str, float | str | None]:
        """Columns of the study's words that follow from the senses."""
        found: dict[str, float | str | None] = {}
        figures = {"scope": self.scopes[pair]}
        if self.spreads:  # else they stay as they are: a person's senses move no usages
            figures["spread"] = self.spreads[pair]
        for name, values in figures.items():
            known = (None if np.isnan(value) else value for value in values)
            found |= dict(zip((name, f"{name}_low", f"{name}_high"), known, strict=True))
        return {
            **found,
            **columns({"f_senses": self.distances[pair]}),
        }

    def typical_rows(self, task: Task) -> Iterator[dict[str, Any]]:
        """Rows of the study's typical usages."""
        for k, places in self.typical.items():
            for place, at in enumerate(places):
                sense, usage = self.labelled.names[k], int(task.rows[at])
                yield {"word": task.word, "sense": sense, "place": place, "usage": usage}


def senses_of(
    task: Task, vectors: Floats, found: Labelled, pairs: Sequence[Pair], settings: Settings
) -> WordSenses:
    """What the senses of one word's usages say, over all its periods."""
    periods = list(dict.fromkeys(period for pair in pairs for period in pair))
    code = {period: k for k, period in enumerate(periods)}
    coded = np.array([code.get(period, -1) for period in task.periods], np.int64)
    used = coded >= 0
    owners = None if task.documents is None else task.documents[used]
    shares = count_shares(
        found.labels[used], coded[used], _apart(owners),
        senses=len(found.names), number=len(periods),
    )  # fmt: skip
    moves, scopes, distances = {}, {}, {}
    for pair in pairs:
        sides = code[pair[0]], code[pair[1]]
        moves[pair] = _changes(found.labels, coded, sides, task, shares, settings)
        scopes[pair] = entropy_change(shares, *sides)
        distances[pair] = distance_bounds(shares, *sides)
    core = typical(vectors, found.labels, TYPICAL)
    carriers = {pair: _carriers(task, found, pair) for pair in pairs}
    member = _member(vectors, found)
    ratios = {pair: member @ log_ratio(shares, code[pair[0]], code[pair[1]]) for pair in pairs}
    spreads = _spreads(task, vectors, found, pairs)
    return WordSenses(
        periods, shares, moves, scopes, spreads, distances, core, found, carriers, ratios
    )


def _spreads(
    task: Task, vectors: Floats, found: Labelled, pairs: Sequence[Pair]
) -> dict[Pair, tuple[float, float, float]]:
    """How much farther new usages are spread than old ones, where senses go by vectors."""
    calibration = found.calibration
    if calibration is None:
        return {}
    owners = _apart(task.documents)

    def of(period: str) -> Spread:
        here = task.periods == period
        return spread(vectors[here], calibration, None if owners is None else owners[here])

    known = {period: of(period) for period in {period for pair in pairs for period in pair}}
    return {pair: spread_change(known[pair[0]], known[pair[1]]) for pair in pairs}


def _member(vectors: Floats, found: Labelled) -> Floats:
    """In what part each usage is of each sense: in one wholly where a person said so."""
    if found.calibration is not None and found.calibration.cut is not None:
        return membership(vectors, found.labels, found.calibration.cut)
    wholly: Floats = (found.labels[:, None] == np.arange(len(found.names))).astype(np.float64)
    return wholly


def _carriers(task: Task, found: Labelled, pair: Pair) -> list[dict[str, float | None]]:
    """Documents of each sense, in the period that has more of it."""
    is_new = task.periods == pair[1]
    here = is_new | (task.periods == pair[0])
    owners = None
    if task.documents is not None:
        owners, _ = documents_to_deal(is_new[here], task.documents[here])
    if owners is None:
        return [{"documents": None, "largest": None} for _ in found.names]
    labels, new = found.labels[here], is_new[here]
    rows: list[dict[str, float | None]] = []
    for sense in range(len(found.names)):
        sides = [np.flatnonzero((labels == sense) & (new == side)) for side in (False, True)]
        more = max(sides, key=lambda at: at.size)
        spread = disperse(owners[more])
        rows.append({"documents": spread.documents, "largest": spread.largest_share})
    return rows


def _given(given: NDArray[np.object_]) -> tuple[list[str], Ints]:
    """Senses that usages came with, in the order of their size, and each usage's as a number."""
    known = [str(sense) for sense in given if sense is not None]
    names = sorted(set(known), key=lambda name: (-known.count(name), name))
    number = {name: k for k, name in enumerate(names)}
    return names, np.array([number.get(str(s), STRAY) if s is not None else STRAY for s in given])


def _apart(documents: Ints | None) -> Ints | None:
    """Documents that are not known are documents of their own."""
    if documents is None:
        return None
    lone = documents.max(initial=0) + 1 + np.arange(documents.size)
    return np.where(documents < 0, lone, documents)


def _changes(
    labels: Ints, coded: Ints, pair: tuple[int, int], task: Task, shares: Shares, settings: Settings
) -> Changes:
    """How the shares differ: by the exact test, or where documents are known by dealing these."""
    here = np.flatnonzero(np.isin(coded, pair))
    owners = None if task.documents is None else task.documents[here]
    dealt, _ = documents_to_deal(coded[here] == pair[1], owners)
    if dealt is None:
        return changes(shares, *pair)
    dealer = Dealer(coded[here], dealt, (settings.seed, task.seed))
    return changes(
        shares, *pair, labels=labels[here], periods=coded[here], deals=dealer.draw(0, DEALS)
    )
