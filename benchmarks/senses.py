"""How good induced senses are, and what is said by them.

    python benchmarks/senses.py [DWUG_EN] [--encoder onnx:DIR]

On DWUG EN (https://doi.org/10.5281/zenodo.14028531): the senses of its usages beside those of WiDiD
in the same run, the measures of their shares against the gold, SUS by both costs, and how often a
marked sense moved as the annotators' did, or was marked though the periods were dealt at random.
Then what is said of every word of the sample, and how long many usages take. Neither chose
anything.
"""

from __future__ import annotations

import argparse
import resource
import time
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr
from sklearn.metrics import adjusted_rand_score

import senseshift
from senseshift import senses
from senseshift.calibration import Calibration
from senseshift.demo import SAMPLE
from senseshift.encoders import load
from senseshift.evaluation import Gold
from senseshift.findings.statement import CLEAR, MOVED
from senseshift.measures import Comparison, measure
from senseshift.measures.frequencies import entropy_difference, jsd
from senseshift.resampling import discrete_q_values
from senseshift.senses.induction import alone
from senseshift.senses.manner import Manner
from senseshift.senses.verdict import MARKED
from senseshift.vectors import cosine_cost, unit

SHUFFLES = 5
BARS = {
    "ARI": "(bar .36, aim .42)",
    "JSD ~ f*": "(bar .66)",
    "entropy ~ g*": "(bar .56)",
    "log ratio ~ τ*, old": "(bar .44)",
    "log ratio ~ τ*, new": "(bar .45)",
    "direction right": "(bar .80)",
}


@dataclass
class Word:
    """One word's usages, with the gold where it is known."""

    name: str
    units: np.ndarray
    is_new: np.ndarray
    gold: np.ndarray  # −1: not known
    tau: np.ndarray  # NaN: not known
    f: float | None
    g: float | None

    @property
    def split(self) -> tuple[np.ndarray, np.ndarray]:
        """Vectors of the old and the new usages."""
        return self.units[~self.is_new], self.units[self.is_new]


def read_words(folder: Path, encoder: str) -> list[Word]:
    usages = senseshift.read(folder)
    vectors = unit(senseshift.encode(usages, encoder).astype(np.float64), "encoded")
    gold = Gold.of(usages, folder)
    change = {row["word"]: row for row in gold.words.to_dicts()}
    new = (usages.table["period"] == usages.periods[1]).to_numpy()
    words = []
    for (name,), part in gold.usages.with_row_index().partition_by("word", as_dict=True).items():
        at = part["index"].to_numpy()
        named = part["sense"].fill_null("").to_numpy().astype(str)
        labels = np.where(named == "", -1, np.unique(named, return_inverse=True)[1])
        tau = part["tau"].fill_null(np.nan).to_numpy()
        f, g = (change[name][key] for key in ("f", "g"))
        words.append(Word(name, vectors[at], new[at], labels, tau, f, g))
    return words


def widid(word: Word) -> np.ndarray:
    labels = np.empty(word.is_new.size, dtype=np.int64)
    labels[~word.is_new], labels[word.is_new] = Comparison(*word.split).clusters
    return np.unique(labels, return_inverse=True)[1]


def counted(labels: np.ndarray, periods: np.ndarray) -> senses.Shares:
    return senses.count_shares(labels, periods, number=2)


def suited(calibration: Calibration, words: list[Word]) -> float:
    """The cut for the texts of these words."""
    cut = calibration.suited(Manner.of(word.units for word in words)).cut
    assert cut is not None
    print(f"senses are kept apart at {cut:g} in these texts")
    return cut


def corrected(shares: list[senses.Shares]) -> list[np.ndarray]:
    """The q by which senses are marked: 1 where the sense's own p says nothing, or it hardly moved.

    By the exact test, for DWUG EN does not say which documents its usages are of.
    """
    found = [senses.changes(of, 0, 1) for of in shares]
    p = np.concatenate([of.p for of in found])
    far = np.concatenate([senses.moved(*of.share.T) for of in shares]) >= MOVED
    q = discrete_q_values(p, np.concatenate([of.margins(0, 1) for of in shares]))
    return np.split(np.where((p <= CLEAR) & far, q, 1.0), np.cumsum([c.p.size for c in found])[:-1])


def against_gold(words: list[Word], labelled: list[np.ndarray], cut: float) -> dict[str, float]:
    periods = [word.is_new.astype(np.int64) for word in words]
    shares = list(map(counted, labelled, periods))
    moved = [senses.log_ratio(s, 0, 1) for s in shares]
    ratios = {
        "log ratio": [
            senses.membership(word.units, labels, cut) @ m
            for word, labels, m in zip(words, labelled, moved, strict=True)
        ],
        "by whole senses": [  # nothing is known of a stray
            np.append(m, 0.0)[labels] for m, labels in zip(moved, labelled, strict=True)
        ],
    }
    known = [word.gold >= 0 for word in words]
    found = {
        "senses a word": np.mean([labels.max() + 1 for labels in labelled]),
        "strays": np.mean(np.concatenate(labelled) < 0),
        "ARI": np.mean(
            [
                adjusted_rand_score(word.gold[k], alone(labels)[k])
                for word, labels, k in zip(words, labelled, known, strict=True)
            ]
        ),
        "JSD ~ f*": rank([jsd(*s.counts.T) for s in shares], [word.f for word in words]),
        "entropy ~ g*": rank(
            [entropy_difference(*s.counts.T) for s in shares], [word.g for word in words]
        ),
    }
    for (kind, scores), (name, side) in product(ratios.items(), (("old", False), ("new", True))):
        of = [k & (word.is_new == side) for word, k in zip(words, known, strict=True)]
        found[f"{kind} ~ τ*, {name}"] = rank(
            np.concatenate([r[k] for r, k in zip(scores, of, strict=True)]),
            np.concatenate([word.tau[k] for word, k in zip(words, of, strict=True)]),
        )
    q = corrected(shares)
    right = [
        same
        for word, labels, s, part in zip(words, labelled, shares, q, strict=True)
        for same in directions(word, labels, s, part)
    ]
    found["marked senses"] = len(right)
    found["direction right"] = np.mean(right) if right else np.nan
    found["words with a marked sense"] = np.mean([(part <= MARKED).any() for part in q])
    return found


def directions(word: Word, labels: np.ndarray, shares: senses.Shares, q: np.ndarray) -> list[bool]:
    """Whether the gold sense that most usages of a marked sense have moved the same way."""
    gold = senses.count_shares(word.gold, word.is_new.astype(np.int64), number=2).share
    moved = shares.share[:, 1] - shares.share[:, 0]
    right = []
    for sense in np.flatnonzero(q <= MARKED):
        of = word.gold[(labels == sense) & (word.gold >= 0)]
        if of.size:
            most = np.bincount(of).argmax()
            right.append(bool((gold[most, 1] - gold[most, 0]) * moved[sense] > 0))
    return right


def shuffled(words: list[Word], labelled: list[np.ndarray]) -> float:
    """How many words have a marked sense when periods are dealt at random."""
    rng, marked = np.random.default_rng(1), []
    for _ in range(SHUFFLES):
        shares = [
            counted(labels, rng.permutation(word.is_new.astype(np.int64)))
            for word, labels in zip(words, labelled, strict=True)
        ]
        marked += [(part <= MARKED).any() for part in corrected(shares)]
    return float(np.mean(marked))


def by_cost(words: list[Word], calibration: Calibration) -> None:
    """SUS by cosine distance and by the chance of another sense, ρ = 1."""
    print(f"{'SUS by':10} {'f ~ f*':>8} {'g ~ g*':>8} {'τ old':>8} {'τ new':>8}")
    for name in ("cosine", "sense"):
        values, taus = [], ([], [])
        for word in words:
            cost = cosine_cost(*word.split)
            cost = calibration.cost(cost) if name == "sense" else cost
            compared = Comparison.from_cost(cost, rho=1.0)
            values.append(measure(compared, ["f_SUS", "g_SUS"]))
            for side, sus in enumerate(compared.sus):
                tau = word.tau[word.is_new == side]
                taus[side].append(np.stack((sus, tau))[:, ~np.isnan(tau)])
        figures = [
            rank([v["f_SUS"] for v in values], [word.f for word in words]),
            rank([v["g_SUS"] for v in values], [word.g for word in words]),
            *(rank(*np.concatenate(side, axis=1)) for side in taus),
        ]
        print(f"{name:10} " + " ".join(f"{figure:8.3f}" for figure in figures))


def rank(x: object, y: object) -> float:
    return float(spearmanr(x, y)[0])


def of_sample(encoder: str, calibration: Calibration) -> None:
    words = read_words(SAMPLE, encoder)
    cut = suited(calibration, words)
    labelled = [senses.induce(word.units, cut) for word in words]
    periods = [word.is_new.astype(np.int64) for word in words]
    shares = list(map(counted, labelled, periods))
    for word, labels, s, q in zip(words, labelled, shares, corrected(shares), strict=True):
        verdict = senses.judge(s, q)
        known = word.gold >= 0
        ari = adjusted_rand_score(word.gold[known], alone(labels)[known])
        shown = "  ".join(
            f"{old:.0%}→{new:.0%}{'*' if value <= MARKED else ''}"
            for (old, new), value in zip(s.share, q, strict=True)
        )
        gold = senses.count_shares(word.gold, word.is_new.astype(np.int64), number=2).share
        truth = "  ".join(f"{old:.0%}→{new:.0%}" for old, new in gold)
        print(f"{word.name:14} {verdict.kind:9} ARI {ari:5.2f}  {shown}   (gold {truth})")


def speed(cut: float) -> None:
    rng = np.random.default_rng(0)
    for count in (1_000, 20_000):
        centres = rng.normal(size=(12, 384))
        made = centres[rng.integers(12, size=count)] + 0.9 * rng.normal(size=(count, 384))
        start = time.perf_counter()
        labels = senses.induce(made, cut)
        induced = time.perf_counter() - start
        senses.confidence(made, labels, cut)
        taken = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(
            f"{count:,} usages: {labels.max() + 1} senses in {induced:.1f} s, "
            f"with confidence {taken:.1f} s, at most {peak:.2f} GiB in this process so far"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--encoder", default="bundled")
    given = parser.parse_args()
    calibration = load(given.encoder).calibration
    print(calibration)
    if given.folder:
        words = read_words(given.folder, given.encoder)
        cut = suited(calibration, words)
        ours = [senses.induce(word.units, cut) for word in words]
        figures = (
            against_gold(words, ours, cut),
            against_gold(words, [widid(word) for word in words], cut),
        )
        print(f"{'DWUG EN':28} {'induced':>8} {'WiDiD':>8}")
        for name, figure in figures[0].items():
            print(f"{name:28} {figure:8.3f} {figures[1][name]:8.3f}  {BARS.get(name, '')}")
        print(f"{'shuffled: words marked':28} {shuffled(words, ours):8.3f}           (bar .05)")
        by_cost(words, calibration)
    of_sample(given.encoder, calibration)
    speed(calibration.cut)


if __name__ == "__main__":
    main()
