"""Whether a penalty ρ chosen without gold ranks words better than ρ = 1 for all.

    python benchmarks/penalty.py training/written/test.txt     # changes planted in written words
    python benchmarks/penalty.py WUG_FOLDER                    # such as DWUG EN, encoded as usual

Two ways to choose are tried, for each word alone and for all words together: *power*, the ρ at
which a word's change stands out most from its permutations, in their standard deviations; and
*halves*, the ρ at which two halves of the usages agree best.  A choice is good if the ``change``
of words at it has a high rank correlation with what was planted or annotated.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.spatial.distance import jensenshannon
from scipy.stats import spearmanr

import senseshift
from certainty import Maker, _planted
from senseshift.encoders import load
from senseshift.evaluation import Gold
from senseshift.resampling import permute

RHOS = np.array([0.25, 0.5, 1.0, 2.0, 4.0])
ONE = int(np.flatnonzero(RHOS == 1.0)[0])
PERMUTATIONS = 60
Word = tuple[
    np.ndarray, np.ndarray, float
]  # costs between all usages, who is new, how much changed


def planted(written: Path, count: int) -> Iterator[Word]:
    """Words with 20 … 80 usages a side, some drift of manner, and a change that is known."""
    curve, rng = load("bundled").calibration, np.random.default_rng(0)
    maker = Maker(written, curve.middle, curve.width)
    for index in range(count):
        word = list(maker.words)[index % len(maker.words)]
        shares = _planted(len(maker.words[word]), rng)
        counts = tuple(np.exp(rng.uniform(np.log(20), np.log(80), 2)).astype(int))
        cost, is_new, _ = maker.word(word, shares, counts, (0.2, 0.8), rng)
        yield cost, is_new, float(np.nan_to_num(jensenshannon(*shares, base=2)))


def annotated(folder: Path) -> Iterator[Word]:
    """Words of a WUG folder with their graded change."""
    usages, curve = senseshift.read(folder), load("bundled").calibration
    vectors = np.asarray(senseshift.encode(usages), dtype=np.float64)
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    words, periods = (usages.table[name].to_numpy() for name in ("word", "period"))
    gold = Gold.of(usages, folder).words
    for word, change in gold.select("word", "f").drop_nulls().iter_rows():
        own = np.flatnonzero(words == word)
        cost = curve.cost(np.maximum(1.0 - units[own] @ units[own].T, 0.0))
        yield cost, periods[own] == usages.periods[1], change


def seen(cost: np.ndarray, is_new: np.ndarray, seed: int) -> np.ndarray:
    """At each ρ: change, its distance from chance in standard deviations, change of each half."""
    rng = np.random.default_rng(seed)
    half = np.zeros(is_new.size, bool)
    for side in (False, True):
        own = rng.permutation(np.flatnonzero(is_new == side))
        half[own[: own.size // 2]] = True
    rows = []
    for rho in RHOS:
        whole, one, other = (
            permute(
                cost[np.ix_(part, part)], is_new[part], permutations=PERMUTATIONS, rho=rho,
                seed=seed, early=False, threads=1,
            )
            for part in (np.ones(is_new.size, bool), half, ~half)
        )  # fmt: skip
        null = whole.figures["change"]
        rows.append([whole.change, null.centred / null.spread, one.change, other.change])
    return np.array(rows)


def choices(table: np.ndarray) -> dict[str, tuple[np.ndarray, str]]:
    """The score of every word by each way to choose, and what was chosen."""
    change, power, one, other = np.moveaxis(table, 2, 0)
    words = np.arange(len(table))
    found = {f"ρ = {rho:g}": (change[:, k], "") for k, rho in enumerate(RHOS)}
    agree = [spearmanr(one[:, k], other[:, k])[0] for k in range(RHOS.size)]
    apart = np.abs(one - other) / np.maximum(one + other, 1e-12)
    for name, best in (
        ("power, all words", np.full(words.size, power.mean(axis=0).argmax())),
        ("halves, all words", np.full(words.size, np.argmax(agree))),
        ("power, each word", power.argmax(axis=1)),
        ("halves, each word", apart.argmin(axis=1)),
    ):
        told = " ".join(f"{rho:g}:{(best == k).sum()}" for k, rho in enumerate(RHOS))
        found[name] = (change[words, best], told)
        if name.endswith("each word"):  # SUS is a potential over ρ: the same, in units of the cost
            found[f"{name}, × ρ"] = (change[words, best] * RHOS[best], "")
    found["largest power itself"] = (power.max(axis=1), "")
    for name, values in (("mean power", power.mean(axis=0)), ("halves agree", agree)):
        told = "  ".join(f"{rho:g}: {v:.3f}" for rho, v in zip(RHOS, values, strict=True))
        print(f"  {name:12} {told}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path, help="written usages, or a WUG folder")
    parser.add_argument("--words", type=int, default=152, help="to make of written usages")
    given = parser.parse_args()
    is_folder = given.source.is_dir()
    words = list(annotated(given.source) if is_folder else planted(given.source, given.words))
    table = np.array([seen(cost, is_new, k) for k, (cost, is_new, _) in enumerate(words)])
    truth = np.array([change for *_, change in words])
    print(f"{truth.size} words, {PERMUTATIONS} permutations at each ρ")
    found = choices(table)
    rng = np.random.default_rng(0)
    draws = rng.integers(truth.size, size=(1_000, truth.size))
    fixed = found[f"ρ = {RHOS[ONE]:g}"][0]
    print("  choice                 Spearman  less that of ρ = 1 (± standard error)  chosen")
    for name, (score, told) in found.items():
        gain = [spearmanr(score[d], truth[d])[0] - spearmanr(fixed[d], truth[d])[0] for d in draws]
        value = spearmanr(score, truth)[0]
        less = value - spearmanr(fixed, truth)[0]
        print(f"  {name:22} {value:.3f}     {less:+.3f} ± {np.std(gain):.3f}      {told}")


if __name__ == "__main__":
    main()
