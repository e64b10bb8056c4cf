"""What chance does to one word: its usages dealt to the periods at random, and solved again.

One draw serves everything: the null distribution of every word measure, and for every usage what
its SUS is by chance on the side it is on.  The word as it is counts as one of the deals, so that
no p-value is zero and each is valid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senseshift.errors import InputError
from senseshift.resampling.deals import Dealer
from senseshift.resampling.figures import FIGURES, PART, Deals, Figure
from senseshift.transport import solve_many
from senseshift.transport.problem import Penalty

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Cost = ArrayLike | Callable[[Ints], ArrayLike]

PERMUTATIONS = 1_000
MOST = 2_000  # usages that are dealt; 1,000 solves of more take minutes
FIRST_LOOK, UNREMARKABLE = 100, 0.2  # with a larger p after so many deals there is nothing to find
QUANTILES = np.linspace(0.0, 1.0, 41)  # by which distributions under permutation are kept
EQUAL = 1e-9  # what two solves may differ by and still be as extreme, against their size


@dataclass(frozen=True, eq=False)
class Null:
    """One figure of a word as it was found, and of each of its deals."""

    found: float
    dealt: Floats

    @property
    def mean(self) -> float:
        """What chance gives."""
        return float(self.dealt.mean())

    @property
    def spread(self) -> float:
        """How far chance strays from its mean, as a standard deviation."""
        return float(self.dealt.std())

    @property
    def centred(self) -> float:
        """How far the word goes beyond what chance gives."""
        return self.found - self.mean

    @property
    def beyond(self) -> float:
        """The same, given that nothing goes less far than chance: what to expect beyond it.

        The mean of a normal distribution around ``centred`` with the spread of chance, without its
        part below 0.  So it is ``centred`` where that is clear, little where it is not, and never
        negative: a word that chance lets stray far is not ranked below one it keeps still.
        """
        from scipy.stats import norm

        if not self.spread > 0.0:
            return max(self.centred, 0.0) if self.spread == 0.0 else float("nan")
        z = self.centred / self.spread
        return max(0.0, self.centred + self.spread * float(np.exp(norm.logpdf(z) - norm.logcdf(z))))

    @property
    def ratio(self) -> float:
        """How many times what chance gives the word has."""
        return self.found / self.mean if self.mean else float("nan")

    @property
    def p(self) -> float:
        """How often a deal has as large a figure; the word's own deal is one of them."""
        return self._share(self.dealt >= self.found - self._rounding)

    @property
    def p_either(self) -> float:
        """The same for figures that may be extreme at either end."""
        low = self._share(self.dealt <= self.found + self._rounding)
        return min(1.0, 2.0 * min(low, self.p)) if low == low else low

    @property
    def _rounding(self) -> float:
        return EQUAL * max(abs(self.found), 1e-3) if np.isfinite(self.found) else 0.0

    def _share(self, hits: Bools) -> float:
        known = ~np.isnan(self.dealt)
        if np.isnan(self.found) or not known.any():
            return float("nan")
        return float((1 + (hits & known).sum()) / (1 + known.sum()))


@dataclass(frozen=True, eq=False)
class Permuted:
    """One word under permutation.

    Attributes
    ----------
    rows
        The usages that were dealt: all of them, or a sample that is said in ``str(…)``.  What
        follows has one entry for each of these rows.
    is_new, sus
        The side of each usage and its SUS, solved among these usages.
    mean, spread
        Of the usage's SUS in the deals that put it on the side it has.
    p
        How often such a deal matches it as badly: SUS as large for a new usage, as small for an
        old one.
    dealt
        How many such deals there were; p cannot be below 1/(dealt + 1).
    figures
        The null distribution of each word measure.
    by_chance
        SUS of the old and of the new usages over all deals, by :data:`QUANTILES`.
    permutations
        How many deals were made; fewer than asked for where the answer was clear.
    usages
        How many the word has.
    dealer
        What was dealt: usages or documents, and how many different deals there are.
    """

    rows: Ints
    is_new: Bools
    sus: Floats
    mean: Floats
    spread: Floats
    p: Floats
    dealt: Ints
    figures: dict[str, Null]
    by_chance: tuple[Floats, Floats]
    permutations: int
    usages: int
    dealer: Dealer

    @property
    def excess(self) -> Floats:
        """How far each usage's SUS is from its mean by chance on the side it has."""
        return self.sus - self.mean

    @property
    def change(self) -> float:
        """The default score of a word: how much worse than by chance its usages are matched.

        It is :func:`figures.worse` as it was found, which of all that was tried agrees best with
        how far the sense shares of the very usages differ. Chance makes something of it too, told
        by ``figures["change"].mean``; what is left is ``figures["change"].centred``.
        """
        return self.figures["change"].found

    @cached_property
    def floor(self) -> float:
        """The smallest p-value the word could have had."""
        return self.dealer.floor(self.permutations)

    @property
    def sampled(self) -> bool:
        """Whether only a sample of the usages was dealt, the found ones among them alike."""
        return self.rows.size < self.usages

    def __str__(self) -> str:
        unit = "usages" if self.dealer.documents is None else "documents"
        counts = " + ".join(str(count) for count in self.dealer.counts.values())
        sample = f" (a sample of {self.usages:,})" if self.sampled else ""
        lines = [f"{self.permutations:,} permutations of {counts} {unit}{sample}"]
        if not self.dealer.enough:
            lines.append(f"  too few {unit}: only {self.dealer.distinct:.0f} different deals")
        lines += [
            f"  {name:10} {null.found:+.4f}, by chance {null.mean:+.4f} ± {null.spread:.4f}, "
            f"p {null.p:.4f}"
            for name, null in self.figures.items()
        ]
        return "\n".join(lines)

    __repr__ = __str__


def permute(
    cost: Cost,
    is_new: ArrayLike,
    *,
    documents: ArrayLike | None = None,
    permutations: int = PERMUTATIONS,
    figures: Mapping[str, Figure] = FIGURES,
    weights: ArrayLike | None = None,
    rho: float | None = None,
    lam: Penalty | None = None,
    seed: int | Sequence[int] = 0,
    most: int = MOST,
    early: bool = True,
    threads: int | None = None,
) -> Permuted:
    """Deal one word's usages at random many times, and see what chance does.

    Parameters
    ----------
    cost
        Square matrix of the costs between all usages, or a function from the numbers of usages to
        the costs between them, of which only a sample is then asked for where there are many.
    is_new
        The side of every usage.
    documents
        The document of every usage, to deal whole documents; see :class:`Dealer`.
    permutations
        How many deals to make.
    figures
        Word measures to follow, as functions of :class:`Deals`.  The first decides early stops.
    weights, rho, lam
        As in :func:`senseshift.transport.solve_many`.  λ is kept in proportion in a sample.
    seed
        One whole number or several, one of them made from the word's content.
    most
        Of more usages than these a sample is dealt, in which the periods keep their proportion.
    early
        Whether to stop after 100, 200, 400, … permutations where the first figure's p is above .2
        by then.  Its p-value stays valid: one of at most .2 has gone through all permutations.
    threads
        As many as there are processors by default; the figures are the same for any number.
    """
    sides = np.asarray(is_new, dtype=np.bool_)
    if permutations < 1:
        raise InputError(f"The number of permutations is {permutations}: it must be at least 1.")
    rows = sample(sides, most, seed)
    owners = None if documents is None else np.asarray(documents)[rows]
    dealer = Dealer(sides[rows].astype(np.int64), owners, seed)
    if lam is not None:  # λ answers the same question where it grows with the number of usages
        lam = (np.asarray(lam, dtype=np.float64) * rows.size / sides.size).tolist()
    pooled = np.asarray(cost(rows) if callable(cost) else chosen(np.asarray(cost), rows))
    mass = None if weights is None else np.asarray(weights, dtype=np.float64)[rows]

    solved = np.empty((permutations + 1, rows.size))
    new = np.empty((permutations + 1, rows.size), dtype=np.bool_)
    new[0], made, first = sides[rows], 0, next(iter(figures.values()))
    for look in _looks(permutations, early):
        begin = made + 1 if made else 0
        new[made + 1 : look + 1] = dealer.draw(made, look)
        part = new[begin : look + 1]
        solved[begin : look + 1] = solve_many(
            pooled, part, mass, rho=rho, lam=lam, threads=threads
        ).sus
        made = look
        deals = Deals.of(solved[: made + 1], new[: made + 1], pooled)
        if made < permutations and _null(first, deals).p > UNREMARKABLE:
            break
    mean, spread, p, dealt = _by_usage(deals)
    return Permuted(
        rows, new[0].copy(), solved[0].copy(), mean, spread, p, dealt,
        {name: _null(figure, deals) for name, figure in figures.items()},
        _by_chance(deals), made, sides.size, dealer,
    )  # fmt: skip


def sample(is_new: Bools, most: int, seed: int | Sequence[int] = 0) -> Ints:
    """Rows to deal: all of them, or so many of either period that their proportion stays."""
    if is_new.size <= most:
        return np.arange(is_new.size)
    rng = np.random.default_rng([seed] if isinstance(seed, int) else [*seed])
    sides = [np.flatnonzero(~is_new), np.flatnonzero(is_new)]
    counts = [max(min(2, side.size), round(most * side.size / is_new.size)) for side in sides]
    kept = [rng.choice(side, n, replace=False) for side, n in zip(sides, counts, strict=True)]
    return np.sort(np.concatenate(kept))


def _looks(permutations: int, early: bool) -> Iterator[int]:
    """After how many permutations to see whether the answer is clear, and the last one."""
    look = FIRST_LOOK
    while early and look < permutations:
        yield look
        look *= 2
    yield permutations


def _null(figure: Figure, deals: Deals) -> Null:
    values = np.concatenate([figure(part) for part in deals.parts()])
    return Null(float(values[0]), values[1:])


def _by_usage(deals: Deals) -> tuple[Floats, Floats, Floats, Ints]:
    """Mean and spread of each usage's SUS on its side, its p, and the deals they come from."""
    is_new, found = deals.is_new[0], deals.sus[0]
    mean = np.where(is_new, deals.expected[1], deals.expected[0])
    bound = np.where(is_new, found, -found) - EQUAL * np.maximum(np.abs(found), 1e-3)
    squares, hits, dealt = np.zeros(found.size), np.zeros(found.size), np.zeros(found.size)
    for part in deals.parts():  # the word as it is counts as one of the deals here
        alike = part.is_new == is_new
        dealt += alike.sum(axis=0)
        squares += (alike * (part.sus - mean) ** 2).sum(axis=0)
        hits += (alike & (np.where(is_new, part.sus, -part.sus) >= bound)).sum(axis=0)
    return mean, np.sqrt(squares / dealt), hits / dealt, dealt.astype(np.int64) - 1


def _by_chance(deals: Deals) -> tuple[Floats, Floats]:
    """The distribution of SUS on either side; of very many deals every second, third, … ."""
    step = -(-deals.sus.size // PART)
    sus, new = deals.sus[1::step], deals.is_new[1::step]
    return np.quantile(sus[~new], QUANTILES), np.quantile(sus[new], QUANTILES)


def chosen(cost: NDArray[np.floating], rows: Ints) -> NDArray[np.floating]:
    """The costs between some of the usages."""
    return cost if rows.size == cost.shape[0] else cost[np.ix_(rows, rows)]
