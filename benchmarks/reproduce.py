"""The whole ``senseshift reproduce``, beside a plain version of three of its rows in the same run.

    python benchmarks/reproduce.py WUG_FOLDER VECTORS.npy

The folder and the vectors of DWUG EN give the figures of the README: 46 words, all tables, as
corrected and as published, and all figures of five words. The plain version does what the paper
describes for τ_SUS, f_SUS and g_SUS, one after the other, each with POT's solver (MM, 1,000
iterations) for every word and λ and 100 splits of the words, with loops over lists.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import ot
from scipy.stats import spearmanr

import senseshift
from senseshift.evaluation import Gold

LAMS = (10, 20, 50, 100, 200, 500, 1000)


def sus(u: np.ndarray, v: np.ndarray, lam: float) -> tuple[np.ndarray, np.ndarray]:
    u, v = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in (u, v))
    a, b = np.ones(len(u)) / len(u), np.ones(len(v)) / len(v)
    plan = ot.unbalanced.mm_unbalanced(a, b, 1 - u @ v.T, lam, div="l2")
    return plan.sum(axis=1) / a - 1, 1 - plan.sum(axis=0) / b


def tuned(words: list[str], scores: dict, correlate) -> float:
    """The mean correlation on the test words of 100 splits."""
    np.random.seed(42)  # noqa: NPY002
    found = []
    for _ in range(100):
        valid = list(np.random.choice(words, int(len(words) * 0.8), replace=False))  # noqa: NPY002
        best = max(LAMS, key=lambda lam, valid=valid: correlate(scores[lam], valid))
        found.append(correlate(scores[best], [word for word in words if word not in valid]))
    return float(np.mean(found))


def plainly(folder: Path, vectors: Path) -> dict[str, float]:
    """τ_SUS on the instance level, f_SUS and g_SUS."""
    usages = senseshift.read(folder)
    gold = Gold.of(usages, folder, compat=True)
    table = usages.table.select("word", "period").with_columns(tau=gold.usages["tau"])
    matrix = senseshift.encode(usages, vectors).astype(np.float64)
    words = gold.words["word"].to_list()
    pairs, tau = {}, {}
    for word in words:
        old, new = (
            np.flatnonzero((table["word"] == word) & (table["period"] == period))
            for period in usages.periods
        )
        pairs[word] = (matrix[old], matrix[new])
        tau[word] = [table["tau"][int(k)] for k in (*old, *new)]

    def by_usage(scores: dict, chosen: list[str]) -> float:
        known = [
            (t, x)
            for w in chosen
            for t, x in zip(tau[w], np.append(*scores[w]), strict=True)
            if t is not None
        ]
        return spearmanr([t for t, _ in known], [x for _, x in known])[0]

    def by_word(score, kind: str):
        of = dict(zip(words, gold.words[kind], strict=True))
        return lambda scores, chosen: spearmanr(
            [of[w] for w in chosen], [score(*scores[w]) for w in chosen]
        )[0]

    methods = {
        "tau_SUS": by_usage,
        "f_SUS": by_word(lambda old, new: abs(old.mean() - new.mean()), "f"),
        "g_SUS": by_word(lambda old, new: np.log(new.var() / old.var()), "g"),
    }
    return {
        name: tuned(
            words, {lam: {w: sus(*pairs[w], lam) for w in words} for lam in LAMS}, correlate
        )
        for name, correlate in methods.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("vectors", type=Path)
    arguments = parser.parse_args()
    senseshift.transport.solve(np.ones((2, 2)))  # compiles the solver where it is not yet

    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as out:
        code = "from senseshift.__main__ import main; main()"
        files = ("--vectors", str(arguments.vectors), "-o", out)
        subprocess.run(
            [sys.executable, "-c", code, "reproduce", str(arguments.folder), *files],
            check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
    ours = time.perf_counter() - start
    print(f"senseshift reproduce, everything: {ours:.1f} s (bar: ≤ 180 s)")

    start = time.perf_counter()
    found = plainly(arguments.folder, arguments.vectors)
    plain = time.perf_counter() - start
    rows = ", ".join(f"{name} {value:.2f}" for name, value in found.items())
    print(f"three rows by POT and loops: {plain:.1f} s ({rows})")
    print(f"ratio: {plain / ours:.1f} for three of 18 methods, as published only")


if __name__ == "__main__":
    main()
