"""Whether p-values are what they say, and how long they take.

    python benchmarks/significance.py WUG_FOLDER [VECTORS.npy] [--shuffles 11] [--midpoint .5]

With DWUG EN (https://doi.org/10.5281/zenodo.14028531), 46 words: the periods of every word are
shuffled, so that nothing changed, and permuted; the p-values of words and of usages should then be
uniform.  The words as they are give the time of 1,000 permutations with a p-value for every usage,
beside POT's MM on a sample of the same deals.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import ot
from scipy.stats import binom, kstest

import senseshift
from senseshift.encoders import load
from senseshift.resampling import permute

LEVELS = (0.01, 0.05, 0.10)
THREADS = 2
Word = tuple[np.ndarray, np.ndarray]  # costs between all usages, and who is new


def words_of(folder: Path, vectors: Path | None, midpoint: float, scale: float) -> list[Word]:
    """The costs and sides of every word; the cost is the chance of another sense, or cosine's."""
    usages = senseshift.read(folder)
    given = np.load(vectors) if vectors else senseshift.encode(usages, "bundled")
    rows = np.asarray(given, dtype=np.float64)
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    names, periods = usages.table["word"].to_numpy(), usages.table["period"].to_numpy()
    words = []
    for name in dict.fromkeys(names):
        own = np.flatnonzero(names == name)
        distance = np.maximum(1.0 - units[own] @ units[own].T, 0.0)
        cost = 1.0 / (1.0 + np.exp(-(distance - midpoint) / scale)) if scale else distance
        words.append((cost, periods[own] == max(periods)))
    return words


def report_rates(name: str, p: np.ndarray, attainable: np.ndarray) -> None:
    """Rates at each level beside the band that independent p-values of these steps stay in."""
    print(f"{name}: {p.size} p-values, mean {p.mean():.3f}")
    for level in LEVELS:
        # With d deals p comes in steps of 1/(d + 1): the rate to expect is the step below.
        expected = np.floor(level * (attainable + 1) + 1e-9) / (attainable + 1)
        low, high = binom.interval(0.95, p.size, expected.mean())
        hits = int((p <= level + 1e-12).sum())
        verdict = "within" if low <= hits <= high else "OUTSIDE"
        print(
            f"  p ≤ {level:.2f}: {hits / p.size:.3f}, expected {expected.mean():.3f}, "
            f"{verdict} {low / p.size:.3f} … {high / p.size:.3f}"
        )
    # Steps are no ties that a continuous test would know of: spread p evenly within its step.
    spread = p - np.random.default_rng(0).random(p.size) / (attainable + 1)
    print(f"  Kolmogorov–Smirnov against uniform: p = {kstest(spread, 'uniform').pvalue:.3f}")


def calibration(words: list[Word], shuffles: int, permutations: int, early: bool) -> None:
    """Shuffled words, for which nothing changed."""
    rng = np.random.default_rng(0)
    figures: dict[str, list[float]] = {}
    usage_p, usage_deals, made, all_usages = [], [], [], []
    start = time.perf_counter()
    for number in range(shuffles):
        for index, (cost, is_new) in enumerate(words):
            result = permute(
                cost, rng.permutation(is_new), permutations=permutations, rho=1.0,
                seed=(number, index), early=early, threads=THREADS,
            )  # fmt: skip
            for name, null in result.figures.items():
                figures.setdefault(name, []).append(null.p)
            one = rng.integers(is_new.size)  # usages of one word hang together: one of each
            usage_p.append(result.p[one])
            usage_deals.append(result.dealt[one])
            made.append(result.permutations)
            all_usages.append((result.p <= 0.05).mean())
    print(
        f"{len(usage_p)} shuffled words, {permutations} permutations, "
        f"{'stopping early' if early else 'all made'}: {time.perf_counter() - start:.0f} s"
    )
    for name, p in figures.items():
        report_rates(name, np.array(p), np.array(made))
    report_rates("a usage of each", np.array(usage_p), np.array(usage_deals))
    print(f"  of all usages {np.mean(all_usages):.4f} have p ≤ .05")


def speed(words: list[Word], permutations: int) -> None:
    """Everything for the words as they are; the first one is left out to load the solver."""
    permute(*words[0], permutations=1, rho=1.0)
    start, busy = time.perf_counter(), time.process_time()
    for index, (cost, is_new) in enumerate(words):
        permute(cost, is_new, permutations=permutations, rho=1.0, seed=index, early=False,
                threads=THREADS)  # fmt: skip
    ours = time.perf_counter() - start
    busy = time.process_time() - busy
    print(
        f"{permutations:,} permutations of {len(words)} words: {ours:.1f} s (bar 90), "
        f"{busy / THREADS:.1f} s if {THREADS} cores had nothing else to do"
    )
    rng, taken, solved = np.random.default_rng(0), 0.0, 0
    for cost, is_new in words[:: max(1, len(words) // 6)]:
        new = rng.permutation(is_new)
        part = np.ascontiguousarray(cost[np.ix_(~new, new)])
        a, b = (np.full(size, 1.0 / size) for size in part.shape)
        begin = time.perf_counter()
        # The paper's λ = 100 at 100 + 100 usages is ρ = 1.
        ot.unbalanced.mm_unbalanced(a, b, part, float(np.mean(part.shape)), div="l2")
        taken += time.perf_counter() - begin
        solved += 1
    theirs = taken / solved * len(words) * (permutations + 1)
    print(f"POT's MM by {solved} of these: {theirs / 60:.0f} min, {theirs / ours:.0f} × (bar 100)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("vectors", type=Path, nargs="?")
    parser.add_argument("--shuffles", type=int, default=11, help="of every word")
    parser.add_argument("--permutations", type=int, default=239, help="of every shuffled word")
    parser.add_argument("--early", action="store_true", help="stop where the answer is clear")
    curve = load("bundled").calibration
    parser.add_argument("--midpoint", type=float, default=curve.middle, help="of the sense cost")
    parser.add_argument(
        "--scale", type=float, default=curve.width, help="of it; 0 for cosine distance"
    )
    given = parser.parse_args()
    words = words_of(given.folder, given.vectors, given.midpoint, given.scale)
    speed(words, 1_000)
    if given.shuffles:
        calibration(words, given.shuffles, given.permutations, given.early)


if __name__ == "__main__":
    main()
