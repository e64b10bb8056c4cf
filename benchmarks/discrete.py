"""q of senses with regard to the p that few usages can have, beside the plain correction.

    python benchmarks/discrete.py [--studies 400]

Studies of 300 words with three senses. Where nothing changed one study in ten may have a marked
sense; where half of the words changed, by a quarter of the first sense, more of them should be
found with the same share of false ones.
"""

from __future__ import annotations

import argparse
from functools import cache

import numpy as np
from scipy.stats import fisher_exact

from senseshift.findings.statement import CLEAR
from senseshift.resampling import discrete_q_values, q_values
from senseshift.senses.verdict import MARKED

WORDS = 300
SAME, OTHER = (0.7, 0.2, 0.1), (0.45, 0.2, 0.35)
SIDES = (25, 50, 100)  # usages of each period


@cache
def exact(old: int, new: int, count: int) -> float:
    return float(fisher_exact([[old, count - old], [new, count - new]]).pvalue)


def marked(count: int, changed: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Which words have a marked sense, by the plain q and by the discrete one; the last changed."""
    old = rng.multinomial(count, SAME, WORDS)
    new = np.vstack(
        [rng.multinomial(count, SAME, WORDS - changed), rng.multinomial(count, OTHER, changed)]
    )
    pairs = zip(old.ravel().tolist(), new.ravel().tolist(), strict=True)
    p = np.array([exact(a, b, count) for a, b in pairs])
    margins = np.column_stack([(old + new).ravel(), np.full((p.size, 2), count)])
    told = (p <= CLEAR) & np.array([q_values(p) <= MARKED, discrete_q_values(p, margins) <= MARKED])
    return [one.reshape(old.shape).any(axis=1) for one in told]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--studies", type=int, default=400)
    given = parser.parse_args()
    rng = np.random.default_rng(0)
    half = WORDS // 2
    print("usages a side; plain, discrete: studies without change that have a marked sense,")
    print("changed words found, false ones among those found")
    for count in SIDES:
        silent = np.array([[m.any() for m in marked(count, 0, rng)] for _ in range(given.studies)])
        mixed = np.array([marked(count, half, rng) for _ in range(given.studies // 5)])
        found = mixed[:, :, half:].mean(axis=(0, 2))
        false = mixed[:, :, :half].sum(axis=(0, 2)) / np.maximum(mixed.sum(axis=(0, 2)), 1)
        cells = (silent.mean(axis=0), found, false)
        print(f"  {count:3}  " + "   ".join(f"{a:.3f} {b:.3f}" for a, b in cells), flush=True)


if __name__ == "__main__":
    main()
