"""How alike all that is said sounds: how far apart usages of different words lie in these texts.

Where everything is said in one manner, usages lie nearer to each other, those of one word as those
of different ones, and what is near there is far elsewhere. No senses need to be known to see it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from senseshift.vectors import unit

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Manner:
    """Some words' usages in sums, so that those of many parts can be added.

    Attributes
    ----------
    words
        How many words.
    total
        The sum of their means, each the mean of the unit vectors of a word's usages.
    squares
        The sum of the squared lengths of these means.
    """

    words: int
    total: Floats
    squares: float

    @classmethod
    def of(cls, words: Iterable[NDArray[np.floating]]) -> Manner:
        """Of the vectors of some words, a matrix each; usages without a direction say nothing."""
        means = []
        for given in words:
            vectors = given.astype(np.float64)
            vectors = vectors[np.isfinite(vectors).all(axis=1) & vectors.any(axis=1)]
            if len(vectors):
                means.append(unit(vectors, "usage").mean(axis=0))
        every = np.array(means) if means else np.zeros((0, 0))
        return cls(len(means), every.sum(axis=0), float((every**2).sum()))

    @classmethod
    def together(cls, parts: Iterable[Manner]) -> Manner:
        """That of all words of some parts."""
        known = [part for part in parts if part.words]
        if not known:
            return cls.of([])
        return cls(
            sum(part.words for part in known),
            np.sum([part.total for part in known], axis=0),
            float(sum(part.squares for part in known)),
        )

    @property
    def apart(self) -> float:
        """The mean cosine distance of usages of different words, every two words counting alike.

        >>> round(Manner.of([np.eye(2)[:1], np.eye(2)]).apart, 3)
        0.5
        """
        if self.words < 2:
            return float("nan")
        alike = float(self.total @ self.total) - self.squares
        return 1.0 - alike / (self.words * (self.words - 1))
