"""How far a figure might have been from what it is, had other usages been found.

Drawing usages with replacement, as the plain bootstrap does, gives a transport twins that match at
no cost and so biases what it costs.  Here every draw leaves out a fifth of the usages, or of the
documents, of each side instead: without twins, and it strays from the whole half as far as the
whole does from what it was drawn from (the less is left out, the less: half of them would stray as
far, but be matched as half as many are).  A figure of fewer usages is larger or smaller by itself;
so only how far the draws stray from their own mean counts, laid around the figure of all usages.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senseshift.resampling.deals import Dealer
from senseshift.resampling.figures import FIGURES, Deals, Figure
from senseshift.resampling.permutation import Cost, Permuted, chosen
from senseshift.transport import solve_many
from senseshift.transport.problem import Penalty

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

Part = tuple[Bools, Bools, Floats]  # who is in it, who of them is new, their SUS
DRAWS = 200
KEPT = 0.8  # of the usages in a draw
LEVEL = 0.95
LEAST = 4  # usages or documents a side, below which draws of them say nothing


def part_of(dealer: Dealer, number: int) -> Bools:
    """Most usages, or the usages of most documents, of every period; draw ``number``."""
    rng = dealer.generator(number, 2)  # another stream than that of the deals
    taken = np.zeros(dealer.owners.size, dtype=np.bool_)
    for period in dealer.counts:
        blocks = np.flatnonzero(dealer.owners == period)
        count = int(KEPT * blocks.size + rng.random())  # a fifth is left out on average
        taken[rng.choice(blocks, count, replace=False)] = True
    kept: Bools = taken[dealer.blocks]
    return kept


def standard_errors(
    cost: Cost,
    permuted: Permuted,
    *,
    draws: int = DRAWS,
    figures: Mapping[str, Figure] = FIGURES,
    weights: ArrayLike | None = None,
    rho: float | None = None,
    lam: Penalty | None = None,
    threads: int | None = None,
) -> dict[str, float]:
    """How far each figure of a word strays from sample to sample, as a standard deviation.

    Give what :func:`permute` was given; it is done with the same usages, or documents.  Twice
    ``draws`` parts are solved: some as they are, and some dealt at random, which tell what the SUS
    of each usage is by chance in a part.  NaN with fewer than four usages or documents on a side,
    and for a figure that a part has not.
    """
    dealer = permuted.dealer
    if len(dealer.counts) < 2 or min(dealer.counts.values()) < LEAST:
        return dict.fromkeys(figures, float("nan"))
    rows, count = permuted.rows, permuted.rows.size
    pooled = np.asarray(cost(rows) if callable(cost) else chosen(np.asarray(cost), rows))
    mass = np.ones(count) if weights is None else np.asarray(weights, dtype=np.float64)[rows]

    def solved(kept: Bools, is_new: Bools) -> Floats:
        share = kept.sum() / permuted.usages
        penalty = None if lam is None else (np.asarray(lam, dtype=np.float64) * share).tolist()
        part = chosen(pooled, np.flatnonzero(kept))
        return solve_many(part, is_new[None], mass[kept], rho=rho, lam=penalty, threads=1).sus

    def values(drawn: Part) -> list[float]:
        kept, is_new, sus = drawn
        part = chosen(pooled, np.flatnonzero(kept))
        deals = Deals(sus, is_new[None], part, (means[0, kept], means[1, kept]))
        return [float(figure(deals)[0]) for figure in figures.values()]

    def found(number: int) -> Part:
        kept = part_of(dealer, number)
        return kept, permuted.is_new[kept], solved(kept, permuted.is_new[kept])

    def dealt(number: int) -> Part:
        kept = part_of(dealer, draws + number)
        documents = None if dealer.documents is None else dealer.documents[kept]
        again = Dealer(dealer.periods[kept], documents, dealer.seed)
        is_new = again.draw(number, number + 1)[0] == 1
        return kept, is_new, solved(kept, is_new)

    with ThreadPoolExecutor(threads or cpu_count() or 1) as pool:
        means = _means(list(pool.map(dealt, range(draws))), count)
        strayed = np.array(list(pool.map(values, pool.map(found, range(draws)))))
    errors = _spread(strayed) * np.sqrt(KEPT / (1.0 - KEPT))
    return dict(zip(figures, errors.tolist(), strict=True))


def interval(
    found: float, error: float, dealer: Dealer, level: float = LEVEL
) -> tuple[float, float]:
    """The bounds between which a figure lies with this confidence, given its standard error."""
    reach = reach_of(error, min(dealer.counts.values(), default=0), level)
    return found - reach, found + reach


def reach_of(error: float, units: int, level: float = LEVEL) -> float:
    """How far bounds are from a figure with this standard error.

    The fewer usages, or documents, the smaller side has, the less is known of the error itself: so
    it is by Student's t.
    """
    from scipy.stats import t

    return float(t.ppf((1.0 + level) / 2.0, max(units - 1, 1))) * error


def _means(parts: list[Part], count: int) -> Floats:
    """The mean SUS of every usage as an old and as a new one, over parts dealt at random."""
    total, times = np.zeros((2, count)), np.zeros((2, count))
    for kept, is_new, sus in parts:
        side, rows = is_new.astype(np.int64), np.flatnonzero(kept)
        total[side, rows] += sus[0]
        times[side, rows] += 1
    overall = total.sum(axis=1, keepdims=True) / times.sum(axis=1, keepdims=True)
    means: Floats = np.where(times > 0, total / np.maximum(times, 1), overall)
    return means


def _spread(values: Floats) -> Floats:
    """The standard deviation of every column; NaN where a value is not finite."""
    usable = np.isfinite(values).all(axis=0)
    spread: Floats = np.where(usable, np.where(usable, values, 0.0).std(axis=0, ddof=1), np.nan)
    return spread
