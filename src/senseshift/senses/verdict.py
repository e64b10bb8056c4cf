"""What may be said about a word by its senses' shares: one rule for every place that says it.

The thresholds were fixed on words with planted changes, generated and held out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senseshift.errors import InputError

Kind = Literal["gained", "lost", "replaced", "shifted", "unclear", "few"]
Senses = tuple[int, ...]
Bools = NDArray[np.bool_]

MARKED = 0.1  # q up to which a sense's difference is told: of those told, one in ten by chance
FEW = 10  # usages with a sense, in either period, below which hardly any change could be told
SURELY = 0.3  # upper bound, at most, of a sense's share in the period that is said to be without it
TIMES = 8.0  # so many times as large, at least, is its share in the other
MOST = 0.5  # of what rose, or fell: what is less beside the contrary does not name what happened


class KnownShares(Protocol):
    """Shares as :class:`senseshift.senses.shares.Shares` has them, or a table of a study."""

    @property
    def counts(self) -> NDArray[np.int64]:
        """Usages of each sense in each period."""

    @property
    def high(self) -> NDArray[np.float64]:
        """Upper bounds of the shares."""


@dataclass(frozen=True)
class Verdict:
    """What happened to a word between two periods, and to which of its senses.

    ``kind`` is *gained* or *lost* a sense, one *replaced* another, shares *shifted*, no change is
    clear (*unclear*), or there are too *few* usages.  ``rose`` and ``fell`` are the marked senses
    that were there before and after.
    """

    kind: Kind
    gained: Senses = ()
    lost: Senses = ()
    rose: Senses = ()
    fell: Senses = ()


def judge(shares: KnownShares, q: ArrayLike, old: int = 0, new: int = 1) -> Verdict:
    """Judge a word.

    A sense is marked where its q is at most .1.  A marked sense was gained where its old share is
    an eighth of its new one at most, and surely below .3; lost is the contrary.  Some usages of
    other senses always fall into an induced one: so an old share of .1 beside a new one of .85 is
    no sense that was there.  Where one was gained and another lost, one *replaced* the other if
    both are most of what rose and of what fell; if one of them only is, the other is a shade of
    senses that are still there, and the word gained or lost one.

    Parameters
    ----------
    shares
        Of its senses in all periods.
    q
        Of the difference of each sense between the two periods: corrected for the many that were
        asked in the study, with regard to what p such small samples can have at all.
    old, new
        Which two periods.
    """
    q = np.asarray(q, dtype=np.float64)
    if q.shape != shares.counts.shape[:1]:
        raise InputError(
            f"The word has {shares.counts.shape[0]} senses and q of shape {q.shape}: "
            "give one q for each sense."
        )
    totals, high = shares.counts.sum(axis=0), shares.high
    if totals[[old, new]].min() < FEW:
        return Verdict("few")
    before, after = shares.counts[:, old] / totals[old], shares.counts[:, new] / totals[new]
    marked = q <= MARKED  # not where q is NaN
    rose, fell = marked & (after > before), marked & (after < before)
    gained = rose & without(before, high[:, old], after)
    lost = fell & without(after, high[:, new], before)
    groups = gained, lost, rose & ~gained, fell & ~lost
    kind: Kind = "unclear"
    if gained.any() and lost.any():
        kind = _weightier(after - before, gained, lost)
    elif gained.any() or lost.any():
        kind = "gained" if gained.any() else "lost"
    elif marked.any():
        kind = "shifted"
    return Verdict(kind, *(tuple(np.flatnonzero(group).tolist()) for group in groups))


def without(share: ArrayLike, high: ArrayLike, other: ArrayLike) -> Bools:
    """Whether a period is without a sense: by its share there, how high that may be, and the other.

    >>> without([0.0, 0.1, 0.1], [0.1, 0.2, 0.2], [0.2, 0.85, 0.6])
    array([ True,  True, False])
    """
    less, more = np.asarray(share, dtype=np.float64), np.asarray(other, dtype=np.float64)
    found: Bools = (np.asarray(high) <= SURELY) & (TIMES * less <= more)
    return found


def _weightier(difference: NDArray[np.float64], gained: Bools, lost: Bools) -> Kind:
    """Which of the two a word did that gained some senses and lost others, or both."""
    least = MOST * np.abs(difference).sum() / 2.0  # as much rose as fell
    gain, loss = difference[gained].sum() >= least, -difference[lost].sum() >= least
    if gain == loss:
        return "replaced"
    return "gained" if gain else "lost"
