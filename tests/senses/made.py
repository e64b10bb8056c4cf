"""Usages whose senses are known, for they were made."""

from __future__ import annotations

import numpy as np

CUT = 0.34


def usages(*sizes: int, spread: float = 0.5, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Vectors around as many directions as sizes are given, and which each is of."""
    rng = np.random.default_rng(seed)
    senses = np.repeat(np.arange(len(sizes)), sizes)
    centres = np.linalg.qr(rng.normal(size=(32, 32)))[0][: len(sizes)]
    noise = rng.normal(size=(senses.size, 32)) / np.sqrt(32)
    return centres[senses] + spread * noise, senses
