"""Sentences in plain language about one word, made from its figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SOME = 0.05  # share of the usages without a counterpart that is worth naming; chance gives 0.01
EVEN = 0.1  # |g_SUS| below which a word neither broadened nor narrowed to speak of
CHANCE = 0.05  # p-value above which a word's change may well be none
SHIFT = 0.1  # change of a gold sense's share that is worth naming
OPEN, CLOSE = "\u2068", "\u2069"  # isolate what may run from right to left


@dataclass(frozen=True)
class Figures:
    """What is said of a word.

    Attributes
    ----------
    scope
        g_SUS: broadened (+) or narrowed (−).
    gained
        Share of the new usages that rose beyond chance: they have no counterpart in the old.
    lost
        Share of the old usages that fell beyond chance: they have no counterpart in the new.
    gained_words, lost_words
        What tells them from the others.
    senses
        Gold senses with their shares of the old and of the new usages.
    p_value
        How often a random deal of the usages changes the word as much, if the study knows.
    """

    scope: float
    gained: float
    lost: float
    gained_words: Sequence[str] = ()
    lost_words: Sequence[str] = ()
    senses: Sequence[tuple[str, float, float]] = ()
    p_value: float | None = None

    @property
    def by_chance(self) -> bool:
        """Whether chance alone may well have done it."""
        return self.p_value is not None and self.p_value > CHANCE


def verdict(figures: Figures) -> str:
    """One word or two: what happened.

    >>> verdict(Figures(scope=0.8, gained=0.31, lost=0.02))
    'Broadened'
    """
    if figures.by_chance or max(figures.gained, figures.lost) < SOME:
        return "Hardly changed"
    if figures.scope > EVEN and figures.gained >= SOME:
        return "Broadened"
    if figures.scope < -EVEN and figures.lost >= SOME:
        return "Narrowed"
    return "Changed"


def sentences(figures: Figures) -> list[str]:
    """The summary.

    >>> print(*sentences(Figures(0.8, 0.31, 0.02)))
    Broadened: 31 % of the new usages have no counterpart in the old.
    """
    gained = _side(figures.gained, "new", "old", figures.gained_words)
    lost = _side(figures.lost, "old", "new", figures.lost_words)
    said = [side for side in (gained, lost) if side]
    if figures.scope < -EVEN:
        said.reverse()
    if figures.by_chance:
        how_often = percent(figures.p_value or 0.0)
        said = [
            f"dealt to the periods at random, its usages differ as much {how_often} of the time."
        ]
    elif not said:
        said = ["nearly all usages have counterparts in the other period."]
    first, *rest = said
    return [f"{verdict(figures)}: {first}", *(_capital(side) for side in rest), *_gold(figures)]


def sense_shares(
    senses: Sequence[str | None], is_new: NDArray[np.bool_]
) -> list[tuple[str, float, float]]:
    """Every sense with its share of the old and of the new usages that have one."""
    labels = np.array([sense or "" for sense in senses], dtype=object)
    known = labels != ""
    counts = [max(int((known & side).sum()), 1) for side in (~is_new, is_new)]
    return [
        (
            str(sense),
            int(((labels == sense) & ~is_new).sum()) / counts[0],
            int(((labels == sense) & is_new).sum()) / counts[1],
        )
        for sense in dict.fromkeys(labels[known])
    ]


def _side(share: float, here: str, there: str, words: Sequence[str]) -> str:
    if share < SOME:
        return ""
    said = f"{percent(share)} of the {here} usages have no counterpart in the {there}"
    return f"{said}; they centre on {_listed(words[:4])}." if words else f"{said}."


def _gold(figures: Figures) -> list[str]:
    """The gold senses that rose and fell most."""
    moved = [sense for sense in figures.senses if abs(sense[2] - sense[1]) >= SHIFT]
    parts = []
    for verb, sign in (("rose", 1), ("fell", -1)):
        most = max(moved, key=lambda sense: sign * (sense[2] - sense[1]), default=None)
        if most and sign * (most[2] - most[1]) > 0:
            name, old, new = most
            parts.append(f"{_isolated(name)} {verb} from {percent(old)} to {percent(new)}")
    return [f"Of the gold senses, {' and '.join(parts)}."] if parts else []


def percent(share: float) -> str:
    """A share in whole per cent, never rounded to nothing or to all.

    >>> print(percent(0.306), percent(0.001), percent(0.999), percent(1.0), sep=", ")
    31 %, < 1 %, > 99 %, 100 %
    """
    if 0.0 < share < 0.01:
        return "< 1\u00a0%"
    if 0.99 < share < 1.0:
        return "> 99\u00a0%"
    return f"{share:.0%}".replace("%", "\u00a0%")


def _listed(words: Sequence[str]) -> str:
    *most, last = (_isolated(word) for word in words)
    return f"{', '.join(most)} and {last}" if most else last


def _isolated(word: str) -> str:
    return f"‘{OPEN}{word}{CLOSE}’"


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
