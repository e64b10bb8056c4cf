"""Generated vectors that behave as words do whose senses come, go, shift and stay."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

USAGES = 60
DIMENSION = 32
SPREAD = 0.5  # of usages about their sense

# The shares of three senses among the old and the new usages.
SHARES = {
    "gained a sense": ((0.6, 0.4, 0.0), (0.4, 0.2, 0.4)),
    "lost a sense": ((0.4, 0.2, 0.4), (0.7, 0.3, 0.0)),
    "shifted in share": ((0.8, 0.2, 0.0), (0.4, 0.6, 0.0)),
    "has one sense": ((1.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
    "has three, unchanged": ((0.5, 0.3, 0.2), (0.5, 0.3, 0.2)),
}


def generated_words(seed: int = 0) -> dict[str, tuple[Floats, Floats]]:
    """Old and new vectors of a few made-up words, by what happened to them."""
    rng = np.random.default_rng(seed)
    words = {}
    for name, (old_shares, new_shares) in SHARES.items():
        # Senses of one word have much in common.
        senses = rng.normal(size=DIMENSION) + rng.normal(size=(3, DIMENSION))
        words[name] = (_usages(rng, senses, old_shares), _usages(rng, senses, new_shares))
    return words


def _usages(rng: np.random.Generator, senses: Floats, shares: tuple[float, ...]) -> Floats:
    chosen = np.repeat(np.arange(len(shares)), np.round(np.multiply(shares, USAGES)).astype(int))
    vectors: Floats = senses[chosen] + SPREAD * rng.normal(size=(chosen.size, DIMENSION))
    return vectors
