"""Colours of scores and of senses, the same in every picture and safe for colour-blind eyes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

# From fell (blue) over white to rose (vermilion): lightness falls evenly and alike on both sides,
# and the ends stay far apart in every kind of colour blindness.
DIVERGING = (
    "#1c60b4", "#6684ca", "#9babdf", "#cdd4f2", "#ffffff",
    "#ffffff", "#fecbb9", "#ee9b7c", "#d66b43", "#b93808",
)  # fmt: skip

# The palette of Okabe and Ito, in an order in which neighbours differ in lightness too.
SENSES = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442")
OTHER_SENSES = "#8c8c8c"
NO_SENSE = "#ffffff"
SAME_SENSE = "#f6d5c3"  # blocks of a plan in which transport stays within a sense
EDGE = "#666666"  # of the marks of usages

ROUNDING = 1e-9  # the size of a score that is nothing
HIGH, LOW = 0.95, 0.30  # quantiles of |score| beyond and below which colours do not change


def squash(scores: ArrayLike) -> Floats:
    """sgn(x)·log(1 + |x|): LDR spans orders of magnitude, which no colours can."""
    values = np.asarray(scores, dtype=np.float64)
    squashed: Floats = np.sign(values) * np.log1p(np.abs(values))
    return squashed


@dataclass(frozen=True)
class Scale:
    """Which score has which colour.

    Scores of at most ``low`` in size are white, those of at least ``high`` have the darkest blue
    or red, and those between are shaded evenly.
    """

    low: float
    high: float

    @classmethod
    def over(cls, words: Iterable[Floats]) -> Scale:
        """The scale of the paper for the words that are shown together.

        ``high`` is the largest of the words' 95 % quantiles of |score|, ``low`` the smallest of
        their 30 % quantiles.

        >>> scale = Scale.over([np.linspace(0, 1, 101), np.linspace(0, 2, 101)])
        >>> round(scale.low, 6), round(scale.high, 6)
        (0.3, 1.9)
        """
        sizes = [np.abs(scores) for scores in words if scores.size]
        high = max((float(np.quantile(size, HIGH)) for size in sizes), default=0.0)
        low = min((float(np.quantile(size, LOW)) for size in sizes), default=0.0)
        if not high > ROUNDING:  # nothing shifted: all is white
            return cls(0.0, 1.0)
        return cls(low if low < high else 0.0, high)

    @property
    def stops(self) -> list[tuple[float, str]]:
        """The colours from −high to +high, each with its place on 0 … 1."""
        sides = np.linspace(self.high, self.low, 5), np.linspace(self.low, self.high, 5)
        values = np.concatenate((-sides[0], sides[1]))
        places = (values / self.high + 1.0) / 2.0
        return list(zip(places.tolist(), DIVERGING, strict=True))


def sense_colours(senses: Iterable[str | None]) -> dict[str, str]:
    """A colour for each of the most frequent senses; the others share grey.

    >>> sense_colours(["a", "b", "b", None])
    {'b': '#0072b2', 'a': '#e69f00'}
    """
    known = [sense for sense in senses if sense is not None]
    counts = {sense: known.count(sense) for sense in dict.fromkeys(known)}
    frequent = sorted(counts, key=lambda sense: (-counts[sense], natural(sense)))
    colours = dict(zip(frequent, SENSES, strict=False))
    return colours | dict.fromkeys(frequent[len(SENSES) :], OTHER_SENSES)


def natural(label: str | None) -> tuple[bool, int, str]:
    """A key that sorts 2 before 10, numbers before words, and nothing last.

    >>> sorted(["10", None, "b", "2"], key=natural)
    ['2', '10', 'b', None]
    """
    number = label is not None and label.isdecimal()
    return label is None, int(label) if number and label else 10**9, label or ""
