"""Exact transport against POT's MM(1000) and its emd, on the same costs in one run.

    python benchmarks/transport.py [VECTORS.npy] [--large]

With a file of vectors and an id table of the same stem (.tsv: lemma, grouping, identifier) the real
costs of its words are used; without, costs of generated words of the same sizes.  Every line gives
times and the ratio against the alternative measured beside it; machines differ, ratios less so.
"""

from __future__ import annotations

import argparse
import csv
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import ot
from rich.console import Console
from rich.table import Table

from senseshift import transport

LAMS = [10, 20, 50, 100, 200, 500, 1000]
worst_error = 0.0


def words_of(path: Path | None) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Old and new unit vectors by word."""
    if path is None:
        rng = np.random.default_rng(0)
        words = {}
        for k in range(46):
            senses = rng.normal(size=384) + 0.5 * rng.normal(size=(4, 384))
            pair = (
                senses[rng.integers(0, count, 100)] + 0.5 * rng.normal(size=(100, 384))
                for count in (3, 4)
            )
            words[f"word {k}"] = tuple(map(unit, pair))
        return words
    vectors = unit(np.load(path).astype(np.float64))
    with path.with_suffix(".tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    lemmas = np.array([row["lemma"] for row in rows])
    periods = np.array([row["grouping"] for row in rows])
    first, second = sorted(set(periods))[:2]
    return {
        lemma: tuple(vectors[(lemmas == lemma) & (periods == p)] for p in (first, second))
        for lemma in dict.fromkeys(lemmas)
    }


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def cosine_cost(pair: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    return np.maximum(1 - pair[0] @ pair[1].T, 0)


def many_usages(words: dict, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """One large word: usages of real words drawn again with a little noise."""
    rng = np.random.default_rng(seed)

    def draw(side: int) -> np.ndarray:
        pool = np.concatenate([pair[side] for pair in words.values()])
        noise = rng.standard_normal((count, pool.shape[1]), dtype=np.float32)
        return unit(pool[rng.integers(0, len(pool), count)] + 0.02 * noise)

    return draw(0), draw(1)


def seconds(call: Callable[[], object], repeat: int = 1) -> float:
    best = np.inf
    for _ in range(repeat):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def certified(*results: transport.Transport | transport.Splits) -> None:
    global worst_error
    worst_error = max(worst_error, *(float(np.max(r.sus_error)) for r in results))


def pot_mm(cost: np.ndarray, lam: float) -> np.ndarray:
    a, b = (np.full(size, 1 / size) for size in cost.shape)
    return ot.unbalanced.mm_unbalanced(a, b, cost, lam, div="l2")


def pot_emd(cost: np.ndarray) -> np.ndarray:
    a, b = (np.full(size, 1 / size) for size in cost.shape)
    return ot.emd(a, b, cost, numItermax=10**7)


def one_word(costs: list[np.ndarray], report: Callable) -> None:
    ours, theirs, emd, balanced, grid = [], [], [], [], []
    for cost in costs:
        ours.append(seconds(lambda: certified(transport.solve(cost, lam=100)), 5))  # noqa: B023
        grid.append(seconds(lambda: certified(*transport.path(cost, lams=LAMS)), 5))  # noqa: B023
        balanced.append(seconds(lambda: transport.solve(cost, method="balanced"), 3))  # noqa: B023
        theirs.append(seconds(lambda: pot_mm(cost, 100)))  # noqa: B023
        emd.append(seconds(lambda: pot_emd(cost), 3))  # noqa: B023
    middle = statistics.median
    report(
        "one word, λ=100: MM",
        middle(ours),
        middle(theirs),
        middle(np.divide(theirs, ours)),
        "≥ 50, aim 100",
    )
    report("one word, λ=100: emd", middle(ours), middle(emd), middle(np.divide(emd, ours)))
    report(
        "one word, balanced: emd", middle(balanced), middle(emd), middle(np.divide(emd, balanced))
    )
    report(
        "seven λ against one", middle(grid), middle(ours), middle(np.divide(grid, ours)), "≤ 1.7"
    )
    start = time.perf_counter()
    for cost in costs:
        for lam in LAMS:
            pot_mm(cost, lam)
    all_mm = time.perf_counter() - start
    all_ours = seconds(lambda: [certified(*transport.path(cost, lams=LAMS)) for cost in costs], 2)
    report(f"{len(costs)} words × 7 λ: MM", all_ours, all_mm, all_mm / all_ours, "≥ 200")


def large_word(words: dict, report: Callable) -> None:
    cost = cosine_cost(many_usages(words, 1000, 0))
    for rho in (0.1, 1.0, 10.0):
        ours = seconds(lambda: certified(transport.solve(cost, rho=rho)), 3)  # noqa: B023
        mm, emd = seconds(lambda: pot_mm(cost, 1000 * rho)), seconds(lambda: pot_emd(cost))  # noqa: B023
        bar = "≥ 100" if rho == 1 else ""
        report(f"1,000 × 1,000, ρ={rho:g}: MM", ours, mm, mm / ours, bar)
        report(f"1,000 × 1,000, ρ={rho:g}: emd", ours, emd, emd / ours, "> 1" if rho == 1 else "")


def splits(words: dict, report: Callable) -> None:
    pair = next(pair for pair in words.values() if len(pair[0]) == len(pair[1]) == 100)
    both = np.concatenate(pair)
    pooled = np.maximum(1 - both @ both.T, 0)
    rng = np.random.default_rng(0)
    is_new = np.array([rng.permutation(200) < 100 for _ in range(1000)])
    ours = seconds(lambda: certified(transport.solve_many(pooled, is_new, threads=2)), 2)
    ten = seconds(lambda: [pot_mm(pooled[~s][:, s], 100) for s in is_new[:10]])
    report("1,000 splits of 100+100, 2 threads: MM", ours, 100 * ten, 100 * ten / ours, "≤ 1 s")


def memory(field: str) -> int:
    """Kibibytes held now (VmRSS) or at most so far (VmHWM)."""
    status = Path("/proc/self/status").read_text()
    return int(status.split(f"{field}:")[1].split()[0])


def very_large(words: dict, report: Callable, count: int = 10_000) -> None:
    old, new = (side.astype(np.float32) for side in many_usages(words, count, 1))
    cost = np.empty((count, count), np.float32)
    for start in range(0, count, 1000):
        # in double, stored in single: a single-precision product would cost five digits of SUS
        cost[start : start + 1000] = 1 - old[start : start + 1000].astype(
            np.float64
        ) @ new.T.astype(np.float64)
    np.maximum(cost, 0, out=cost)
    Path("/proc/self/clear_refs").write_text("5")  # forget earlier peaks (Linux)
    holding = memory("VmRSS")
    ours = seconds(lambda: certified(transport.solve(cost, rho=1.0)))
    extra = (memory("VmHWM") - holding) / 2**20
    report(f"{count:,} × {count:,} float32, ρ=1", ours, float("nan"), float("nan"))
    print(f"memory beyond the cost matrix: {extra:.2f} GiB (bar: 2)")


def first_use() -> None:
    """Compile in an empty cache, then load from it, each in a process of its own."""
    code = (
        "import time; t = time.perf_counter(); import numpy as np\n"
        "from senseshift import transport; transport.solve(np.ones((3, 3)))\n"
        "print(time.perf_counter() - t)"
    )
    with tempfile.TemporaryDirectory() as folder:
        took = []
        for _ in range(2):
            done = subprocess.run(
                [sys.executable, "-c", code], env={**os.environ, "NUMBA_CACHE_DIR": folder},
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            took.append(float(done.stdout))
    print(
        f"first use ever, compiling: {took[0]:.1f} s (bar: 15); "
        f"next process: {took[1]:.2f} s (bar: 1)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("vectors", nargs="?", type=Path, help="vectors .npy with a .tsv beside it")
    parser.add_argument("--large", action="store_true", help="also 10,000 × 10,000 (a minute)")
    arguments = parser.parse_args()
    words = words_of(arguments.vectors)
    costs = [cosine_cost(pair) for pair in words.values()]
    table = Table("problem and alternative", "ours, ms", "theirs, ms", "ratio", "bar", box=None)

    def report(name: str, ours: float, theirs: float, ratio: float, bar: str = "") -> None:
        table.add_row(name, f"{1e3 * ours:.2f}", f"{1e3 * theirs:.2f}", f"{ratio:.3g}", bar)

    transport.solve(costs[0])
    first_use()
    if arguments.large:  # first, so that its memory is not hidden by an earlier peak
        very_large(words, report)
    one_word(costs, report)
    large_word(words, report)
    splits(words, report)
    Console(width=100).print(table)
    print(f"largest certified error of SUS in all of the above: {worst_error:.1e} (bar: 1e-6)")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = [transport.solve(cost, lam=100, method="mm") for cost in costs[:5]]
    best = min(result.sus_error for result in results)
    print(f"what MM can certify after 1,000 iterations, at best: {best:.1e}")


if __name__ == "__main__":
    main()
