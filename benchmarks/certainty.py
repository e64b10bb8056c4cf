"""Planted change: what is found, how sure figures are, and how they depend on the sample.

    python benchmarks/certainty.py training/written/test.txt [--part power] [--scale .06]
    python benchmarks/certainty.py training/written/test.txt --part subsampling --wug DWUG_EN
    python benchmarks/certainty.py training/written/test.txt --part halves --usages USAGES.parquet

Words are made from the written usages that no encoder was trained on: a usage is the centre of one
of the word's senses and what two real usages have beside theirs, so that a word can have as many
as a test needs and shares of its senses that are known.  Old and new manners of writing differ as
they do in reality, as far as a test asks for it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.spatial.distance import jensenshannon
from scipy.stats import spearmanr
from sklearn.metrics import roc_auc_score

import senseshift
from senseshift.encoders import load
from senseshift.resampling import (
    detectable,
    interval,
    permute,
    standard_errors,
)
from senseshift.senses import count_shares

OWN = 0.8  # how much of a made usage's deviation is of its own sense
FEWEST = 4  # usages of a sense to make others from
Sense = tuple[np.ndarray, np.ndarray, np.ndarray]  # centre, deviations, whether in the new manner


class Maker:
    """Makes usages of words with given shares of their senses."""

    def __init__(self, written: Path, midpoint: float, scale: float) -> None:
        self.midpoint, self.scale = midpoint, scale
        rows = [line.split("|", 3) for line in written.read_text("utf-8").splitlines()]
        rows = [row for row in rows if len(row) == 4]
        starts = [row[3].index("[") for row in rows]
        ends = [row[3].index("]") - 1 for row in rows]
        texts = [row[3].replace("[", "", 1).replace("]", "", 1) for row in rows]
        encoded = load("bundled").encode(texts, list(zip(starts, ends, strict=True)))
        units = _units(np.asarray(encoded, dtype=np.float64))
        kinds = np.array([f"{word}|{sense}" for word, sense, *_ in rows])
        is_new = np.array([row[2] == "n" for row in rows])
        self.words: dict[str, list[Sense]] = {}
        for kind in dict.fromkeys(kinds.tolist()):
            own = kinds == kind
            if own.sum() >= FEWEST:
                centre = units[own].mean(axis=0)
                # A mean of few usages lies too near to them.
                away = (units[own] - centre) * np.sqrt(own.sum() / (own.sum() - 1))
                self.words.setdefault(kind.split("|")[0], []).append((centre, away, is_new[own]))
        senses = [sense for word in self.words.values() for sense in word]
        self.manners = [
            np.concatenate([away[new == manner] for _, away, new in senses])
            for manner in (False, True)
        ]

    def make(
        self, word: str, shares: np.ndarray, count: int, manner: float, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """So many usages, that share of them in the new manner; and their senses."""
        senses = rng.choice(len(shares), count, p=shares)
        made = []
        for number in senses:
            centre, away, is_new = self.words[word][number]
            new = rng.random() < manner
            own = np.flatnonzero(is_new == new)
            own = own if own.size else np.arange(is_new.size)
            others = self.manners[new]
            other = others[rng.integers(len(others))]
            made.append(centre + OWN * away[rng.choice(own)] + np.sqrt(1 - OWN**2) * other)
        return _units(np.array(made)), senses

    def cost(self, units: np.ndarray) -> np.ndarray:
        """The chance that two usages differ in sense, or their cosine distance."""
        distance = np.maximum(1.0 - units @ units.T, 0.0)
        if not self.scale:
            return distance
        return 1.0 / (1.0 + np.exp(-(distance - self.midpoint) / self.scale))

    def word(
        self, word: str, shares: list[np.ndarray], counts: tuple[int, int],
        manners: tuple[float, float], rng: np.random.Generator,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
        """Costs, sides and senses of a word with these shares on the old and the new side."""
        sides = [self.make(word, *side, rng) for side in zip(shares, counts, manners, strict=True)]
        units, senses = (np.concatenate(part) for part in zip(*sides, strict=True))
        return self.cost(units), np.arange(len(units)) >= counts[0], senses

    def of(self, least: int) -> list[str]:
        """Words of at least so many senses."""
        return [word for word, senses in self.words.items() if len(senses) >= least]


def _units(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def scores(maker: Maker, count: int) -> None:
    """How scores rank words by the change that was planted, the distance of the shares' JSD."""
    for title, sizes, manners in (
        ("100 + 100, no drift", (100, 100), (0.5, 0.5)),
        ("100 + 100, all drift", (100, 100), (0.0, 1.0)),
        ("20 … 150, some drift", None, (0.2, 0.8)),
    ):
        rng, table, planted, many = np.random.default_rng(0), [], [], []
        for index in range(count):
            word = list(maker.words)[index % len(maker.words)]
            shares = _planted(len(maker.words[word]), rng)
            counts = sizes or tuple(np.exp(rng.uniform(np.log(20), np.log(150), 2)).astype(int))
            cost, is_new, _ = maker.word(word, shares, counts, manners, rng)
            result = permute(cost, is_new, permutations=60, rho=1.0, seed=index, early=False)
            null = result.figures
            table.append(
                [result.change, null["change"].centred, null["change"].found,
                 null["f_SUS"].centred, null["f_SUS"].found, null["APD"].found]
            )  # fmt: skip
            planted.append(float(np.nan_to_num(jensenshannon(*shares, base=2))))
            many.append(len(maker.words[word]) > 1)
        truth, several = np.array(planted), np.array(many)
        print(f"{title}: {count} words; Spearman, area under the curve (words of several senses)")
        names = ("change", "centred", "with chance", "f_SUS − chance", "f_SUS", "APD")
        for name, values in zip(names, np.array(table).T, strict=True):
            figures = [
                f(values[own], truth[own])
                for own in (np.ones(count, bool), several)
                for f in (
                    lambda x, y: spearmanr(x, y)[0],
                    lambda x, y: roc_auc_score(y > 0, x),
                )
            ]
            print("  {:16} {:.3f} {:.3f}  ({:.3f} {:.3f})".format(name, *figures))


def _planted(senses: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Shares before and after: nothing, a sense gained or lost, or other shares."""
    base = (rng.dirichlet(np.full(senses, 0.9)) + 0.02) / (1 + 0.02 * senses)
    old, new, one = base.copy(), base.copy(), rng.integers(senses)
    kind = rng.choice(["none", "gained", "lost", "shifted"]) if senses > 1 else "none"
    if kind == "gained":
        old[one] = 0.0
    elif kind == "lost":
        new[one] = 0.0
    elif kind == "shifted":
        part = rng.uniform(0.2, 1.0)
        new = (1 - part) * base + part * rng.dirichlet(np.full(senses, 0.9))
    return [old / old.sum(), new / new.sum()]


def power(maker: Maker, repeats: int) -> None:
    """How often a gained sense is found, by its share and by the number of usages."""
    words, rng = maker.of(2), np.random.default_rng(1)
    print("p ≤ .05 for a sense gained (rows: usages a side; columns: its share)")
    planted = (0.0, 0.1, 0.2, 0.3, 0.5)
    print("        " + "  ".join(f"{share:4.0%}" for share in planted), "  detectable at best")
    for count in (10, 20, 50, 100):
        rates = []
        for share in planted:
            hits = 0
            for number in range(repeats):
                word = words[number % len(words)]
                rest = np.zeros(len(maker.words[word]))
                rest[0] = 1.0
                new = (1 - share) * rest
                new[1] += share
                cost, is_new, _ = maker.word(word, [rest, new], (count, count), (0.5, 0.5), rng)
                result = permute(cost, is_new, permutations=199, rho=1.0, seed=number)
                hits += result.figures["change"].p <= 0.05
            rates.append(hits / repeats)
        print(
            f"  {count:4}  " + "  ".join(f"{rate:4.0%}" for rate in rates),
            f"  {detectable(count, count):.0%}",
        )


def coverage(maker: Maker, repeats: int) -> None:
    """How often the intervals hold what they are meant to: the mean over samples of this size."""
    words, rng = maker.of(3), np.random.default_rng(2)
    cases = {
        "nothing": ([0.5, 0.3, 0.2], [0.5, 0.3, 0.2]),
        "gained": ([0.6, 0.4, 0.0], [0.4, 0.2, 0.4]),
        "shifted": ([0.5, 0.4, 0.1], [0.1, 0.4, 0.5]),
    }
    print(f"coverage of 95 % intervals over {repeats} samples, and their errors ÷ the true ones")
    for count in (30, 100):
        for word, (case, planted) in zip(words, cases.items(), strict=False):
            padded = [np.pad(s, (0, len(maker.words[word]) - 3)) for s in map(np.array, planted)]
            found: dict[str, list[tuple[float, float]]] = {}
            held_shares = []
            for number in range(repeats):
                cost, is_new, senses = maker.word(word, padded, (count, count), (0.3, 0.7), rng)
                result = permute(cost, is_new, permutations=60, rho=1.0, seed=number, early=False)
                errors = standard_errors(cost, result, draws=60, rho=1.0)
                for name, null in result.figures.items():
                    value = null.centred if name == "change" else null.found
                    found.setdefault(name, []).append((value, errors[name]))
                shares = count_shares(senses, is_new.astype(np.int64), number=2)
                bounds = float(shares.low[0, 1]), float(shares.high[0, 1])
                held_shares.append(bounds[0] <= padded[1][0] <= bounds[1])
            print(f"  {count} + {count}, {case:8}  share {np.mean(held_shares):.3f}", end="")
            for name, rows in found.items():
                values, errors_of = np.array(rows).T
                bounds_of = [interval(*row, result.dealer) for row in rows]
                held = np.mean([low <= values.mean() <= high for low, high in bounds_of])
                print(f"  {name} {held:.3f} ({errors_of.mean() / values.std():.2f})", end="")
            print(flush=True)


def subsampling(maker: Maker, folder: Path, vectors: Path | None) -> None:
    """How far scores move when 100 usages a side become 20, over several samples of each word."""
    usages = senseshift.read(folder)
    given = np.load(vectors) if vectors else senseshift.encode(usages, "bundled")
    units, rng = _units(np.asarray(given, dtype=np.float64)), np.random.default_rng(3)
    names, periods = usages.table["word"].to_numpy(), usages.table["period"].to_numpy()
    moved: dict[str, list[tuple[float, float]]] = {}
    for name in dict.fromkeys(names):
        own = np.flatnonzero(names == name)
        sides = [own[periods[own] == period] for period in sorted(set(periods))]
        if min(side.size for side in sides) < 60:
            continue
        values: dict[int, list[list[float]]] = {20: [], 100: []}
        for count, times in ((100, 1), (20, 5)):
            for _ in range(times):
                rows = [rng.choice(s, min(count, s.size), replace=False) for s in sides]
                is_new = np.repeat([False, True], [row.size for row in rows])
                cost = maker.cost(units[np.concatenate(rows)])
                result = permute(cost, is_new, permutations=60, rho=1.0, early=False)
                null = result.figures
                values[count].append([result.change, null["change"].centred, null["f_SUS"].found])
        for k, score in enumerate(("change", "centred", "f_SUS")):
            whole = values[100][0][k]
            parts = np.array([row[k] for row in values[20]])
            moved.setdefault(score, []).append((parts.mean() - whole, abs(parts - whole).mean()))
    for score, rows in moved.items():
        shift, single = np.array(rows).T
        print(
            f"  {score:16} moves by {abs(shift).mean():.4f} on average over samples of a word, "
            f"a single sample by {single.mean():.4f} ({len(rows)} words)"
        )


def halves(maker: Maker, table: Path, deals: int) -> None:
    """Documents of one time dealt into two halves: p by usages and by documents."""
    usages = senseshift.read(table)
    units = _units(np.asarray(senseshift.encode(usages, "bundled"), dtype=np.float64))
    names = usages.table["word"].to_numpy()
    sources = np.unique(usages.table["source"].to_numpy(), return_inverse=True)[1]
    found = []
    for number in range(deals):
        side = np.random.default_rng(number).permutation(sources.max() + 1) % 2 == 1
        for index, own in enumerate(np.flatnonzero(names == name) for name in dict.fromkeys(names)):
            is_new, documents = side[sources[own]], sources[own]
            if min(is_new.sum(), (~is_new).sum()) < 4:
                continue
            cost, seed = maker.cost(units[own]), (number, index)
            found.append(
                [
                    permute(cost, is_new, documents=known, permutations=99, rho=1.0, seed=seed,
                            early=False).figures["change"].p
                    for known in (None, documents)
                ]
            )  # fmt: skip
    for kind, p in zip(("usages", "documents"), np.array(found).T, strict=True):
        rates = "  ".join(f"≤ {level}: {(p <= level).mean():.3f}" for level in (0.01, 0.05, 0.1))
        print(f"  by {kind:10} {p.size} p-values  {rates}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("written", type=Path)
    parser.add_argument("--part", choices=["scores", "power", "coverage", "subsampling", "halves"])
    parser.add_argument("--wug", type=Path, help="a WUG folder to take samples from")
    parser.add_argument("--vectors", type=Path, help="of its usages")
    parser.add_argument("--usages", type=Path, help="usages of one time with their source")
    parser.add_argument("--repeats", type=int, default=200)
    curve = load("bundled").calibration
    parser.add_argument("--midpoint", type=float, default=curve.middle, help="of the sense cost")
    parser.add_argument(
        "--scale", type=float, default=curve.width, help="of it; 0 for cosine distance"
    )
    given = parser.parse_args()
    for part, needed in (("subsampling", "wug"), ("halves", "usages")):
        if given.part == part and getattr(given, needed) is None:
            parser.error(f"--part {part} needs --{needed}")
    maker = Maker(given.written, given.midpoint, given.scale)
    for part in _parts(given):
        if part == "subsampling":
            subsampling(maker, given.wug, given.vectors)
        elif part == "halves":
            halves(maker, given.usages, 10)
        else:
            {"scores": scores, "power": power, "coverage": coverage}[part](maker, given.repeats)


def _parts(given: argparse.Namespace) -> Iterator[str]:
    if given.part:
        yield given.part
        return
    yield from ("scores", "power", "coverage")
    if given.wug:
        yield "subsampling"
    if given.usages:
        yield "halves"


if __name__ == "__main__":
    main()
