"""Senses of a word: groups of its usages, over all periods, that mean alike.

They are induced from vectors (:func:`induce`) or given; each has a share in every period
(:func:`count_shares`) that may differ between two (:func:`changes`), from which follows what may be
said about the word (:func:`judge`).  Everything here is numbers: usages are rows, senses and
periods are counted from 0, and −1 is a usage of no sense.
"""

from senseshift.senses.bounds import distance_bounds
from senseshift.senses.changes import Changes, changes, entropy_change, log_ratio
from senseshift.senses.consensus import confidence
from senseshift.senses.core import typical
from senseshift.senses.induction import STRAY, choose_cut, induce
from senseshift.senses.membership import membership
from senseshift.senses.shares import Shares, count_shares, moved
from senseshift.senses.spread import Spread, spread, spread_change
from senseshift.senses.verdict import Verdict, judge

__all__ = [
    "STRAY",
    "Changes",
    "Shares",
    "Spread",
    "Verdict",
    "changes",
    "choose_cut",
    "confidence",
    "count_shares",
    "distance_bounds",
    "entropy_change",
    "induce",
    "judge",
    "log_ratio",
    "membership",
    "moved",
    "spread",
    "spread_change",
    "typical",
]
