"""What may be said about a word by its senses' shares: one rule for every place that says it.

A word is tested as a whole, and its senses only where it changed: so few tests are made that little
is lost by correcting for them.  The thresholds were fixed on words with planted changes, generated
and held out (``training/choose.py``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senseshift.errors import InputError

Kind = Literal["gained", "lost", "replaced", "shifted", "unclear", "few"]
Senses = tuple[int, ...]

MARKED = 0.05  # q up to which a sense's difference is told
MOVED = 0.12  # how far it moved, at the least, weighed by how sure it is another sense
FEW = 10  # usages with a sense, in either period, below which hardly any change could be told
ABSENT, SURELY, TIMES = 0.05, 0.3, 5.0  # largest share and bound of no sense, and how often less


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


def sense_q(word_q: ArrayLike, p: ArrayLike) -> NDArray[np.float64]:
    """The q of senses: that of their word over the study, or their own p where it is larger."""
    return np.maximum(np.asarray(word_q, dtype=np.float64), np.asarray(p, dtype=np.float64))


def is_marked(q: ArrayLike, moved: ArrayLike) -> NDArray[np.bool_]:
    """Which senses' shares changed: chance does not explain it, and it is enough to matter."""
    clear = np.asarray(q, dtype=np.float64) <= MARKED  # not where q is NaN
    enough: NDArray[np.bool_] = clear & (np.asarray(moved, dtype=np.float64) >= MOVED)
    return enough


def judge(shares: KnownShares, marked: ArrayLike, old: int = 0, new: int = 1) -> Verdict:
    """Judge a word.

    A marked sense was gained where its old share is at most .05, surely below .3, and a fifth of
    its new one at most; lost is the contrary.

    Parameters
    ----------
    shares
        Of its senses in all periods.
    marked
        Which senses' shares differ between the two periods, by :func:`is_marked`.
    old, new
        Which two periods.
    """
    marked = np.asarray(marked, dtype=np.bool_)
    if marked.shape != shares.counts.shape[:1]:
        raise InputError(
            f"The word has {shares.counts.shape[0]} senses and marks of shape {marked.shape}: "
            "give one for each sense."
        )
    totals, high = shares.counts.sum(axis=0), shares.high
    if totals[[old, new]].min() < FEW:
        return Verdict("few")
    before, after = shares.counts[:, old] / totals[old], shares.counts[:, new] / totals[new]
    rose, fell = marked & (after > before), marked & (after < before)
    gained = rose & (before <= ABSENT) & (high[:, old] <= SURELY) & (TIMES * before <= after)
    lost = fell & (after <= ABSENT) & (high[:, new] <= SURELY) & (TIMES * after <= before)
    groups = gained, lost, rose & ~gained, fell & ~lost
    kind: Kind = "unclear"
    if gained.any() and lost.any():
        kind = "replaced"
    elif gained.any() or lost.any():
        kind = "gained" if gained.any() else "lost"
    elif marked.any():
        kind = "shifted"
    return Verdict(kind, *(tuple(np.flatnonzero(group).tolist()) for group in groups))
